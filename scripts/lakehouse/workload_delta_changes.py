"""Delta's second workload: changes of rows, of schemas and of versions."""

from __future__ import annotations

from typing import Any

from lakehouse.workload import Job, Step

MERGES = (
    Step(
        "cdf device from readings",
        "INSERT INTO core.device SELECT mid + 1000, unit, kwh, flag, named_struct('city', day, 'zip', n) FROM core.flat",
        "append device",
        "id < flat.mid; name < flat.unit; battery < flat.kwh; note < flat.flag; place < flat.day flat.n",
    ),
    Step(
        "merge delta api",
        lambda j: _merge_api(j),
        "merge device",
        "name < meters.serial; battery < device.battery meters.id; id < meters.id; note < meters.kind; place < ",
        "JOIN device.id; JOIN meters.id",
    ),
    Step(
        "merge by source",
        "MERGE INTO core.device d USING stage.meters m ON d.id = m.id"
        " WHEN MATCHED AND m.kind = 'gas' THEN UPDATE SET note = m.site"
        " WHEN NOT MATCHED BY SOURCE AND d.id > 1003 THEN DELETE"
        " WHEN NOT MATCHED BY SOURCE THEN UPDATE SET battery = d.battery - 1",
        "merge device",
        "note < meters.site; battery < device.battery",
        "JOIN device.id; JOIN meters.id",
    ),
    Step(
        "merge insert only",
        "MERGE INTO core.device d USING (SELECT id + 5000 AS id, serial FROM stage.meters) m ON d.id = m.id"
        " WHEN NOT MATCHED THEN INSERT (id, name) VALUES (m.id, m.serial)",
        "merge device",
        "id < meters.id; name < meters.serial; battery note place < ",
    ),
    Step(
        "merge delete only",
        "MERGE INTO core.device d USING (SELECT DISTINCT mid FROM core.flat WHERE kwh > 100) f ON d.id = f.mid"
        " WHEN MATCHED THEN DELETE",
        "merge device",
        "",
        "JOIN device.id; JOIN flat.mid; FILTER flat.kwh",
    ),
    Step(
        "merge nested field",
        "MERGE INTO core.device d USING stage.meters m ON d.id = m.id WHEN MATCHED THEN UPDATE SET d.place.city = m.site",
        "merge device",
        "place < device.place.zip meters.site",
    ),
    Step(
        "merge aggregated",
        "WITH s AS (SELECT mid, sum(kwh) AS total, max(flag) AS flag FROM core.flat GROUP BY mid HAVING sum(kwh) > 0)"
        " MERGE INTO core.device d USING s ON d.id = s.mid + 1000"
        " WHEN MATCHED THEN UPDATE SET battery = s.total, note = coalesce(d.note, s.flag)",
        "merge device",
        "battery < flat.kwh; note < device.note flat.flag",
    ),
    Step(
        "merge union source",
        "MERGE INTO core.both t USING (SELECT id AS k, serial AS v FROM stage.meters UNION SELECT mid, unit FROM core.flat) s"
        " ON t.k = s.k AND t.v = s.v WHEN NOT MATCHED THEN INSERT *",
        "merge both",
        "k < meters.id flat.mid; v < meters.serial flat.unit",
    ),
    Step(
        "merge into empty ddl",
        "CREATE TABLE core.empty (mid BIGINT, kwh DOUBLE, seen STRING) USING delta",
    ),
    Step(
        "merge into empty",
        "MERGE INTO core.empty e USING core.flat f ON e.mid = f.mid AND e.seen = f.day"
        " WHEN MATCHED THEN UPDATE SET e.kwh = e.kwh + f.kwh WHEN NOT MATCHED THEN INSERT (mid, kwh, seen) VALUES (f.mid, f.kwh, f.day)",
        "merge empty",
        "mid < flat.mid; kwh < empty.kwh flat.kwh; seen < flat.day",
    ),
    Step(
        "merge view source",
        lambda j: _merge_view(j),
        "merge empty",
        "kwh < flat.lat flat.lng",
        "JOIN empty.mid; JOIN flat.mid",
    ),
    Step("merge evolve on", lambda j: j.spark.conf.set("spark.databricks.delta.schema.autoMerge.enabled", "true")),
    Step(
        "merge evolve",
        "MERGE INTO core.empty e USING (SELECT mid, kwh, day AS seen, volt FROM stage.readings) s ON e.mid = s.mid + 70"
        " WHEN NOT MATCHED THEN INSERT *",
        "merge empty",
        "mid kwh volt < readings.*; seen < readings.day",
    ),
    Step("merge evolve off", lambda j: j.spark.conf.unset("spark.databricks.delta.schema.autoMerge.enabled")),
    Step(
        "update subquery",
        "UPDATE core.empty SET volt = 230 WHERE mid IN (SELECT id FROM stage.meters WHERE site = 'site0')",
        "update empty",
        "volt < ",
    ),
    Step(
        "update case",
        "UPDATE core.empty SET kwh = CASE WHEN volt > 100 THEN kwh * 2 ELSE 0 END, seen = concat(seen, '!')",
        "update empty",
        "kwh seen < empty.*",
    ),
    Step(
        "update api",
        lambda j: _api(j, "core.empty").update("mid > 2", {"volt": "volt + kwh"}),
        "update empty",
        "volt < empty.volt empty.kwh",
        "FILTER empty.mid",
    ),
    Step("delete api", lambda j: _api(j, "core.empty").delete("kwh > 1000"), "delete empty", "", "FILTER empty.kwh"),
    Step("delete sql", "DELETE FROM core.flat_like WHERE day = '2026-01-02'", "delete flat_like"),
    Step(
        "delete subquery",
        "DELETE FROM core.flat_like WHERE EXISTS (SELECT 1 FROM stage.meters m WHERE m.id = mid AND m.kind = 'power')",
        "delete flat_like",
    ),
    Step(
        "dv table",
        "CREATE TABLE core.dv USING delta TBLPROPERTIES ('delta.enableDeletionVectors' = 'true',"
        " 'delta.enableChangeDataFeed' = 'true') AS SELECT mid, ts, kwh, unit FROM core.flat",
        "create dv",
        "mid ts kwh unit < flat.*",
    ),
    Step(
        "dv update",
        "UPDATE core.dv SET unit = upper(unit), kwh = kwh + mid WHERE ts IS NOT NULL AND mid < 3",
        "update dv",
        "unit < dv.unit; kwh < dv.kwh dv.mid",
        "FILTER dv.mid",
    ),
    Step("dv delete", "DELETE FROM core.dv WHERE mid = 4", "delete dv", "", "FILTER dv.mid"),
    Step(
        "dv merge",
        "MERGE INTO core.dv t USING stage.meters s ON t.mid = s.id WHEN MATCHED AND s.kind = 'gas' THEN UPDATE SET unit = s.serial"
        " WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (mid, unit) VALUES (s.id, s.kind)",
        "merge dv",
        "unit < meters.serial meters.kind; mid < meters.id; ts kwh < ",
    ),
    Step(
        "cdf read sql",
        "CREATE TABLE mart.changes USING delta AS SELECT mid, kwh, _change_type AS what, _commit_version AS v"
        " FROM table_changes('core.dv', 1) WHERE _change_type != 'update_preimage' AND mid > 0",
        "create changes",
        "mid kwh < dv.*; what < dv._change_type; v < dv._commit_version",
        "FILTER dv.mid",
    ),
    Step(
        "cdf read frame",
        lambda j: (
            j.spark.read.option("readChangeFeed", "true")
            .option("startingVersion", 0)
            .option("endingVersion", 2)
            .table("core.dv")
            .selectExpr("mid", "kwh", "_change_type AS what", "_commit_version AS v")
            .write.insertInto("mart.changes")
        ),
        "append changes",
        "mid kwh < dv.*; what < dv._change_type; v < dv._commit_version",
    ),
)

