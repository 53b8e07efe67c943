"""`sql QUERY`: a query on the store, for those without a DuckDB shell."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.options import examples, format_option, store_option

if TYPE_CHECKING:
    from eventlog_lineage.cli.output import Shown


@click.command(
    epilog=examples(
        'sql "SELECT * FROM table_lineage WHERE is_current"',
        "sql \"SELECT * FROM impact('raw.orders.amount')\" --format csv",
    )
)
@click.argument("query")
@format_option()
@store_option
def command(query: str, form: str, store_dir: str) -> Shown:
    """Run a DuckDB SQL query on the store's tables, views and macros; `-` reads it from standard input.

    The store is opened read-only. docs/tables.md lists the tables, docs/queries.md has example questions.
    """
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415
    from eventlog_lineage.store.queries.open_store import open_store  # noqa: PLC0415 - help needs none of it

    text = sys.stdin.read() if query == "-" else query
    with open_store(store_dir) as store:
        return Shown(store.ask_freely(text), form, empty="No rows.")
