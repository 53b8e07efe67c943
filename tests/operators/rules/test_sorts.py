"""Sorts that Spark adds are no influence on the rows; those of a user are."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage.trace_statement import trace_texts

SCAN = (
    "FileScan parquet spark_catalog.d.t[a#1,b#2] Batched: true, DataFilters: [], Format: Parquet, Location: "
    "InMemoryFileIndex(1 paths)[file:/w/t], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<a:int,b:int>"
)
ALL = "Sort [a#1 ASC NULLS FIRST, b#2 ASC NULLS FIRST], false, 0"
ONE = "Sort [b#2 ASC NULLS FIRST], false, 0"
SAMPLE = "Sample 0.0, 0.5, false, 3"
PROJECT = "Project [a#1]"


@pytest.mark.parametrize(
    ("lines", "sorted_by"),
    [
        ((SAMPLE, ALL), set()),  # `Dataset.randomSplit`
        ((SAMPLE, PROJECT, ALL), set()),
        ((PROJECT, SAMPLE, ALL), set()),
        ((PROJECT, ALL), {"a", "b"}),
        ((SAMPLE, ONE), {"b"}),
        ((SAMPLE, PROJECT, ONE), {"b"}),
    ],
)
def test_a_random_split_sorts_by_all_columns(lines: tuple[str, ...], sorted_by: set[str]) -> None:
    tree = "\n".join(f"{'   ' * (at - 1)}{'+- ' if at else ''}{line}" for at, line in enumerate((*lines, SCAN)))
    edges = trace_texts(f"== Physical Plan ==\n{tree}\n").edges
    assert {edge.source_column for edge in edges if edge.transformation == "SORT"} == sorted_by
