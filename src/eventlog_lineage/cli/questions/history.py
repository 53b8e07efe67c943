"""`history DATASET`: schema versions and changes of a dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.completion import DATASET
from eventlog_lineage.cli.options import time_option
from eventlog_lineage.cli.question import question

if TYPE_CHECKING:
    from datetime import datetime

    from eventlog_lineage.cli.output import Shown
    from eventlog_lineage.store.queries.open_store import OpenStore


@question("history sales.daily", "history s3://lake/raw/orders --since 30d --json")
@click.argument("dataset", type=DATASET)
@time_option("--since", "Leave out what is older")
def command(store: OpenStore, dataset: str, since: datetime | None) -> Shown:
    """Show the schema versions of DATASET, and each change of its schema and lineage with the evidence.

    The history of a renamed table includes its earlier names.
    """
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.dataset_history import story  # noqa: PLC0415

    hidden = ("app_id", "attempt_id", "execution_id", "confidence")
    return Shown(story(store, dataset, since), empty=f"No history of {dataset} in the store.", hidden=hidden)
