"""The text that lineage is read from: what Spark printed, or `sparkPlanInfo` where that says nothing."""

from __future__ import annotations

import pytest

from eventlog_lineage.events.decoding.logged_plan import plan_text
from eventlog_lineage.plan.printed.sections import split_sections, without_length


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
    assert without_length(plan_text(printed, TREE)) == TREE_TEXT


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


def test_a_value_that_spark_cut_after_a_dot_is_whole_again() -> None:
    whole = "InMemoryFileIndex[file:/lake/2.4-logs, file:/lake/further]"
    short = scan("InMemoryFileIndex[file:/lake/2....")
    printed = f"== Physical Plan ==\n{short}\n"
    assert plan_text(printed, node(short, Location=whole)) == printed.replace(short, scan(whole))


def test_a_value_that_the_tree_tells_otherwise_stays_abbreviated() -> None:
    short = scan("InMemoryFileIndex[file:/elsewhere...")
    info = node(short, Location=f"InMemoryFileIndex[{LONG}]")
    printed = f"== Physical Plan ==\n{short}\n"
    assert plan_text(printed, info) == printed


def test_scans_with_subqueries_get_the_values_of_their_own_lines() -> None:
    """The text has a subquery before the input of its operator, the tree after it."""
    first, second = (
        scan(f"InMemoryFileIndex[file:/{name}/{LONG[6:70]}...").replace("a#1", f"{name}#1") for name in "xy"
    )
    wholes = [f"InMemoryFileIndex[file:/{name}/{LONG[6:]}]" for name in "xy"]
    children = [node(line, Location=whole) for line, whole in zip((first, second), wholes, strict=True)]
    printed = f"== Physical Plan ==\nProject [x#1]\n:  +- {second}\n+- {first}\n"
    text = plan_text(printed, node("Project [x#1]", *children))
    assert text.index(wholes[1]) < text.index(wholes[0])


FORMATTED = """== Physical Plan ==
* ColumnarToRow (2)
+- Scan parquet  (1)


(1) Scan parquet 
Output [2]: [a#1, b c#2]
Batched: true
Location: InMemoryFileIndex [file:/lake/n, ... 2 entries]
ReadSchema: struct<a:int>

(2) ColumnarToRow [codegen id : 1]
Input [2]: [a#1, b c#2]
"""  # noqa: W291 - as Spark prints it


def parquet(attributes: str, location: str, table: str = "") -> dict[str, object]:
    """Return a scan of the tree."""
    line = f"FileScan parquet {table}[{attributes}] Batched: true, Format: Parquet, Location: {location[:20]}..."
    return node(line, Location=location) | {"nodeName": f"Scan parquet {table}"}


PATHS = "InMemoryFileIndex(3 paths)[file:/lake/n, file:/lake/s, ...]"


def location(*scans: dict[str, object]) -> str:
    """Return the location in the formatted text of a plan with scans."""
    text = plan_text(FORMATTED, node("ColumnarToRow", *scans))
    return next(line for line in text.splitlines() if line.startswith("Location: "))


def test_a_scan_of_several_paths_has_those_of_the_tree() -> None:
    assert (
        location(parquet("a#1,b c#2", PATHS))
        == "Location: InMemoryFileIndex [file:/lake/n, file:/lake/s, ... 1 entries]"
    )
    whole = "InMemoryFileIndex[file:/lake/n, file:/lake/s, s3a://lake/e]"
    assert location(parquet("a#1,... 1 more fields", whole)) == (
        "Location: InMemoryFileIndex [file:/lake/n, file:/lake/s, s3a://lake/e]"
    )


def test_paths_of_other_scans_are_not_taken() -> None:
    as_printed = "Location: InMemoryFileIndex [file:/lake/n, ... 2 entries]"
    other = PATHS.replace("lake/s", "lake/other")
    assert location(parquet("a#7,b c#8", PATHS)) == as_printed
    assert location(parquet("a#1,b c#2", PATHS.replace("/n", "/m"))) == as_printed
    assert location(parquet("a#1,b c#2", PATHS.replace("3 paths", "4 paths"))) == as_printed
    assert location(parquet("a#1,b c#2", PATHS), parquet("a#1,b c#2", other)) == as_printed
    assert location(parquet("a#1,b c#2", PATHS, "spark_catalog.shop.orders")) == as_printed


