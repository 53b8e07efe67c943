"""`ls [PATTERN]`: the datasets of the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.name_types import DATASET
from eventlog_lineage.cli.question import question

if TYPE_CHECKING:
    from eventlog_lineage.cli.output import Shown
    from eventlog_lineage.store.queries.open_store import OpenStore


@question("ls", "ls 'sales.*'", "ls --never-read", "ls orders --format csv")
@click.argument("pattern", type=DATASET, default="")
@click.option("--never-read", "unread", is_flag=True, help="Only datasets that no statement reads: ends, or orphans.")
@click.option("--never-written", "unwritten", is_flag=True, help="Only datasets that no statement writes: sources.")
@click.option("--temporary", "--temp", is_flag=True, help="Also temporary views.")
def command(store: OpenStore, pattern: str, unread: bool, unwritten: bool, temporary: bool) -> Shown:
    """Show the datasets: what they are, how many columns they have, who wrote and read them last.

    PATTERN is a part of the name, or a pattern with * and ? for the whole name or an ending of it. Temporary views
    belong to one application; they are left out.
    """
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.find_names import datasets  # noqa: PLC0415

    empty = f"No dataset of the store matches {pattern}." if pattern else "The store has no datasets yet."
    return Shown(
        datasets(store, pattern, unread=unread, unwritten=unwritten, temporary=temporary),
        empty=empty,
        hidden=("format", "writers", "location"),
    )
