"""The text that lineage is read from: what Spark printed, or `sparkPlanInfo` where that says nothing."""

from __future__ import annotations

import pytest

from eventlog_lineage.events.decoding.execution_plan_text import plan_text


def node(text: str, *children: dict[str, object], **metadata: str) -> dict[str, object]:
    return {
        "nodeName": text.partition(" ")[0],
        "simpleString": text,
        "children": list(children),
        "metadata": metadata,
        "metrics": [],
    }


TREE = node(
    "WholeStageCodegen (2)",
    node(
        "SortMergeJoin [a#1], [b#2], Inner",
        node(
            "InputAdapter",
            node("Sort [a#1 ASC NULLS FIRST], false, 0", node("Exchange x", node("LocalTableScan [a#1]"))),
        ),
        node("LocalTableScan [b#2]"),
        node("Subquery subquery#3, [id=#4]", node("Range (0, 5, step=1, splits=2)")),
    ),
)

TREE_TEXT = """== Physical Plan ==
SortMergeJoin [a#1], [b#2], Inner
:  +- Subquery subquery#3, [id=#4]
:     +- Range (0, 5, step=1, splits=2)
:- Sort [a#1 ASC NULLS FIRST], false, 0
:  +- Exchange x
:     +- LocalTableScan [a#1]
+- LocalTableScan [b#2]
"""


@pytest.mark.parametrize(
    "printed",
    [
        "",
        "No plan description because spark.sql.ui.explainMode=none",
        "Found 2 WholeStageCodegen subtrees.\n== Subtree 1 / 2 ==\n",
        "Truncated plan of 4711 characters",
        "== Physical Plan ==\n* Project (2)\n+- Sca... 4711 more characters",
    ],
)
def test_the_tree_is_printed_as_spark_would_where_the_text_holds_no_plan(printed: str) -> None:
    assert plan_text(printed, TREE) == TREE_TEXT


def test_a_text_stays_as_it_is_and_a_statement_that_was_never_planned_has_none() -> None:
    assert plan_text("== Physical Plan ==\nProject (1)", TREE) == "== Physical Plan ==\nProject (1)"
    assert plan_text("", node("")) == ""
    assert plan_text("", {}) == ""


LONG = "file:/" + "/".join(["warehouse"] * 20)


def scan(location: str) -> str:
    rest = f"Location: {location}, PushedFilters: [], ReadSchema: struct<a:int>"
    return f"FileScan csv [a#1] Batched: false, Format: CSV, {rest}"


def test_values_that_spark_abbreviated_are_whole_again() -> None:
    short = scan(f"InMemoryFileIndex[{LONG[:79]}...")
    info = node("Project [a#1]", node(short, Location=f"InMemoryFileIndex[{LONG}]", ReadSchema="struct<a:int>"))
    printed = f"== Optimized Logical Plan ==\nx\n\n== Physical Plan ==\nProject [a#1]\n+- {short}\n"
    assert plan_text(printed, info) == printed.replace(short, scan(f"InMemoryFileIndex[{LONG}]"))


def test_a_value_that_the_tree_tells_otherwise_stays_abbreviated() -> None:
    short = scan("InMemoryFileIndex[file:/elsewhere...")
    info = node(short, Location=f"InMemoryFileIndex[{LONG}]")
    printed = f"== Physical Plan ==\n{short}\n"
    assert plan_text(printed, info) == printed
