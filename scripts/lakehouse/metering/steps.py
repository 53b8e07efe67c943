"""Frames and streams of the workload."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.runner import Frames, Job, Names

METERS = "id BIGINT, serial STRING, site STRING, kind STRING, installed DATE"

READINGS = "mid BIGINT, ts TIMESTAMP, kwh DOUBLE, volt DOUBLE, pos STRUCT<lat: DOUBLE, lon: DOUBLE>, attrs MAP<STRING, STRING>, flags ARRAY<STRING>, day STRING"


def land(root: Path) -> None:
    """Write the files that the steps load."""
    folder = root / "landing" / "readings"
    folder.mkdir(parents=True)
    rows = [
        {
            "mid": n % 5,
            "ts": f"2026-01-0{1 + n % 3}T10:0{n % 6}:00",
            "kwh": n * 1.5,
            "volt": 220.0 + n,
            "pos": {"lat": 1.0 * n, "lon": 2.0 * n},
            "attrs": {"unit": "kWh", "src": "ab"[n % 2]},
            "flags": ["x", "y"][: n % 3],
            "day": f"2026-01-0{1 + n % 3}",
        }
        for n in range(12)
    ]
    (folder / "part-1.json").write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    lines = [f"{n},S{n},site{n % 2},{'gas power'.split()[n % 2]},2025-0{1 + n}-01" for n in range(6)]
    text = "\n".join(("id,serial,site,kind,installed", *lines)) + "\n"
    (root / "landing" / "meters.csv").write_text(text, encoding="utf-8")


def _meters(job: Job) -> DataFrame:
    return job.spark.read.option("header", "true").schema(METERS).csv(f"{job.root}/landing/meters.csv")


def _readings(job: Job) -> DataFrame:
    return job.spark.read.schema(READINGS).json(f"{job.root}/landing/readings")


def _joined(job: Job) -> DataFrame:
    return job.spark.table("stage.w60").join(job.spark.table("stage.w30"), f.expr("d1 = c3"))


def _wide(job: Job) -> DataFrame:
    return job.spark.read.parquet(f"{job.root}/landing/wide")


def _first() -> Frames:
    return {
        "meters": lambda j: _meters(j).write.format("delta").saveAsTable("stage.meters"),
        "readings": lambda j: _readings(j).write.format("delta").partitionBy("day").saveAsTable("stage.readings"),
        "flags": lambda j: (
            j.spark.table("stage.readings")
            .selectExpr("mid", "ts", "explode_outer(flags) AS flag")
            .writeTo("core.flags")
            .using("delta")
            .create()
        ),
        "generated ddl": _generated,
        "generated insert": lambda j: (
            j.spark.table("core.flat")
            .select("mid", "ts", "kwh")
            .write.format("delta")
            .mode("append")
            .saveAsTable("core.gen")
        ),
        "identity ddl": _identity,
    }


def _generated(job: Job) -> None:
    made = job.delta_api().create(job.spark).tableName("core.gen")
    for name, kind in (("mid", "BIGINT"), ("ts", "TIMESTAMP"), ("kwh", "DOUBLE")):
        made = made.addColumn(name, kind)
    made = made.addColumn("day", "DATE", generatedAlwaysAs="CAST(ts AS DATE)")
    made.addColumn("y", "INT", generatedAlwaysAs="YEAR(ts)").partitionedBy("day").execute()


def _identity(job: Job) -> None:
    made = job.delta_api().create(job.spark).tableName("core.ident")
    made.addColumn(
        "key", "BIGINT", generatedAlwaysAs=importlib.import_module("delta.tables").IdentityGenerator()
    ).addColumn("serial", "STRING").execute()


def _writers() -> Frames:
    return {
        "save path": lambda j: (
            _meters(j).selectExpr("id", "lower(serial) AS serial").write.format("delta").save(f"{j.root}/lake/m")
        ),
        "save path append merge schema": lambda j: (
            j.spark.table("core.flat")
            .selectExpr("mid AS id", "unit AS serial", "kwh")
            .write.format("delta")
            .mode("append")
            .option("mergeSchema", "true")
            .save(f"{j.root}/lake/m")
        ),
        "save path overwrite schema": lambda j: (
            j.spark.table("stage.meters")
            .selectExpr("id", "site")
            .write.format("delta")
            .mode("overwrite")
            .option("overwriteSchema", "true")
            .save(f"{j.root}/lake/m")
        ),
        "read path": lambda j: j.spark.read.format("delta").load(f"{j.root}/lake/m").where("id > 2").collect(),
        "external by path": lambda j: (
            j.spark.read.format("delta").load(f"{j.root}/lake/ext").write.mode("append").insertInto("core.ext")
        ),
        "save overwrite": lambda j: (
            j.spark.table("stage.meters")
            .groupBy("site")
            .count()
            .write.format("delta")
            .mode("overwrite")
            .saveAsTable("mart.counts")
        ),
        "save overwrite again": lambda j: (
            j.spark.table("stage.meters")
            .groupBy("site")
            .agg({"id": "max"})
            .toDF("site", "count")
            .write.format("delta")
            .mode("overwrite")
            .saveAsTable("mart.counts")
        ),
        "save ignore": lambda j: (
            j.spark.table("stage.meters").write.format("delta").mode("ignore").saveAsTable("mart.counts")
        ),
        "writeTo append": lambda j: (
            j.spark.table("core.sites").selectExpr("site", "n AS count").writeTo("mart.counts").append()
        ),
        "writeTo createOrReplace": lambda j: (
            j.spark.table("core.flat")
            .groupBy("day")
            .agg({"kwh": "avg"})
            .toDF("day", "mean")
            .writeTo("mart.means")
            .using("delta")
            .tableProperty("a.b", "c")
            .createOrReplace()
        ),
        "writeTo replace": lambda j: (
            j.spark.table("core.flat")
            .selectExpr("day", "kwh * 2 AS mean", "unit")
            .writeTo("mart.means")
            .using("delta")
            .replace()
        ),
        "writeTo overwrite where": _overwrite_where,
        "replaceWhere": lambda j: (
            j.spark.table("core.flat")
            .where("day = '2026-01-01' AND kwh > 1")
            .write.format("delta")
            .mode("overwrite")
            .option("replaceWhere", "day = '2026-01-01'")
            .saveAsTable("core.flat_like")
        ),
        "dynamic on": lambda j: j.spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic"),
        "dynamic frame": lambda j: j.spark.table("core.flat").write.mode("overwrite").insertInto("core.flat_like"),
        "dynamic partitions": lambda j: (
            j.spark.table("core.flat").where("lat > 3").writeTo("core.flat_like").overwritePartitions()
        ),
        "dynamic off": lambda j: j.spark.conf.unset("spark.sql.sources.partitionOverwriteMode"),
        "cached": _cached,
        "udf": _udf,
        "parquet out": lambda j: (
            j.spark.table("mart.daily").select("site", "kwh").write.mode("overwrite").parquet(f"{j.root}/out/daily")
        ),
        "parquet back": lambda j: (
            j.spark.read.parquet(f"{j.root}/out/daily")
            .withColumnRenamed("kwh", "energy")
            .write.format("delta")
            .saveAsTable("mart.back")
        ),
    }


def _overwrite_where(job: Job) -> None:
    frame = job.spark.table("core.flat").selectExpr("day", "lat AS mean", "flag AS unit")
    frame.writeTo("mart.means").overwrite(f.col("mean") >= 0)


def _cached(job: Job) -> None:
    joined = job.spark.sql(
        "SELECT m.id AS k, concat(m.serial, f.flag) AS v FROM stage.meters m JOIN core.flat f ON m.id = f.mid"
    )
    joined.cache()
    joined.count()
    joined.write.format("delta").mode("append").saveAsTable("core.both")
    joined.unpersist()


def _udf(job: Job) -> None:
    mask = f.udf(lambda text: None if text is None else text[::-1])
    job.spark.table("stage.meters").select(f.col("id").alias("k"), mask("kind").alias("v")).write.insertInto(
        "core.both"
    )


def _wide() -> Frames:
    return {
        "wide 60 save": lambda j: (
            _wide(j)
            .selectExpr(*(f"c{n} + c{n + 1} AS d{n}" for n in range(1, 61)))
            .write.format("delta")
            .saveAsTable("stage.w60")
        ),
        "wide 120 writeTo": lambda j: _wide(j).writeTo("stage.w120").using("delta").create(),
        "wide 60 save overwrite": lambda j: _joined(j).write.format("delta").mode("overwrite").saveAsTable("mart.w90"),
        "wide 60 path": lambda j: j.spark.table("stage.w60").write.format("delta").save(f"{j.root}/lake/w60"),
        "wide 60 path overwrite": lambda j: (
            j.spark.table("stage.w60")
            .selectExpr(*(f"d{61 - n} AS d{n}" for n in range(1, 61)))
            .write.format("delta")
            .mode("overwrite")
            .save(f"{j.root}/lake/w60")
        ),
        "wide partitioned": lambda j: (
            j.spark.table("stage.w30").write.format("delta").partitionBy("c30").saveAsTable("stage.w30p")
        ),
        "wide dynamic on": lambda j: j.spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic"),
        "wide dynamic frame": lambda j: (
            j.spark.table("stage.w120")
            .selectExpr(*(f"c{n + 30} AS c{n}" for n in range(1, 31)))
            .writeTo("stage.w30p")
            .overwritePartitions()
        ),
        "wide dynamic off": lambda j: j.spark.conf.unset("spark.sql.sources.partitionOverwriteMode"),
        "wide read": lambda j: j.spark.table("stage.w60").where("d50 > 1").collect(),
    }


def _merges() -> Frames:
    return {
        "merge delta api": _merge_api,
        "merge view source": _merge_view,
        "merge evolve on": lambda j: j.spark.conf.set("spark.databricks.delta.schema.autoMerge.enabled", "true"),
        "merge evolve off": lambda j: j.spark.conf.unset("spark.databricks.delta.schema.autoMerge.enabled"),
        "update api": lambda j: _api(j, "core.empty").update("mid > 2", {"volt": "volt + kwh"}),
        "delete api": lambda j: _api(j, "core.empty").delete("kwh > 1000"),
        "cdf read frame": lambda j: (
            j.spark.read.option("readChangeFeed", "true")
            .option("startingVersion", 0)
            .option("endingVersion", 2)
            .table("core.dv")
            .selectExpr("mid", "kwh", "_change_type AS what", "_commit_version AS v")
            .write.insertInto("mart.changes")
        ),
    }


def _alters() -> Frames:
    return {
        "evolve append": lambda j: (
            j.spark.table("core.flat")
            .selectExpr("n AS a", "CAST(lat AS FLOAT) AS b", "n AS c", "unit AS d")
            .write.format("delta")
            .mode("append")
            .option("mergeSchema", "true")
            .saveAsTable("core.wid")
        ),
        "overwrite schema": lambda j: (
            j.spark.table("core.wid")
            .selectExpr("d AS word", "a")
            .write.format("delta")
            .mode("overwrite")
            .option("overwriteSchema", "true")
            .saveAsTable("core.wid2")
        ),
        "overwrite schema again": lambda j: (
            j.spark.table("core.wid")
            .selectExpr("c", "b")
            .write.format("delta")
            .mode("overwrite")
            .option("overwriteSchema", "true")
            .saveAsTable("core.wid2")
        ),
        "api create": _api_create,
    }


def _travel() -> Frames:
    return {
        "version frame": lambda j: (
            j.spark.read.format("delta")
            .option("versionAsOf", j.pins("core.device", 3))
            .table("core.device")
            .selectExpr("id", "name", "battery * 2 AS battery")
            .write.insertInto("mart.then")
        ),
        "version path": lambda j: (
            j.spark.read.format("delta")
            .option("versionAsOf", j.pins(f"{j.root}/lake/m", 1))
            .load(f"{j.root}/lake/m")
            .selectExpr("id", "serial AS name", "kwh AS battery")
            .write.insertInto("mart.then")
        ),
        "timestamp": _timestamp,
        "converted": lambda j: (
            j.spark.read.format("delta").load(f"{j.root}/out/daily").write.format("delta").saveAsTable("mart.conv")
        ),
        "deep copy": lambda j: j.spark.table("core.device").writeTo("mart.deep").using("delta").createOrReplace(),
    }


def _api(job: Job, table: str) -> Any:
    return job.delta(table)


def _merge_api(job: Job) -> None:
    merge = _api(job, "core.device").alias("d").merge(job.spark.table("stage.meters").alias("m"), "d.id = m.id")
    merge = merge.whenMatchedUpdate("m.kind = 'gas'", {"name": "m.serial", "battery": "d.battery + m.id"})
    merge = merge.whenMatchedDelete("m.kind = 'none'")
    merge.whenNotMatchedInsert(values={"id": "m.id", "note": "m.kind"}).execute()


def _merge_view(job: Job) -> None:
    job.spark.table("core.flat").where("lat >= 0").createOrReplaceTempView("recent")
    job.sql(
        "MERGE INTO core.empty e USING (SELECT mid, max(lat) + min(lng) AS k FROM recent GROUP BY mid) r ON e.mid = r.mid WHEN MATCHED THEN UPDATE SET kwh = r.k"
    )


def _api_create(job: Job) -> None:
    made = job.delta_api().createIfNotExists(job.spark).tableName("core.api").addColumn("id", "BIGINT")
    made.addColumn("site", "STRING").addColumn("v", "DOUBLE").clusterBy("id").execute()


def _timestamp(job: Job) -> None:
    row = job.spark.sql("DESCRIBE HISTORY core.device").where("version = 4").select("timestamp").first()
    job.pins("core.device", 4)
    job.sql(f"SELECT id, battery FROM core.device TIMESTAMP AS OF '{row[0]}'")


def _views() -> Frames:
    return {"temp views": _temp_views, "temp view named as table": _shadow, "global temp": _global}


def _names() -> Frames:
    return {
        "aggregate names": lambda j: (
            j.spark.table("core.flat")
            .groupBy("unit")
            .agg({"kwh": "sum", "lat": "avg"})
            .write.format("delta")
            .option("delta.columnMapping.mode", "name")
            .saveAsTable("mart.agg_names")
        )
    }


def _streams() -> Frames:
    return {
        "stream table": _stream_table,
        "stream path": _stream_path,
        "stream files": _stream_files,
        "stream totals": _stream_totals,
        "stream cdf": _stream_cdf,
        "stream join": _stream_join,
        "stream merge": _stream_merge,
        "stream append batch": _stream_batch,
        "stream wide": _stream_wide,
    }


def _temp_views(job: Job) -> None:
    job.spark.table("core.flat").where("kwh > 2").createOrReplaceTempView("hot")
    job.sql("CREATE OR REPLACE TEMP VIEW named AS SELECT m.site, h.kwh FROM hot h JOIN stage.meters m ON h.mid = m.id")
    job.sql("INSERT INTO mart.from_view SELECT site, kwh FROM named")


def _shadow(job: Job) -> None:
    job.spark.table("core.flat").selectExpr("unit AS site", "lat AS top").createOrReplaceTempView("from_view")
    job.sql("INSERT INTO mart.from_view SELECT * FROM from_view")


def _global(job: Job) -> None:
    job.spark.table("stage.meters").createOrReplaceGlobalTempView("all_meters")
    job.sql("INSERT INTO mart.from_view SELECT kind, id FROM global_temp.all_meters")


def _stream_table(job: Job) -> None:
    frame = job.spark.readStream.table("core.flat").where("kwh > 0").selectExpr("mid", "kwh * 2 AS twice")
    job.stream(frame, "stream table").toTable("stage.s_flat").awaitTermination()


def _stream_path(job: Job) -> None:
    frame = job.spark.readStream.table("core.flat").select("unit", "n")
    job.stream(frame, "stream path").format("delta").start(f"{job.root}/lake/stream").awaitTermination()


def _stream_files(job: Job) -> None:
    schema = job.spark.table("stage.readings").schema
    frame = job.spark.readStream.schema(schema).json(f"{job.root}/landing/readings")
    frame = frame.selectExpr("mid", "attrs['unit'] AS unit", "pos.lat")
    job.stream(frame, "stream files").toTable("stage.s_files").awaitTermination()


def _stream_totals(job: Job) -> None:
    frame = job.spark.readStream.table("core.flat").groupBy("unit").agg(f.sum("kwh").alias("total"))
    job.stream(frame, "stream totals", "complete").toTable("stage.s_totals").awaitTermination()


def _stream_cdf(job: Job) -> None:
    frame = job.spark.readStream.option("readChangeFeed", "true").option("startingVersion", 0).table("core.dv")
    frame = frame.selectExpr("mid", "kwh", "_change_type AS what")
    job.stream(frame, "stream cdf").toTable("stage.s_cdf").awaitTermination()


def _stream_join(job: Job) -> None:
    meters = job.spark.table("stage.meters")
    flat = job.spark.readStream.table("core.flat")
    frame = flat.join(meters, flat.mid == meters.id).select("mid", "site")
    job.stream(frame, "stream join").toTable("stage.s_join").awaitTermination()


def _stream_merge(job: Job) -> None:
    job.spark.sql("CREATE TABLE stage.s_merge (mid BIGINT, kwh DOUBLE) USING delta")

    def upsert(batch, number) -> None:
        newest = batch.groupBy("mid").agg({"kwh": "max"}).toDF("mid", "kwh")
        merge = job.delta("stage.s_merge").alias("t").merge(newest.alias("s"), "t.mid = s.mid")
        merge.whenMatchedUpdate(set={"kwh": "s.kwh"}).whenNotMatchedInsertAll().execute()

    frame = job.spark.readStream.table("core.flat").select("mid", "kwh")
    job.stream(frame, "stream merge").foreachBatch(upsert).start().awaitTermination()


def _stream_batch(job: Job) -> None:

    def append(batch, number) -> None:
        batch.persist()
        batch.count()
        batch.selectExpr("mid", "day", "kwh AS energy").write.format("delta").mode("append").saveAsTable(
            "stage.s_batch"
        )
        batch.unpersist()

    job.stream(job.spark.readStream.table("core.flat"), "stream append batch").foreachBatch(
        append
    ).start().awaitTermination()


def _stream_wide(job: Job) -> None:
    frame = job.spark.readStream.option("ignoreChanges", "true").table("stage.w60")
    job.stream(frame, "stream wide").toTable("stage.s_wide").awaitTermination()


def frames(names: Names) -> Frames:
    """Return the functions by the names of their statements."""
    del names
    return {
        **_first(),
        **_writers(),
        **_wide(),
        **_merges(),
        **_alters(),
        **_travel(),
        **_views(),
        **_names(),
        **_streams(),
    }


def prepare(job: Job) -> None:
    """Write the wide rows that the steps load."""
    job.spark.sparkContext.setJobDescription("helper: wide")
    wide = (f"id * {n} AS c{n}" for n in range(2, 121))
    job.spark.range(6).selectExpr("id AS c1", *wide).write.parquet(f"{job.root}/landing/wide")
