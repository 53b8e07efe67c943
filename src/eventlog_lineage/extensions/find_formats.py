"""Find the contributions of upper packages, once per process."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from itertools import chain
from typing import Any

from .command import Command
from .table_format import TableFormat

_CATALOGUE = "eventlog_lineage.operators.commands"
_FORMATS = "eventlog_lineage.formats"


@cache
def formats() -> tuple[TableFormat, ...]:
    """Return the table formats, each the `FORMAT` of a package in `formats`, in the order of their names."""
    package = importlib.import_module(_FORMATS)
    names = sorted(info.name for info in pkgutil.iter_modules(package.__path__) if info.ispkg)
    return tuple(importlib.import_module(f"{_FORMATS}.{name}").FORMAT for name in names)


@cache
def contributions(field: str) -> tuple[Any, ...]:
    """Return the formats' contributions to a field, in the order of their names, without empty defaults.

    Args:
        field: An attribute of `TableFormat`.
    """
    empty = next(each.default for each in fields(TableFormat) if each.name == field)
    return tuple(value for each in formats() if (value := getattr(each, field)) is not empty)


@cache
def text_patterns(field: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the words and compiled patterns that the formats contribute to a field of `TextPattern`s."""
    return tuple((each.word, re.compile(each.pattern, re.DOTALL)) for each in chain(*contributions(field)))


@cache
def commands() -> Mapping[str, Command]:
    """Return the catalogue of commands, by class and by other printed names.

    Raises:
        ValueError: A command is listed twice.
    """
    found: dict[str, Command] = {}
    listed = (importlib.import_module(_CATALOGUE).COMMANDS, *(each.commands for each in formats()))
    for each in chain.from_iterable(listed):
        for name in (each.name, *each.printed_as):
            if name in found:
                raise ValueError(f"{name} is listed twice")
            found[name] = each
    return found


def find_command(name: str) -> Command:
    """Return a command's entry in the catalogue; the defaults for an unknown command, and for a query."""
    return commands().get(name, _UNKNOWN)


@cache
def commands_where(attribute: str) -> frozenset[str]:
    """Return the names of the commands with an attribute set.

    Args:
        attribute: An attribute of `Command`.
    """
    return frozenset(each.name for each in commands().values() if getattr(each, attribute))


_UNKNOWN = Command("")
