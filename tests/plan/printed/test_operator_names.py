"""Node names of all versions and engines are canonical operators."""

from __future__ import annotations

import pytest

from eventlog_lineage.plan.grammar.symbols import Field
from eventlog_lineage.plan.printed.operator_names import canonical

FILES = {"Location": Field("InMemoryFileIndex [file:/x]")}


@pytest.mark.parametrize(
    ("name", "operator", "argument"),
    [
        ("Project", "Project", ""),
        ("SortMergeJoin LeftOuter", "SortMergeJoin", "LeftOuter"),
        (
            "BroadcastHashJoin ExistenceJoin(exists#6) BuildRight",
            "BroadcastHashJoin",
            "ExistenceJoin(exists#6) BuildRight",
        ),
        ("Execute InsertIntoHadoopFsRelationCommand", "InsertIntoHadoopFsRelationCommand", "Execute"),
        ("AQEShuffleRead", "ShuffleRead", ""),
        ("CustomShuffleReader", "ShuffleRead", ""),
        ("ShuffleQueryStage", "QueryStage", "ShuffleQueryStage"),
        ("BroadcastQueryStage 3", "QueryStage", "BroadcastQueryStage"),
        ("PythonMapInArrow", "MapInArrow", ""),
        ("BatchScan local.db.t", "BatchScan", "local.db.t"),
        ("BatchScan", "BatchScan", ""),
        ("AppendData spark_catalog.db.t", "AppendData", "spark_catalog.db.t"),
        (
            "Scan ExistingRDD Delta Table State #9 - file:/x/_delta_log",
            "ExistingRDDScan",
            "Delta Table State #9 - file:/x/_delta_log",
        ),
        ("Scan In-memory table ct", "InMemoryTableScan", "ct"),
        ("Scan OneRowRelation", "OneRowRelation", ""),
        ("Scan hive db.t", "HiveTableScan", "db.t"),
        ("Scan", "ExternalRDDScan", ""),
        ("Scan JDBCRelation(TBLS) [numPartitions=1] ", "RelationScan", "JDBCRelation(TBLS) [numPartitions=1]"),
    ],
)
def test_a_name_is_an_operator_and_what_it_says_beyond(name: str, operator: str, argument: str) -> None:
    assert canonical(name, {}) == (operator, argument)


def test_a_scan_of_files_is_told_by_its_details() -> None:
    assert canonical("Scan parquet db.t", FILES) == ("FileScan", "parquet db.t")
    assert canonical("Scan parquet db.t", {"Batched": Field("true")}) == ("FileScan", "parquet db.t")
    assert canonical("Scan parquet ", FILES) == ("FileScan", "parquet")
