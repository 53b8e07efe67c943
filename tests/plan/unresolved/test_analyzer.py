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


FILTERED = {
    "'sum('v, ('c = std))": "CONDITIONAL",
    "'first('v, true, ('c > 1))": "CONDITIONAL",
    "'max_by('v, 'o, ('c > 1))": "CONDITIONAL",
    "'corr('v, 'o, isnotnull('c))": "CONDITIONAL",
    "'count(1, 'c)": "CONDITIONAL",
    "'count('v, ('c > 1))": "CONDITIONAL",
    "'count('v, isnotnull('c))": "CONDITIONAL",
    "'count('v, NOT ('c > 1))": "CONDITIONAL",
    "'count('v, 'c IN (1,2))": "CONDITIONAL",
    "'count('v, ('c + 1))": "AGGREGATION",
    "'count('v, 'upper('c))": "AGGREGATION",
    "'max('IF(('c = x), 'v, 'w))": "CONDITIONAL",
    "'max('NVL2('c, 'v, 'w))": "CONDITIONAL",
}
"""Calls as 3.0 and 3.1 print them, with the FILTER last, and functions as the user wrote them, to the kind of `c`."""


@pytest.mark.parametrize(("call", "kind"), FILTERED.items())
def test_a_column_that_only_chooses_is_no_value(call: str, kind: str) -> None:
    lines = told(f"'Aggregate ['k], [{call} AS x#1]", "+- " + RELATION.format("t"))
    edges = [line.split() for line in lines]
    assert [edge[4] for edge in edges if edge[2].endswith(".c")] == [kind]


@pytest.mark.parametrize("having", ["('n > 1)", "('max('v) > 1)"])
def test_a_sort_above_a_having_names_columns_outside_the_list(having: str) -> None:
    lines = (
        "'Sort ['min('w) ASC NULLS FIRST], true",
        f"+- 'UnresolvedHaving {having}",
        "   +- 'Aggregate ['k], ['k, 'count(1) AS n#1]",
        "      +- " + RELATION.format("t"),
    )
    found = [line.split() for line in told(*lines)]
    assert {line[0] for line in found if line[3] == "DIRECT" or line[2] == "-"} == {"k", "n"}
    assert [line[2] for line in found if "SORT" in line] == ["spark_catalog.shop.t.w"]
    assert not [line for line in found if line[0] == "gap"]


def test_identifiers_of_2_4_are_quoted() -> None:
    lines = (
        "CTE [a]",
        ":  +- 'SubqueryAlias `a`",
        ":     +- 'Project ['p.Id AS key#1]",
        ":        +- 'SubqueryAlias `p`",
        ":           +- 'UnresolvedRelation `cx`.`parcels`",
        "+- 'Project ['a.key, 's.kind]",
        "   +- 'Join Inner, ('s.parcel = 'a.key)",
        "      :- 'UnresolvedRelation `a`",
        "      +- 'SubqueryAlias `s`",
        "         +- 'UnresolvedRelation `scans`",
    )
    assert [line.partition(" inferred")[0] for line in told(*lines)] == [
        "key <- spark_catalog.cx.parcels.Id DIRECT IDENTITY",
        "kind <- spark_catalog.shop.scans.kind DIRECT IDENTITY",
        "* <- spark_catalog.shop.scans.parcel INDIRECT JOIN",
        "* <- spark_catalog.cx.parcels.Id INDIRECT JOIN",
    ]


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("'Aggregate [1, 'p.svc], ['date_trunc(month, 'at) AS month#1, 'p.svc]", {"at GROUP_BY", "svc GROUP_BY"}),
        (
            "'Aggregate [2, 1], ['k, 'upper('svc) AS s#1, unresolvedalias('count(1), None)]",
            {"k GROUP_BY", "svc GROUP_BY"},
        ),
        ("'Aggregate ['Month], ['date_trunc(month, 'at) AS month#1, 'sum('v) AS v#2]", {"at GROUP_BY"}),
        ("'Aggregate ['k], ['upper('k) AS k#1, 'svc AS s#2]", {"k GROUP_BY"}),
        ("'Aggregate ['s], ['svc AS s#1]", {"svc GROUP_BY"}),
        ("'Aggregate ['p.s], ['svc AS s#1]", {"s GROUP_BY"}),
        ("'Aggregate [rollup('x, 'y)], ['k AS x#1, 'upper('svc) AS y#2]", {"k GROUP_BY", "svc GROUP_BY"}),
        ("'Aggregate ['cube('k, 'upper('y))], ['k, 'upper('y) AS u#2]", {"k GROUP_BY", "y GROUP_BY"}),
        (
            (
                "'GroupingSets [ArrayBuffer('x, 'upper('svc)), ArrayBuffer('x), ArrayBuffer()], ['x, 'upper('svc)], "
                "['k AS x#1, 'upper('svc) AS y#2, 'sum('v) AS s#3]"
            ),
            {"k GROUP_BY", "svc GROUP_BY"},
        ),
        ("'GroupingSets [List('k), List('svc)], ['k, 'svc, 'sum('v) AS s#3]", {"k GROUP_BY", "svc GROUP_BY"}),
    ],
)
def test_a_key_is_a_position_or_an_alias_of_the_list(query: str, rows: set[str]) -> None:
    lines = (query, "+- 'SubqueryAlias p", "   +- " + RELATION.format("orders"))
    assert _rows(told(*lines)) == rows


def test_a_sort_by_a_position_is_of_the_column_there() -> None:
    lines = ("'Sort [2 DESC NULLS LAST, 'x ASC NULLS FIRST], true", "+- 'Project ['a AS x#1, 'b AS y#2]")
    assert _rows(told(*lines, "   +- " + RELATION.format("orders"))) == {"b SORT", "a SORT"}


def _rows(lines: list[str]) -> set[str]:
    words = (line.split() for line in lines if line.startswith("* <-"))
    return {f"{each[2].rpartition('.')[2]} {each[4]}" for each in words}


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
    "sets of nothing": "'GroupingSets [ArrayBuffer('a), ArrayBuffer()], ['a]",
    "sets without lists": "'GroupingSets",
    "sets with many lists": "'GroupingSets [a], [b], [c], [d], [e]",
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
