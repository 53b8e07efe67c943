"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from .configuration import setting

_Function = TypeVar("_Function", bound=Callable[..., Any])


def store_option(function: _Function) -> _Function:
    """`--store DIR`, which a command gets as `store_dir`."""
    return setting(
        "--store",
        "store_dir",
        metavar="DIR",
        default="lineage",
        show_default="EVENTLOG_LINEAGE_STORE or ./lineage",
        help="The store.",
    )(function)


def format_option(*more: str) -> Callable[[_Function], _Function]:
    """`--format`, which a command gets as `form`: table, json, csv and what else it can."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(["table", "json", "csv", *more]),
        default="table",
        show_default=True,
        help="How the answer is written.",
    )


def examples(*lines: str) -> str:
    """A help text's end with examples, each on a line of its own."""
    return "\b\nExamples:\n" + "\n".join(f"  eventlog-lineage {line}" for line in lines)
