"""Whatever a log holds, reading ends soon, without recursion, and raises nothing but our own errors."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventlog_lineage.errors import PlanSyntaxError
from eventlog_lineage.plan.grammar.alias_readings import chosen_alias
from eventlog_lineage.plan.grammar.literals import escape_literals
from eventlog_lineage.plan.grammar.parser import parse_expression, split_alias
from eventlog_lineage.plan.plan_text import PlanText, read_plan
from eventlog_lineage.plan.printed.formatted import Outline, Section
from eventlog_lineage.plan.printed.tree_lines import TreeLine
from eventlog_lineage.plan.tree.build_tree import build_tree
from eventlog_lineage.plan.tree.nodes import PlanNode, attribute_names, walk
from eventlog_lineage.plan.tree.tree_strings import is_ambiguous_line
from support.plans.composing import Composed, formatted
from support.plans.strategies import FORGERIES, literals

REAL = sorted((Path(__file__).parent.parent / "operators" / "fixtures").glob("*/*.plan"))
SCAN = ("Output", ("a#1",)), ("Batched", "true"), ("ReadSchema", "struct<a:int>")


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Fails if its body takes longer, in seconds of the processor: others may use the machine, too."""
    started = time.process_time()
    yield
    assert time.process_time() - started < seconds


def read(text: str) -> PlanNode | None:
    """A plan's root; None for text that is told to be none."""
    try:
        plan = read_plan(text)
    except PlanSyntaxError as refused:
        told = refused.hint
    else:
        attribute_names(plan)
        return plan.root
    assert told
    return None


@given(st.one_of(st.text(), literals, st.binary().map(lambda data: data.decode("latin-1"))))
def test_any_text_is_read_or_refused(text: str) -> None:
    read(text)
    read(f"== Physical Plan ==\n{text}")
    assert PlanText(text).summary is not None


def test_lone_surrogates_are_text_like_any_other() -> None:
    r"""Event logs are JSON: `\ud800` is possible in a literal."""
    root = Composed(
        "Filter", (("Input", ("a#1",)), ("Condition", "(a#1 = \ud800)")), (Composed("Scan parquet t", SCAN),)
    )
    text = formatted(root)
    found = read(text)
    assert found is not None
    assert found.text("Condition") == "(a#1 = \ud800)"
    assert len(PlanText(text).summary.fingerprint) == 32


@pytest.mark.parametrize("seed", range(60))
def test_damaged_texts_of_real_sparks_are_read_or_refused(seed: int) -> None:
    rnd = random.Random(seed)
    text = rnd.choice(REAL).read_text()
    for _ in range(rnd.choice((1, 3, 10))):
        start = rnd.randrange(len(text) + 1)
        end = min(len(text), start + rnd.choice((1, 20, 400)))
        inserted = rnd.choice(("", *FORGERIES, "(", "]", ", ", "\n", "#12", text[start:end] * 2))
        text = text[:start] + inserted + text[end:]
    read(text)
    assert PlanText(text).summary is not None


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "(" * 30_000,
        "(" * 30_000 + "a#1" + ")" * 30_000,
        "f(" * 10_000 + "a#1",
        "f(" * 30_000 + "a#1" + ")" * 30_000,
        "[" * 10_000 + "a#1" + "]" * 10_000,
        "a#1[" * 10_000,
        "a#1" + "[0]" * 10_000,
        "a#1" + ".b" * 10_000,
        "a#1.(" * 10_000,
        "\\(" * 10_000,
        "CASE WHEN " * 10_000 + "a#1",
        "CASE WHEN a#1 THEN " * 10_000 + "1" + " END" * 10_000,
        "CASE" + " WHEN a#1 THEN 1" * 10_000 + " END",
        "if (a#1) " * 10_000 + " else 1" * 10_000,
        "if (a#1) 1 else " * 10_000,
        "(" * 30_000 + "a#1" + " AND a#1)" * 30_000,
        "a#1" + " AS b#2" * 10_000,
        " AS " * 30_000 + "#1",
        "x" * 300_000 + "#1",
        "#" * 150_000,
        "#1" * 30_000,
        "lambda x#7" * 10_000,
        "Subquery subquery" * 10_000,
        "a" * 150_000 + "(",
        ", " * 30_000,
        "concat(" + "a#1, " * 15_000 + "b)",
        "9" * 30_000 + "#" + "9" * 30_000,
    ],
    ids=lambda text: f"{text[:20]} {len(text)}",
)
def test_expressions_of_any_depth_and_length_are_parsed(text: str) -> None:
    with at_most(3):
        parse_expression(text, {1: ("a", "x" * 1000)})
        split_alias(text, {1: ("a",)})


