"""What real statements show of schemas."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import trace_log
from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.observed_schemas import SchemaObservation, StoredObservation, from_stored, to_stored

TESTS = Path(__file__).resolve().parents[2]


@cache
def observations(log: str) -> tuple[tuple[str, SchemaObservation], ...]:
    (found,) = find_logs([str(TESTS / log)])
    traced = trace_log(read_log(found))
    return tuple((each.root.description, shown) for each in traced for shown in each.lineage.observations)


def stored(log: str) -> list[tuple[str, StoredObservation]]:
    return [(words, to_stored(observation)) for words, observation in observations(log)]


def shown(log: str, description: str, evidence: str) -> list[str]:
    """What a statement shows, a line each: extent, columns with types, words."""
    return [
        " ".join(
            (each.extent, *(f"{column.name}:{column.data_type}".rstrip(":") for column in each.columns), *each.words)
        )
        for words, each in stored(log)
        if words == description and each.evidence == evidence
    ]


NIGHT = "night_logs/logs/night-{}.zstd"


def test_v1_ddl_prints_no_columns_when_it_creates_and_all_of_them_when_it_adds() -> None:
    assert shown(NIGHT.format("01"), "create orders", "create") == ["none"]
    assert shown(NIGHT.format("03"), "alter orders", "alter") == ["added discount:double"]


def test_v2_ddl_prints_columns_when_it_creates_and_codes_when_it_alters() -> None:
    struct = "addr:struct<city:string,zip:string>"
    assert shown(NIGHT.format("01"), "create customers", "create") == [
        f"all id:bigint name:string email:string points:int {struct}"
    ]
    assert shown(NIGHT.format("05"), "alter customers", "alter")[0] == "codes RenameColumn@e5357390"
    assert len(shown(NIGHT.format("05"), "alter customers", "alter")) == 5


def test_an_insert_names_all_columns_of_its_table_with_the_types_that_its_plan_knows() -> None:
    columns = "all order_id:bigint customer:string amount:double"
    assert shown(NIGHT.format("01"), "stage orders", "overwrite") == [columns]
    assert shown(NIGHT.format("01"), "note orders", "append") == ["all order_id:bigint note:string"]


def test_a_read_shows_what_it_reads_with_types() -> None:
    columns = "some order_id:bigint customer:string amount:double items:int"
    assert shown(NIGHT.format("01"), "stage orders", "read") == [columns]


def test_a_table_that_is_renamed_or_dropped_says_so() -> None:
    renamed = shown(NIGHT.format("09"), "rename daily", "rename")
    assert renamed == ["renamed spark_catalog.shop.sales_by_day"]
    assert shown(NIGHT.format("11"), "drop spare", "drop") == ["dropped"]


def test_a_repeated_print_of_a_command_shows_nothing() -> None:
    assert len(shown("lakehouse_logs/iceberg-3-5.zstd", "alter: rename", "alter")) == 1


def test_columns_that_a_connector_adds_are_no_columns_of_the_table() -> None:
    names = {each.name for _, shown in stored("lakehouse_logs/delta-3-5.zstd") for each in shown.columns}
    assert not {name for name in names if name.startswith(("_", "file_"))}


def test_a_column_with_the_name_of_another_connectors_column_is_the_tables() -> None:
    plan = """== Physical Plan ==
Execute SaveIntoDataSourceCommand (1)
   +- SaveIntoDataSourceCommand (2)
         +- Project (4)
            +- LogicalRelation (3)


(1) Execute SaveIntoDataSourceCommand
Output: []

(2) SaveIntoDataSourceCommand
Arguments: org.apache.hudi.BaseDefaultSource@167d75f4, [path=/lake/spent, hoodie.table.name=spent], Overwrite

(3) LogicalRelation
Arguments: HudiFileGroup, [_hoodie_commit_time#1, id#2L, _file#3, day#4], `spark_catalog`.`shop`.`orders`, false

(4) Project
Arguments: [id#2L, day#4]

"""
    found = [each for each in trace_texts(plan).observations if each.dataset == "spark_catalog.shop.orders"]
    assert [[column.name for column in each.columns] for each in found] == [["id", "_file", "day"]]


def test_a_temporary_views_name_may_be_another_applications_too() -> None:
    names = {each.dataset for _, each in stored("sample_logs/nightly-sales-3-5.zstd")}
    assert "returns_feed" not in names
    assert "spark_catalog.sales.paid_orders" in names


@pytest.mark.parametrize("log", [NIGHT.format(f"{day:02}") for day in (1, 3, 5, 9, 11)])
def test_every_observation_is_the_same_after_it_was_stored(log: str) -> None:
    found = [observation for _, observation in observations(log)]
    assert [from_stored(to_stored(observation)) for observation in found] == found


def test_an_array_of_structs_is_observed_as_an_array() -> None:
    plan = """== Physical Plan ==
Execute InsertIntoHadoopFsRelationCommand (3)
+- Project (2)
   +- Scan parquet spark_catalog.default.t (1)


(1) Scan parquet spark_catalog.default.t
Output [1]: [a#1L]
Batched: true
Location: InMemoryFileIndex [file:/w/t]
ReadSchema: struct<a:bigint>

(2) Project
Output [2]: [array(named_struct(p, a#1L)) AS arr#3, named_struct(p, a#1L) AS one#4]
Input [1]: [a#1L]

(3) Execute InsertIntoHadoopFsRelationCommand
Input [2]: [arr#3, one#4]
Arguments: file:/w/out, false, Parquet, [path=/w/out], Overwrite, [arr, one]

"""
    lineage = trace_texts(plan)
    types = {column.name: column.data_type for each in lineage.observations for column in getattr(each, "columns", ())}
    assert types["arr"] == "array<struct<p:bigint>>"
    assert types["one"].startswith("struct<p:")


CREATED = """== Physical Plan ==
Execute {command} (2)
+- Scan json  (1)


(1) Scan json
Output [3]: [id#0L, ward#1, bed#2]
Batched: false
Location: InMemoryFileIndex [file:/landing/beds]
ReadSchema: struct<id:bigint,ward:smallint,bed:struct<tinyint:tinyint,row:bigint>>

(2) Execute {command}
Input [3]: [id#0L, ward#1, bed#2]
Arguments: `spark_catalog`.`care`.`beds`, ErrorIfExists

"""


@pytest.mark.parametrize(
    ("command", "types"),
    [
        ("CreateHoodieTableAsSelectCommand", ["bigint", "int", "struct<tinyint:int,row:bigint>"]),
        ("CreateDataSourceTableAsSelectCommand", ["bigint", "smallint", "struct<tinyint:tinyint,row:bigint>"]),
    ],
)
def test_a_new_table_has_the_types_that_its_format_stores(command: str, types: list[str]) -> None:
    (created,) = (each for each in trace_texts(CREATED.format(command=command)).observations if each.evidence != "read")
    assert [column.data_type for column in to_stored(created).columns] == types
