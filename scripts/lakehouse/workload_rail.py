"""A railway's stops, tickets and stations: the pipelines of an engineer who writes helpers and loops over days.

Written before any of its statements was traced. In SQL `B.t`, `S.t` and `G.t` are bronze, silver and gold tables of the
format, `H.t` tables of Parquet; in the truth `b_t`, `s_t`, `g_t` and `h_t`. With two Iceberg catalogs (`two` in the log's
name) gold is `jdb.silver`, with the namespace of silver. `python -m lakehouse.workload_rail --truth FORMAT [two]`
writes the truth without Spark.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import reduce
from pathlib import Path

from pyspark.sql import DataFrame
from pyspark.sql import functions as f
from pyspark.sql.window import Window

from lakehouse import workload_rail_delta, workload_rail_iceberg, workload_rail_rest
from lakehouse.workload import CatalogNames, Job, Step, truth_of
from lakehouse.workload_nights import add_datasets
from lakehouse.workload_run import FEW_TASKS, Workload, layered, places_of

_LAYER = re.compile(r"\b([BSGH])\.(?=[\w`])")
_DAYS = ("2026-11-01", "2026-11-02")
_STOPS = (
    "train STRING, station STRING, planned TIMESTAMP, actual TIMESTAMP, platform INT,"
    " sensor STRUCT<id: STRING, readings: ARRAY<STRUCT<k: STRING, v: DOUBLE>>>, note STRING"
)
_STOP_COLUMNS = "train station planned actual platform sensor note"
_TICKETS = "ticket_id train class price sold_at channel day".split()
_CDC = "op STRING, station_id STRING, name STRING, zone INT, seq BIGINT, ts TIMESTAMP"


def layers(fmt: str, two: bool) -> dict[str, str]:
    """Return catalog and database of the layers, by their letters."""
    first = {"iceberg": "ice", "paimon": "pai"}.get(fmt, "spark_catalog")
    gold = "jdb.silver" if two else f"{first}.gold"
    return {"B": f"{first}.bronze", "S": f"{first}.silver", "G": gold, "H": "spark_catalog.ref"}


def land(root: Path) -> None:
    """Write the landing files."""
    for number, day in enumerate(_DAYS):
        stops = [
            {
                "train": f"t{n % 5}",
                "station": f"s{n % 4}",
                "planned": f"{day}T0{n % 9}:10:00",
                "actual": f"{day}T0{n % 9}:1{n % 7}:00" if n % 6 else None,
                "platform": n % 3,
                "sensor": {"id": f"d{n % 3}", "readings": [{"k": "temp", "v": n * 1.5}, {"k": "load", "v": 3.0}]},
                "note": json.dumps({"by": f"p{n % 3}", "code": n % 4}),
            }
            for n in range(number * 20, number * 20 + 24)
        ]
        _lines(root / "landing" / "stops" / day / "part-0.json", [json.dumps(each) for each in stops])
        tickets = [
            f"{n},t{n % 6},{1 + n % 2},{n * 2.5 - 10},{day} 0{n % 9}:05:00,{('web', 'app', 'desk')[n % 3]}"
            for n in range(number * 30, number * 30 + 33)
        ]
        head = "ticket_id,train,class,price,sold_at,channel"
        _lines(root / "landing" / "tickets" / f"day={day}" / "tickets.csv", [head, *tickets])
    changes = [
        {"op": "IUUD"[n % 4 if n > 5 else 0], "station_id": f"s{n % 6}", "name": f"Station {n}", "zone": n % 3, "seq": n,
         "ts": f"2026-11-01T1{n % 9}:00:00"}
        for n in range(16)
    ]  # fmt: skip
    _lines(root / "landing" / "cdc" / "1.json", [json.dumps(each) for each in changes])
    _lines(
        root / "landing" / "ref" / "trains.csv",
        ["train,operator,line,seats", *(f"t{n},op{n % 2},L{n % 3},{200 + n}" for n in range(6))],
    )
    _lines(
        root / "landing" / "gate" / "gate.log", [f"2026-11-01 0{n}:00:00 WARN gate-{n % 3} open={n}" for n in range(9)]
    )


def _lines(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines))


class Pipeline:
    """What the engineer's jobs share.

    Args:
        fmt: The format of the tables.
        sql: Puts catalogs into a text.
    """

    def __init__(self, fmt: str, sql: Callable[[str], str]) -> None:
        self.fmt = fmt
        self.sql = sql
        self.names = CatalogNames(sql)
        self.table = self.names.table

    def save(self, frame: DataFrame, name: str, mode: str = "error", by: tuple[str, ...] = ()) -> None:
        """Save a frame as a table."""
        writer = frame.write.format(self.fmt).mode(mode)
        (writer.partitionBy(*by) if by else writer).saveAsTable(self.sql(name))

    def stops(self, day: str) -> Callable[[Job], None]:
        """Return the load of a day's stops."""

        def load(job: Job) -> None:
            rows = job.spark.read.schema(_STOPS).json(f"{job.root}/landing/stops/{day}")
            rows = rows.select("*", f.col("_metadata.file_name").alias("src_file"))
            for name, value in {"loaded_at": f.current_timestamp(), "day": f.lit(day)}.items():
                rows = rows.withColumn(name, value)
            self.save(rows, "B.stops", "append", ("day",))

        return load

    def checked(self, job: Job) -> DataFrame:
        """Return tickets with the names of the checks that they fail."""
        checks = {"no_train": "train IS NULL", "negative": "price < 0", "class": "class NOT IN (1, 2)"}
        failed = f.array(*[f.when(f.expr(rule), f.lit(name)) for name, rule in checks.items()])
        rows = self.table(job, "B.tickets").select(*_TICKETS)
        return rows.withColumn("errors", f.filter(failed, lambda each: each.isNotNull())).cache()

    def rejects(self, job: Job) -> None:
        """Write the tickets that fail."""
        payload = f.to_json(f.struct(*_TICKETS)).alias("payload")
        bad = self.checked(job).where(f.size("errors") > 0)
        self.save(bad.select("ticket_id", payload, f.col("errors")[0].alias("reason")), "S.rejects")

    def clean(self, job: Job) -> None:
        """Write the others, without duplicates."""
        spec = Window.partitionBy("ticket_id").orderBy(f.col("sold_at").desc())
        good = self.checked(job).where(f.size("errors") == 0).drop("errors").withColumn("rn", f.row_number().over(spec))
        self.save(good.where("rn = 1").drop("rn"), "S.tickets")

    def readings(self, job: Job) -> None:
        """Write a row per reading of a sensor."""
        rows = self.table(job, "B.stops").select(
            "train", f.col("sensor.id").alias("sensor_id"), f.posexplode("sensor.readings").alias("pos", "r")
        )
        self.save(rows.select("train", "sensor_id", "pos", "r.k", (f.col("r.v") * 1.8 + 32).alias("f")), "S.readings")

    def gates(self, job: Job) -> None:
        """Parse the lines of a log."""
        pattern = r"^(\S+ \S+) (\w+) (gate-\d) open=(\d+)$"
        names = ("at", "level", "gate", "n")
        lines = job.spark.read.text(f"{job.root}/landing/gate")
        found = [f.regexp_extract("value", pattern, n).alias(name) for n, name in enumerate(names, 1)]
        rows = lines.where(f.col("value").rlike(pattern)).select(*found)
        self.save(rows.withColumn("n", f.col("n").cast("int")), "S.gates")

    def pivoted(self, job: Job) -> None:
        """Write a column per channel."""
        rows = self.table(job, "S.tickets").groupBy("train").pivot("channel", ["web", "app"])
        self.save(rows.agg(f.sum("price").alias("sum"), f.max("class").alias("top")), "G.channels")

    def unioned(self, job: Job) -> None:
        """Write facts of three tables in one."""
        parts = [
            self.table(job, "S.tickets").select(f.col("train").alias("key"), f.col("price").alias("amount")),
            self.table(job, "S.trips").select(f.col("train").alias("key"), "delay_min"),
            self.table(job, "S.readings").select(f.col("sensor_id").alias("key"), f.col("f").alias("amount"), "pos"),
        ]
        kinds = [part.withColumn("kind", f.lit(n)) for n, part in enumerate(parts)]
        rows = reduce(lambda one, other: one.unionByName(other, allowMissingColumns=True), kinds)
        self.save(rows, "G.facts")

    def compared(self, job: Job) -> None:
        """Write what differs between bronze and silver."""
        old, new = (self.table(job, name).select("ticket_id", "price", "train") for name in ("B.tickets", "S.tickets"))
        joined = old.alias("o").join(new.alias("n"), f.expr("o.ticket_id <=> n.ticket_id"), "full_outer")
        rows = joined.select(
            f.coalesce("o.ticket_id", "n.ticket_id").alias("ticket_id"),
            f.when(f.col("n.ticket_id").isNull(), "lost").otherwise("kept").alias("state"),
            (f.col("n.price") - f.col("o.price")).alias("diff"),
            f.sha2(f.concat_ws("|", "o.train", "n.train"), 256).alias("hash"),
        )
        self.save(rows.transform(lambda each: each.where("state = 'lost' OR diff <> 0")), "S.diffs")

    def sampled(self, job: Job) -> None:
        """Write through observed metrics, a local checkpoint and a broadcast."""
        trains = f.broadcast(self.table(job, "H.trains").where("seats > 200"))
        rows = self.table(job, "S.trips").observe("seen", f.count(f.lit(1)).alias("n")).join(trains, "train")
        rows = rows.localCheckpoint().groupBy("operator", f.window("planned", "6 hours").alias("w"))
        agg = rows.agg(f.collect_set("station").alias("stations"), f.approx_count_distinct("line").alias("lines"))
        self.save(agg.select("operator", f.col("w.start").alias("since"), "stations", "lines"), "G.windows")

    def stations(self, job: Job) -> None:
        """Apply changes of stations batch by batch, and count them."""

        def apply(batch: DataFrame, number: int) -> None:
            spec = Window.partitionBy("station_id").orderBy(f.desc("seq"))
            last = batch.withColumn("rn", f.row_number().over(spec)).where("rn = 1").drop("rn").persist()
            last.createOrReplaceTempView("changes")
            run = batch.sparkSession.sql
            prefix = "" if self.fmt == "paimon" else "t."
            sets = ", ".join(f"{prefix}{name} = s.{name}" for name in ("name", "zone", "seq"))
            run(
                self.sql(
                    f"MERGE INTO S.stations t USING changes s ON t.station_id = s.station_id"
                    f" WHEN MATCHED AND s.op = 'D' THEN DELETE WHEN MATCHED AND s.seq > t.seq THEN UPDATE SET {sets}"
                    " WHEN NOT MATCHED AND s.op <> 'D' THEN INSERT (station_id, name, zone, seq) VALUES (s.station_id, s.name, s.zone, s.seq)"
                )
            )
            last.unpersist()

        rows = job.spark.readStream.schema(_CDC).json(f"{job.root}/landing/cdc")
        job.stream(rows, "stations stream").foreachBatch(apply).start().awaitTermination()

    def exported(self, job: Job) -> None:
        """Write files for others."""
        rows = self.table(job, "S.tickets").join(self.table(job, "H.trains"), "train").where("price > 20")
        rows.select("ticket_id", "price", f.upper("operator").alias("operator"), "line").repartition(1).write.mode(
            "overwrite"
        ).partitionBy("line").option("header", True).csv(f"{job.root}/export/sales")


