"""`rebuild`: make the database of a store again from its Parquet files."""

from __future__ import annotations

import click

from eventlog_lineage.cli.options import examples, store_option


@click.command(epilog=examples("rebuild --store /data/lineage"))
@store_option
def command(store_dir: str) -> None:
    """Make lineage.duckdb again from the Parquet files of the store alone, as a new version.

    Run it where the database is damaged, or after a store was moved or copied: its views over the runs have absolute
    paths, which DuckDB shells follow. Commands of this program read a moved store without it, and the next harvest
    writes new views, too.
    """
    from eventlog_lineage.store.integrity.rebuilding import rebuild  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.remote.address import remote_url  # noqa: PLC0415

    where = "the objects of the store" if remote_url(store_dir) else "the folder that the store is in"
    click.echo(f"Version {rebuild(store_dir)} is current: its views lead to {where}.")
