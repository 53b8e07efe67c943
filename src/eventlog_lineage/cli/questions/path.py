"""`path A B`: the paths from one dataset or column to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.name_types import NAME
from eventlog_lineage.cli.question import question
from eventlog_lineage.cli.traces import skip_option

if TYPE_CHECKING:
    from eventlog_lineage.cli.output import Shown
    from eventlog_lineage.store.queries.open_store import OpenStore


@question("path raw.orders.amount sales.daily.total", "path raw.orders exports.daily --limit 3")
@click.argument("start", type=NAME, metavar="A")
@click.argument("end", type=NAME, metavar="B")
@click.option(
    "--limit", type=click.IntRange(1), default=10, show_default=True, metavar="N", help="Show at most N paths."
)
@skip_option("Go through matching datasets without showing them")
def command(store: OpenStore, start: str, end: str, limit: int, skip: tuple[str, ...]) -> Shown:
    """Show the paths from A to B, the shortest first: each step with its expression and job.

    A and B are datasets or columns; with a dataset on one side, the paths are those between datasets.
    """
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.paths import paths, short_paths  # noqa: PLC0415

    answer, more = paths(store, start, end, limit, skip)
    if more:
        click.echo(f"There are more than {limit} paths; --limit shows more.", err=True)
    return Shown(answer, empty=f"No path from {start} to {end} in the store.", table=short_paths(answer))