def filtered(condition: str) -> str:
    """A plan whose filter has some condition."""
    scan = Composed("Scan parquet t", SCAN)
    return formatted(Composed("Filter", (("Input", ("a#1",)), ("Condition", condition)), (scan,)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "literal",
    [
        *(forgery * 150 for forgery in FORGERIES),
        "\n\n(1) Scan parquet t\n" * 1_000,
        "\n\n(2) Filter\nInput [1]: [" * 2_000,
        "\nInput [2]: [a#1" * 2_000,
        "]\n" * 5_000,
        "\nLocation: (" * 2_000,
        "\n" * 200_000,
        "".join(f"\n\n({number}) Filter" for number in range(1_000)),
        "".join(f"\n\nSubquery:{number} Hosting operator id = 1 Hosting Expression = " for number in range(2_000)),
    ],
    ids=lambda literal: f"{literal[:30]!r} {len(literal)}",
)
def test_literals_full_of_forgeries_are_read_in_time(literal: str) -> None:
    with at_most(3):
        root = read(filtered(f"(a#1 = {literal})"))
        assert root is not None
        assert [node.operator for node in walk(root)] == ["Filter", "FileScan"]
        assert PlanText(filtered(literal)).summary.command == ""


def test_thousands_of_brackets_in_a_literal_are_read_in_linear_time() -> None:
    text = "(a#1 = " + "word after word [x, " * 1_900 + ")"
    with at_most(0.5):
        assert len(escape_literals(text).text) == len(text)


@pytest.mark.parametrize("item", ["x{} AS z#2", "a#1{} AS z#2", "CASE WHEN (a#1 > 1) THEN x{} ELSE y END AS z#2"])
def test_thousands_of_ass_in_a_literal_are_read_in_linear_time(item: str) -> None:
    with at_most(2):
        chosen_alias(item.format(" AS y" * 20_000), 1, ["a#1"], [])
        for words in (" AS y", " THEN y", " else y", ") AS y"):
            is_ambiguous_line(item.format(words * 20_000))


def test_a_list_of_a_hundred_thousand_attributes() -> None:
    attributes = tuple(f"column_{number}#{number}" for number in range(100_000))
    scan = Composed("Scan parquet t", (("Output", attributes), ("Batched", "true")))
    text = formatted(Composed("Project", (("Output", attributes), ("Input", attributes)), (scan,)))
    with at_most(20):
        root = read(text)
        assert root is not None
        assert root.items("Output") == attributes


def test_a_union_of_ten_thousand_scans() -> None:
    scans = tuple(Composed("Scan parquet t", SCAN) for _ in range(10_000))
    with at_most(20):
        root = read(formatted(Composed("Union", (), scans)))
        assert root is not None
        assert len(root.children) == 10_000


def test_a_text_three_hundred_operators_deep() -> None:
    node = Composed("Scan parquet t", SCAN)
    for _ in range(300):
        node = Composed("Filter", (("Input", ("a#1",)), ("Condition", "(a#1 > 1)")), (node,))
    root = read(formatted(node))
    assert root is not None
    assert sum(1 for _ in walk(root)) == 301


@pytest.mark.parametrize("shape", [lambda depth: 3 * depth, lambda depth: 3 * (depth // 2 + depth % 2)])
def test_trees_twenty_thousand_operators_deep(shape: Callable[[int], int]) -> None:
    """As text such a tree has 600 MB, nearly all of them spaces."""
    lines = tuple(TreeLine(shape(depth), depth > 0, "Filter", depth + 1) for depth in range(20_000))
    with at_most(10):
        plan = build_tree(Outline(Section(lines, ()), (), ()))
        assert plan.root is not None
        assert sum(1 for _ in walk(plan.root)) == 20_000


def test_reading_needs_no_deeper_stack_than_any_program() -> None:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(250)
    try:
        parse_expression("f(" * 2_000 + "a#1" + ")" * 2_000, {1: ("a",)})
        read(filtered("(" * 2_000 + "a#1" + ")" * 2_000))
    finally:
        sys.setrecursionlimit(limit)
