"""Frames and streams of the workload."""

from __future__ import annotations

import json
import re
from pathlib import Path

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.runner import Frames, HudiPaths, Job, Names

_LAYER = re.compile("\\b([RWHI])\\.(?=[\\w`])")
_TANK = "tank STRUCT<no: INT, site: STRUCT<code: STRING, zone: STRING>>"
_BREWS = f"brew_id BIGINT, {_TANK}, hops ARRAY<STRUCT<name: STRING, grams: DOUBLE>>, temps MAP<STRING, DOUBLE>, style STRING, volume DOUBLE, abv DOUBLE, started_at STRING"
_TASTES = "brew_id BIGINT, taster STRING, score DOUBLE, at STRING"
_HOODIE = " ".join(
    f"_hoodie_{each}" for each in ("commit_time", "commit_seqno", "record_key", "partition_path", "file_name")
)


def land(root: Path) -> None:
    """Write the landing files."""
    for name in ("brews", "tastes"):
        (root / "landing" / name).mkdir(parents=True, exist_ok=True)
    brews = [
        {
            "brew_id": n,
            "tank": {"no": n % 4, "site": {"code": f"s{n % 3}", "zone": f"z{n % 2}"}},
            "hops": [{"name": f"h{n % 3}", "grams": n * 2.5}, {"name": "saaz", "grams": 4.0}],
            "temps": {"mash": 60.0 + n, "boil": 99.0},
            "style": ("ale", "stout", "pils")[n % 3],
            "volume": n * 10.0,
            "abv": 3.0 + n % 5,
            "started_at": f"2026-10-0{1 + n % 3}T08:00:00",
        }
        for n in range(10, 22)
    ]
    tastes = [
        {
            "brew_id": n % 12 + 10,
            "taster": f"t{n % 4}",
            "score": n % 7 / 2,
            "at": f"2026-10-0{n % 8 + 1}T1{n % 9}:00:00",
        }
        for n in range(30, 55)
    ]
    for name, rows in (("brews", brews), ("tastes", tastes)):
        text = "".join(json.dumps(each) + "\n" for each in rows)
        (root / "landing" / name / "n1.json").write_text(text)


def frames(names: Names) -> Frames:
    """Return the functions by the names of their statements."""
    fmt = names.format
    sql = names.sql
    table = names.table
    {
        "hudi": " TBLPROPERTIES (primaryKey = 'brew_id', preCombineField = 'score')",
        "paimon": " TBLPROPERTIES ('primary-key' = 'brew_id', 'bucket' = '1')",
    }.get(fmt, "")

    def brews(job: Job) -> None:
        rows = job.spark.read.schema(_BREWS).json(f"{job.root}/landing/brews/n1.json")
        rows.write.format(fmt).saveAsTable(sql("R.brews"))

    def tastes(job: Job) -> None:
        job.spark.read.schema(_TASTES).json(f"{job.root}/landing/tastes/n1.json").createOrReplaceTempView("new_tastes")
        job.sql(sql("INSERT INTO R.tastes SELECT brew_id, taster, score * 2, at FROM new_tastes WHERE score > 0"))

    prefix = "" if fmt == "paimon" else "t."

    def best(job: Job) -> None:

        def apply(batch: DataFrame, number: int) -> None:
            batch.groupBy("brew_id").agg(
                f.max("score").alias("score"), f.max("taster").alias("taster")
            ).createOrReplaceTempView("scored")
            batch.sparkSession.sql(
                sql(
                    f"MERGE INTO W.best t USING scored s ON t.brew_id = s.brew_id WHEN MATCHED AND s.score > t.score THEN UPDATE SET {prefix}score = s.score, {prefix}taster = concat(t.taster, '/', s.taster) WHEN NOT MATCHED THEN INSERT (brew_id, score, taster) VALUES (s.brew_id, s.score, s.taster)"
                )
            )

        rows = job.spark.readStream.schema(_TASTES).json(f"{job.root}/landing/tastes")
        job.stream(rows, "best stream").foreachBatch(apply).start().awaitTermination()

    return {
        "brews in": brews,
        "tastes in": tastes,
        "best stream": best,
        "export": lambda j: table(j, "W.fact").write.partitionBy("label").parquet(f"{j.root}/export/water"),
        "dynamic": lambda j: j.spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic"),
        **{"delta": _delta, "iceberg": _iceberg, "hudi": _hudi}.get(fmt, _paimon)(names),
    }


