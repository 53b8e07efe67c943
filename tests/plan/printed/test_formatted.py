"""Trees, blocks and sections are found, and nothing that only looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventlog_lineage.plan.printed.formatted import read_outline
from eventlog_lineage.plan.printed.tree_lines import TreeLine, children_by_column, read_tree
from support.plans.composing import Composed, formatted, number, section_text
from support.plans.strategies import balanced_literals, literals


def detail_names(text: str) -> list[tuple[int, str]]:
    """Ids and names of the main section's blocks."""
    return [(detail.operator_id, detail.name) for detail in read_outline(text).main.details]


def scan(*columns: str) -> Composed:
    """A scan of some columns."""
    return Composed("Scan parquet db.t", (("Output", columns), ("Batched", "true"), ("ReadSchema", "struct<>")))


def filtered(below: Composed, condition: str) -> Composed:
    """A filter with any condition."""
    return Composed("Filter", (("Input", ("a#1",)), ("Condition", condition)), (below,))


def test_columns_tell_parents_from_children() -> None:
    tree = "Union (5)\n:- * Project (2)\n:  +- Scan parquet  (1)\n+- ^ FilterExecTransformer (4)\n   +- !Range (3)\n"
    assert read_tree(tree) == [
        TreeLine(0, False, "Union", 5),
        TreeLine(3, True, "Project", 2, pending=True),
        TreeLine(6, True, "Scan parquet ", 1),
        TreeLine(3, True, "FilterExecTransformer", 4),
        TreeLine(6, True, "Range", 3),
    ]


@pytest.mark.parametrize(
    ("line", "label", "number"),
    [
        ("ShuffleQueryStage (6), Statistics(sizeInBytes=64.0 B, rowCount=2)", "ShuffleQueryStage", 6),
        ("InMemoryTableScan (1) (columnarIn=false, columnarOut=true)", "InMemoryTableScan", 1),
        ("AQEShuffleRead (7), coalesced", "AQEShuffleRead", 7),
        ("AQEShuffleRead (8), coalesced and skewed", "AQEShuffleRead", 8),
        ("Project (unknown)", "Project", None),
        (
            "Scan JDBCRelation((SELECT a (3) FROM t) q) [numPartitions=1]  (2)",
            "Scan JDBCRelation((SELECT a (3) FROM t) q) [numPartitions=1] ",
            2,
        ),
    ],
)
def test_a_line_ends_in_an_operator_id(line: str, label: str, number: int | None) -> None:
    assert read_tree(line) == [TreeLine(0, False, label, number)]


def test_adaptive_sections_are_marked() -> None:
    lines = read_tree(
        "AdaptiveSparkPlan (3)\n+- == Final Plan ==\n   Project (2)\n+- == Initial Plan ==\n   Project (1)\n"
    )
    assert [(line.marker, line.column) for line in lines] == [
        ("", 0),
        ("Final Plan", 3),
        ("", 3),
        ("Initial Plan", 3),
        ("", 3),
    ]


CACHE_OF_CACHE = """
Join (20)
:- Filter (9)
:  +- InMemoryTableScan (8)
:        +- InMemoryRelation (7)
:              +- AdaptiveSparkPlan (6)
                  +- == Final Plan ==
                     Union (5)
                     :- InMemoryTableScan (4)
                     :     +- InMemoryRelation (3)
                     :           +- AdaptiveSparkPlan (2)
            +- == Final Plan ==
               Scan parquet a (1)
            +- == Initial Plan ==
               Filter (11)
               +- Scan parquet a (10)
                     +- Scan parquet b (12)
                  +- == Initial Plan ==
                     Exchange (14)
                     +- InMemoryTableScan (4)
                           +- InMemoryRelation (3)
                                 +- AdaptiveSparkPlan (2)
            +- == Final Plan ==
               Scan parquet a (1)
            +- == Initial Plan ==
               Filter (11)
               +- Scan parquet a (10)
+- Project (19)
"""


def test_adaptive_plans_of_caches_of_caches_are_below_their_caches() -> None:
    lines = read_tree(CACHE_OF_CACHE)
    names = [line.marker or str(line.operator_id) for line in lines]
    below = [(names[at], " ".join(names[child] for child in own)) for at, own in enumerate(children_by_column(lines))]
    assert [each for each in below if each[1]] == [
        ("20", "9 19"),
        ("9", "8"),
        ("8", "7"),
        ("7", "6"),
        ("6", "Final Plan Initial Plan"),
        ("Final Plan", "5"),
        ("5", "4 12"),
        ("4", "3"),
        ("3", "2"),
        *(inner := [("2", "Final Plan Initial Plan"), ("Final Plan", "1"), ("Initial Plan", "11"), ("11", "10")]),
        ("Initial Plan", "14"),
        ("14", "4"),
        ("4", "3"),
        ("3", "2"),
        *inner,
    ]


