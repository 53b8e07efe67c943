"""`rebuild`: write the current version of a store again."""

from __future__ import annotations

import click

from eventlog_lineage.cli.options import examples, store_option


@click.command(epilog=examples("rebuild --store /data/lineage"))
@store_option
def command(store_dir: str) -> None:
    """Write the views of lineage.duckdb and all Parquet files again, as a new version.

    Run it after a store was moved or copied: the views over the runs have absolute paths, which DuckDB shells follow.
    Commands of this program work without it, and the next harvest does the same.
    """
    from eventlog_lineage.store.integrity.rebuilding import rebuild  # noqa: PLC0415 - help needs none of it

    click.echo(f"Version {rebuild(store_dir)} is current: its views lead to the folder that the store is in.")
