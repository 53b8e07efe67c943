"""Delta's second workload: views, odd names, streams."""

from __future__ import annotations

from lakehouse.workload import Job, Step

VIEWS = (
    Step(
        "view",
        "CREATE OR REPLACE VIEW mart.v_daily AS SELECT d.site, d.kwh * 2 AS twice, m.kind FROM mart.daily d"
        " JOIN stage.meters m ON m.site = d.site WHERE d.kwh IS NOT NULL",
        "create v_daily",
        "site < daily.site; twice < daily.kwh; kind < meters.kind",
    ),
    Step(
        "from view",
        "CREATE TABLE mart.from_view USING delta AS SELECT site, max(twice) AS top FROM mart.v_daily GROUP BY site",
        "create from_view",
        "site < daily.site; top < daily.kwh",
        "GROUP_BY daily.site; JOIN daily.site; JOIN meters.site",
    ),
    Step(
        "view of view",
        "CREATE VIEW mart.v_top AS SELECT site AS s, twice FROM mart.v_daily WHERE twice > 3",
        "create v_top",
        "s < daily.site; twice < daily.kwh",
    ),
    Step(
        "temp views",
        lambda j: _temp_views(j),
        "append from_view",
        "site < meters.site; top < flat.kwh",
        "JOIN flat.mid; JOIN meters.id; FILTER flat.kwh",
    ),
    Step("temp view named as table", lambda j: _shadow(j), "append from_view", "site < flat.unit; top < flat.lat"),
    Step("global temp", lambda j: _global(j), "append from_view", "site < meters.kind; top < meters.id"),
    Step(
        "cte twice",
        "INSERT INTO mart.from_view WITH a AS (SELECT mid, kwh, unit FROM core.flat), b AS (SELECT mid, max(kwh) AS k FROM a GROUP BY mid)"
        " SELECT a.unit, b.k - a.kwh FROM a JOIN b ON a.mid = b.mid",
        "append from_view",
        "site < flat.unit; top < flat.kwh",
    ),
    Step(
        "semi anti",
        "INSERT INTO mart.from_view SELECT f.unit, f.kwh FROM core.flat f LEFT ANTI JOIN stage.meters m ON f.mid = m.id"
        " UNION ALL SELECT f.flag, f.lat FROM core.flat f LEFT SEMI JOIN core.device d ON d.id = f.mid",
        "append from_view",
        "site < flat.unit flat.flag; top < flat.kwh flat.lat",
        "JOIN meters.id; JOIN device.id",
    ),
    Step(
        "except intersect",
        "INSERT INTO core.both (SELECT id, serial FROM stage.meters EXCEPT SELECT mid, unit FROM core.flat)"
        " INTERSECT SELECT k, v FROM core.both",
        "append both",
        "k < meters.id; v < meters.serial",
        "JOIN flat.mid; JOIN both.k",
    ),
    Step(
        "case conditions",
        "INSERT INTO core.both SELECT id, CASE WHEN kind = 'gas' THEN serial WHEN site IS NULL THEN 'none' ELSE lower(site) END"
        " FROM stage.meters",
        "append both",
        "k < meters.id; v < meters.serial meters.site",
    ),
    Step(
        "top sorted",
        "INSERT INTO core.both SELECT mid, unit FROM core.flat ORDER BY kwh DESC LIMIT 3",
        "append both",
        "k < flat.mid; v < flat.unit",
        "SORT flat.kwh",
    ),
    Step(
        "collect structs",
        "CREATE TABLE mart.lists USING delta AS SELECT m.site, collect_list(named_struct('t', f.ts, 'k', f.kwh)) AS rows"
        " FROM core.flat f JOIN stage.meters m ON f.mid = m.id GROUP BY m.site",
        "create lists",
        "site < meters.site; rows < flat.ts flat.kwh",
    ),
    Step(
        "inline structs",
        "CREATE TABLE mart.inlined USING delta AS SELECT site, t, k FROM mart.lists LATERAL VIEW inline(rows) r AS t, k",
        "create inlined",
        "site < lists.site; t < lists.rows.t; k < lists.rows.k",
    ),
    Step(
        "lateral subquery",
        "CREATE TABLE mart.lateral USING delta AS SELECT m.id, x.top FROM stage.meters m,"
        " LATERAL (SELECT max(kwh) AS top FROM core.flat f WHERE f.mid = m.id) x",
        "create lateral_",
        "id < meters.id; top < flat.kwh",
    ),
)

