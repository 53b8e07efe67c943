"""`unused --since WHEN`: what is written and never read."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.options import examples, format_option, json_option, since_option, store_option

if TYPE_CHECKING:
    from eventlog_lineage.cli.output import Shown


@click.command(epilog=examples("unused --since 90d", "unused --since 2026-09-01 --format csv > unused.csv"))
@since_option
@format_option()
@json_option
@store_option
def command(since: datetime, form: str, as_json: bool, store_dir: str) -> Shown:
    """Show datasets and columns that were written and not read since then.

    Includes columns that are read but not used. Reads by other engines and runs without an event log are not known.
    Choose a time that covers the least frequent readers.
    """
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415
    from eventlog_lineage.store.queries.open_store import open_store  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.unused_datasets import unused  # noqa: PLC0415

    with open_store(store_dir) as store:
        answer = unused(store, since)
    return Shown(answer, "json" if as_json else form, empty=f"No unused datasets or columns since {since}.")
