"""An energy supplier's meters: the same jobs in three nights of one application, with 48 half hours as columns.

Written before any of its statements was traced. In SQL `B.t`, `S.t` and `G.t` are bronze, silver and gold tables of the
format; in the truth `b_t`, `s_t` and `g_t`. With two Iceberg catalogs (`two` in the log's name) gold is `jdb.core`, with
the namespace of silver. `python -m lakehouse.workload_grid --truth FORMAT [two]` writes the truth without Spark.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from pyspark.sql import DataFrame
from pyspark.sql import functions as f
from pyspark.sql.window import Window

from lakehouse import workload_grid_own
from lakehouse.workload import CatalogNames, Job, Step, truth_of
from lakehouse.workload_nights import add_datasets
from lakehouse.workload_run import FEW_TASKS, Workload, layered, places_of

_LAYER = re.compile(r"\b([BSG])\.(?=[\w`])")
_READINGS = "meter_id STRING, at TIMESTAMP, kwh DOUBLE, quality INT, slot INT, device STRUCT<fw: STRING, temp: DOUBLE>"
_SLOTS = tuple(f"h{n:02d}" for n in range(48))


def layers(fmt: str, two: bool) -> dict[str, str]:
    """Return catalog and database of the layers, by their letters."""
    first = {"iceberg": "ice", "paimon": "pai"}.get(fmt, "spark_catalog")
    return {"B": f"{first}.raw", "S": f"{first}.core", "G": "jdb.core" if two else f"{first}.mart"}


def land(root: Path) -> None:
    """Write the landing files of three nights."""
    for night in (1, 2, 3):
        rows = [
            {
                "meter_id": f"m{n % 7}",
                "at": f"2026-10-0{night}T{n % 24:02d}:{30 * (n % 2):02d}:00",
                "kwh": n * 0.25 if n % 9 else None,
                "quality": n % 4,
                "slot": n % 48,
                "device": {"fw": f"1.{n % 3}", "temp": 20.5 + n},
            }
            for n in range(night * 40, night * 40 + 60)
        ]
        _lines(
            root / "landing" / "readings" / f"2026-10-0{night}" / "readings.json", [json.dumps(each) for each in rows]
        )
        meters = [
            f"m{n},{'gas' if n % 3 else 'power'},zone-{(n + night) % 3},c{n % 4},2026-10-0{night}" for n in range(7)
        ]
        _lines(
            root / "landing" / "meters" / f"meters_{night}.csv",
            ["meter_id|kind|zone|customer|since".replace("|", ";"), *(each.replace(",", ";") for each in meters)],
        )
        events = [
            json.dumps(
                {
                    "type": ("outage", "login", "alarm")[n % 3],
                    "meter": f"m{n % 7}",
                    "props": {"level": str(n), "by": "x"},
                    "ts": 1790000000 + n,
                }
            )
            for n in range(30)
        ]
        _lines(root / "landing" / "events" / f"events_{night}.txt", events)
    _lines(root / "landing" / "tariffs.csv", ["kind,low,high,price", "gas,0,5,1.5", "gas,5,99,1.2", "power,0,99,2.5"])


def _lines(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines))


class Grid:
    """The jobs of a night.

    Args:
        fmt: The format of the tables.
        sql: Puts catalogs into a text.
        night: Its number.
    """

    def __init__(self, fmt: str, sql: Callable[[str], str], night: int) -> None:
        self.fmt = fmt
        self.sql = sql
        self.names = CatalogNames(sql)
        self.table = self.names.table
        self.night = night

    def step(self, name: str, text: str, writes: str = "-", *truth: str, only: str = "") -> Step:
        """Return the step of a statement of the night."""
        return self.names.step(f"n{self.night}: {name}", text, writes, *truth, only=only)

    def done(self, name: str, run: Callable[[Job], object], writes: str = "-", *truth: str) -> Step:
        """Return the step of a function."""
        return Step(f"n{self.night}: {name}", run, writes, *truth)

    def meters(self, job: Job) -> None:
        """Load the full list of meters."""
        rows = job.spark.read.options(sep=";", header=True, inferSchema=True).csv(
            f"{job.root}/landing/meters/meters_{self.night}.csv"
        )
        rows = rows.toDF(*(name.strip().lower() for name in rows.columns)).withColumn("night", f.lit(self.night))
        rows.write.format(self.fmt).mode("overwrite").saveAsTable(self.sql("B.meters"))

    def events(self, job: Job) -> None:
        """Parse lines of JSON."""
        schema = "type STRING, meter STRING, props MAP<STRING, STRING>, ts BIGINT"
        lines = job.spark.read.text(f"{job.root}/landing/events/events_{self.night}.txt")
        rows = lines.select(f.from_json("value", schema).alias("e"), f.col("value").alias("raw")).select("e.*", "raw")
        rows = rows.withColumn("level", f.col("props")["level"].cast("int")).withColumn("at", f.timestamp_seconds("ts"))
        rows.drop("props").write.format(self.fmt).mode("append").saveAsTable(self.sql("B.events"))

    def profile(self, job: Job) -> DataFrame:
        """Return a row per meter with a column per half hour."""
        rows = self.table(job, "S.readings").groupBy("meter_id").pivot("slot", list(range(48))).agg(f.sum("kwh"))
        return rows.toDF("meter_id", *_SLOTS)

    def saved_profile(self, job: Job) -> None:
        """Write the wide table from nothing."""
        self.profile(job).write.format(self.fmt).mode("overwrite").saveAsTable(self.sql("S.profile"))

    def deviations(self, job: Job) -> None:
        """Compare each half hour with the meter's mean."""
        mean = (
            sum((f.coalesce(f.col(name), f.lit(0)) for name in _SLOTS[1:]), f.coalesce(f.col(_SLOTS[0]), f.lit(0))) / 48
        )
        rows = self.table(job, "S.profile").withColumn("mean", mean)
        rows = rows.select(
            "meter_id", *((f.col(name) - f.col("mean")).alias(f"d_{name}") for name in _SLOTS[:30]), "mean"
        )
        rows.write.format(self.fmt).mode("overwrite").saveAsTable(self.sql("G.deviations"))

    def quality(self, job: Job) -> None:
        """Write what fails, from a frame that SQL gets as an argument."""
        bad = self.table(job, "B.readings").where(f.col("kwh").isNull() | (f.col("quality") > 2))
        rows = job.spark.sql(
            "SELECT meter_id, at, struct(quality, device.fw) AS why, :night AS night FROM {bad}",
            args={"night": self.night},
            bad=bad,
        )
        rows.write.format(self.fmt).mode("append").saveAsTable(self.sql("S.rejects"))

    def customers(self, job: Job) -> None:
        """Write customers with lists of their meters, through a function in Python."""
        name = f.udf(lambda value: f"customer {value}", "string")
        rows = self.table(job, "B.meters").groupBy("customer").agg(
            f.array_sort(f.collect_set("meter_id")).alias("meters"),
            f.max(f.struct("since", "zone")).alias("last"),
            f.count_distinct("kind").alias("kinds"),
        )  # fmt: skip
        rows = rows.select(
            name("customer").alias("name"), "customer", "meters", "last.zone", f.size("meters").alias("n"), "kinds"
        )
        rows.write.format(self.fmt).mode("overwrite").saveAsTable(self.sql("G.customers"))

    def alarms(self, job: Job) -> None:
        """Read new lines as a stream, which goes on in the next night."""
        lines = job.spark.readStream.option("maxFilesPerTrigger", 1).text(f"{job.root}/landing/events")
        rows = lines.select(
            f.get_json_object("value", "$.meter").alias("meter"),
            f.get_json_object("value", "$.type").alias("type"),
            f.length("value").alias("size"),
        ).where("type <> 'login'")
        writer = job.stream(rows, "alarms stream")
        writer.toTable(self.sql("S.alarms")).awaitTermination()

    def batches(self, job: Job) -> None:
        """Split the rows of batches into two tables."""

        def apply(batch: DataFrame, number: int) -> None:
            batch = batch.withColumn("batch", f.lit(number)).persist()
            good = batch.where("kwh IS NOT NULL").select("meter_id", "at", f.round("kwh", 1).alias("kwh"), "batch")
            good.write.format(self.fmt).mode("append").saveAsTable(self.sql("S.live"))
            batch.unpersist()

        rows = job.spark.readStream.schema(_READINGS).json(f"{job.root}/landing/readings/*")
        job.stream(rows, "live stream").foreachBatch(apply).start().awaitTermination()

    def neighbours(self, job: Job) -> None:
        """Look at the readings before and after."""
        over = Window.partitionBy("meter_id").orderBy("at")
        rows = self.table(job, "S.readings").select(
            "meter_id", "at", f.lag("kwh", 1, 0.0).over(over).alias("before"), f.lead("kwh").over(over).alias("after"),
            f.avg("kwh").over(over.rowsBetween(-3, 0)).alias("smooth"), f.percent_rank().over(over).alias("pr"),
            f.when(f.col("quality") == 0, f.col("kwh")).otherwise(f.first("kwh", True).over(over)).alias("fixed"),
        )  # fmt: skip
        rows.where("smooth > 1").writeTo(self.sql("G.neighbours")).using(self.fmt).createOrReplace()

    def common(self) -> Iterator[Step]:
        """Yield what each night does with each format."""
        hudi, night = self.fmt == "hudi", self.night
        step, done = self.step, self.done
        events = "append" if hudi or night > 1 else "create"
        yield done(
            "meters", self.meters, "overwrite b_meters", "meter_id kind zone customer since < meters_csv.*; night <"
        )
        yield done(
            "readings in",
            self.readings_in,
            "append b_readings",
            "meter_id at kwh quality slot device < readings.*; loaded night <",
        )
        yield done("events", self.events, f"{events} b_events", "type meter ts level at raw < events.value")
        yield done(
            "quality",
            self.quality,
            f"{events} s_rejects",
            "meter_id at < b_readings.*; why < b_readings.quality b_readings.device.fw; night <",
            "FILTER b_readings.kwh; FILTER b_readings.quality",
        )
        yield from self.cleaned()
        yield done(
            "profile",
            self.saved_profile,
            "overwrite s_profile",
            f"meter_id < s_readings.meter_id; {' '.join(_SLOTS)} < s_readings.kwh",
            "GROUP_BY s_readings.meter_id",
        )
        yield done(
            "deviations",
            self.deviations,
            "overwrite g_deviations",
            "meter_id < s_profile.meter_id; mean < "
            + " ".join(f"s_profile.{each}" for each in _SLOTS)
            + "; "
            + " ".join(f"d_{each}" for each in _SLOTS[:30])
            + " < "
            + " ".join(f"s_profile.{each}" for each in _SLOTS),
        )
        yield done(
            "customers",
            self.customers,
            "overwrite g_customers",
            "name customer < b_meters.customer; meters n < b_meters.meter_id; zone < b_meters.zone; kinds < b_meters.kind",
            "GROUP_BY b_meters.customer",
        )
        yield (
            Step("alarms stream", self.alarms)
            if night > 1
            else Step(
                "alarms stream", self.alarms, "append s_alarms", "meter type size < events.value", "FILTER events.value"
            )
        )
        yield (
            Step("live stream", self.batches)
            if night > 1
            else Step(
                "live stream",
                self.batches,
                f"{events} s_live",
                "meter_id at kwh < readings.*; batch <",
                "FILTER readings.kwh",
            )
        )
        if not hudi:
            yield done(
                "neighbours",
                self.neighbours,
                "overwrite g_neighbours",
                "meter_id at < s_readings.*; before after smooth fixed < s_readings.kwh; pr <",
            )
        yield step(
            "invoices",
            "INSERT INTO G.invoices\nSELECT /*+ BROADCAST(t) */ m.customer, -- who pays\n  m.kind, sum(r.kwh) AS kwh, sum(r.kwh * t.price) AS total, any_value(r.at) AS `first at`\nFROM S.readings r\n  JOIN B.meters m USING (meter_id)\n  JOIN tariffs t ON t.kind = m.kind AND r.kwh >= t.low AND r.kwh < t.high\nGROUP BY m.customer, m.kind",
            "append g_invoices",
            "customer kind < b_meters.*; kwh < s_readings.kwh; total < s_readings.kwh tariffs_csv.price; `first at` < s_readings.at",
            "JOIN s_readings.meter_id; JOIN tariffs_csv.low; GROUP_BY b_meters.customer",
        )
        yield step(
            "report",
            "SELECT zone, grouping(zone) AS g, count(*) AS n, listed FROM (SELECT m.zone, concat_ws(',', sort_array(collect_list(r.quality))) AS listed FROM S.readings r RIGHT JOIN B.meters m ON m.meter_id = r.meter_id WHERE m.kind IN ('gas', 'power') GROUP BY m.zone) GROUP BY zone, listed WITH ROLLUP",
            "",
            "zone < b_meters.zone; g <; n <; listed < s_readings.quality",
            "JOIN s_readings.meter_id; FILTER b_meters.kind",
        )

    def readings_in(self, job: Job) -> None:
        """Load a night's readings."""
        rows = job.spark.read.json(f"{job.root}/landing/readings/2026-10-0{self.night}", schema=_READINGS)
        rows = rows.withColumns({"loaded": f.current_timestamp(), "night": f.lit(self.night)})
        rows.write.insertInto(self.sql("B.readings"))

    def cleaned(self) -> Iterator[Step]:
        """Yield the MERGE of clean readings, and the history of meters in two steps."""
        assigned = (
            "kwh = s.kwh, quality = s.quality" if self.fmt == "paimon" else "t.kwh = s.kwh, t.quality = s.quality"
        )
        yield self.step(
            "readings clean",
            f"MERGE INTO S.readings t USING (SELECT meter_id, at, coalesce(kwh, 0) AS kwh, quality, slot, device.temp AS temp FROM (SELECT r.*, row_number() OVER (PARTITION BY meter_id, at ORDER BY loaded DESC, quality) AS rn FROM B.readings r WHERE night = {self.night}) WHERE rn = 1) s ON t.meter_id = s.meter_id AND t.at = s.at WHEN MATCHED AND t.quality > s.quality THEN UPDATE SET {assigned} WHEN NOT MATCHED THEN INSERT *",
            "merge s_readings",
            "meter_id at kwh quality slot < b_readings.*; temp < b_readings.device.temp",
        )
        closed = "UPDATE S.history SET until = current_date(), open = false WHERE open AND meter_id IN (SELECT m.meter_id FROM B.meters m)"
        yield self.step(
            "history close", closed, "update s_history", "until open <", "FILTER s_history.open; JOIN b_meters.meter_id"
        )
        opened = "INSERT INTO S.history (meter_id, zone, customer, since, until, open) SELECT m.meter_id, upper(m.zone), m.customer, CAST(m.since AS DATE), NULL, true FROM B.meters m LEFT ANTI JOIN S.history h ON h.meter_id = m.meter_id AND h.open AND h.zone = upper(m.zone)"
        yield self.step(
            "history open",
            opened,
            "append s_history",
            "meter_id zone customer since < b_meters.*; until open <" + ("; note <" if self.night == 3 else ""),
            "JOIN s_history.meter_id; FILTER s_history.open",
        )


