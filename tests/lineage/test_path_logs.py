"""Reads of several paths, on real Sparks: an edge from each path, and a gap for those that the log omits."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import trace_log
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage

LOGS = sorted((Path(__file__).resolve().parent.parent / "path_logs").glob("paths-*.zstd"))
LAKE = "file:///tmp/path_logs/lake/"
LONG = "the_landing_zone_of_all_orders_from_europe/"
READS = {
    "two": "north south",
    "three": "north south east",
    "four": "north south east west",
    "load": "north south",
    "braces": "north south",
    "csv": "csv_n csv_s",
    "json": "json_n json_s",
    "text": "csv_n csv_s",
    "nested": "north south",
    "join": "north south east",
    "window": "north south",
    "cached": "north south east",
    "twice": "north",
    "partitions": "sales",
    "partition_glob": "sales",
    "base": "sales",
    "of_two": "sales returns",
    "landed": "landed/2026-11-01 landed/2026-11-02",
    "landed_glob": "landed/2026-11-01 landed/2026-11-02 landed/2026-11-03",
    "long": f"{LONG}n {LONG}s west",
    "v2_two": "north south",
    "v2": "north south east west",
    "v2_five": "north south east west landed/2026-11-01",
    "v2_braces": "north south east west",
}
"""What the statements of scripts/make_path_logs.py read, by the folders that they write."""

INCOMPLETE = {"four", "long", "v2_braces"}
"""The statements whose paths exceed `spark.sql.maxMetadataStringLength`."""
UNMARKED = {"v2", "v2_five", "v2_braces"}
"""Those whose paths Spark 3.1 may have cut without a mark; it has cut `v2_five`."""


@cache
def written(path: Path) -> dict[str, StatementLineage]:
    """Return the lineages of a log's statements by the folders that they write."""
    (log,) = find_logs([str(path)])
    lineages = [each.lineage for each in trace_log(read_log(log))]
    return {
        each.target.name.rpartition("/")[2]: each for each in lineages if each.target and "/out/" in each.target.name
    }


def sources(lineage: StatementLineage, column: str | None) -> set[str]:
    """Return the datasets that a column depends on; the whole target for None."""
    return {str(each.source_dataset) for each in lineage.edges if each.target_column == column}


CASES = [(path, name) for path in LOGS for name in READS if name in written(path)]


@pytest.mark.parametrize(("path", "name"), CASES, ids=[f"{path.stem}/{name}" for path, name in CASES])
def test_a_scan_of_several_paths_has_an_edge_from_each(path: Path, name: str) -> None:
    lineage = written(path)[name]
    expected = {LAKE + folder for folder in READS[name].split()}
    is_partial = bool(lineage.gaps)
    assert {each.dataset.name for each in lineage.accesses if each.direction == "read"} <= expected
    found = {str(each.source_dataset) for each in lineage.edges}
    is_unmarked = path.stem == "paths-3-1" and name in UNMARKED
    assert is_unmarked <= is_partial
    assert found < expected or (is_unmarked and found == expected) if is_partial else found == expected
    assert not is_partial or name in INCOMPLETE | UNMARKED or (name == "cached" and path.stem == "paths-2-4")
    assert all("not printed" in each.detail for each in lineage.gaps)


@pytest.mark.parametrize("path", LOGS, ids=[path.stem for path in LOGS])
def test_each_side_of_a_join_has_its_own_paths(path: Path) -> None:
    joined = written(path)["join"]
    assert sources(joined, "k") == {f"{LAKE}north", f"{LAKE}south"}
    assert sources(joined, "v") == {f"{LAKE}north", f"{LAKE}east"}


@pytest.mark.parametrize("path", LOGS, ids=[path.stem for path in LOGS])
def test_nested_fields_are_fields_of_each_path(path: Path) -> None:
    edges = [each for each in written(path)["nested"].edges if each.target_column == "city"]
    assert {each.source_column for each in edges} == {"addr.city"}
    assert {each.source_dataset for each in edges} == {f"{LAKE}north", f"{LAKE}south"}
    assert {str(each.transformation) for each in edges} == {"IDENTITY"}


@pytest.mark.parametrize("path", LOGS, ids=[path.stem for path in LOGS])
def test_a_table_and_a_partitioned_folder_stay_one_dataset(path: Path) -> None:
    lineages = written(path)
    assert sources(lineages["table"], "id") == {"spark_catalog.default.days"}
    assert sources(lineages["base"], "dt") == {f"{LAKE}sales"}
    assert lineages["table"].gaps == lineages["base"].gaps == ()


def test_an_expression_names_the_paths_as_a_pattern() -> None:
    lineage = written(next(path for path in LOGS if path.stem == "paths-4-3"))["three"]
    expressions = {each.expression for each in lineage.edges if each.target_column is None}
    assert expressions == {"(isnotnull({north,south,east}.v) AND ({north,south,east}.v > 1))"}


def test_there_are_logs_of_extended_and_of_formatted_text() -> None:
    names = {path.stem for path in LOGS}
    assert names >= {"paths-2-4", "paths-3-1", "paths-3-5", "paths-3-5-extended", "paths-4-3"}
