"""What `upstream` and `downstream` share: their options, and how a trace is shown."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from .options import time_option

if TYPE_CHECKING:
    from eventlog_lineage.store.queries.open_store import OpenStore

    from .output import Shown


def trace_options(direct_only: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add `--depth`, `--direct-only`, `--at` and `--detail`.

    Args:
        direct_only: The help of `--direct-only`.
    """
    options = (
        click.option("--depth", type=click.IntRange(min=1), metavar="N", help="Follow at most N hops.  [default: all]"),
        click.option("--direct-only", is_flag=True, help=direct_only),
        time_option("--at", "As the lineage was at that time"),
        click.option(
            "--detail",
            type=click.Choice(["auto", "columns", "tables"]),
            default="auto",
            show_default=True,
            help="What mermaid and dot draw; auto leaves out the columns of more than 50 tables.",
        ),
    )

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return add


def show_trace(  # noqa: PLR0913 - the options of two commands
    store: OpenStore,
    name: str,
    *,
    up: bool,
    depth: int | None,
    direct_only: bool,
    at: datetime | None,
    detail: str,
    plain: bool,
) -> Shown:
    """Return a trace as it is shown: a tree on a terminal, a table in a pipe.

    Args:
        store: The store.
        name: A dataset or `dataset.column`.
        up: Towards the sources.
        depth: The most hops; None for all.
        direct_only: Leave out what only influences a value.
        at: The time; None for now.
        detail: What drawings show.
        plain: It is shown as a table that is not for a terminal, which has fewer columns.
    """
    from eventlog_lineage.store.queries.lookups import check_name, temporary_views, trace  # noqa: PLC0415

    from .output import Shown  # noqa: PLC0415 - help needs none of it
    from .tree import Trace  # noqa: PLC0415

    answer = trace(store, name, up=up, depth=depth, direct_only=direct_only, at=at, short=plain)
    dataset, column = check_name(store, name)
    when = f" at {at}" if at else ""
    return Shown(
        answer,
        empty=f"No {'upstream' if up else 'downstream'} of {name} in the store{when}.",
        trace=Trace(dataset, column, up, temporary_views(store)),
        detail=detail,
    )
