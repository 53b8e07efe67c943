"""Rows through RDDs, literals with brackets in caches, and conditions on fields, written before any of their logs."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import trace_log
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage

LOGS = sorted((Path(__file__).resolve().parent.parent / "path_logs").glob("values-*.zstd"))
VALUES = {
    "r_filter": "a: orders; b: orders",
    "r_flat": "a: orders; b: orders",
    "r_index": "a: orders; b: orders",
    "r_grouped": "a: orders; b: orders",
    "r_union": "a: orders prices; b: orders prices",
    "r_joined": "a: orders prices; b: orders prices",
    "r_cogroup": "a: orders prices; b: orders prices",
    "r_kept": "a: orders; b: orders",
    "r_viewed": "a: orders; w: prices.w; *: orders prices.id",
    "r_sorted": "a: orders; b: orders",
    "r_inferred": "a: orders; b: orders",
    "r_of_cached": "a: orders; b: orders",
    "r_filtered": "s: orders; *: orders",
    "r_aggregated_before": "a: orders; b: orders",
    "r_local": "a:; b:",
    "r_of_table": "a: from_rdd.a; b: from_rdd.b",
    "from_rdd": "a: orders; b: orders",
    "b_where": "b: src.b; *: src.a",
    "b_concat": "x: src.a; b: src.b",
    "b_regexp": "x: src.a; c: src.c",
    "b_split": "x: src.a; b: src.b; *: src.b",
    "b_case": "x: src.b; c: src.c",
    "b_like": "b: src.b; *: src.a src.c",
    "b_union": "a: src.a src.c; lit:",
    "b_forged": "x: src.a; b: src.b",
    "b_struct": "x: src.a; y: src.b",
    "b_map": "x: src.b",
    "b_alias": "x: src.b; y: src.c",
    "b_join": "x: src.b; y: src.a; *: src.a src.c",
    "b_window": "b: src.b; n:",
    "b_twice": "b: src.b; a: src.a; *: src.a src.c",
    "b_in": "c: src.c; n: src.b; *: src.a src.c",
    "b_three": "x: src.a; y: src.c; *: src.a src.b src.c",
    "b_lambda": "x: src.a; b: src.b",
    "b_explode": "e: src.a; b: src.b; *: src.a",
    "b_long": "b: src.b; a: src.a; *: src.a src.b src.c",
    "n_city": "b: src.b; *: src.addr.city",
    "n_items": "a: src.a; *: src.items.sku src.addr.zip",
    "n_both": "a: src.a; *: src.addr.zip src.b",
    "n_join": "x: src.a; *: src.addr.zip src.b",
    "n_whole": "b: src.b; *: src.addr",
    "n_notnull": "b: src.b; *: src.addr",
    "n_or": "a: src.a; *: src.addr.city src.b",
}
"""The DIRECT sources of each column, and of what influences all rows (`*`), by the statements of
scripts/path_jobs/values.job. The optimizer replaces `addr` in `n_whole` by the struct that it equals."""
UNKNOWN = {"r_local": ["no plan in the log produces a, b"]}
"""Rows that the driver program collects and distributes again."""


@cache
def written(path: Path) -> dict[str, StatementLineage]:
    """Return the lineages of a log's statements by the folder or table that they write."""
    (log,) = find_logs([str(path)])
    lineages = [each.lineage for each in trace_log(read_log(log))]
    targets = [(each.target.name, each) for each in lineages if each.target]
    return {name.rpartition("/" if "/out/" in name else ".")[2]: each for name, each in targets}


def sources(lineage: StatementLineage) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for edge in lineage.edges:
        own = found.setdefault(edge.target_column or "*", set())
        if edge.source_dataset and (edge.target_column is None or edge.dependency == "DIRECT"):
            dataset = edge.source_dataset.rpartition("/")[2].removeprefix("spark_catalog.default.")
            own.add(".".join(filter(None, (dataset, edge.source_column))))
    return found


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("path", LOGS, ids=[path.stem for path in LOGS])
def test_each_column_has_its_sources(path: Path, name: str) -> None:
    lineage = written(path)[name]
    expected = (each.partition(":") for each in VALUES[name].split("; "))
    assert sources(lineage) == {column: set(names.split()) for column, _, names in expected}
    assert [gap.detail for gap in lineage.gaps] == UNKNOWN.get(name, [])


def test_there_are_logs_of_extended_and_of_formatted_text() -> None:
    assert {path.stem for path in LOGS} == {"values-3-1", "values-3-5-extended", "values-4-3"}
