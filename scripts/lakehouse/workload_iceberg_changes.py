"""Iceberg's second workload: changes of rows and of schemas."""

from __future__ import annotations

from lakehouse.workload import Job, Step

_MOR = (
    "'write.update.mode' = 'merge-on-read', 'write.merge.mode' = 'merge-on-read', 'write.delete.mode' = 'merge-on-read'"
)

ROWS = (
    Step(
        "cow",
        "CREATE TABLE lake.dwh.cow USING iceberg TBLPROPERTIES ('format-version' = '2') AS SELECT id, book, fee, reader, day FROM lake.dwh.loan",
        "create cow",
        "id book fee reader day < loan.*",
    ),
    Step(
        "mor",
        f"CREATE TABLE {{g}}.pub.mor USING iceberg TBLPROPERTIES ('format-version' = '2', {_MOR}) AS SELECT id, book, fee, reader, day FROM lake.dwh.loan",
        "create mor",
        "id book fee reader day < loan.*",
    ),
    Step(
        "cow update",
        "UPDATE lake.dwh.cow SET fee = fee + reader, book = concat(book, day) WHERE id > 2 AND reader < 4",
        "update cow",
        "fee < cow.fee cow.reader; book < cow.book cow.day",
        "FILTER cow.id; FILTER cow.reader",
    ),
    Step(
        "mor update",
        "UPDATE {g}.pub.mor SET fee = fee * reader, book = lower(book) WHERE id > 2",
        "update mor",
        "fee < mor.fee mor.reader; book < mor.book",
        "FILTER mor.id",
    ),
    Step(
        "cow update in",
        "UPDATE lake.dwh.cow SET book = 'x' WHERE reader IN (SELECT id FROM lake.raw.readers WHERE level = 'gold')",
        "update cow",
        "book < ",
    ),
    Step(
        "mor update in",
        "UPDATE {g}.pub.mor SET fee = 0 WHERE reader IN (SELECT id FROM {g}.pub.readers)",
        "update mor",
        "fee < ",
    ),
    Step(
        "mor update case",
        "UPDATE {g}.pub.mor SET fee = CASE WHEN reader > 1 THEN fee ELSE id END",
        "update mor",
        "fee < mor.fee mor.id",
    ),
    Step("cow delete", "DELETE FROM lake.dwh.cow WHERE fee > 100 AND book = 'x'", "delete cow", "", "FILTER cow.fee"),
    Step("mor delete", "DELETE FROM {g}.pub.mor WHERE fee > 4.9", "delete mor", "", "FILTER mor.fee"),
    Step(
        "delete partition", "DELETE FROM lake.dwh.loan WHERE day = '2026-02-20'", "delete loan", "", "FILTER loan.day"
    ),
    Step(
        "delete exists",
        "DELETE FROM lake.dwh.cow c WHERE EXISTS (SELECT 1 FROM {g}.pub.readers r WHERE r.id = c.reader + 90)",
        "delete cow",
    ),
    Step(
        "cow merge",
        "MERGE INTO lake.dwh.cow t USING (SELECT id, name, level FROM lake.raw.readers WHERE level != 'none') s ON t.id = s.id"
        " WHEN MATCHED AND s.level = 'gold' THEN UPDATE SET t.book = s.name, t.fee = t.fee + s.id WHEN MATCHED THEN DELETE"
        " WHEN NOT MATCHED THEN INSERT (id, book) VALUES (s.id, s.level)",
        "merge cow",
        "book < readers.name readers.level; fee < cow.fee readers.id; id < readers.id; reader day < ",
        "JOIN cow.id; JOIN readers.id",
    ),
    Step(
        "mor merge",
        "MERGE INTO {g}.pub.mor t USING lake.dwh.loan s ON t.id = s.id AND t.day = s.day WHEN MATCHED THEN UPDATE SET fee = s.fee + t.fee"
        " WHEN NOT MATCHED AND s.fee IS NOT NULL THEN INSERT (id, book, fee, reader, day) VALUES (s.id, s.city, s.fee, s.reader, s.day)",
        "merge mor",
        "fee < loan.fee mor.fee; id reader day < loan.*; book < loan.city",
        "JOIN mor.id; JOIN loan.id",
    ),
    Step(
        "merge star",
        "MERGE INTO {g}.pub.mor t USING lake.dwh.cow s ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        "merge mor",
        "id book fee reader day < cow.*",
    ),
    Step(
        "merge by source",
        "MERGE INTO lake.dwh.cow t USING {g}.pub.readers s ON t.reader = s.id WHEN MATCHED THEN UPDATE SET t.book = s.name"
        " WHEN NOT MATCHED BY SOURCE AND t.fee > 3 THEN UPDATE SET t.fee = t.fee / 2 WHEN NOT MATCHED BY SOURCE AND t.fee < 0 THEN DELETE",
        "merge cow",
        "book < pub_readers.name; fee < cow.fee",
    ),
    Step(
        "merge aggregated",
        "MERGE INTO lake.dwh.cow t USING (SELECT reader, sum(fee) AS f, max(day) AS d FROM lake.dwh.loan GROUP BY reader) s ON t.id = s.reader"
        " WHEN MATCHED THEN UPDATE SET fee = s.f, day = coalesce(s.d, t.day)",
        "merge cow",
        "fee < loan.fee; day < loan.day cow.day",
    ),
    Step(
        "merge insert only",
        "MERGE INTO {g}.pub.mor t USING (SELECT DISTINCT id + 700 AS id, name FROM lake.raw.readers) s ON t.id = s.id"
        " WHEN NOT MATCHED THEN INSERT (id, book, fee, reader, day) VALUES (s.id, s.name, 0, NULL, 'd')",
        "append mor",
        "id < readers.id; book < readers.name; fee reader day < ",
    ),
    Step(
        "merge self",
        "MERGE INTO lake.dwh.cow t USING (SELECT id, max(fee) AS fee FROM lake.dwh.cow GROUP BY id) s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET reader = CAST(s.fee AS BIGINT)",
        "merge cow",
        "reader < cow.fee",
    ),
    Step("merge view", lambda j: _merge_view(j), "merge cow", "book < loan.city"),
    Step(
        "merge api",
        lambda j: _merge_api(j),
        "merge cow",
        "fee < loan.fee; id < loan.id; book reader day < ",
        only="4-1",
    ),
    Step(
        "nested ddl",
        "CREATE TABLE lake.dwh.nest USING iceberg AS SELECT id, place, tags, props FROM lake.raw.loans",
        "create nest",
        "id place tags props < loans.*",
    ),
    Step(
        "nested update",
        "UPDATE lake.dwh.nest SET place.city = upper(place.city) WHERE id = 1",
        "update nest",
        "place < nest.place.city nest.place.room",
    ),
    Step(
        "nested read",
        "INSERT INTO lake.dwh.ids SELECT place.room, props['lang'] FROM lake.dwh.nest",
        "append ids",
        "id < nest.place.room; what < nest.props",
    ),
    Step("truncate", "TRUNCATE TABLE lake.dwh.hid2"),
)

