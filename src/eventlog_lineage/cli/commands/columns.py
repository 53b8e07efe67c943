"""`columns DATASET`: a dataset's columns today, and where each comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.options import examples, format_option, store_option

if TYPE_CHECKING:
    from eventlog_lineage.cli.output import Shown


@click.command(epilog=examples("columns sales.daily", "columns s3://lake/raw/orders --format json"))
@click.argument("dataset")
@format_option()
@store_option
def command(dataset: str, form: str, store_dir: str) -> Shown:
    """Show DATASET's columns: type, sources, the expression that derives them, and the jobs.

    Columns that are read but not written by a known statement come last.
    """
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415
    from eventlog_lineage.store.queries.lookups import columns  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.open_store import open_store  # noqa: PLC0415

    with open_store(store_dir) as store:
        return Shown(columns(store, dataset), form, empty=f"No columns of {dataset} in the store.")
