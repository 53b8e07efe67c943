"""NameResolver of parsed queries to attributes; whole views are among the fixtures (`logical_relation/*.3.1.plan`)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventlog_lineage.errors import PlanSyntaxError
from eventlog_lineage.lineage.results.lineage_names import render_lineage
from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.plan.plan_text import read_plan

VIEW = """== Physical Plan ==
Execute CreateViewCommand
   +- CreateViewCommand `shop`.`v`, SELECT …, false, true, PersistedView
         +- {query}
"""
RELATION = "'UnresolvedRelation [{}], [], false"


def told(*lines: str) -> list[str]:
    """What the program tells of a view: its lines, without the first."""
    text = render_lineage(trace_texts(VIEW.format(query="\n            ".join(lines))))
    return [" ".join(line.split()) for line in text.splitlines()[1:]]


def test_a_table_without_a_database_is_of_the_views() -> None:
    assert told("'Project ['id]", "+- " + RELATION.format("orders")) == [
        "id <- spark_catalog.shop.orders.id DIRECT IDENTITY inferred"
    ]
    assert told("'Project ['id]", "+- " + RELATION.format("other, orders")) == [
        "id <- spark_catalog.other.orders.id DIRECT IDENTITY inferred"
    ]


def test_names_and_aliases_have_no_case() -> None:
    lines = ("'Project ['O.Id, 'o.ID AS twice#3]", "+- 'SubqueryAlias o", "   +- " + RELATION.format("orders"))
    assert told(*lines) == [
        "Id <- spark_catalog.shop.orders.Id DIRECT IDENTITY inferred",
        "twice <- spark_catalog.shop.orders.Id DIRECT IDENTITY inferred",
    ]


def test_a_name_that_two_tables_may_have_is_a_gap_and_no_guess() -> None:
    found = told(
        "'Project ['price]", "+- 'Join Inner", "   :- " + RELATION.format("a"), "   +- " + RELATION.format("b")
    )
    assert found[0] == "price <- - … (price)"
    assert found[-1] == "gap unknown_source at UnresolvedRelation: the query does not qualify price with a table"


def test_a_quote_in_a_literal_is_no_name() -> None:
    lines = ("'Project [concat('id, it's, rock'n'roll) AS c#1]", "+- " + RELATION.format("orders"))
    assert told(*lines) == [
        "c <- spark_catalog.shop.orders.id DIRECT TRANSFORMATION inferred concat(orders.id, it's, rock'n'roll)"
    ]


@pytest.mark.parametrize(
    ("values", "names"),
    [
        ("paid AS late, paid#1, open AS open#2", ["late, paid", "open"]),
        ("new, paid AS late, paid#1", ["new", "late, paid"]),
        ("paid AS paid#1, new", ["paid", "new"]),
        ("paid AS x, y, z#1", ["x, y, z"]),
    ],
)
def test_the_columns_of_a_pivot_have_commas_or_the_names_of_values(values: str, names: list[str]) -> None:
    lines = (
        "'Project [*]",
        f"+- 'Pivot 'status, [{values}], ['sum('amount)]",
        "   +- 'Project ['id, 'status, 'amount]",
        "      +- " + RELATION.format("orders"),
    )
    direct = [line.partition(" <- ") for line in told(*lines) if " DIRECT AGGREGATION" in line]
    assert [(name, source.split()[0]) for name, _, source in direct] == [
        (name, "spark_catalog.shop.orders.amount") for name in names
    ]


def test_a_query_that_nobody_writes_is_refused() -> None:
    filters = [f"{'   ' * depth}+- 'Filter ('a > {depth})" for depth in range(3000)]
    text = VIEW.format(
        query="\n            ".join(["'Project ['a]", *filters, "   " * 3000 + "+- " + RELATION.format("t")])
    )
    with pytest.raises(PlanSyntaxError, match="nested too deeply"):
        read_plan(text)


CHILDLESS = {
    "names of nothing": "'UnresolvedSubqueryColumnAliases [a, b]",
    "a hint of nothing": "'UnresolvedHint x",
    "windows of nothing": "'WithWindowDefinition [w=windowspecdefinition('a)]",
    "a pivot of nothing": "'Pivot 'a, [1, 2], ['sum('b)]",
    "a table of nothing": "'With [t]",
    "a sort of nothing": "'Sort ['a ASC NULLS FIRST], true",
    "a HAVING of nothing": "'UnresolvedHaving ('a > 1)",
    "a generator of nothing": "'Generate 'explode('a), false, ['b]",
    "a set of nothing": "'Union false, false",
    "a join of nothing": "'Join UsingJoin(Inner, [a, b])",
}
"""Parsed plans of one operator, which has no child."""


@pytest.mark.parametrize("line", CHILDLESS.values(), ids=CHILDLESS)
def test_an_operator_without_children_is_no_error_of_ours(line: str) -> None:
    for lines in ((line,), ("'Project ['x]", f"+- {line}")):
        lineage = trace_texts(VIEW.format(query="\n            ".join(lines)))
        assert "internal_error" not in {gap.reason for gap in lineage.gaps}, lineage.gaps


@given(st.lists(st.text(alphabet="'ab.,()[]*# \n", max_size=12), min_size=1, max_size=4))
def test_no_text_is_too_odd(parts: list[str]) -> None:
    lines = [f"'Project [{parts[0]}]", *(f"{'   ' * at}+- 'Filter {part}" for at, part in enumerate(parts[1:]))]
    query = "\n            ".join([*lines, "   " * (len(parts) - 1) + "+- " + RELATION.format("t")])
    lineage = trace_texts(VIEW.format(query=query))
    assert "internal_error" not in {gap.reason for gap in lineage.gaps}