ALTERS = (
    Step(
        "alter table",
        "CREATE TABLE core.alt USING delta TBLPROPERTIES ('delta.columnMapping.mode' = 'name') AS"
        " SELECT id, serial, site, kind, struct(site AS a, kind AS b) AS s FROM stage.meters",
        "create alt",
        "id serial site kind < meters.*; s < meters.site meters.kind",
    ),
    Step(
        "alter add", "ALTER TABLE core.alt ADD COLUMNS (extra INT, more STRING COMMENT 'x' AFTER serial)", "alter alt"
    ),
    Step("alter add nested", "ALTER TABLE core.alt ADD COLUMN s.c DOUBLE", "alter alt"),
    Step("alter rename", "ALTER TABLE core.alt RENAME COLUMN kind TO sort", "alter alt"),
    Step("alter rename nested", "ALTER TABLE core.alt RENAME COLUMN s.b TO bb", "alter alt"),
    Step(
        "alter insert",
        "INSERT INTO core.alt SELECT id, serial, 'm', site, kind, named_struct('a', kind, 'bb', site, 'c', 1.0D), 5 FROM stage.meters",
        "append alt",
        "id serial site < meters.*; more extra < ; sort < meters.kind; s < meters.kind meters.site",
    ),
    Step("alter drop", "ALTER TABLE core.alt DROP COLUMN more", "alter alt"),
    Step("alter drop two", "ALTER TABLE core.alt DROP COLUMNS (extra, site)", "alter alt"),
    Step("alter first", "ALTER TABLE core.alt ALTER COLUMN sort FIRST", "alter alt"),
    Step("alter after", "ALTER TABLE core.alt ALTER COLUMN id AFTER serial", "alter alt"),
    Step("alter comment", "ALTER TABLE core.alt ALTER COLUMN id COMMENT 'key'", "alter alt"),
    Step("alter not null", "ALTER TABLE core.alt ALTER COLUMN id DROP NOT NULL", "alter alt"),
    Step("alter property", "ALTER TABLE core.alt SET TBLPROPERTIES ('x' = 'y')", "alter alt"),
    Step("alter unset", "ALTER TABLE core.alt UNSET TBLPROPERTIES ('x')", "alter alt"),
    Step("alter constraint", "ALTER TABLE core.alt ADD CONSTRAINT positive CHECK (id >= 0)", "alter alt"),
    Step("alter drop constraint", "ALTER TABLE core.alt DROP CONSTRAINT positive", "alter alt"),
    Step("alter read", "SELECT sort, serial, id, s.bb FROM core.alt", "", "sort serial id < alt.*; bb < alt.s.bb"),
    Step(
        "alter copy",
        "CREATE TABLE mart.alt_copy USING delta AS SELECT * FROM core.alt",
        "create alt_copy",
        "sort serial id s < alt.*",
    ),
    Step(
        "widen table",
        "CREATE TABLE core.wid (a INT, b FLOAT, c SHORT) USING delta TBLPROPERTIES ('delta.enableTypeWidening' = 'true')",
    ),
    Step(
        "widen insert",
        "INSERT INTO core.wid SELECT n, CAST(kwh AS FLOAT), CAST(n AS SHORT) FROM core.flat",
        "append wid",
        "a c < flat.n; b < flat.kwh",
    ),
    Step("widen alter", "ALTER TABLE core.wid ALTER COLUMN c TYPE INT", "alter wid"),
    Step(
        "evolve append",
        lambda j: (
            j.spark.table("core.flat")
            .selectExpr("n AS a", "CAST(lat AS FLOAT) AS b", "n AS c", "unit AS d")
            .write.format("delta")
            .mode("append")
            .option("mergeSchema", "true")
            .saveAsTable("core.wid")
        ),
        "append wid",
        "a c < flat.n; b < flat.lat; d < flat.unit",
    ),
    Step(
        "overwrite schema",
        lambda j: (
            j.spark.table("core.wid")
            .selectExpr("d AS word", "a")
            .write.format("delta")
            .mode("overwrite")
            .option("overwriteSchema", "true")
            .saveAsTable("core.wid2")
        ),
        "overwrite wid2",
        "word < wid.d; a < wid.a",
    ),
    Step(
        "overwrite schema again",
        lambda j: (
            j.spark.table("core.wid")
            .selectExpr("c", "b")
            .write.format("delta")
            .mode("overwrite")
            .option("overwriteSchema", "true")
            .saveAsTable("core.wid2")
        ),
        "overwrite wid2",
        "c b < wid.*",
    ),
    Step("rename table", "ALTER TABLE core.wid2 RENAME TO core.wid3"),
    Step("rename insert", "INSERT INTO core.wid3 SELECT a, b FROM core.wid", "append wid3", "c < wid.a; b < wid.b"),
    Step("comment on", "COMMENT ON TABLE core.wid3 IS 'widened'", "alter wid3"),
    Step("drop table", "DROP TABLE core.wid3"),
    Step(
        "recreate",
        "CREATE TABLE core.wid3 USING delta AS SELECT id AS c, kind FROM stage.meters",
        "create wid3",
        "c < meters.id; kind < meters.kind",
    ),
    Step("replace ddl", "CREATE OR REPLACE TABLE core.wid3 (c BIGINT, kind STRING, z INT) USING delta"),
    Step("if not exists", "CREATE TABLE IF NOT EXISTS core.wid3 (c BIGINT, kind STRING, z INT) USING delta"),
    Step(
        "after replace",
        "INSERT INTO core.wid3 SELECT id, kind, 1 FROM stage.meters",
        "append wid3",
        "c < meters.id; kind < meters.kind; z < ",
    ),
    Step("truncate", "TRUNCATE TABLE core.wid3"),
    Step("api create", lambda j: _api_create(j)),
    Step(
        "api insert",
        "INSERT INTO core.api SELECT id, site, 0.5D FROM stage.meters",
        "append api",
        "id < meters.id; site < meters.site; v < ",
    ),
)

