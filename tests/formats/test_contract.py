"""The contract of a table format: every field is described, used, and empty by default."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from eventlog_lineage.extensions import TableFormat, contributions, formats

EMPTY = TableFormat("frobnicate")


def contributed(group: Any = EMPTY, before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the path and the default of each contribution."""
    for field in fields(group):
        value = getattr(group, field.name)
        if is_dataclass(value):
            yield from contributed(value, f"{field.name}.")
        elif before or field.name != "name":
            yield f"{before}{field.name}", value


PATHS = dict(contributed())


@pytest.mark.parametrize("name", [path for path in PATHS if path != "storage.types"])
def test_every_field_of_the_contract_is_used_by_a_format(name: str) -> None:
    assert contributions(name)


def test_a_format_needs_nothing_but_its_name() -> None:
    for path, value in PATHS.items():
        assert not (value("", "", "") if inspect.isfunction(value) else value), path


@pytest.mark.parametrize(
    "group", [EMPTY, *(value for each in fields(EMPTY) if is_dataclass(value := getattr(EMPTY, each.name)))]
)
def test_every_field_of_the_contract_is_described(group: Any) -> None:
    described = re.findall(r"^ {8}(\w+): ", str(type(group).__doc__), re.MULTILINE)
    assert described == [field.name for field in fields(group)]


def test_formats_come_in_the_order_of_their_names() -> None:
    names = [each.name for each in formats()]
    assert names == sorted(names)
