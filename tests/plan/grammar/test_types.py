"""Type texts are read to columns, whatever the fields are called."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventlog_lineage.plan.grammar.types import element_type, leaf_columns, struct_fields


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("struct<>", [("", "")][:0]),
        ("struct<id:bigint,name:string>", [("id", "bigint"), ("name", "string")]),
        ("struct<d:decimal(10,2),m:map<string,int>>", [("d", "decimal(10,2)"), ("m", "map<string,int>")]),
        ("struct<a:struct<b:int,c:array<string>>>", [("a", "struct<b:int,c:array<string>>")]),
        ("struct<x,y:int,z:int>", [("x,y", "int"), ("z", "int")]),
        ("bigint", []),
        ("struct<id:bigint", []),
    ],
)
def test_a_struct_has_fields(text: str, fields: list[tuple[str, str]]) -> None:
    assert struct_fields(text) == fields


@pytest.mark.parametrize(
    ("kind", "element"),
    [
        ("int", "int"),
        ("array<array<struct<a:int>>>", "struct<a:int>"),
        ("map<string,array<int>>", "int"),
        ("map<struct<a:int,b:int>,struct<c:int,d:int>>", "struct<c:int,d:int>"),
        ("map<string>", "map<string>"),
        ("array<", "array<"),
    ],
)
def test_arrays_and_maps_have_elements(kind: str, element: str) -> None:
    assert element_type(kind) == element


def test_nested_fields_are_columns() -> None:
    kind = "struct<city:string,geo:struct<lat:double,lon:double>,tags:array<struct<k:string>>>"
    assert leaf_columns("addr", kind) == ["addr.city", "addr.geo.lat", "addr.geo.lon", "addr.tags.k"]
    assert leaf_columns("id", "bigint") == ["id"]


@given(st.text("structaymp<>(),:x", max_size=60))
def test_any_text_is_a_type(text: str) -> None:
    struct_fields(text)
    element_type(text)
    assert leaf_columns("c", text)


def test_types_of_any_depth_and_width_are_read_in_linear_time() -> None:
    started = time.process_time()
    deep = "struct<a:" * 20_000 + "int" + ">" * 20_000
    assert len(leaf_columns("c", deep)) == 1
    element_type("array<" * 100_000 + "int" + ">" * 100_000)
    assert len(struct_fields(f"struct<{','.join(f'c{number}:int' for number in range(100_000))}>")) == 100_000
    assert len(struct_fields(f"struct<{'x,' * 100_000}y:int>")) == 1
    assert time.process_time() - started < 10
