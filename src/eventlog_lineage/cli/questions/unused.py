"""`unused --since WHEN | --for 30d`: what is written and not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.options import read_by, time_option
from eventlog_lineage.cli.question import question
from eventlog_lineage.user_times import read_span

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from eventlog_lineage.cli.output import Shown
    from eventlog_lineage.store.queries.open_store import OpenStore


@question("unused --for 30d", "unused --since 2026-09-01 --format csv > unused.csv")
@time_option("--since", "Written since then and not read since then")
@click.option(
    "--for",
    "span",
    metavar="SPAN",
    callback=read_by(read_span),
    help="Not read by anybody for that long before the newest run in the store: 12h, 30d, 8w. Abandoned tables count.",
)
def command(store: OpenStore, since: datetime | None, span: timedelta | None) -> Shown:
    """Show datasets and columns that are written and not read.

    With --since: written since then and not read since then. With --for: not read by anybody for that long, however
    long ago they were written; time is counted back from the newest run in the store. Both include columns that are
    read but not used. Reads by other engines and runs without an event log are not known: choose a time that covers
    the least frequent readers.
    """
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.unused_datasets import unread, unused  # noqa: PLC0415

    if (since is None) == (span is None):
        raise click.UsageError("Give either --since WHEN or --for SPAN")
    if span is not None:
        return Shown(unread(store, span), empty="No dataset or column that is older than that is unread.")
    assert since is not None
    return Shown(unused(store, since), empty=f"No unused datasets or columns since {since}.")
