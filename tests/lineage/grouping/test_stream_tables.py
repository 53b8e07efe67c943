"""Sinks that are a table's files: which table, by what else the application's log has."""

from __future__ import annotations

import pytest

from eventlog_lineage.catalog.application_facts import NO_SETTINGS, CatalogSettings, ExecutionSummary
from eventlog_lineage.catalog.stream_tables import StreamLocations
from eventlog_lineage.lineage.grouping.micro_batches import Batches, with_scanned_sources, with_table_sinks
from eventlog_lineage.model import Dataset
from eventlog_lineage.plan.summary.plan_facts import SnapshotRef, SnapshotRole, TableRef
from eventlog_lineage.plan.summary.plan_summary import PlanSummary

SHOP = CatalogSettings(warehouse="s3://lake/warehouse")


def sink(path: str, settings: CatalogSettings, *made: str, call: str = "toTable") -> str:
    runs = [ExecutionSummary(1, 1, "", 0, 1, PlanSummary("f"), changed=made, call=call)]
    streams = {"r": StreamLocations(sink=Dataset(path, "path", "", path))}
    found = with_table_sinks(streams, runs, settings)["r"].sink
    assert found is not None
    assert found.location == path
    return found.name


@pytest.mark.parametrize(
    ("path", "settings", "made", "name"),
    [
        ("s3://lake/warehouse/shop.db/t", SHOP, (), "spark_catalog.shop.t"),
        ("s3://lake/warehouse/t", SHOP, ("`default`.`t`",), "spark_catalog.default.t"),
        ("file:///home/etl/spark-warehouse/shop.db/t", NO_SETTINGS, (), "spark_catalog.shop.t"),
        ("hdfs://nn:8020/apps/shop/t", SHOP, ("`shop`.`t`",), "spark_catalog.shop.t"),
    ],
    ids=["in the warehouse", "default database", "default warehouse", "a database elsewhere"],
)
def test_a_sink_at_a_tables_location_is_the_table(
    path: str, settings: CatalogSettings, made: tuple[str, ...], name: str
) -> None:
    assert sink(path, settings, *made) == name


@pytest.mark.parametrize(
    ("path", "made"),
    [
        ("s3://lake/warehouse/t", ()),
        ("s3://lake/raw/shop.db/t", ()),
        ("s3://lake/raw/t", ("`a`.`t`", "`b`.`t`")),
        ("s3://lake/raw/other", ("`shop`.`t`",)),
    ],
)
def test_a_sink_that_is_no_tables_location_stays_a_path(path: str, made: tuple[str, ...]) -> None:
    assert sink(path, SHOP, *made) == path


@pytest.mark.parametrize(
    ("format_name", "path", "name"),
    [
        ("hudi", "s3://lake/warehouse/shop.db/t", "spark_catalog.shop.t"),
        ("hudi", "s3://lake/elsewhere/t", "s3://lake/elsewhere/t"),
        ("delta", "s3://lake/warehouse/shop.db/t", "s3://lake/warehouse/shop.db/t"),
    ],
    ids=["hides the table", "not a default location", "its plans name the table"],
)
def test_the_table_of_a_format_whose_plans_do_not_name_it(format_name: str, path: str, name: str) -> None:
    runs = [ExecutionSummary(1, 1, "", 0, 1, PlanSummary("f"), changed=("`shop`.`t`",), call="toTable")]
    streams = {"r": StreamLocations(sink=Dataset(path, "path", format_name, path))}
    found = with_table_sinks(streams, runs, SHOP)["r"].sink
    assert found is not None
    assert (found.name, found.format) == (name, format_name)


def test_a_table_that_no_stream_makes_is_not_taken_for_a_path_of_its_name() -> None:
    assert sink("s3://lake/raw/t", SHOP, "`shop`.`t`", call="sql") == "s3://lake/raw/t"


def batch(number: int, *scanned: str) -> ExecutionSummary:
    facts = tuple(SnapshotRef(SnapshotRole.STREAMED, TableRef(name=name)) for name in scanned)
    summary = PlanSummary("f", facts=facts)
    return ExecutionSummary(number, number, "", 0, 1, summary, stream_run_id="r", stream_batch_id=number)


def test_a_batch_without_new_data_reads_the_table_that_other_batches_of_its_query_scan() -> None:
    unnamed = StreamLocations(sources=(None,))
    runs = {1: batch(1, "lake.shop.orders"), 2: batch(2)}
    found = with_scanned_sources({1: (unnamed, None), 2: (unnamed, None)}, runs)
    assert found == {
        1: (unnamed, None),
        2: (StreamLocations(sources=((Dataset("lake.shop.orders", "table"),),)), None),
    }


def test_batches_of_several_sources_or_of_a_named_one_stay_as_they_are() -> None:
    two, named = StreamLocations(sources=(None, None)), StreamLocations(sources=((Dataset("t", "table"),),))
    for locations in (two, named):
        batches: Batches = {1: (locations, None), 2: (locations, None)}
        assert with_scanned_sources(batches, {1: batch(1, "lake.shop.orders"), 2: batch(2)}) == batches


