"""A struct that a write builds again from its own fields is the struct."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.operators.derivations.references import struct_parts, unwrapped
from eventlog_lineage.plan.grammar.expression import AttributeReference, GetField
from eventlog_lineage.plan.grammar.parser import parse_expression

NAMES = {1: ("s",), 2: ("t",)}
S = AttributeReference(1, "s")


@pytest.mark.parametrize(
    ("text", "struct"),
    [
        ("if (isnull(s#1)) null else named_struct(a, s#1.a, b, s#1.b)", S),
        ("if (isnull(s#1.x)) null else named_struct(a, s#1.x.a)", GetField(S, "x")),
        ("if (isnull(s#1)) null else named_struct(a, if (isnull(s#1.a)) null else named_struct(c, s#1.a.c))", S),
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
    ],
)
def test_other_structs_are_what_they_are_built_of(text: str) -> None:
    assert unwrapped(parse_expression(text, NAMES)) == parse_expression(text, NAMES)


ARRAY = """== Physical Plan ==
* Project (2)
+- Scan json  (1)


(1) Scan json
Output [1]: [lines#1]
Batched: false
Location: InMemoryFileIndex [file:/landing/items]
{schema}

(2) Project [codegen id : 1]
Output [1]: [transform(lines#1, lambdafunction(if (isnull(lambda element#7)) null else \
named_struct(a, lambda element#7.{first}, b, lambda element#7.b), lambda element#7, false)) AS lines#2]
Input [1]: [lines#1]

"""
SCHEMA = "ReadSchema: struct<lines:array<struct<a:int,b:string{}>>>"


@pytest.mark.parametrize(
    ("schema", "first", "sources"),
    [
        (SCHEMA.format(""), "a", ["lines"]),
        (SCHEMA.format(",c:int"), "a", ["lines.a", "lines.b"]),
        (SCHEMA.format(""), "b", ["lines.b"]),
        ("Batched: false", "a", ["lines.a", "lines.b"]),
    ],
)
def test_an_array_is_itself_if_its_structs_are_built_of_all_their_fields(
    schema: str, first: str, sources: list[str]
) -> None:
    """`dropFields` prints what a write prints: an array of unknown type is made of the fields that are printed."""
    lineage = trace_texts(ARRAY.format(schema=schema, first=first))
    assert sorted({edge.source_column or "" for edge in lineage.edges if str(edge.dependency) == "DIRECT"}) == sources


STRUCT = """== Physical Plan ==
* Project (2)
+- Scan parquet  (1)


(1) Scan parquet
Output [1]: [addr#1]
Batched: true
Location: InMemoryFileIndex [file:/landing/people]
ReadSchema: struct<addr:struct<city:string,geo:struct<lat:double,lon:double>>>

(2) Project [codegen id : 1]
Output [1]: [if (isnull(addr#1)) null else named_struct(city, addr#1.city, geo, \
if (isnull(addr#1.geo)) null else named_struct({fields}lon, addr#1.geo.lon)) AS addr#2]
Input [1]: [addr#1]

"""


@pytest.mark.parametrize(
    ("fields", "sources"), [("lat, addr#1.geo.lat, ", ["addr"]), ("", ["addr.city", "addr.geo.lon"])]
)
def test_a_struct_is_itself_if_its_structs_have_all_their_fields(fields: str, sources: list[str]) -> None:
    """`col("addr").dropFields("geo.lat")` (3.5, 4.3)."""
    lineage = trace_texts(STRUCT.format(fields=fields))
    assert sorted({edge.source_column or "" for edge in lineage.edges if str(edge.dependency) == "DIRECT"}) == sources


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("arrays_zip(x#1, y#2)", {"x": 1, "y": 2}),  # 2.4 prints no names
        ("arrays_zip(x#1, y#2, z#3, w#4)", {"x": 1, "y": 2, "z": 3, "w": 4}),
        ("arrays_zip(x#1, y#2, z#3)", {"x": 1, "y": 2, "z": 3}),
        ("arrays_zip(x#1, y#2, a, 1)", {"a": 1, "1": 2}),
    ],
)
def test_zipped_arrays_are_fields_by_their_names(text: str, fields: dict[str, int]) -> None:
    names = {1: ("x",), 2: ("y",), 3: ("z",), 4: ("w",)}

    parts = struct_parts(parse_expression(text, names)) or {}

    assert {name: getattr(part, "expr_id", None) for name, part in parts.items()} == fields
