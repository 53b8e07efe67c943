"""`gaps`: what could not be told, why, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.options import examples, format_option, store_option

if TYPE_CHECKING:
    from eventlog_lineage.cli.output import Shown


@click.command(epilog=examples("gaps", "gaps --all --format csv > gaps.csv"))
@click.option("--all", "every", is_flag=True, help="Every single gap, with its statement.")
@format_option()
@store_option
def command(every: bool, form: str, store_dir: str) -> Shown:
    """Show what could not be told, by reason: how often, in how many statements, an example, what to do."""
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415
    from eventlog_lineage.store.queries.lookups import gaps  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.open_store import open_store  # noqa: PLC0415

    with open_store(store_dir) as store:
        return Shown(gaps(store, every=every), form, empty="no gaps: everything could be told")
