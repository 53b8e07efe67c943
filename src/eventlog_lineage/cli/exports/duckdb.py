"""`export duckdb`: the store as one DuckDB file."""

from __future__ import annotations

from pathlib import Path

import click

from eventlog_lineage.cli.options import examples, output_option, store_option


@click.command(
    help="Write one DuckDB file with all tables, views and macros of the store.\n\n"
    "The file depends on no other file: copy it anywhere, attach it, query it with DuckDB 1.2 or newer. It is not a "
    "store; harvests cannot continue it.",
    epilog=examples("export duckdb --output lineage-2026-11-20.duckdb"),
)
@output_option(
    "out",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file; it is replaced when everything is written.",
)
@store_option
def command(*, out: Path, store_dir: str) -> None:
    """Export."""
    from eventlog_lineage.export.database_file import write_database  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.open_store import open_store  # noqa: PLC0415

    with open_store(store_dir) as store:
        write_database(store, out)