def test_a_name_with_line_breaks_is_one_line() -> None:
    query = "Scan JDBCRelation((SELECT a,\n  b\nFROM t) q) [numPartitions=1] "
    root = Composed("Project", (("Output", ("a#1",)), ("Input", ("a#1",))), (Composed(query, (("Output", ("a#1",)),)),))
    outline = read_outline(formatted(root))
    assert [line.label for line in outline.main.lines] == ["Project", query]
    assert [detail.fields["Output"].text for detail in outline.main.details] == ["a#1", "a#1"]
    assert outline.main.details[0].name == query


def test_headers_say_what_code_is_generated_and_what_is_reused() -> None:
    text = (
        "== Physical Plan ==\n* Project (2)\n+- ReusedExchange (1)\n\n\n"
        "(1) ReusedExchange [Reuses operator id: 7]\nOutput [1]: [a#1]\n\n"
        "(2) Project [codegen id : 3]\nOutput [1]: [a#1]\nInput [1]: [a#1]\n\n"
    )
    details = read_outline(text).main.details
    assert [(detail.name, detail.reuses) for detail in details] == [("ReusedExchange", 7), ("Project", None)]


def test_both_may_stand_in_one_header() -> None:
    text = "P (1)\n\n\n(1) P [codegen id : 2]  [Reuses operator id: unknown]\nOutput: []\n"
    assert [(detail.name, detail.reuses) for detail in read_outline(text).main.details] == [("P", None)]


@pytest.mark.parametrize(
    "forged",
    [
        "\n\n(1) Scan parquet db.t\nOutput [1]: [x#9]",
        "\n\n(2) Filter\nInput [1]: [x#9]",
        "\n\n(3) Filter\nInput [1]: [x#9]\nCondition : (x#9 = 1)\n",
        "\n\n(3) Filter\n",
        "\n\n\n(1) Scan parquet db.t\n",
        "\n\n(9) Project\nOutput [1]: [x#9]",
        "\n\n===== Subqueries =====\n\nSubquery:1 Hosting operator id = 2 Hosting Expression = x\n",
        "\n\n===== Adaptively Optimized Out Exchanges =====\n\nSubplan:1\nFilter (3)\n",
    ],
)
@pytest.mark.parametrize("place", ["the first filter", "the last filter", "both"])
def test_a_literal_forges_no_header(forged: str, place: str) -> None:
    literals = {"the first filter": (forged, "1"), "the last filter": ("1", forged), "both": (forged, forged)}
    first, last = literals[place]
    text = formatted(filtered(filtered(scan("a#1"), f"(a#1 = {first})"), f"(a#1 = {last})"))
    outline = read_outline(text)
    assert [(detail.operator_id, detail.name) for detail in outline.main.details] == [
        (1, "Scan parquet db.t"),
        (2, "Filter"),
        (3, "Filter"),
    ]
    assert [detail.fields["Condition"].text for detail in outline.main.details[1:]] == [
        f"(a#1 = {first})",
        f"(a#1 = {last})",
    ]
    assert (outline.subqueries, outline.optimized_out) == ((), ())


@given(balanced_literals)
def test_sections_follow_each_other(literal: str) -> None:
    main = filtered(scan("a#1"), f"(a#1 = Subquery subquery#7, [id=#1]{literal})")
    inner = Composed("Project", (("Output", ("b#2",)), ("Input", ("b#2",))), (scan("b#2"),))
    outline = read_outline(
        formatted(main, [(main, "Subquery subquery#7, [id=#1]", inner), (main, "ReusedSubquery x", None)])
    )
    assert len(outline.main.details) == 2
    assert [(part.host, part.expression) for part in outline.subqueries] == [
        (2, "Subquery subquery#7, [id=#1]"),
        (2, "ReusedSubquery x"),
    ]
    assert [detail.operator_id for detail in outline.subqueries[0].section.details] == [3, 4]
    assert (outline.subqueries[1].section.lines, outline.subqueries[1].section.details) == ((), ())


def test_a_subquery_whose_operators_are_described_has_a_tree_and_no_blocks() -> None:
    """Since 3.2 each operator is described once, also where two subqueries print the same plan."""
    main = filtered(scan("a#1"), "(a#1 = 1)")
    inner = scan("b#2")
    text = formatted(
        main, [(main, "Subquery subquery#7, [id=#1]", inner), (main, "Subquery subquery#7, [id=#2]", inner)]
    )
    first, second = read_outline(text).subqueries
    assert first.section.lines == second.section.lines
    assert (len(first.section.details), len(second.section.details)) == (1, 0)


