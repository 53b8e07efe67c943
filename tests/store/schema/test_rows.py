"""Rows are made by column name and checked against the declaration."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from eventlog_lineage.store.schema.declaration import TEXT, Column, Table
from eventlog_lineage.store.schema.relations import COLUMN_LISTS, sql_text
from eventlog_lineage.store.schema.tables import COLUMN_LINEAGE, EDGE, EDGE_COLUMNS, EDGE_KEY

PEOPLE = Table(
    "people",
    "a person",
    (Column("id", TEXT, "The id."), Column("name", TEXT, "The name."), Column("job", TEXT, "…", set_by_store=True)),
)


@dataclass
class Person:
    id: str
    name: str


def test_a_row_has_its_values_in_the_order_of_the_columns() -> None:
    assert PEOPLE.row(name="Ann", job="smith", id="1") == ("1", "Ann", "smith")


def test_a_column_that_the_store_sets_may_be_left_out() -> None:
    assert PEOPLE.row(name="Ann", id="1") == ("1", "Ann", None)


def test_a_missing_column_is_an_error() -> None:
    with pytest.raises(TypeError, match="a row of people lacks 'name'"):
        PEOPLE.row(id="1")


def test_an_unknown_column_is_an_error() -> None:
    with pytest.raises(TypeError, match="people has no column age, size"):
        PEOPLE.row(id="1", name="Ann", size=3, age=2)


def test_a_row_of_a_record_takes_the_attributes_that_are_named_as_columns_are() -> None:
    assert PEOPLE.row.of(Person("1", "Ann"), job="smith") == ("1", "Ann", "smith")
    assert PEOPLE.row.of(Person("1", "Ann"), id="2") == ("2", "Ann", None)


def test_a_record_without_a_column_is_an_error() -> None:
    with pytest.raises(AttributeError):
        COLUMN_LINEAGE.row.of(Person("1", "Ann"))


def test_a_placeholder_in_sql_is_a_list_of_columns_with_or_without_an_alias() -> None:
    text = sql_text("fold/column_lineage", batch=7)
    assert ", ".join(f'e."{name}"' for name in EDGE_COLUMNS) in text
    assert ", ".join(f'"{name}"' for name in EDGE_KEY) in text
    assert "WHERE b.batch = 7" in text
    assert not re.search(r"\{\w+", text)


def test_a_placeholder_without_a_value_is_an_error() -> None:
    with pytest.raises(KeyError, match="batch"):
        sql_text("fold/column_lineage")


def test_the_columns_of_an_edge_are_its_key_and_its_values() -> None:
    assert sorted((*EDGE_KEY, *COLUMN_LISTS["edge_values"])) == sorted(column.name for column in EDGE)
