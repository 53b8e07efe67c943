"""Frames and streams of the workload."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import reduce
from pathlib import Path

from pyspark.sql import DataFrame
from pyspark.sql import functions as f
from pyspark.sql.window import Window

from lakehouse.runner import Frames, Job, Names

_LAYER = re.compile("\\b([BSGH])\\.(?=[\\w`])")
_DAYS = ("2026-11-01", "2026-11-02")
_STOPS = "train STRING, station STRING, planned TIMESTAMP, actual TIMESTAMP, platform INT, sensor STRUCT<id: STRING, readings: ARRAY<STRUCT<k: STRING, v: DOUBLE>>>, note STRING"
_TICKETS = "ticket_id train class price sold_at channel day".split()
_CDC = "op STRING, station_id STRING, name STRING, zone INT, seq BIGINT, ts TIMESTAMP"


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
        {
            "op": "IUUD"[n % 4 if n > 5 else 0],
            "station_id": f"s{n % 6}",
            "name": f"Station {n}",
            "zone": n % 3,
            "seq": n,
            "ts": f"2026-11-01T1{n % 9}:00:00",
        }
        for n in range(16)
    ]
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
    """What the engineer's jobs share."""

    def __init__(self, names: Names) -> None:
        self.fmt = names.format
        self.sql = names.sql
        self.table = names.table

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
        pattern = "^(\\S+ \\S+) (\\w+) (gate-\\d) open=(\\d+)$"
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
                    f"MERGE INTO S.stations t USING changes s ON t.station_id = s.station_id WHEN MATCHED AND s.op = 'D' THEN DELETE WHEN MATCHED AND s.seq > t.seq THEN UPDATE SET {sets} WHEN NOT MATCHED AND s.op <> 'D' THEN INSERT (station_id, name, zone, seq) VALUES (s.station_id, s.name, s.zone, s.seq)"
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


def frames(names: Names) -> Frames:
    """Return the functions by the names of their statements."""
    sql = names.sql
    own = Pipeline(names)

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

    return {
        "trains": trains,
        "rejects": own.rejects,
        "clean": own.clean,
        "readings": own.readings,
        "gates": own.gates,
        "stations stream": own.stations,
        "hot": hot,
        "pivot": own.pivoted,
        "facts": own.unioned,
        "diffs": own.compared,
        "windows": own.sampled,
        "export": own.exported,
        **{f"stops {day}": own.stops(day) for day in _DAYS},
        **_iceberg(names),
    }


_FIRST = "SELECT snapshot_id FROM {table}.snapshots ORDER BY committed_at LIMIT 1"


def _iceberg(names: Names) -> Frames:
    sql = names.sql
    table = names.table

    def merged(job: Job) -> None:
        rows = table(job, "S.tickets").where("price < 5").withColumn("refund", f.col("price") * 0.5)
        rows.writeTo(sql("B.tickets")).option("mergeSchema", "true").append()

    def monthly(job: Job) -> None:
        rows = (
            table(job, "S.tickets")
            .groupBy("train", f.trunc("day", "month").alias("month"))
            .agg(f.sum("price").alias("total"), f.min("sold_at").alias("since"))
        )
        writer = rows.writeTo(sql("G.monthly")).using("iceberg").tableProperty("format-version", "2")
        writer.partitionedBy(f.days("since"), f.bucket(4, "train")).createOrReplace()

    def partitions(job: Job) -> None:
        rows = table(job, "G.monthly").selectExpr("upper(train) AS train", "month", "total + 1 AS total", "since")
        rows.where("total > 10").writeTo(sql("G.monthly")).overwritePartitions()

    def recreated(job: Job) -> None:
        rows = table(job, "G.calendar").select("day", "revenue").withColumn("trains", f.array(f.lit("t1")))
        rows.localCheckpoint().writeTo(sql("G.calendar")).using("iceberg").replace()

    def upserts(job: Job) -> None:

        def apply(batch: DataFrame, number: int) -> None:
            batch.createOrReplaceTempView("fresh")
            batch.sparkSession.sql(
                sql(
                    "MERGE INTO G.stations t USING (SELECT train, max(total) AS total FROM fresh GROUP BY train) s ON t.station_id = s.train WHEN NOT MATCHED THEN INSERT (station_id, zone) VALUES (s.train, CAST(s.total AS INT)) WHEN MATCHED AND s.total > 5 THEN UPDATE SET zone = t.zone + CAST(s.total AS INT)"
                )
            )

        rows = (
            job.spark.readStream.format("iceberg")
            .option("streaming-skip-overwrite-snapshots", "true")
            .load(sql("G.monthly"))
        )
        job.stream(rows, "upsert stream").foreachBatch(apply).start().awaitTermination()

    def past(job: Job) -> None:
        at = names.asked(job, _FIRST.format(table="B.stops"))
        rows = job.spark.read.option("snapshot-id", job.pins(sql("B.stops"), at)).table(sql("B.stops"))
        rows.groupBy("station").agg(f.countDistinct("train").alias("n")).where("n > 1").collect()

    def at_time(job: Job) -> None:
        at = names.asked(job, "SELECT max(committed_at) FROM S.tickets.snapshots")
        job.sql(
            sql(f"SELECT t.train, t.price FROM S.tickets FOR SYSTEM_TIME AS OF TIMESTAMP '{at}' t WHERE t.class = 1")
        )

    def back(job: Job) -> None:
        at = names.asked(job, _FIRST.format(table="B.stops"))
        job.sql(sql(f"CALL {{B.catalog}}.system.rollback_to_snapshot('{{B.database}}.stops', {at})"))

    def audit(job: Job) -> None:
        job.spark.conf.set("spark.wap.branch", "audit")
        job.sql(
            sql(
                "INSERT INTO S.rejects SELECT ticket_id, to_json(named_struct('p', price)), channel FROM S.tickets WHERE price > 60"
            )
        )
        job.spark.conf.unset("spark.wap.branch")

    return {
        "refunds": merged,
        "monthly": monthly,
        "upsert stream": upserts,
        "partitions": partitions,
        "recreated": recreated,
        "audit": audit,
        "past": past,
        "at time": at_time,
        "back": back,
    }
