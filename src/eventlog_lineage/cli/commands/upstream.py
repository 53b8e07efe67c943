"""`upstream NAME`: where a dataset or a column comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.options import examples, format_option, store_option

if TYPE_CHECKING:
    from eventlog_lineage.cli.output import Shown


@click.command(epilog=examples("upstream sales.daily.total", "upstream sales.daily --format mermaid --depth 2"))
@click.argument("name")
@click.option("--depth", type=click.IntRange(min=1), metavar="N", help="Follow at most N hops.  [default: all]")
@click.option("--direct-only", is_flag=True, help="Only sources of values, without filters, joins and the like.")
@format_option("mermaid", "dot")
@store_option
def command(name: str, depth: int | None, direct_only: bool, form: str, store_dir: str) -> Shown:
    """Show the columns or datasets that NAME comes from, through all hops.

    NAME is a dataset or dataset.column; the last part of a name is enough if it is unique.
    """
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415
    from eventlog_lineage.store.queries.lookups import short_trace, trace  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.open_store import open_store  # noqa: PLC0415

    with open_store(store_dir) as store:
        ask = short_trace if form == "table" else trace
        answer = ask(store, name, up=True, depth=depth, direct_only=direct_only)
    return Shown(answer, form, empty=f"No upstream of {name} in the store.")