def started(number: int, run_id: str, call: str = "toTable") -> ExecutionSummary:
    return ExecutionSummary(number, number, "", number, number, PlanSummary("f"), run_id, 0, call=call)


def creation(number: int, *made: str) -> ExecutionSummary:
    return ExecutionSummary(number, number, "", number, number, PlanSummary("f"), changed=made, call="toTable")


@pytest.mark.parametrize(
    ("runs", "names"),
    [
        ([creation(1, "`shop`.`t`"), started(2, "a")], ["spark_catalog.shop.t", "s3://x/b"]),
        ([started(1, "a"), creation(2, "`shop`.`t`"), started(3, "a"), started(4, "b")],
         ["s3://x/a", "spark_catalog.shop.t"]),
        ([creation(1, "`shop`.`t`"), started(2, "a"), creation(3, "`shop`.`u`"), started(4, "b")],
         ["spark_catalog.shop.t", "spark_catalog.shop.u"]),
        ([creation(1, "`shop`.`t`"), started(2, "a", "start")], ["s3://x/a", "s3://x/b"]),
        ([creation(1, "`shop`.`t`"), started(2, "a"), started(3, "b")], ["s3://x/a", "s3://x/b"]),
        ([creation(1, "`shop`.`t`"), creation(2, "`shop`.`u`"), started(3, "a")], ["s3://x/a", "s3://x/b"]),
    ],
    ids=["next", "a new query", "two in turn", "no table's query", "two queries", "two tables"],
)  # fmt: skip
def test_a_query_that_starts_right_after_to_table_created_one_table_writes_it(
    runs: list[ExecutionSummary], names: list[str]
) -> None:
    streams = {name: StreamLocations(sink=Dataset(f"s3://x/{name}", "path")) for name in "ab"}
    found = with_table_sinks(streams, runs, SHOP)
    assert [each.sink.name for each in found.values() if each.sink is not None] == names


def test_a_sink_with_a_format_that_starts_right_after_to_table_keeps_its_location() -> None:
    files, delta = Dataset("s3://x/a", "path"), Dataset("s3://x/b", "path", "delta")
    streams = {"a": StreamLocations(sink=files), "b": StreamLocations(sink=delta)}
    found = with_table_sinks(streams, [creation(1, "`shop`.`t`"), started(2, "b")], SHOP)
    assert [found[run_id].sink for run_id in "ab"] == [files, delta]


def test_a_query_of_the_connect_operation_that_created_one_table_writes_it() -> None:
    runs = [
        creation(1, "`shop`.`t`")._replace(operation="o1"),
        creation(2, "`shop`.`u`")._replace(operation="o2"),
        started(3, "b", "run")._replace(operation="o2"),
        started(4, "a", "run")._replace(operation="o1"),
        started(5, "c", "run")._replace(operation="o3"),
    ]
    streams = {name: StreamLocations(sink=Dataset(f"s3://x/{name}", "path")) for name in "abc"}
    found = with_table_sinks(streams, runs, SHOP)
    assert [found[name].sink and found[name].sink.name for name in "abc"] == [
        "spark_catalog.shop.t",
        "spark_catalog.shop.u",
        "s3://x/c",
    ]


@pytest.mark.parametrize(
    ("location", "warehouse", "sink", "name"),
    [
        ("/x/a", "file:///warehouse", "file:///x/a", "spark_catalog.shop.t"),
        ("s3a://x/a", "s3://lake/warehouse", "s3://x/a", "spark_catalog.shop.t"),
        ("/x/a", "hdfs://nn/warehouse", "file:///x/a", "file:///x/a"),
        ("/x/other", "", "file:///x/a", "file:///x/a"),
    ],
)
def test_a_sink_at_the_location_that_the_sql_of_a_table_names_is_the_table(
    location: str, warehouse: str, sink: str, name: str
) -> None:
    made = creation(1, "`shop`.`t`")._replace(call="sql", location=location)
    streams = {"a": StreamLocations(sink=Dataset(sink, "path"))}
    found = with_table_sinks(streams, [made], CatalogSettings(warehouse=warehouse))["a"].sink
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize(
    ("query", "path", "name"),
    [
        ("spark_catalog.default.m1", "s3://lake/warehouse/merged", "spark_catalog.default.merged"),
        ("spark_catalog.shop.orders", "s3://lake/elsewhere/Orders", "spark_catalog.shop.orders"),
        ("spark_catalog.shop.m1", "s3://lake/elsewhere/merged", "s3://lake/elsewhere/merged"),
        ("orders", "s3://lake/raw/orders", "s3://lake/raw/orders"),
    ],
    ids=["appends to a managed table", "own flow", "appends elsewhere", "a query that a user names"],
)
def test_a_flow_of_a_pipeline_writes_its_table(query: str, path: str, name: str) -> None:
    streams = {"r": StreamLocations(sink=Dataset(path, "path", "", path), query=query)}
    found = with_table_sinks(streams, [], SHOP)["r"].sink
    assert found is not None
    assert (found.name, found.location) == (name, path)