def test_partitions_of_one_folder_are_not_listed() -> None:
    text = FORMATTED.replace("lake/n", "lake/n/dt=1")
    paths = "InMemoryFileIndex(3 paths)[file:/lake/n/dt=1, file:/lake/n/dt=2, file:/lake/n/dt=3]"
    completed = plan_text(text, node("ColumnarToRow", parquet("a#1,b c#2", paths)))
    assert "Location: InMemoryFileIndex [file:/lake/n/dt=1, file:/lake/n/dt=2, ... 1 entries]" in completed


def items(first: int, end: int) -> str:
    return ", ".join(f"(a{number}#{number}L + 1) AS b{number}#{100 + number}L" for number in range(first, end))


CUT_TREE = node(
    f"Project [{items(0, 2)}, ... 4 more fields]",
    node("FileScan parquet t[a0#0L,a1#1L,... 4 more fields] Batched: true, Location: InMemoryFileIndex[file:/t]"),
)
SCANNED = ", ".join(f"a{number}#{number}L" for number in range(6))
BLOCKS = (
    f"== Physical Plan ==\n* Project (2)\n+- Scan parquet t (1)\n\n\n(1) Scan parquet t\nOutput [6]: [{SCANNED}]\n\n"
)


def test_a_truncated_text_keeps_its_complete_blocks_and_its_length() -> None:
    cut = f"{BLOCKS}(2) Project\nOutput [6]: [{items(0, 4)}, (a4#4L + 1) A... 120 more characters"

    text = plan_text(cut, CUT_TREE)

    assert f"Project [{items(0, 2)}, ... 4 more fields]\n" in text
    assert f"Output [6]: [{SCANNED}]" in text
    assert "(2) Project\n" not in text
    parts = split_sections(text)
    assert parts is not None
    assert parts.length == len(cut) - len("... 120 more characters") + 120


@pytest.mark.parametrize(
    "printed",
    [
        """== Physical Plan ==
Execute CreateTable (1)
   +- CreateTable (2)


(1) Execute CreateTable
Output: []

(2) CreateTable
Arguments: `c`.`d`.`t`, Overwrite, [a, b... 9 more characters""",
        "== Parsed Logical Plan ==\nCreateTable `c`.`d`.`t`, Overwrite, [a, b... 9 more characters",
        "== Parsed Logical Plan ==\nCreateTable `c`.`d`.`t`, Overwrite\n+- Range (... 9 more characters",
    ],
)
def test_the_command_of_a_truncated_text_keeps_its_target(printed: str) -> None:
    text = plan_text(printed, node("Execute CreateTable") | {"nodeName": "Execute CreateTable"})

    assert "Execute CreateTable\n   +- CreateTable `c`.`d`.`t`, Overwrite\n" in text


def test_a_list_of_another_operator_with_the_same_beginning_is_not_taken() -> None:
    other = f"{items(0, 5)}, (a5#5L + 2) AS c#9L"
    blocks = BLOCKS.replace("(1) Scan parquet t\n", f"(1) Generate\nOutput [6]: [{other}]\n\n(3) Scan parquet t\n")

    assert f"Project [{items(0, 2)}, ... 4 more fields]\n" in plan_text(
        f"{blocks}(2) Pro... 9 more characters", CUT_TREE
    )


def test_two_lists_with_the_same_beginning_are_not_chosen_from() -> None:
    other = f"{items(0, 5)}, (a5#5L + 2) AS c#9L"
    first = f"{BLOCKS}(2) Project\nOutput [6]: [{items(0, 6)}]\n\n"
    cut = f"{first}(3) Project\nOutput [6]: [{other}]\n\n(4... 9 more characters"

    assert f"Project [{items(0, 2)}, ... 4 more fields]\n" in plan_text(cut, CUT_TREE)


def test_a_truncated_cost_text_keeps_its_optimized_plan() -> None:
    tree = "Aggregate [sum(a#1) AS total#2], Statistics(sizeInBytes=1.0 B)\n+- Relation t[a#1] parquet\n"
    cut = f"== Optimized Logical Plan ==\n{tree}\n== Physical Plan ==\nHashAggre... 90 more characters"

    parts = split_sections(plan_text(cut, node("HashAggregate(keys=[], functions=[sum(a#1)])")))

    assert parts is not None
    assert parts.optimized == tree
    assert parts.physical.startswith("== Physical Plan ==\nHashAggregate(keys=[], functions=[sum(a#1)])")
    assert parts.length == len(cut) - len("... 90 more characters") + 90
