"""The scans that the rows of RDDs come from, in the start of a job."""

from __future__ import annotations

import json

import pytest

from eventlog_lineage.events.decoding.core_events import rdd_rows, rdds_of
from eventlog_lineage.events.records import RddRows

Described = tuple[int, str, str, str, list[int]]


def found(*rdds: Described) -> tuple[RddRows, ...]:
    """Return the rows of a job's stages as Spark writes them: (number, name, scope, call site, parents) of each RDD."""
    infos = [
        {"RDD ID": number, "Name": name}
        | ({"Scope": json.dumps({"id": "7", "name": scope}, separators=(",", ":"))} if scope else {})
        | {"Callsite": call, "Parent IDs": parents, "Storage Level": {}}
        for number, name, scope, call, parents in rdds
    ]
    return rdd_rows(rdds_of([{"Stage ID": 1, "RDD Info": infos}]))


CALL = "javaToPython at NativeMethodAccessorImpl.java:0"
SCAN: Described = (1, "FileScanRDD", "Scan parquet spark_catalog.shop.src", CALL, [])
STAGE: Described = (2, "MapPartitionsRDD", "WholeStageCodegen (1)", CALL, [1])
LEAVES: Described = (3, "SQLExecutionRDD", "", CALL, [2])
ROWS: Described = (4, "MapPartitionsRDD", "mapPartitions", "applySchemaToPythonRDD at X.java:0", [3])
OTHER: Described = (5, "FileScanRDD", "Scan parquet spark_catalog.shop.other", "save at X.java:0", [])
SRC = ("Scan parquet spark_catalog.shop.src",)


def test_the_rdds_outside_of_sql_have_the_scans_that_they_are_made_of() -> None:
    joined: Described = (6, "ZippedPartitionsRDD2", "WholeStageCodegen (2)", "save at X.java:0", [4, 5])
    every = ("Scan parquet spark_catalog.shop.src", "Scan parquet spark_catalog.shop.other")
    rows = found(ROWS, LEAVES, SCAN, STAGE, OTHER, joined)
    assert rows == (RddRows(3, SRC), RddRows(4, SRC), RddRows(6, every))


def test_the_scan_of_a_named_rdd_is_no_source() -> None:
    named: Described = (4, "mine", "mapPartitions", "rdd at App.scala:7", [3])
    scanned: Described = (5, "MapPartitionsRDD", "Scan mine", "save at App.scala:8", [4])
    assert found(SCAN, STAGE, LEAVES, named, scanned)[-1] == RddRows(5, SRC)


def test_a_job_whose_rows_stay_in_sql_has_none() -> None:
    assert found((*SCAN[:3], "save at X.java:0", []), (*STAGE[:3], "save at X.java:0", [1])) == ()
    assert found() == ()


@pytest.mark.parametrize("call", [CALL, "rdd at App.scala:7", "toJavaRDD at App.java:7"])
def test_before_spark_3_1_the_call_site_shows_where_rows_leave_sql(call: str) -> None:
    leaves: Described = (3, "MapPartitionsRDD", "mapPartitions", call, [2])
    assert found(SCAN, STAGE, leaves, ROWS) == (RddRows(3, SRC), RddRows(4, SRC))


def test_a_missing_stage_of_the_query_is_a_broadcast_side() -> None:
    second: Described = (2, "MapPartitionsRDD", "WholeStageCodegen (2)", CALL, [1])
    assert found(SCAN, second, LEAVES) == (RddRows(3, SRC, is_partial=True),)


def test_parents_that_are_no_rdds_of_the_job_and_circles_are_left_out() -> None:
    circle: Described = (2, "MapPartitionsRDD", "WholeStageCodegen (1)", CALL, [1, 3, 99])
    assert found(SCAN, circle, LEAVES)[-1] == RddRows(3, SRC)
