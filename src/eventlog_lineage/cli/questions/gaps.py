"""`gaps`: what could not be resolved, why, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.question import question

if TYPE_CHECKING:
    from eventlog_lineage.cli.output import Shown
    from eventlog_lineage.store.queries.open_store import OpenStore


@question("gaps", "gaps --all --format csv > gaps.csv")
@click.option("--all", "every", is_flag=True, help="List each gap with its statement.")
def command(store: OpenStore, every: bool) -> Shown:
    """Show what could not be resolved, by reason: count, statements, an example, and what to do."""
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.lookups import gaps  # noqa: PLC0415

    is_empty = not store.ask("SELECT 1 FROM harvested_logs LIMIT 1").rows
    empty = "The store has no logs yet: `eventlog-lineage harvest` reads them." if is_empty else "No gaps."
    return Shown(gaps(store, every=every), empty=empty)
