"""`changes [DATASET] --since WHEN`: what changed, what depends on it, and whether the next runs failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.completion import DATASET
from eventlog_lineage.cli.options import time_option
from eventlog_lineage.cli.question import question

if TYPE_CHECKING:
    from datetime import datetime

    from eventlog_lineage.cli.output import Shown
    from eventlog_lineage.store.queries.open_store import Answer, OpenStore


@question("changes --since 7d", "changes sales.daily", "changes --since 2026-11-20 --json")
@click.argument("dataset", type=DATASET, required=False)
@time_option("--since", "Leave out what is older; without it, everything")
def command(store: OpenStore, dataset: str | None, since: datetime | None) -> Shown:
    """Show what changed in schemas and lineage, of DATASET or across all datasets.

    Each schema change lists the downstream columns that depend on it, and the status of the next run of every job
    that reads the dataset.
    """
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.recent_changes import changes  # noqa: PLC0415

    if dataset is None and since is None:
        raise click.UsageError("Missing --since WHEN or a DATASET")
    answer = changes(store, since, dataset)
    hidden = ("kind", "nature", "confidence", "app_id", "attempt_id", "execution_id")
    empty = f"No changes{f' of {dataset}' if dataset else ''}{f' since {since}' if since else ''}."
    return Shown(answer, empty=empty, hidden=hidden, table=_in_words(answer))


def _in_words(answer: Answer) -> Answer:
    """Return the next runs as `job: status`."""
    from eventlog_lineage.store.queries.open_store import Answer  # noqa: PLC0415

    def words(value: object) -> object:
        runs = value if isinstance(value, list) else []
        return [f"{run['job_name']}: {run['status'] or 'no run since'}" for run in runs]

    return Answer(answer.names, [(*row[:-1], words(row[-1])) for row in answer.rows])