def common(fmt: str, sql: Callable[[str], str]) -> tuple[Step, ...]:
    """Return the steps that all formats run."""
    own = Pipeline(fmt, sql)
    step = own.names.step
    properties = {
        "hudi": " TBLPROPERTIES (primaryKey = '{key}', preCombineField = '{order}')",
        "paimon": " TBLPROPERTIES ('primary-key' = '{key}', 'bucket' = '1')",
    }.get(fmt, "")
    unkeyed = properties.format(key="ticket_id", order="sold_at") if fmt == "hudi" else ""

    def trains(job: Job) -> None:
        rows = job.spark.read.csv(f"{job.root}/landing/ref/trains.csv", header=True, inferSchema=True)
        rows.write.format("parquet").saveAsTable("ref.trains")

    def hot(job: Job) -> None:
        job.sql(
            sql(
                "CACHE TABLE hot AS SELECT train, max(delay_min) AS worst FROM S.trips GROUP BY train HAVING max(delay_min) > 1"
            )
        )
        job.sql(
            sql(
                "INSERT INTO G.alerts SELECT h.train, h.worst, t.operator, 'hot' FROM hot h LEFT JOIN H.trains t ON t.train = h.train"
            )
        )

    days = tuple(
        step(
            f"daily {day}",
            f"INSERT OVERWRITE G.daily PARTITION (day = '{day}') SELECT r.line, count(*) AS n, avg(t.delay_min) AS mean, max_by(t.station, t.delay_min) AS worst FROM S.trips t JOIN H.trains r ON r.train = t.train WHERE t.planned >= timestamp'{day} 00:00:00' GROUP BY r.line",
            "overwrite g_daily",
            "line < h_trains.line; n <; mean < s_trips.delay_min; worst < s_trips.station; day <",
            "JOIN s_trips.train; JOIN h_trains.train; FILTER s_trips.planned; GROUP_BY h_trains.line",
        )
        for day in _DAYS
    )
    return (
        Step("trains", trains, "create h_trains", "train operator line seats < trains_csv.*"),
        *(
            Step(f"stops {day}", own.stops(day), f"{kind} b_stops", f"{_STOP_COLUMNS} < stops_json.*; src_file < stops_json._metadata.file_name; loaded_at day <")
            for day, kind in zip(_DAYS, ("append" if fmt == "hudi" else "create", "append"), strict=True)
        ),
        step("tickets ddl", f"CREATE TABLE B.tickets (ticket_id BIGINT, train STRING, class INT, price DOUBLE, sold_at TIMESTAMP, channel STRING, day DATE) USING {fmt} PARTITIONED BY (day){unkeyed}"),
        step("tickets view", "CREATE TEMPORARY VIEW tickets_csv USING csv OPTIONS (path '{root}/landing/tickets', header 'true', inferSchema 'true')"),
        step("tickets", "INSERT INTO B.tickets SELECT ticket_id, train, CAST(class AS INT), price, to_timestamp(sold_at), channel, day FROM tickets_csv WHERE day >= '2026-11-01'", "append b_tickets", "ticket_id train class price sold_at channel day < tickets_csv.*", "FILTER tickets_csv.day"),
        Step("rejects", own.rejects, "create s_rejects", "ticket_id < b_tickets.ticket_id; payload < " + " ".join(f"b_tickets.{each}" for each in _TICKETS) + "; reason <", "FILTER b_tickets.train; FILTER b_tickets.price"),
        Step("clean", own.clean, "create s_tickets", f"{' '.join(_TICKETS)} < b_tickets.*", "FILTER b_tickets.train; FILTER b_tickets.price; FILTER b_tickets.class"),
        step(
            "trips",
            f"CREATE TABLE S.trips USING {fmt} AS WITH ranked AS (SELECT *, row_number() OVER (PARTITION BY train, station, planned ORDER BY loaded_at DESC, src_file) AS rn FROM B.stops WHERE actual IS NOT NULL) SELECT train, station, planned, actual, (unix_timestamp(actual) - unix_timestamp(planned)) / 60 AS delay_min, get_json_object(note, '$.code') AS code FROM ranked WHERE rn = 1",
            "create s_trips",
            "train station planned actual < b_stops.*; delay_min < b_stops.actual b_stops.planned; code < b_stops.note",
            "FILTER b_stops.actual",
        ),
        Step("readings", own.readings, "create s_readings", "train < b_stops.train; sensor_id < b_stops.sensor.id; pos < b_stops.sensor.readings; k < b_stops.sensor.readings.k; f < b_stops.sensor.readings.v"),
        Step("gates", own.gates, "create s_gates", "at level gate n < gate.value", "FILTER gate.value"),
        step("stations ddl", f"CREATE TABLE S.stations (station_id STRING, name STRING, zone INT, seq BIGINT) USING {fmt}{properties.format(key='station_id', order='seq')}"),
        Step("stations stream", own.stations, "merge s_stations", "station_id name zone seq < cdc.*"),
        step("daily ddl", f"CREATE TABLE G.daily (line STRING, n BIGINT, mean DOUBLE, worst STRING, day STRING) USING {fmt} PARTITIONED BY (day)"),
        *days,
        step("alerts ddl", f"CREATE TABLE G.alerts (train STRING, worst DOUBLE, operator STRING, src STRING) USING {fmt}"),
        Step("hot", hot, "append g_alerts", "train < s_trips.train; worst < s_trips.delay_min; operator < h_trains.operator; src <", "JOIN s_trips.train; JOIN h_trains.train; GROUP_BY s_trips.train"),
        Step("pivot", own.pivoted, "create g_channels", "train < s_tickets.train; web_sum app_sum < s_tickets.price; web_top app_top < s_tickets.class", "GROUP_BY s_tickets.train"),
        Step("facts", own.unioned, "create g_facts", "key < s_tickets.train s_trips.train s_readings.sensor_id; amount < s_tickets.price s_readings.f; kind <; delay_min < s_trips.delay_min; pos < s_readings.pos"),
        Step("diffs", own.compared, "create s_diffs", "ticket_id < b_tickets.ticket_id s_tickets.ticket_id; state <; diff < b_tickets.price s_tickets.price; hash < b_tickets.train s_tickets.train", "JOIN b_tickets.ticket_id; JOIN s_tickets.ticket_id"),
        Step("windows", own.sampled, "create g_windows", "operator < h_trains.operator; since < s_trips.planned; stations < s_trips.station; lines < h_trains.line", "JOIN s_trips.train; JOIN h_trains.train; FILTER h_trains.seats; GROUP_BY h_trains.operator"),
        step(
            "view",
            "CREATE VIEW H.delays AS SELECT t.train, r.line, t.delay_min, s.name AS station_name FROM S.trips t JOIN H.trains r USING (train) LEFT JOIN S.stations s ON s.station_id = t.station",
            "create h_delays",
            "train < s_trips.train; line < h_trains.line; delay_min < s_trips.delay_min; station_name < s_stations.name",
            "JOIN s_trips.train; JOIN s_stations.station_id",
        ),
        step(
            "from view",
            "INSERT INTO G.alerts SELECT train, sum(delay_min) OVER (PARTITION BY line ORDER BY train ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), station_name, concat('v-', line) FROM H.delays WHERE delay_min BETWEEN 1 AND 50",
            "append g_alerts",
            "train < s_trips.train; worst < s_trips.delay_min; operator < s_stations.name; src < h_trains.line",
            "FILTER s_trips.delay_min; JOIN s_stations.station_id",
        ),
        step(
            "calendar",
            f"CREATE TABLE G.calendar USING {fmt} AS SELECT c.day, coalesce(sum(t.price), 0) AS revenue, count(t.ticket_id) AS n FROM (SELECT explode(sequence(DATE'2026-10-30', DATE'2026-11-03')) AS day) c LEFT JOIN S.tickets t ON t.day = c.day GROUP BY c.day ORDER BY c.day",
            "create g_calendar",
            "day <; revenue < s_tickets.price; n < s_tickets.ticket_id",
            "JOIN s_tickets.day",
        ),
        step(
            "sessions",
            f"CREATE TABLE G.sessions USING {fmt} AS SELECT train, session, min(sold_at) AS first_at, sum(price) AS total FROM (SELECT *, sum(is_new) OVER (PARTITION BY train ORDER BY sold_at) AS session FROM (SELECT *, CASE WHEN sold_at - lag(sold_at) OVER (PARTITION BY train ORDER BY sold_at) > INTERVAL '1' HOUR THEN 1 ELSE 0 END AS is_new FROM S.tickets)) GROUP BY train, session",
            "create g_sessions",
            "train < s_tickets.train; session <; first_at < s_tickets.sold_at; total < s_tickets.price",
            "GROUP_BY s_tickets.train",
        ),
        Step("export", own.exported, "overwrite x_sales", "ticket_id price < s_tickets.*; operator line < h_trains.*", "JOIN s_tickets.train; FILTER s_tickets.price"),
        step("directory", "INSERT OVERWRITE DIRECTORY '{root}/export/worst' USING orc SELECT line, max(mean) AS mean, min(worst) AS worst FROM G.daily GROUP BY line", "overwrite x_worst", "line mean worst < g_daily.*", "GROUP_BY g_daily.line"),
        step("from files", "INSERT INTO G.alerts (train, src, worst, operator) SELECT w.line, s.operator, w.mean, s.line FROM orc.`{root}/export/worst` w JOIN csv.`{root}/export/sales` s0 ON s0.line = w.line JOIN H.trains s ON s.line = w.line WHERE w.mean > 0", "append g_alerts", "train < x_worst.line; worst < x_worst.mean; operator < h_trains.line; src < h_trains.operator", "JOIN x_worst.line; JOIN x_sales.line; FILTER x_worst.mean"),
        step("report", "SELECT r.operator, grouping_id(r.operator, s.zone) AS g, s.zone, round(avg(t.delay_min), 1) AS mean FROM S.trips t JOIN H.trains r USING (train) JOIN S.stations s ON s.station_id = t.station GROUP BY CUBE (r.operator, s.zone) HAVING count(*) > 1 ORDER BY mean DESC LIMIT 20", "", "operator < h_trains.operator; g <; zone < s_stations.zone; mean < s_trips.delay_min", "JOIN s_trips.train; GROUP_BY s_stations.zone"),
    )  # fmt: skip


