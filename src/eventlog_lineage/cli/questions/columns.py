"""`columns DATASET`: a dataset's columns today, and where each comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.name_types import DATASET
from eventlog_lineage.cli.question import question

if TYPE_CHECKING:
    from eventlog_lineage.cli.output import Shown
    from eventlog_lineage.store.queries.open_store import OpenStore


@question("columns sales.daily", "columns s3://lake/raw/orders --format json")
@click.argument("dataset", type=DATASET)
def command(store: OpenStore, dataset: str) -> Shown:
    """Show DATASET's columns: type, sources, the expression that derives them, the jobs, and what files declare.

    Columns that are read but not written by a known statement come last.
    """
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.lookups import columns, has_declarations  # noqa: PLC0415

    hidden = () if has_declarations(store) else ("tags", "owner", "description")
    return Shown(columns(store, dataset), hidden=hidden, empty=f"No columns of {dataset} in the store.")
