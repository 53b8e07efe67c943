"""`upstream NAME`: where a dataset or a column comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from eventlog_lineage.cli.name_types import NAME
from eventlog_lineage.cli.question import question
from eventlog_lineage.cli.traces import trace_options

if TYPE_CHECKING:
    from eventlog_lineage.cli.output import Shown
    from eventlog_lineage.store.queries.open_store import OpenStore


@question(
    "upstream sales.daily.total",
    "upstream sales.daily --format mermaid --depth 2",
    "upstream sales.daily.total --at 2026-11-19",
    forms=("tree", "mermaid", "dot"),
    by_form=True,
)
@click.argument("name", type=NAME)
@trace_options("Only sources of values, without filters, joins and the like.")
def command(store: OpenStore, name: str, **options: Any) -> Shown:
    """Show the columns or datasets that NAME comes from, through all hops.

    NAME is a dataset or dataset.column; the last part of a name is enough if it is unique. `masked` shows whether every
    path from one to the other masks.
    """
    from eventlog_lineage.cli.traces import show_trace  # noqa: PLC0415 - help needs none of it

    return show_trace(store, name, up=True, **options)
