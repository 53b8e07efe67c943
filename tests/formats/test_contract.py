"""The contract of a table format: every field is described, used, and empty by default."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields

import pytest

from eventlog_lineage.extensions import TableFormat, contributions, formats

FIELDS = [field for field in fields(TableFormat) if field.name != "name"]


@pytest.mark.parametrize("name", [field.name for field in FIELDS])
def test_every_field_of_the_contract_is_used_by_a_format(name: str) -> None:
    assert contributions(name)


def test_a_format_needs_nothing_but_its_name() -> None:
    empty = TableFormat("frobnicate")
    for field in FIELDS:
        value = getattr(empty, field.name)
        assert not (value("", "", "") if inspect.isfunction(value) else value), field.name


def test_every_field_of_the_contract_is_described() -> None:
    described = re.findall(r"^ {8}(\w+): ", str(TableFormat.__doc__), re.MULTILINE)
    assert described == [field.name for field in fields(TableFormat)]


def test_formats_come_in_the_order_of_their_names() -> None:
    names = [each.name for each in formats()]
    assert names == sorted(names)