def prepared(fmt: str, sql: Callable[[str], str]) -> Iterator[Step]:
    """Yield the tables that are defined before the first night, and a view of the session."""
    step = CatalogNames(sql).step
    keyed = {
        "hudi": " TBLPROPERTIES (primaryKey = '{}', preCombineField = '{}')",
        "paimon": " TBLPROPERTIES ('primary-key' = '{}')",
    }.get(fmt, "")
    yield step(
        "readings ddl", f"CREATE TABLE IF NOT EXISTS B.readings ({_READINGS}, loaded TIMESTAMP, night INT) USING {fmt}"
    )
    yield step(
        "clean ddl",
        f"CREATE TABLE S.readings (meter_id STRING, at TIMESTAMP, kwh DOUBLE, quality INT, slot INT, temp DOUBLE) USING {fmt}{keyed.format('meter_id,at', 'at')}",
    )
    yield step(
        "history ddl",
        f"CREATE TABLE S.history (meter_id STRING, zone STRING, customer STRING, since DATE, until DATE, open BOOLEAN) USING {fmt}{keyed.format('meter_id,since', 'since') if fmt == 'hudi' else ''}",
    )
    yield step(
        "invoices ddl",
        f"CREATE TABLE G.invoices (customer STRING, kind STRING, kwh DOUBLE, total DOUBLE, `first at` TIMESTAMP) USING {fmt}",
    )
    yield step(
        "tariffs",
        "CREATE TEMPORARY VIEW tariffs USING csv OPTIONS (path '{root}/landing/tariffs.csv', header 'true', inferSchema 'true')",
    )


def steps(fmt: str, two: bool) -> tuple[Step, ...]:
    """Return the steps of a format, in their order."""
    sql = layered(_LAYER, layers(fmt, two))
    found = list(prepared(fmt, sql))
    for night in (1, 2, 3):
        grid = Grid(fmt, sql, night)
        found += grid.common()
        found += workload_grid_own.night(fmt, grid)
    return tuple(found)


def truth(fmt: str, two: bool, folder: Path) -> str:
    """Return the truth of a format's log as JSON."""
    root = f"file://{folder}"
    names = {
        "meters_csv": f"{root}/landing/meters",
        "readings": f"{root}/landing/readings",
        "events": f"{root}/landing/events",
        "tariffs_csv": f"{root}/landing/tariffs.csv",
    }
    listed = steps(fmt, two)
    add_datasets(names, listed, layers(fmt, two), root)
    return truth_of(names, listed, workload_grid_own.CHANGES.get(fmt, ""))


def main() -> None:
    """Run the steps, or write the truth."""
    Workload(
        Path("/tmp/lakehouse_grid"),
        land,
        places_of(layers),
        steps,
        truth,
        FEW_TASKS,
    ).main()


if __name__ == "__main__":
    main()