ALTERS = (
    Step(
        "alt",
        "CREATE TABLE lake.dwh.alt (id INT, name STRING, v FLOAT, amount DECIMAL(8, 2), s STRUCT<a: INT, b: STRING>, l ARRAY<STRUCT<x: INT>>) USING iceberg",
    ),
    Step(
        "alt insert",
        "INSERT INTO lake.dwh.alt SELECT CAST(id AS INT), book, CAST(fee AS FLOAT), CAST(fee AS DECIMAL(8, 2)), named_struct('a', 1, 'b', city), array(named_struct('x', 1)) FROM lake.dwh.loan",
        "append alt",
        "id < loan.id; name < loan.book; v amount < loan.fee; s < loan.city; l < ",
    ),
    Step("alt add", "ALTER TABLE lake.dwh.alt ADD COLUMNS (note STRING COMMENT 'n', rank INT AFTER name)", "alter alt"),
    Step("alt add first", "ALTER TABLE lake.dwh.alt ADD COLUMN code STRING FIRST", "alter alt"),
    Step("alt add nested", "ALTER TABLE lake.dwh.alt ADD COLUMN s.c DOUBLE", "alter alt"),
    Step("alt add element", "ALTER TABLE lake.dwh.alt ADD COLUMN l.element.y STRING", "alter alt"),
    Step("alt rename", "ALTER TABLE lake.dwh.alt RENAME COLUMN note TO remark", "alter alt"),
    Step("alt rename nested", "ALTER TABLE lake.dwh.alt RENAME COLUMN s.b TO bb", "alter alt"),
    Step("alt widen", "ALTER TABLE lake.dwh.alt ALTER COLUMN id TYPE BIGINT", "alter alt"),
    Step("alt widen float", "ALTER TABLE lake.dwh.alt ALTER COLUMN v TYPE DOUBLE", "alter alt"),
    Step("alt widen decimal", "ALTER TABLE lake.dwh.alt ALTER COLUMN amount TYPE DECIMAL(18, 2)", "alter alt"),
    Step("alt after", "ALTER TABLE lake.dwh.alt ALTER COLUMN remark AFTER id", "alter alt"),
    Step("alt first", "ALTER TABLE lake.dwh.alt ALTER COLUMN v FIRST", "alter alt"),
    Step("alt comment", "ALTER TABLE lake.dwh.alt ALTER COLUMN v COMMENT 'value'", "alter alt"),
    Step(
        "alt use",
        "INSERT INTO lake.dwh.alt (id, code, remark, rank) SELECT id, city, book, 3 FROM lake.dwh.loan",
        "append alt",
        "v name amount s l rank < ; code < loan.city; id < loan.id; remark < loan.book",
    ),
    Step("alt drop", "ALTER TABLE lake.dwh.alt DROP COLUMN rank", "alter alt"),
    Step("alt drop two", "ALTER TABLE lake.dwh.alt DROP COLUMNS (code, s.c)", "alter alt"),
    Step("alt partition", "ALTER TABLE lake.dwh.alt ADD PARTITION FIELD bucket(4, id)", "alter alt"),
    Step("alt partition named", "ALTER TABLE lake.dwh.alt ADD PARTITION FIELD truncate(3, name) AS short", "alter alt"),
    Step(
        "alt replace partition",
        "ALTER TABLE lake.dwh.alt REPLACE PARTITION FIELD short WITH truncate(2, name) AS shorter",
        "alter alt",
    ),
    Step("alt drop partition", "ALTER TABLE lake.dwh.alt DROP PARTITION FIELD shorter", "alter alt"),
    Step("alt order", "ALTER TABLE lake.dwh.alt WRITE ORDERED BY name, id DESC", "alter alt"),
    Step("alt distribute", "ALTER TABLE lake.dwh.alt WRITE DISTRIBUTED BY PARTITION", "alter alt"),
    Step("alt not null", "ALTER TABLE lake.dwh.alt SET TBLPROPERTIES ('x' = 'y')", "alter alt"),
    Step("alt unset", "ALTER TABLE lake.dwh.alt UNSET TBLPROPERTIES ('x')", "alter alt"),
    Step(
        "alt copy",
        "CREATE TABLE {g}.pub.alt_copy USING iceberg AS SELECT * FROM lake.dwh.alt",
        "create alt_copy",
        "v id remark name amount s l < alt.*",
    ),
    Step("alt other catalog", "ALTER TABLE {g}.pub.alt_copy ADD COLUMN checked BOOLEAN", "alter alt_copy"),
    Step("alt other rename", "ALTER TABLE {g}.pub.alt_copy RENAME COLUMN remark TO said", "alter alt_copy"),
    Step("alt other read", "SELECT said, checked FROM {g}.pub.alt_copy", "", "said checked < alt_copy.*"),
    Step(
        "rtas other shape",
        "CREATE OR REPLACE TABLE {g}.pub.alt_copy USING iceberg AS SELECT id, name AS called FROM lake.dwh.alt",
        "overwrite alt_copy",
        "id < alt.id; called < alt.name",
    ),
    Step("replace ddl", "CREATE OR REPLACE TABLE {g}.pub.alt_copy (id BIGINT, called STRING, x INT) USING iceberg"),
    Step("if not exists", "CREATE TABLE IF NOT EXISTS {g}.pub.alt_copy (id BIGINT) USING iceberg"),
    Step(
        "after ddl",
        "INSERT INTO {g}.pub.alt_copy SELECT id, name, 1 FROM lake.raw.readers",
        "append alt_copy",
        "id < readers.id; called < readers.name; x < ",
    ),
    Step("rename", "ALTER TABLE {g}.pub.alt_copy RENAME TO {g}.pub.alt_final", only="4-1"),
    Step("rename read", "SELECT called FROM {g}.pub.alt_final", "", "called < alt_final.called", only="4-1"),
    Step("drop", "DROP TABLE lake.dwh.ids"),
    Step(
        "create again",
        "CREATE TABLE lake.dwh.ids USING iceberg AS SELECT reader AS id, day FROM lake.dwh.loan",
        "create ids",
        "id < loan.reader; day < loan.day",
    ),
    Step(
        "merge schema",
        lambda j: _merge_schema(j),
        "append ids",
        "id < readers.id; day < readers.name; mail < readers.mail",
    ),
)