def steps(fmt: str, two: bool) -> tuple[Step, ...]:
    """Return the steps of a format, in their order."""
    sql = layered(_LAYER, layers(fmt, two))
    own = {
        "delta": workload_rail_delta.Delta,
        "iceberg": workload_rail_iceberg.Iceberg,
        "hudi": workload_rail_rest.Hudi,
        "paimon": workload_rail_rest.Paimon,
    }[fmt](sql)
    return (*common(fmt, sql), *own.first())


def truth(fmt: str, two: bool, folder: Path) -> str:
    """Return the truth of a format's log as JSON."""
    root = f"file://{folder}"
    names = {"stops_json": "landing/stops", "tickets_csv": "landing/tickets", "trains_csv": "landing/ref/trains.csv"}
    names = {key: f"{root}/{path}" for key, path in {**names, "cdc": "landing/cdc", "gate": "landing/gate"}.items()}
    listed = steps(fmt, two)
    add_datasets(names, listed, layers(fmt, two), root)
    changes = {"delta": workload_rail_delta.CHANGES, "iceberg": workload_rail_iceberg.CHANGES}
    return truth_of(names, listed, {**changes, **workload_rail_rest.CHANGES}[fmt])


def main() -> None:
    """Run the steps, or write the truth."""
    Workload(
        Path("/tmp/lakehouse_rail"),
        land,
        places_of(layers),
        steps,
        truth,
        FEW_TASKS,
    ).main()


if __name__ == "__main__":
    main()