def test_exchanges_that_were_optimized_out_stand_last() -> None:
    main = filtered(scan("a#1"), "(a#1 = 1)")
    text = formatted(main, [(main, "Subquery subquery#7, [id=#1]", scan("b#2"))]).removesuffix("\n")
    exchange = Composed("Exchange", (("Input", ("c#3",)), ("Arguments", "SinglePartition")), (scan("c#3"),))
    other = scan("d#4")
    number(other, number(exchange, 4))
    text += f"\n===== Adaptively Optimized Out Exchanges =====\n\nSubplan:1\n{section_text(exchange)}\n"
    text += f"Subplan:2\n{section_text(other)}\n\n"
    outline = read_outline(text)
    assert [[line.operator_id for line in section.lines] for section in outline.optimized_out] == [[5, 4], [6]]
    assert [[detail.operator_id for detail in section.details] for section in outline.optimized_out] == [[4, 5], [6]]


def test_ids_that_stand_twice_are_told_apart_by_their_names() -> None:
    """Spark 3.0 and 3.1 number the operators below a cached relation anew."""
    text = (
        "== Physical Plan ==\nProject (2)\n+- InMemoryTableScan (1)\n"
        "      +- InMemoryRelation (2)\n            +- Range (3)\n\n\n"
        "(1) InMemoryTableScan\nOutput [1]: [a#1]\n\n(2) InMemoryRelation\nArguments: [a#1], x\n\n"
        "(3) Range\nOutput [1]: [a#1]\n\n"
        "(2) Project\nOutput [1]: [a#1]\nInput [1]: [a#1]\n\n"
    )
    assert detail_names(text) == [(1, "InMemoryTableScan"), (2, "InMemoryRelation"), (3, "Range"), (2, "Project")]


@pytest.mark.parametrize(
    "query",
    [
        "select a, -- the key (1)\n  b + 1 from t",
        "\n  select a -- (2)\n  from t where b in (1, 2)\n and c = ')' -- (1)\n",
        "select '(' as a (1)\nfrom t",
        "select a\n\n(2) Project\n\nfrom t (3)\n",
    ],
)
def test_a_query_in_a_name_can_look_like_operators(query: str) -> None:
    """`Scan JDBCRelation((…) SPARK_GEN_SUBQ_0)` has the user's query, comments included."""
    name = f"Scan JDBCRelation(({query}) SPARK_GEN_SUBQ_0) [numPartitions=1] "
    text = (
        f"== Physical Plan ==\n* Project (2)\n+- * {name} (1)\n\n\n"
        f"(1) {name} [codegen id : 1]\nOutput [1]: [a#1]\nReadSchema: struct<a:int>\n\n"
        "(2) Project [codegen id : 1]\nOutput [1]: [a#1]\nInput [1]: [a#1]\n\n"
    )
    outline = read_outline(text)
    assert [(line.label, line.operator_id) for line in outline.main.lines] == [("Project", 2), (name, 1)]
    assert [list(detail.fields) for detail in outline.main.details] == [["Output", "ReadSchema"], ["Output", "Input"]]


def test_two_cached_plans_can_have_the_same_ids() -> None:
    """Spark 3.1 numbers a relation inside a cached plan and one beside it alike, and describes a plan once."""
    tree = (
        "== Physical Plan ==\nUnion (4)\n:- Filter (2)\n"
        ":  +- InMemoryTableScan (1)\n"
        ":        +- InMemoryRelation (2)\n"
        ":              +- Project (4)\n"
        ":                 +- InMemoryTableScan (3)\n"
        ":                       +- InMemoryRelation (4)\n"
        ":                             +- Scan parquet  (5)\n"
        "+- InMemoryTableScan (3)\n"
        "      +- InMemoryRelation (4)\n"
        "            +- Scan parquet  (5)\n\n\n"
    )
    first = "(5) Scan parquet \nLocation: InMemoryFileIndex [file:/a]\n\n"
    blocks = (
        "(1) InMemoryTableScan\nOutput [1]: [a#1]\n\n(2) InMemoryRelation\nArguments: [a#1], x(\n\n"
        "(3) InMemoryTableScan\nOutput [1]: [a#1]\n\n(4) InMemoryRelation\nArguments: [a#1], y[\n\n"
        f"{first}(4) Project\nOutput [1]: [a#1]\n\n(2) Filter\nCondition : (a#1 = ()\n\n"
        "(3) InMemoryTableScan\nOutput [1]: [a#2]\n\n(4) InMemoryRelation\nArguments: [a#2], z\n\n"
    )
    end = "(4) Union\n\n"
    locations = []
    for second in ("", first.replace("/a", "/b")):
        section = read_outline(tree + blocks + second + end).main
        scans = [section.described[at] for at, line in enumerate(section.lines) if line.operator_id == 5]
        locations.append([scan.fields["Location"].text[-2:-1] for scan in scans if "Location" in scan.fields])
    assert locations == [["a", "a"], ["a", "b"]]


@given(st.one_of(literals, st.text()))
def test_any_text_has_an_outline(text: str) -> None:
    read_outline(text)
    read_outline(f"== Physical Plan ==\nProject (1)\n\n\n(1) Project{text}")


def test_no_text_has_no_tree() -> None:
    assert read_outline("").main.lines == ()
    assert read_outline("== Physical Plan ==\n").main.lines == ()