def _delta(names: Names) -> Frames:
    sql = names.sql
    table = names.table

    def evolve(job: Job) -> None:
        source = table(job, "R.brews").selectExpr(
            "brew_id AS id",
            "abv AS strength",
            "named_struct('no', tank.no, 'place', tank.site.code, 'zone', tank.site.zone) AS tank",
            "volume",
        )
        merge = job.delta(sql("W.mapped")).alias("t").merge(source.alias("s"), "t.id = s.id")
        merge.withSchemaEvolution().whenMatchedUpdateAll().whenNotMatchedInsertAll().execute()

    def at_time(job: Job) -> None:
        job.spark.sparkContext.setJobDescription("helper: snapshots")
        at = job.delta(sql("R.brews")).history(1).collect()[0]["timestamp"]
        job.spark.sparkContext.setJobDescription(job.step)
        job.sql(
            sql(
                f"CREATE TABLE W.past USING delta AS SELECT b.brew_id, m.strength - b.abv AS diff FROM R.brews TIMESTAMP AS OF CAST('{at}' AS TIMESTAMP) b JOIN W.mapped m ON m.id = b.brew_id"
            )
        )

    def feed(job: Job) -> None:
        rows = job.spark.read.option("readChangeFeed", "true").option("startingVersion", 1).table(sql("W.gen"))
        found = (
            rows.where("_change_type <> 'update_preimage'")
            .groupBy("_change_type", "brew_id")
            .agg(f.max("at").alias("at"))
        )
        found.withColumnRenamed("_change_type", "op").write.format("delta").saveAsTable(sql("W.feed"))

    def mart(job: Job) -> None:
        table(job, "R.brews").select("brew_id", "style").write.format("delta").saveAsTable(sql("W.mart"))

    def mart_again(job: Job) -> None:
        rows = table(job, "W.fact").selectExpr("brew_id", "lower(label) AS label", "water")
        rows.write.format("delta").mode("overwrite").option("overwriteSchema", "true").saveAsTable(sql("W.mart"))

    def append(job: Job) -> None:
        rows = (
            table(job, "I.brews")
            .where("abv > 3")
            .selectExpr("brew_id", "style AS label", "CAST(abv AS DOUBLE) AS water")
        )
        rows.write.format("delta").mode("append").saveAsTable(sql("W.mart"))

    def stream(job: Job) -> None:
        rows = job.spark.readStream.table(sql("R.tastes")).where("score > 1").select("brew_id", "taster")
        job.stream(rows, "to ice").toTable(sql("I.tastes")).awaitTermination()

    def tagged(job: Job) -> None:
        rows = (
            table(job, "I.brews")
            .join(table(job, "H.styles"), "style", "left_semi")
            .join(table(job, "W.best"), "brew_id")
        )
        rows.selectExpr("brew_id", "concat(style, taster) AS tag", "score").writeTo(sql("I.tagged")).using(
            "iceberg"
        ).create()

    return {
        "mapped evolve": evolve,
        "at time": at_time,
        "feed": feed,
        "mart": mart,
        "mart again": mart_again,
        "delta from ice": append,
        "to ice": stream,
        "ice tagged": tagged,
    }


_LAST = "SELECT snapshot_id FROM {table}.snapshots ORDER BY committed_at DESC LIMIT 1"
_FIRST = "SELECT snapshot_id FROM {table}.snapshots ORDER BY committed_at LIMIT 1"


def _iceberg(names: Names) -> Frames:
    sql = names.sql
    table = names.table

    def appended(job: Job) -> None:
        first, last = (names.asked(job, text.replace("{table}", "R.tastes")) for text in (_FIRST, _LAST))
        rows = job.spark.read.format("iceberg").option("start-snapshot-id", first).option("end-snapshot-id", last)
        rows.load(sql("R.tastes")).groupBy("taster").sum("score").toDF("taster", "total").writeTo(
            sql("W.increment")
        ).using("iceberg").create()

    def changes(job: Job) -> None:
        job.sql(sql(names.call("W", "create_changelog_view", "table => '@.taken', changelog_view => 'taken_log'")))
        job.sql(
            sql(
                "CREATE TABLE W.changes USING iceberg AS SELECT upper(style) AS style, _change_type AS op, target FROM taken_log WHERE target > 0"
            )
        )

    def partitions(job: Job) -> None:
        rows = table(job, "W.daily").selectExpr("upper(style) AS style", "volume / 2 AS volume", "n", "day")
        rows.writeTo(sql("W.daily")).overwritePartitions()

    def condition(job: Job) -> None:
        rows = table(job, "R.brews").selectExpr("style", "abv AS volume", "1L AS n", "'2026-10-02' AS day")
        rows.writeTo(sql("W.daily")).overwrite(f.col("day") == "2026-10-02")

    return {"increment": appended, "changes": changes, "partitions": partitions, "condition": condition}


_PATH = HudiPaths("brew_id", "score", {"hoodie.datasource.write.table.type": "MERGE_ON_READ"})


def _hudi(names: Names) -> Frames:
    sql = names.sql
    table = names.table

    def saved(job: Job) -> None:
        rows = table(job, "R.tastes").groupBy("brew_id").agg({"score": "max", "taster": "min"})
        _PATH.save(rows.toDF("brew_id", "score", "taster"), job, "tops", "upsert")

    def saved_again(job: Job) -> None:
        rows = table(job, "W.pair").selectExpr("brew_id", "score * 2 AS score", "taster").dropDuplicates(["brew_id"])
        _PATH.save(rows, job, "tops", "upsert")

    def increment(job: Job) -> None:
        options = {"hoodie.datasource.query.type": "incremental", "hoodie.datasource.read.begin.instanttime": "000"}
        rows = (
            _PATH.load(job, "tops", **options)
            .where("score > 1")
            .selectExpr("brew_id", "score", "upper(taster) AS taster")
        )
        rows.write.format("hudi").mode("append").insertInto(sql("W.log"))

    def past(job: Job) -> None:
        at = names.asked(job, "SELECT max(_hoodie_commit_time) FROM W.pair")
        job.sql(sql(f"SELECT brew_id, score FROM W.pair TIMESTAMP AS OF '{at}' WHERE taster = 't1'"))

    return {"past": past, "tops": saved, "tops again": saved_again, "increment": increment}


def _paimon(names: Names) -> Frames:
    sql = names.sql

    def increment(job: Job) -> None:
        rows = job.spark.read.format("paimon").option("incremental-between", "1,2").table(sql("W.part"))
        rows.selectExpr("brew_id", "score AS rate").write.insertInto(sql("W.rated"))

    return {"increment": increment}
