"""Rows that go through RDDs, on real Sparks: each column depends on the tables that the job's RDDs are made of."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import orjson
import pytest
import zstandard

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import trace_log
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage

LOGS = sorted((Path(__file__).resolve().parent.parent / "path_logs").glob("rdds-*.zstd"))
TABLE = "spark_catalog.default."
READS = {
    "mapped": {"a": "orders", "b": "orders"},
    "selected": {"a": "orders", "b": "orders"},
    "reduced": {"a": "orders", "b": "orders"},
    "united": {"a": "orders prices", "b": "orders prices"},
    "joined": {"a": "orders", "w": "prices.w"},
    "aggregated": {"a": "orders", "total": "orders"},
    "twice": {"a": "orders", "b": "orders"},
}
"""What the columns of the statements of scripts/make_path_logs.py depend on, by the folders that they write."""


OBJECTS = {
    "objects": {"a": "orders"},
    "counted": {"value": "orders", "count": ""},
    "joined": {"a": "orders", "v": "orders.v"},
    "named": {"a": "orders"},
    "lines": {"a": ""},
}
"""The same for scripts/path_jobs/objects.job: data sets of an RDD's objects, as Scala's `rdd.toDF()`."""
UNKNOWN = {"lines": ["no plan in the log produces the objects of an RDD"]}


@cache
def written(path: Path) -> dict[str, StatementLineage]:
    """Return the lineages of a log's statements by the folders that they write."""
    (log,) = find_logs([str(path)])
    lineages = [each.lineage for each in trace_log(read_log(log))]
    return {
        each.target.name.rpartition("/")[2]: each for each in lineages if each.target and "/out/" in each.target.name
    }


@pytest.mark.parametrize("name", READS)
@pytest.mark.parametrize("path", LOGS, ids=[path.stem for path in LOGS])
def test_rows_of_an_rdd_depend_on_its_tables(path: Path, name: str) -> None:
    lineage = written(path)[name]
    found: dict[str, set[str]] = {}
    for edge in lineage.edges:
        if edge.target_column is not None:
            source = ".".join(filter(None, (edge.source_dataset, edge.source_column)))
            found.setdefault(edge.target_column, set()).add(source.removeprefix(TABLE))
            assert str(edge.confidence) == ("exact" if edge.source_column else "opaque")
    assert found == {column: set(sources.split()) for column, sources in READS[name].items()}
    assert lineage.gaps == ()
    tables = {source.partition(".")[0] for sources in READS[name].values() for source in sources.split()}
    assert {each.dataset.name for each in lineage.accesses if each.direction == "read"} == {
        TABLE + each for each in tables
    }


@pytest.mark.parametrize("path", LOGS, ids=[path.stem for path in LOGS])
def test_conditions_on_rows_of_an_rdd_depend_on_its_tables(path: Path) -> None:
    edges = [each for each in written(path)["aggregated"].edges if each.target_column is None]
    assert {str(each.transformation) for each in edges} >= {"FILTER", "GROUP_BY"}
    assert {(each.source_dataset, each.source_column, str(each.confidence)) for each in edges} == {
        (f"{TABLE}orders", None, "opaque")
    }


@pytest.mark.parametrize(
    ("name", "detail"),
    [
        ("files", "a, b: rows of an RDD, made of Scan parquet"),
        ("broadcast", "a, b: rows of an RDD, made of broadcast rows of other scans"),
        ("local", "no plan in the log produces a, b"),
    ],
)
@pytest.mark.parametrize("path", LOGS, ids=[path.stem for path in LOGS])
def test_what_the_job_does_not_show_is_a_gap(path: Path, name: str, detail: str) -> None:
    assert [gap.detail for gap in written(path)[name].gaps] == [detail]


@pytest.mark.parametrize("name", OBJECTS)
@pytest.mark.parametrize("log", ["objects-3-5", "objects-3-1-extended"])
def test_objects_of_an_rdd_depend_on_its_tables(log: str, name: str) -> None:
    lineage = written(LOGS[0].with_name(f"{log}.zstd"))[name]
    found = {
        (each.target_column, ".".join(filter(None, (each.source_dataset, each.source_column))).removeprefix(TABLE))
        for each in lineage.edges
        if each.target_column is not None
    }
    assert found == set(OBJECTS[name].items())
    details = [gap.detail for gap in lineage.gaps if "Scan prices of today" not in gap.detail]
    assert details == UNKNOWN.get(name, [])


def test_there_are_logs_of_extended_and_of_formatted_text() -> None:
    assert {path.stem for path in LOGS} >= {"rdds-3-1", "rdds-3-5", "rdds-3-5-extended", "rdds-4-3"}


@pytest.mark.parametrize("path", LOGS, ids=[path.stem for path in LOGS])
def test_a_join_with_rows_of_an_rdd_compares_no_column_of_its_tables(path: Path) -> None:
    assert written(path)["joined"].joins == ()


def test_the_order_of_keys_changes_nothing(tmp_path: Path) -> None:
    path = next(each for each in LOGS if each.stem == "rdds-3-5")
    with zstandard.open(path) as file:
        events = [orjson.loads(line) for line in file.read().splitlines()]
    (tmp_path / "sorted").write_bytes(b"\n".join(orjson.dumps(each, option=orjson.OPT_SORT_KEYS) for each in events))
    found = written(tmp_path / "sorted")
    assert {name: each.edges for name, each in found.items()} == {
        name: each.edges for name, each in written(path).items()
    }
