"""`history DATASET`: `changes DATASET --versions` under its former name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.name_types import DATASET
from eventlog_lineage.cli.options import time_option
from eventlog_lineage.cli.question import question

from .changes import show_story

if TYPE_CHECKING:
    from datetime import datetime

    from eventlog_lineage.cli.output import Shown
    from eventlog_lineage.store.queries.open_store import OpenStore


@question("history sales.daily", "history s3://lake/raw/orders --since 30d --format json")
@click.argument("dataset", type=DATASET)
@time_option("--since", "Leave out what is older")
def command(store: OpenStore, dataset: str, since: datetime | None) -> Shown:
    """Show the schema versions of DATASET, and each change of its schema and lineage with the evidence.

    The history of a renamed table includes its earlier names. `changes DATASET --versions` is the same.
    """
    return show_story(store, dataset, since)
