"""`sql QUERY`: a query on the store, for those without a DuckDB shell."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.question import question

if TYPE_CHECKING:
    from eventlog_lineage.cli.output import Shown
    from eventlog_lineage.store.queries.open_store import OpenStore


@question(
    'sql "SELECT * FROM table_lineage WHERE is_current"',
    "sql \"SELECT * FROM impact('raw.orders.amount')\" --format csv",
)
@click.argument("query", callback=lambda _, __, query: sys.stdin.read() if query == "-" else query)
def command(store: OpenStore, query: str) -> Shown:
    """Run a DuckDB SQL query on the store's tables, views and macros; `-` reads it from standard input.

    The store is opened read-only. `SHOW TABLES` lists its tables and views.

    \b
    See https://github.com/eventlog-lineage/eventlog-lineage/blob/main/docs/tables.md
        https://github.com/eventlog-lineage/eventlog-lineage/blob/main/docs/tables.md
    """  # noqa: D301 - click does not wrap a paragraph after it
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415 - help needs none of it

    return Shown(store.ask_freely(query), empty="No rows.")
