"""DataFrame code and streams of real Sparks, traced without Spark, against the truth that was written by hand."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from support.lakehouse.statements import TracedLog
from support.sample_logs_truth import Statement, load_truth

LOGS = Path(__file__).resolve().parent.parent / "dataframe_logs"
TRUTH = [statement for path in sorted(LOGS.glob("*.truth")) for statement in load_truth(path)]
CASES = [(name, truth) for truth in TRUTH if truth.kind != "helper" for name in truth.logs]
APPLICATIONS = [f"{version}-{mode}.zstd" for version in ("3.5", "4.1", "4.3") for mode in ("formatted", "extended")]


@cache
def logged(name: str) -> TracedLog:
    return TracedLog(LOGS / name)


def gaps(log: str, description: str) -> set[str]:
    """The reasons of the gaps of the statements with a description."""
    found = logged(log)
    return {str(gap.reason) for each in found.traced if found.named(each) == description for gap in each.lineage.gaps}


@pytest.mark.parametrize(("name", "truth"), CASES, ids=[f"{name}/{truth.description}" for name, truth in CASES])
def test_a_statement_has_the_lineage_that_its_author_wrote_down(name: str, truth: Statement) -> None:
    assert logged(name).wrong(truth) == []


@pytest.mark.parametrize("log", APPLICATIONS)
def test_rows_of_the_driver_program_are_a_gap_and_listed_values_are_none(log: str) -> None:
    assert gaps(log, "driver: values") == gaps(log, "driver: inserted values") == set()
    for name in ("pandas", "rows", "renamed", "joined"):
        assert gaps(log, f"driver: {name}") == {"unknown_source"}


@pytest.mark.parametrize("log", APPLICATIONS)
def test_rows_of_an_rdd_depend_on_the_tables_that_the_job_shows(log: str) -> None:
    found = logged(log)
    edges = [edge for each in found.traced if found.named(each) == "driver: rdd" for edge in each.lineage.edges]
    assert {(edge.source_dataset, edge.source_column, edge.target_column, str(edge.confidence)) for edge in edges} == {
        ("spark_catalog.shop.orders", None, column, "opaque") for column in ("cust", "total")
    }
    assert gaps(log, "driver: rdd") == set()


@pytest.mark.parametrize("log", APPLICATIONS)
def test_a_view_of_files_that_nobody_reads_is_one_gap_unless_the_query_of_its_header_shows_them(log: str) -> None:
    assert gaps(log, "view: never") == ({"unread_view"} if "extended" in log else set())
    assert gaps(log, "view: clicks") == gaps(log, "view: joined") == gaps(log, "view: over clicks") == set()


@pytest.mark.parametrize("log", APPLICATIONS)
def test_a_statement_that_failed_in_analysis_has_a_status_and_no_gap(log: str) -> None:
    found = logged(log)
    failed = [each for each in found.traced if found.named(each).startswith("failure:")]
    assert {each.root.status for each in failed} == {"failed"}
    assert [gap for each in failed for gap in each.lineage.gaps] == []
    assert len(failed) == (1 if log.startswith("3.5") else 5)  # 3.x logs no statement that fails in analysis


def test_a_stream_through_spark_connect_writes_its_table() -> None:
    found = logged("4.3-connect.zstd")
    targets = {
        found.named(each): (each.lineage.target.name, each.lineage.mode)
        for each in found.traced
        if each.lineage.target is not None and found.named(each).startswith(("stream:", "memory"))
    }
    streams = ("stream: table", "stream: parts", "stream: outside", "memory_complete")
    assert {name: targets[name] for name in streams} == {
        "stream: table": ("spark_catalog.shop.t_made", "append"),
        "stream: parts": ("spark_catalog.shop.t_parts", "append"),
        "stream: outside": ("spark_catalog.shop.t_outside", "append"),
        "memory_complete": ("memory_complete", "overwrite"),
    }


def test_rows_of_a_checkpoint_through_spark_connect_have_the_conditions_of_its_query() -> None:
    found = {
        each.lineage.target.name: each.lineage for each in logged("4.3-connect.zstd").traced if each.lineage.target
    }
    conditions = {
        name: {
            (edge.source_column, str(edge.transformation))
            for edge in found[f"spark_catalog.shop.{name}"].edges
            if edge.target_column is None
        }
        for name in ("groups", "local_groups", "joined_again", "both")
    }
    grouped = {("amount", "FILTER"), ("cust", "GROUP_BY")}
    assert conditions["groups"] == conditions["local_groups"] == grouped
    assert ("cust", "JOIN") in conditions["joined_again"]
    assert conditions["both"] >= {("amount", "FILTER"), ("status", "FILTER"), ("id", "JOIN")}


def test_a_function_of_batches_through_spark_connect_writes_their_rows_under_their_conditions() -> None:
    written = [
        each.lineage
        for each in logged("4.3-connect.zstd").traced
        if each.lineage.target and each.lineage.target.name.endswith((".t_each", ".t_whole", ".t_counted", ".t_copied"))
    ]
    assert [gap for each in written for gap in each.gaps] == []
    assert {edge.source_dataset for each in written for edge in each.edges} == {CLICKS, None}
    assert {
        each.target.name.rpartition(".")[2]: {
            (edge.target_column or "*", edge.source_column, edge.transformation and edge.transformation.value)
            for edge in each.edges
        }
        for each in written
        if each.target is not None
    } == {
        "t_each": {
            ("id", "id", "IDENTITY"),
            ("amount", "amount", "IDENTITY"),
            ("*", "id", "FILTER"),
            ("*", "amount", "FILTER"),
        },
        "t_whole": {
            ("cust", "cust", "IDENTITY"),
            ("total", "amount", "AGGREGATION"),
            ("*", "amount", "FILTER"),
            ("*", "cust", "GROUP_BY"),
        },
        "t_counted": {
            ("cust", "cust", "IDENTITY"),
            ("count", None, None),
            ("*", "cust", "GROUP_BY"),
            ("*", "amount", "FILTER"),
        },
        "t_copied": {
            ("id", "id", "IDENTITY"),
            ("cust", "cust", "IDENTITY"),
            ("*", "id", "FILTER"),
            ("*", "amount", "FILTER"),
        },
    }


CLICKS = "file:///tmp/dataframe_shop/landing/clicks"
REPEATED = {
    "again: restarted": {
        ("append", "shop.t_again", "id", CLICKS, "id"),
        ("append", "shop.t_again", "cust", CLICKS, "cust"),
    },
    "again: counted": {
        ("overwrite", "shop.t_sums", "cust", CLICKS, "cust"),
        ("overwrite", "shop.t_sums", "total", CLICKS, "amount"),
    },
    "again: twice": {
        ("append", "shop.t_ids", "id", CLICKS, "id"),
        ("overwrite", "shop.t_tops", "cust", CLICKS, "cust"),
        ("overwrite", "shop.t_tops", "top", CLICKS, "amount"),
    },
    "again: rate": {
        ("append", "shop.t_rate", "n", "ratepermicrobatch", "value"),
        ("append", "shop.t_rate", "at", "ratepermicrobatch", "timestamp"),
    },
    "again: rate joined": {
        ("append", "shop.t_rated", "region", "spark_catalog.shop.customers", "region"),
        ("append", "shop.t_rated", "value", "ratepermicrobatch", "value"),
    },
}


@pytest.mark.parametrize("log", ["3.5-formatted-more.zstd", "4.1-extended-more.zstd", "4.3-extended-more.zstd"])
@pytest.mark.parametrize("name", REPEATED)
def test_each_batch_of_a_stream_writes_the_same_columns_also_after_a_restart(log: str, name: str) -> None:
    found = logged(log)
    for run in {each.root.stream_run_id for each in found.traced if found.named(each) == name}:
        written = {
            (each.lineage.mode, each.lineage.target.name, edge.target_column, edge.source_dataset, edge.source_column)
            for each in found.traced
            if each.root.stream_run_id == run and each.lineage.target is not None
            for edge in each.lineage.edges
            if edge.dependency == "DIRECT"
        }
        assert written == {(mode, f"spark_catalog.{table}", *rest) for mode, table, *rest in REPEATED[name]}


def test_a_stream_that_starts_again_from_its_checkpoint_has_two_runs() -> None:
    found = logged("4.3-formatted-more.zstd")
    assert len({each.root.stream_run_id for each in found.traced if found.named(each) == "again: restarted"}) == 2
