"""`export csv`: a table of the store as CSV."""

from __future__ import annotations

from pathlib import Path

import click

from eventlog_lineage.cli.options import examples, store_option

from .shared import out_option, write_text


def _tables() -> list[str]:
    """Return the names of the public tables."""
    from eventlog_lineage.store.schema.tables import PUBLIC_TABLES  # noqa: PLC0415

    return [table.name for table in PUBLIC_TABLES]


@click.command(
    help="Write column lineage as CSV (RFC 4180, UTF-8), with OpenLineage's namespace and name of both ends.\n\n"
    "Cells that a spreadsheet would take for a formula begin with ', and control and invisible characters are escaped: "
    "names and expressions come from logs. --raw writes them as they are.",
    epilog=examples("export csv --current > lineage.csv", "export csv --table schema_changes --output changes.csv"),
)
@click.option(
    "--table",
    default="column_lineage",
    show_default=True,
    type=click.Choice(_tables()),
    metavar="TABLE",
    help="Another table of the store.",
)
@click.option("--current", is_flag=True, help="Only rows that hold today (is_current).")
@click.option("--raw", is_flag=True, help="Write texts as they are; do not open such a file in a spreadsheet.")
@out_option
@store_option
def command(*, table: str, current: bool, raw: bool, out: Path | None, store_dir: str) -> None:
    """Export."""
    from eventlog_lineage.export.csv_table import csv_lines  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.open_store import open_store  # noqa: PLC0415

    with open_store(store_dir) as store:
        write_text(out, csv_lines(store, table, raw=raw, current=current))
