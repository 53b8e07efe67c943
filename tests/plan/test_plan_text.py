"""Explain modes: which one a text is of, where its plans stand, and how one line becomes a node."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventlog_lineage.errors import PlanSyntaxError
from eventlog_lineage.plan.explain_sections import Mode, split_sections
from eventlog_lineage.plan.nodes import walk
from eventlog_lineage.plan.plan_text import read_plan

SCAN = (
    "FileScan parquet default.t[id#1L] Batched: true, DataFilters: [], Format: Parquet, Location:"
    " InMemoryFileIndex[file:/w/t], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:bigint>"
)

EXTENDED = f"""== Parsed Logical Plan ==
'Project ['id]
+- 'UnresolvedRelation [t]

== Analyzed Logical Plan ==
id: bigint
Project [id#1L]
+- SubqueryAlias spark_catalog.default.t
   +- Relation[id#1L] parquet

== Optimized Logical Plan ==
Relation[id#1L] parquet

== Physical Plan ==
*(1) ColumnarToRow
+- {SCAN}
"""


def test_extended_text_has_an_analyzed_an_optimized_and_a_physical_plan() -> None:
    parts = split_sections(EXTENDED)
    assert parts is not None
    assert parts.mode is Mode.EXTENDED
    assert parts.physical.startswith("== Physical Plan ==\n*(1) ColumnarToRow\n")
    assert parts.analyzed.startswith("Project [id#1L]\n+- SubqueryAlias spark_catalog.default.t")
    assert parts.optimized == "Relation[id#1L] parquet\n"


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        (
            "== Physical Plan ==\n* Project (2)\n+- Scan parquet  (1)\n\n\n(1) Scan parquet \nOutput: []\n",
            Mode.FORMATTED,
        ),
        ("== Physical Plan ==\n*(1) Project [a#1]\n+- *(1) Range (0, 5, step=1, splits=2)\n", Mode.SIMPLE),
        ("== Physical Plan ==\nFilter (a#1 = \n\n(1) x)\n+- LocalTableScan [a#1]\n", Mode.SIMPLE),
        ("== Optimized Logical Plan ==\nRange (0, 5)\n\n== Physical Plan ==\nRange (0, 5)\n", Mode.COST),
    ],
)
def test_the_mode_is_told_by_the_text(text: str, mode: Mode) -> None:
    parts = split_sections(text)
    assert parts is not None
    assert parts.mode is mode


def test_a_header_that_a_literal_forges_is_no_section() -> None:
    literal = "\n\n== Physical Plan ==\nFileScan parquet evil"
    text = EXTENDED.replace("Project [id#1L]", f"Project [concat(id#1L, {literal}) AS x#2]")
    parts = split_sections(text)
    assert parts is not None
    assert "FileScan parquet evil" not in parts.physical
    assert parts.physical.startswith("== Physical Plan ==\n*(1) ColumnarToRow\n")


def test_a_line_becomes_the_node_that_formatted_text_gives() -> None:
    root = read_plan(EXTENDED).root
    assert root is not None
    scan = root.children[0]
    assert (scan.operator, scan.argument) == ("FileScan", "parquet default.t")
    assert scan.items("Output") == ("id#1L",)
    assert scan.text("Location") == "InMemoryFileIndex[file:/w/t]"
    assert scan.text("ReadSchema") == "struct<id:bigint>"


def test_arguments_with_line_breaks_belong_to_one_line() -> None:
    table = "CatalogTable(\nDatabase: d\n |-- a: int\n)"
    text = f"== Physical Plan ==\nExecute InsertX p, {table}, [a]\n+- *(1) Project [a#1]\n"
    root = read_plan(text).root
    assert root is not None
    assert [node.operator for node in walk(root)] == ["InsertX", "Project"]
    assert "Database: d\n |-- a: int" in root.text("Arguments")


@given(st.text(alphabet="()[]#=+-:* \n,1aLProject", max_size=300))
def test_any_text_after_a_header_is_a_plan_or_an_error_of_ours(text: str) -> None:
    with suppress(PlanSyntaxError):
        read_plan("== Physical Plan ==\n" + text)
    with suppress(PlanSyntaxError):
        read_plan("== Optimized Logical Plan ==\nx\n\n== Physical Plan ==\n" + text)