STEPS = (*ROWS, *ALTERS)


def _merge_view(job: Job) -> None:
    job.spark.table("lake.dwh.loan").where("fee >= 0").groupBy("id").agg({"city": "max"}).toDF(
        "id", "c"
    ).createOrReplaceTempView("towns")
    job.sql("MERGE INTO lake.dwh.cow t USING towns s ON t.id = s.id WHEN MATCHED THEN UPDATE SET book = s.c")


def _merge_api(job: Job) -> None:
    from pyspark.sql import functions as f

    source = job.spark.table("lake.dwh.loan").select("id", "fee").distinct().alias("s")
    merge = source.mergeInto("lake.dwh.cow", f.expr("s.id = lake.dwh.cow.id"))
    merge.whenMatched().update({"fee": f.col("s.fee")}).whenNotMatched().insert(
        {"id": f.col("s.id"), "fee": f.col("s.fee")}
    ).merge()


def _merge_schema(job: Job) -> None:
    job.sql("ALTER TABLE lake.dwh.ids SET TBLPROPERTIES ('write.spark.accept-any-schema' = 'true')")
    frame = job.spark.table("lake.raw.readers").selectExpr("id", "name AS day", "mail")
    frame.writeTo("lake.dwh.ids").option("mergeSchema", "true").append()