TRAVEL = (
    Step(
        "version sql",
        "CREATE TABLE mart.then USING delta AS SELECT id, name, battery FROM core.device VERSION AS OF 2",
        "create then",
        "id name battery < device.*",
    ),
    Step(
        "version join",
        "INSERT INTO mart.then SELECT a.id, b.name, a.battery - b.battery FROM core.device VERSION AS OF 5 a"
        " JOIN core.device VERSION AS OF 4 b ON a.id = b.id",
        "append then",
        "id name battery < device.*",
        "JOIN device.id",
    ),
    Step(
        "version frame",
        lambda j: (
            j.spark.read.format("delta")
            .option("versionAsOf", j.pins("core.device", 3))
            .table("core.device")
            .selectExpr("id", "name", "battery * 2 AS battery")
            .write.insertInto("mart.then")
        ),
        "append then",
        "id name battery < device.*",
    ),
    Step(
        "version path",
        lambda j: (
            j.spark.read.format("delta")
            .option("versionAsOf", j.pins(f"{j.root}/lake/m", 1))
            .load(f"{j.root}/lake/m")
            .selectExpr("id", "serial AS name", "kwh AS battery")
            .write.insertInto("mart.then")
        ),
        "append then",
        "id < p_m.id; name < p_m.serial; battery < p_m.kwh",
    ),
    Step(
        "timestamp",
        lambda j: _timestamp(j),
        "",
        "id battery < device.*",
    ),
    Step("current", "SELECT id FROM mart.then WHERE name IS NULL", "", "id < then.id", "FILTER then.name"),
    Step("restore", "RESTORE TABLE mart.then TO VERSION AS OF 1", "maintenance then"),
    Step("restored read", "SELECT id, battery FROM mart.then", "", "id battery < then.*"),
    Step(
        "shallow clone",
        "CREATE TABLE mart.cloned SHALLOW CLONE core.device",
        "create cloned",
        "id name battery note place < device.*",
    ),
    Step(
        "clone insert",
        "INSERT INTO mart.cloned SELECT id, serial, NULL, NULL, NULL FROM stage.meters",
        "append cloned",
        "id < meters.id; name < meters.serial; battery note place < ",
    ),
    Step(
        "clone version",
        "CREATE OR REPLACE TABLE mart.cloned SHALLOW CLONE core.device VERSION AS OF 3",
        "create cloned",
        "id name battery note place < device.*",
    ),
    Step("clone wide", "CREATE TABLE mart.w60c SHALLOW CLONE stage.w60", "create w60c", "d{1..60} < w60.*"),
    Step("clone read", "SELECT name FROM mart.cloned", "", "name < cloned.name"),
    Step("optimize", "OPTIMIZE core.flat_like", "maintenance flat_like"),
    Step("zorder", "OPTIMIZE core.flat_like ZORDER BY (mid)", "maintenance flat_like"),
    Step("vacuum", "VACUUM core.flat_like RETAIN 200 HOURS", "maintenance flat_like"),
    Step("analyze", "ANALYZE TABLE core.flat COMPUTE STATISTICS"),
    Step("history", "DESCRIBE HISTORY core.flat"),
    Step("detail", "DESCRIBE DETAIL core.flat"),
    Step(
        "metadata count",
        "CREATE TABLE mart.numbers USING delta AS SELECT count(*) AS n FROM core.flat",
        "create numbers",
        "n < ",
    ),
    Step("metadata max", "INSERT INTO mart.numbers SELECT max(mid) FROM core.flat", "append numbers", "n < flat.mid"),
    Step("convert", "CONVERT TO DELTA parquet.`{root}/out/daily`"),
    Step(
        "converted",
        lambda j: (
            j.spark.read.format("delta").load(f"{j.root}/out/daily").write.format("delta").saveAsTable("mart.conv")
        ),
        "create conv",
        "site kwh < out_daily.*",
    ),
    Step(
        "deep copy",
        lambda j: j.spark.table("core.device").writeTo("mart.deep").using("delta").createOrReplace(),
        "overwrite deep",
        "id name battery note place < device.*",
    ),
)

