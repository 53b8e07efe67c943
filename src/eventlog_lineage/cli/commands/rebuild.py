"""`rebuild`: `restore --rebuild` under its former name."""

from __future__ import annotations

import click

from eventlog_lineage.cli.options import examples, store_option

from .restore import rebuild_store


@click.command(epilog=examples("rebuild --store /data/lineage"))
@store_option
def command(store_dir: str) -> None:
    """Make lineage.duckdb again from the Parquet files of the store alone, as a new version.

    `restore --rebuild` is the same.
    """
    rebuild_store(store_dir)