NAMES = (
    Step(
        "odd names",
        "CREATE TABLE core.`odd_table` USING delta TBLPROPERTIES ('delta.columnMapping.mode' = 'name') AS"
        " SELECT id AS `the id`, serial AS `a.b`, site AS `x[0]`, kind AS `k#1`, id + 1 AS `sum(id)`, site AS `größe` FROM stage.meters",
        "create odd",
        "`the id` < meters.id; a.b < meters.serial; x[0] < meters.site; k#1 < meters.kind; sum(id) < meters.id; größe < meters.site",
    ),
    Step(
        "odd insert",
        "INSERT INTO core.`odd_table` SELECT `the id` * 2, `a.b`, upper(`x[0]`), `k#1`, `sum(id)`, `größe` FROM core.`odd_table` WHERE `the id` > 1",
        "append odd",
        "`the id` a.b x[0] k#1 sum(id) größe < odd.*",
        "FILTER odd.`the id`",
    ),
    Step(
        "odd out",
        "CREATE TABLE core.plain_names USING delta AS SELECT `the id` AS i, `a.b` AS ab, `x[0]` AS x, `k#1` || `größe` AS k FROM core.`odd_table`",
        "create plain_names",
        "i < odd.`the id`; ab < odd.a.b; x < odd.x[0]; k < odd.k#1 odd.größe",
    ),
    Step(
        "odd update",
        "UPDATE core.`odd_table` SET `a.b` = concat(`k#1`, 'z'), `the id` = `sum(id)` WHERE `x[0]` = 'site1'",
        "update odd",
        "a.b < odd.k#1; `the id` < odd.sum(id)",
    ),
    Step(
        "odd merge",
        "MERGE INTO core.`odd_table` t USING core.plain_names s ON t.`the id` = s.i WHEN MATCHED THEN UPDATE SET `a.b` = s.ab, `x[0]` = s.x"
        " WHEN NOT MATCHED THEN INSERT (`the id`, `größe`) VALUES (s.i, s.k)",
        "merge odd",
        "a.b < plain_names.ab; x[0] < plain_names.x; `the id` < plain_names.i; größe < plain_names.k",
    ),
    Step("odd delete", "DELETE FROM core.`odd_table` WHERE `k#1` = 'zzz'", "delete odd", "", "FILTER odd.k#1"),
    Step(
        "mixed case",
        "CREATE TABLE core.MixedCase USING delta AS SELECT id AS CamelId, serial AS SerialNo FROM stage.METERS",
        "create mixedcase",
        "CamelId < meters.id; SerialNo < meters.serial",
    ),
    Step(
        "mixed insert",
        "INSERT INTO core.mixedcase SELECT CAMELID + 1, serialno FROM core.mixedCASE",
        "append mixedcase",
        "CamelId SerialNo < mixedcase.*",
    ),
    Step(
        "aggregate names",
        lambda j: (
            j.spark.table("core.flat")
            .groupBy("unit")
            .agg({"kwh": "sum", "lat": "avg"})
            .write.format("delta")
            .option("delta.columnMapping.mode", "name")
            .saveAsTable("mart.agg_names")
        ),
        "create agg_names",
        "unit < flat.unit; sum(kwh) < flat.kwh; avg(lat) < flat.lat",
    ),
    Step(
        "keyword names",
        "CREATE TABLE core.`select` USING delta AS SELECT id AS `from`, site AS `order`, kind AS `table` FROM stage.meters",
        "create select_",
        "from < meters.id; order < meters.site; table < meters.kind",
    ),
    Step(
        "keyword read",
        "INSERT INTO core.both SELECT `from`, `table` FROM core.`select` ORDER BY `order` LIMIT 2",
        "append both",
        "k < select_.from; v < select_.table",
        "SORT select_.order",
    ),
)

STREAMS = (
    Step(
        "stream table",
        lambda j: _stream_table(j),
        "append s_flat",
        "mid < flat.mid; twice < flat.kwh",
        "FILTER flat.kwh",
    ),
    Step("stream path", lambda j: _stream_path(j), "append p_stream", "unit < flat.unit; n < flat.n"),
    Step(
        "stream files",
        lambda j: _stream_files(j),
        "append s_files",
        "mid < l_readings.mid; unit < l_readings.attrs; lat < l_readings.pos.lat",
    ),
    Step(
        "stream totals",
        lambda j: _stream_totals(j),
        "overwrite s_totals",
        "unit < flat.unit; total < flat.kwh",
        "GROUP_BY flat.unit",
    ),
    Step("stream cdf", lambda j: _stream_cdf(j), "append s_cdf", "mid kwh < dv.*; what < dv._change_type"),
    Step(
        "stream join",
        lambda j: _stream_join(j),
        "append s_join",
        "mid < flat.mid; site < meters.site",
        "JOIN flat.mid; JOIN meters.id",
    ),
    Step(
        "stream merge",
        lambda j: _stream_merge(j),
        "merge s_merge",
        "mid < flat.mid; kwh < flat.kwh",
        "JOIN s_merge.mid",
    ),
    Step(
        "stream append batch",
        lambda j: _stream_batch(j),
        "create s_batch",
        "mid < flat.mid; day < flat.day; energy < flat.kwh",
    ),
    Step(
        "stream wide", lambda j: _stream_wide(j), "append s_wide", "; ".join(f"d{n} < w60.d{n}" for n in range(1, 61))
    ),
    Step(
        "after stream",
        "INSERT INTO mart.numbers SELECT mid FROM stage.s_flat WHERE twice > 2",
        "append numbers",
        "n < s_flat.mid",
        "FILTER s_flat.twice",
    ),
    Step(
        "after stream path",
        "INSERT INTO mart.numbers SELECT n FROM delta.`{root}/lake/stream`",
        "append numbers",
        "n < p_stream.n",
    ),
    Step("drop view", "DROP VIEW mart.v_top"),
    Step(
        "last read",
        "SELECT a.mid, b.site FROM stage.s_merge a JOIN stage.s_join b ON a.mid = b.mid",
        "",
        "mid < s_merge.mid; site < s_join.site",
        "JOIN s_merge.mid; JOIN s_join.mid",
    ),
)

STEPS = (*VIEWS, *NAMES, *STREAMS)


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
    from pyspark.sql import functions as f

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
    from delta.tables import DeltaTable

    job.spark.sql("CREATE TABLE stage.s_merge (mid BIGINT, kwh DOUBLE) USING delta")

    def upsert(batch, number) -> None:
        newest = batch.groupBy("mid").agg({"kwh": "max"}).toDF("mid", "kwh")
        merge = (
            DeltaTable.forName(batch.sparkSession, "stage.s_merge").alias("t").merge(newest.alias("s"), "t.mid = s.mid")
        )
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
