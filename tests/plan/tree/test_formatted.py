"""Formatted plan text gives back the structure that it was printed from."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from eventlog_lineage.plan.grammar.attribute_ids import unescaped
from eventlog_lineage.plan.plan_text import read_plan
from eventlog_lineage.plan.tree.nodes import PlanNode
from support.plans.composing import Composed, formatted
from support.plans.strategies import balanced_literals, literals, names, plans

thorough = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def assert_same(read: PlanNode, composed: Composed) -> None:
    """The same operators with the same fields, item by item."""
    stack = [(read, composed)]
    while stack:
        node, expected = stack.pop()
        assert node.operator_id == expected.number
        assert node.name == expected.label
        found = {
            label: unescaped(field.text) if field.count is None else tuple(map(unescaped, field.items))
            for label, field in node.fields.items()
        }
        assert found == dict(expected.fields)
        assert len(node.children) == len(expected.children)
        stack.extend(zip(node.children, expected.children, strict=True))


def assert_same_tree(read: PlanNode, composed: Composed) -> None:
    """The same operators under the same ids."""
    stack = [(read, composed)]
    while stack:
        node, expected = stack.pop()
        assert (node.operator_id, node.name) == (expected.number, expected.label)
        assert len(node.children) == len(expected.children)
        stack.extend(zip(node.children, expected.children, strict=True))


@thorough
@given(plans())
def test_plain_names_and_forging_literals_that_close_their_brackets(plan: Composed) -> None:
    read = read_plan(formatted(plan)).root
    assert read is not None
    assert_same(read, plan)


@thorough
@given(plans(names=names, literals=st.sampled_from(("x", "1", ""))))
def test_any_names_and_plain_literals(plan: Composed) -> None:
    read = read_plan(formatted(plan)).root
    assert read is not None
    assert_same(read, plan)


@thorough
@given(plans(names=names, literals=balanced_literals))
def test_any_names_and_forging_literals_that_close_their_brackets(plan: Composed) -> None:
    read = read_plan(formatted(plan)).root
    assert read is not None
    assert_same(read, plan)


@thorough
@given(plans(literals=literals))
def test_the_tree_stands_whatever_the_literals(plan: Composed) -> None:
    read = read_plan(formatted(plan)).root
    assert read is not None
    assert_same_tree(read, plan)


@thorough
@given(plans(depth=3), st.lists(st.tuples(st.booleans(), balanced_literals, plans(depth=3)), min_size=1, max_size=4))
def test_subqueries(plan: Composed, parts: list[tuple[bool, str, Composed]]) -> None:
    entries = [
        (plan, f"Subquery subquery#{900 + index}, [id=#{index}]", None if reused else subquery)
        for index, (reused, _, subquery) in enumerate(parts)
    ]
    read = read_plan(formatted(plan, entries))
    assert read.root is not None
    assert_same(read.root, plan)
    assert [subquery.expr_id for subquery in read.subqueries] == [900 + index for index in range(len(parts))]
    for subquery, (host, expression, expected) in zip(read.subqueries, entries, strict=True):
        assert (subquery.host, subquery.expression) == (host.number, expression)
        if expected is None or subquery.root is None:
            assert subquery.root is expected
        else:
            assert_same(subquery.root, expected)
