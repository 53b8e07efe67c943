"""Features of Delta 4: `python -m lakehouse.workload_delta_features NAME ROOT PACKAGES`, or `--truth` for its truth.

VARIANT, row tracking, in-commit timestamps, type widening, liquid clustering, identity and generated columns, deletion
vectors; aggregates from statistics, tables by their paths, and commands that change nothing.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pyspark.sql import DataFrame

from lakehouse.session import session
from lakehouse.workload import Job, Step, truth_of
from lakehouse.workload_delta import CONF, versions

_ROOT = "file:///tmp/lakehouse_shop"
_TABLES = "flight plane best cnt extremes var parsed tracked keyed wide_types cloned located fresh s_tracked".split()
DATASETS = {
    **{name: f"spark_catalog.air.{name}" for name in _TABLES},
    "p_top": f"{_ROOT}/lake/top",
    "p_built": f"{_ROOT}/lake/built",
    "p_parts": f"{_ROOT}/lake/parts",
}
CHANGES = """
wide_types: type_changed k v x
plane: column_added twice
"""


def _save(job: Job, query: str, path: str, mode: str = "error", parts: str = "") -> None:
    writer = job.spark.sql(query).write.format("delta").mode(mode)
    (writer.partitionBy(parts) if parts else writer).save(f"{job.root}/lake/{path}")


def _built(job: Job) -> None:
    from delta.tables import DeltaTable

    table = DeltaTable.create(job.spark).location(f"{job.root}/lake/built")
    table.addColumn("id", "BIGINT").addColumn("n", "STRING").partitionedBy("n").execute()


def _evolved(job: Job) -> None:
    rows: DataFrame = job.spark.sql("SELECT fid AS k, fid AS v, fare AS x FROM air.flight")
    rows.write.format("delta").mode("append").option("mergeSchema", "true").saveAsTable("air.wide_types")


def _stream(job: Job) -> None:
    rows = job.spark.readStream.table("air.flight").selectExpr("fid", "fare * 2 AS fare")
    job.stream(rows, "stream tracked").toTable("air.s_tracked").awaitTermination()


STEPS = (
    Step(
        "flight",
        "CREATE TABLE air.flight USING delta PARTITIONED BY (day) AS SELECT id AS fid, id % 4 AS plane,"
        " CAST(id * 10.5 AS DOUBLE) AS fare, substr('ABC', CAST(id % 3 AS INT) + 1, 1) AS origin,"
        " CAST(id % 2 AS STRING) AS day FROM range(12)",
        "create flight",
        "fid plane fare origin day < ",
    ),
    Step(
        "plane clustered",
        "CREATE TABLE air.plane USING delta CLUSTER BY (pid) AS SELECT * FROM VALUES (0, 'boe', 100), (1, 'air', 120)"
        " AS v(pid, maker, seats)",
        "create plane",
        "pid maker seats < ",
    ),
    Step("best ddl", "CREATE TABLE air.best (fid BIGINT, fare DOUBLE, src STRING) USING delta"),
    Step("cnt ddl", "CREATE TABLE air.cnt (n DOUBLE) USING delta"),
    Step("count", "INSERT INTO air.cnt SELECT count(*) FROM air.flight", "append cnt", "n < "),
    Step(
        "two extremes",
        "INSERT INTO air.cnt SELECT min(fid) + max(plane) FROM air.flight",
        "append cnt",
        "n < flight.fid flight.plane",
    ),
    Step(
        "extremes",
        "CREATE TABLE air.extremes USING delta AS SELECT max(fid) AS hi, min(fare) AS lo, count(*) AS n FROM air.flight",
        "create extremes",
        "hi < flight.fid; lo < flight.fare; n < ",
    ),
    Step(
        "extremes saved",
        lambda j: _save(j, "SELECT max(fid) AS top, count(1) AS n FROM air.flight", "top"),
        "create p_top",
        "top < flight.fid; n < ",
    ),
    Step("extreme read", "SELECT max(fid) AS top FROM air.flight", "", "top < flight.fid"),
    Step(
        "extreme merged",
        "MERGE INTO air.cnt t USING (SELECT max(fid) AS m FROM air.flight) s ON t.n = s.m"
        " WHEN NOT MATCHED THEN INSERT (n) VALUES (s.m)",
        "merge cnt",
        "n < flight.fid",
    ),
    Step(
        "parts saved",
        lambda j: _save(j, "SELECT fid, fare, day FROM air.flight", "parts", parts="day"),
        "create p_parts",
        "fid fare day < flight.*",
    ),
    Step("parts ignored", lambda j: _save(j, "SELECT fid FROM air.flight", "parts", "ignore")),
    Step(
        "parts merged",
        "MERGE INTO delta.`{root}/lake/parts` t USING air.flight s ON t.fid = s.fid"
        " WHEN MATCHED THEN UPDATE SET t.fare = s.fare * 3 WHEN NOT MATCHED THEN INSERT (fid, day) VALUES (s.fid, s.day)",
        "merge p_parts",
        "fare < flight.fare; fid day < flight.*",
        "JOIN flight.fid",
    ),
    Step(
        "parts updated",
        "UPDATE delta.`{root}/lake/parts` SET fare = fid + fare WHERE fid > 4",
        "update p_parts",
        "fare < p_parts.fid p_parts.fare",
        "FILTER p_parts.fid",
    ),
    Step("built", _built),
    Step(
        "built insert",
        "INSERT INTO delta.`{root}/lake/built` SELECT fid, origin FROM air.flight",
        "append p_built",
        "id < flight.fid; n < flight.origin",
    ),
    Step("nothing inserted", "INSERT INTO air.best SELECT fid, fare, origin FROM air.flight WHERE fid > 100000"),
    Step("nothing updated", "UPDATE air.best SET fare = fid WHERE fid = -5", "update best", "fare < best.fid"),
    Step("nothing deleted", "DELETE FROM air.best WHERE fid = -77", "delete best"),
    Step(
        "best insert",
        "INSERT INTO air.best SELECT fid, fare, origin FROM air.flight",
        "append best",
        "fid fare < flight.*; src < flight.origin",
    ),
    Step("existing", "CREATE TABLE IF NOT EXISTS air.plane USING delta AS SELECT 1 AS pid"),
    Step(
        "not existing",
        "CREATE TABLE IF NOT EXISTS air.fresh USING delta AS SELECT pid FROM air.plane",
        "create fresh",
        "pid < plane.pid",
    ),
    Step(
        "replaced by itself",
        "CREATE OR REPLACE TABLE air.plane USING delta AS SELECT pid, lower(maker) AS maker, seats, seats * 2 AS twice"
        " FROM air.plane",
        "overwrite plane",
        "pid maker seats < plane.*; twice < plane.seats",
    ),
    Step("cloned", "CREATE TABLE air.cloned SHALLOW CLONE air.best", "create cloned", "fid fare src < best.*"),
    Step(
        "located",
        "CREATE TABLE air.located SHALLOW CLONE air.best LOCATION '{root}/lake/located'",
        "create located",
        "fid fare src < best.*",
    ),
    Step("var ddl", "CREATE TABLE air.var (id BIGINT, v VARIANT) USING delta"),
    Step(
        "var insert",
        "INSERT INTO air.var SELECT fid, parse_json(concat('{\"a\":', plane, '}')) FROM air.flight",
        "append var",
        "id < flight.fid; v < flight.plane",
    ),
    Step(
        "var read",
        "CREATE TABLE air.parsed USING delta AS SELECT id, variant_get(v, '$.a', 'int') AS a, v:a::string AS b"
        " FROM air.var WHERE variant_get(v, '$.a', 'int') > 0",
        "create parsed",
        "id < var.id; a b < var.v",
        "FILTER var.v",
    ),
    Step(
        "tracked ddl",
        "CREATE TABLE air.tracked (id BIGINT, x DOUBLE) USING delta TBLPROPERTIES ('delta.enableRowTracking' = 'true',"
        " 'delta.enableInCommitTimestamps' = 'true', 'delta.checkpointPolicy' = 'v2',"
        " 'delta.enableDeletionVectors' = 'true')",
    ),
    Step(
        "tracked insert",
        "INSERT INTO air.tracked SELECT fid, fare FROM air.flight",
        "append tracked",
        "id < flight.fid; x < flight.fare",
    ),
    Step(
        "tracked rows",
        "SELECT id, _metadata.row_id AS r, _metadata.row_commit_version AS c FROM air.tracked",
        "",
        "id < tracked.id; r < tracked._metadata.row_id; c < tracked._metadata.row_commit_version",
    ),
    Step("tracked update", "UPDATE air.tracked SET x = id WHERE id > 3", "update tracked", "x < tracked.id"),
    Step(
        "tracked merge",
        "MERGE INTO air.tracked t USING air.flight s ON t.id = s.fid + 6 WHEN MATCHED THEN UPDATE SET x = s.fare"
        " WHEN NOT MATCHED THEN INSERT (id, x) VALUES (s.fid + 6, 0)",
        "merge tracked",
        "x < flight.fare; id < flight.fid",
    ),
    Step("tracked delete", "DELETE FROM air.tracked WHERE x > 50", "delete tracked"),
    Step(
        "keyed ddl",
        "CREATE TABLE air.keyed (k BIGINT GENERATED ALWAYS AS IDENTITY, f BIGINT, g BIGINT GENERATED ALWAYS AS (f * 2))"
        " USING delta",
    ),
    Step(
        "keyed insert",
        "INSERT INTO air.keyed (f) SELECT fid FROM air.flight",
        "append keyed",
        "f g < flight.fid; k < ",
    ),
    Step(
        "types ddl",
        "CREATE TABLE air.wide_types (k SMALLINT, v INT, x FLOAT) USING delta"
        " TBLPROPERTIES ('delta.enableTypeWidening' = 'true')",
    ),
    Step("types alter", "ALTER TABLE air.wide_types ALTER COLUMN k TYPE INT", "alter wide_types"),
    Step("types evolve", _evolved, "append wide_types", "k v < flight.fid; x < flight.fare"),
    Step("reorg", "REORG TABLE air.tracked APPLY (PURGE)", "maintenance tracked"),
    Step("optimize", "OPTIMIZE air.flight", "maintenance flight"),
    Step("optimize again", "OPTIMIZE air.flight", "maintenance flight"),
    Step("stream tracked", _stream, "append s_tracked", "fid fare < flight.*"),
    Step(
        "last read",
        "SELECT s.fid, t.x FROM air.s_tracked s JOIN air.tracked t ON s.fid = t.id",
        "",
        "fid < s_tracked.fid; x < tracked.x",
    ),
)


def main() -> None:
    """Run all steps, or print their truth."""
    if sys.argv[1] == "--truth":
        print(truth_of(DATASETS, STEPS, CHANGES), end="")
        return
    name, root, packages = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    spark = session(name, root, packages, CONF)
    spark.sql("CREATE DATABASE air")
    Job(spark, root, lambda: versions(root), name).run(STEPS)
    spark.stop()


if __name__ == "__main__":
    main()