STEPS = (*MERGES, *ALTERS, *TRAVEL)


def _api(job: Job, table: str) -> Any:
    from delta.tables import DeltaTable

    return DeltaTable.forName(job.spark, table)


def _merge_api(job: Job) -> None:
    merge = _api(job, "core.device").alias("d").merge(job.spark.table("stage.meters").alias("m"), "d.id = m.id")
    merge = merge.whenMatchedUpdate("m.kind = 'gas'", {"name": "m.serial", "battery": "d.battery + m.id"})
    merge = merge.whenMatchedDelete("m.kind = 'none'")
    merge.whenNotMatchedInsert(values={"id": "m.id", "note": "m.kind"}).execute()


def _merge_view(job: Job) -> None:
    job.spark.table("core.flat").where("lat >= 0").createOrReplaceTempView("recent")
    job.sql(
        "MERGE INTO core.empty e USING (SELECT mid, max(lat) + min(lng) AS k FROM recent GROUP BY mid) r ON e.mid = r.mid"
        " WHEN MATCHED THEN UPDATE SET kwh = r.k"
    )


def _api_create(job: Job) -> None:
    from delta.tables import DeltaTable

    made = DeltaTable.createIfNotExists(job.spark).tableName("core.api").addColumn("id", "BIGINT")
    made.addColumn("site", "STRING").addColumn("v", "DOUBLE").clusterBy("id").execute()


def _timestamp(job: Job) -> None:
    row = job.spark.sql("DESCRIBE HISTORY core.device").where("version = 4").select("timestamp").first()
    job.pins("core.device", 4)
    job.sql(f"SELECT id, battery FROM core.device TIMESTAMP AS OF '{row[0]}'")
