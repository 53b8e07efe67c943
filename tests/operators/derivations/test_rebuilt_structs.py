"""A struct that a write builds again from its own fields is the struct."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage.tracing.trace_statement import trace_texts
from eventlog_lineage.operators.derivations.references import unwrapped
from eventlog_lineage.plan.expressions.expression import AttributeReference, GetField
from eventlog_lineage.plan.expressions.parser import parse_expression

NAMES = {1: ("s",), 2: ("t",)}
S = AttributeReference(1, "s")
ELEMENT = "if (isnull(lambda element#7)) null else named_struct(a, lambda element#7.{}, b, lambda element#7.b)"
"""The element of an array, built again."""


@pytest.mark.parametrize(
    ("text", "struct"),
    [
        ("if (isnull(s#1)) null else named_struct(a, s#1.a, b, s#1.b)", S),
        ("if (isnull(s#1.x)) null else named_struct(a, s#1.x.a)", GetField(S, "x")),
        ("if (isnull(s#1)) null else named_struct(a, if (isnull(s#1.a)) null else named_struct(c, s#1.a.c))", S),
        (f"transform(s#1, lambdafunction({ELEMENT.format('a')}, lambda element#7, false))", S),
    ],
)
def test_all_fields_under_their_names_are_the_struct(text: str, struct: object) -> None:
    assert unwrapped(parse_expression(text, NAMES)) == struct


@pytest.mark.parametrize(
    "text",
    [
        "if (isnull(s#1)) null else named_struct(a, s#1.b)",
        "if (isnull(s#1)) null else named_struct(a, t#2.a)",
        "if (isnull(t#2)) null else named_struct(a, s#1.a)",
        "if (isnull(s#1)) t#2 else named_struct(a, s#1.a)",
        "if (isnotnull(s#1)) null else named_struct(a, s#1.a)",
        f"transform(s#1, lambdafunction({ELEMENT.format('b')}, lambda element#7, false))",
        f"transform(s#1, lambdafunction({ELEMENT.format('a')}, lambda element#7, lambda i#8, false))",
    ],
)
def test_other_structs_are_what_they_are_built_of(text: str) -> None:
    assert unwrapped(parse_expression(text, NAMES)) == parse_expression(text, NAMES)


PLAN = """== Physical Plan ==
* Project (2)
+- Scan json  (1)


(1) Scan json
Output [1]: [lines#1]
Batched: false
Location: InMemoryFileIndex [file:/landing/items]
ReadSchema: struct<lines:array<struct<a:int,b:string{more}>>>

(2) Project [codegen id : 1]
Output [1]: [transform(lines#1, lambdafunction({element}, lambda element#7, false)) AS lines#2]
Input [1]: [lines#1]

"""


@pytest.mark.parametrize(("more", "sources"), [("", ["lines"]), (",c:int", ["lines.a", "lines.b"])])
def test_an_array_of_structs_without_some_fields_is_made_of_the_others(more: str, sources: list[str]) -> None:
    lineage = trace_texts(PLAN.format(element=ELEMENT.format("a"), more=more))
    assert sorted({edge.source_column for edge in lineage.edges if str(edge.dependency) == "DIRECT"}) == sources
