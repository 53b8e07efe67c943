"""`changes --since WHEN`: what changed, what depends on it, and whether the next runs failed."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.options import examples, format_option, json_option, since_option, store_option

if TYPE_CHECKING:
    from eventlog_lineage.cli.output import Shown
    from eventlog_lineage.store.queries.open_store import Answer


@click.command(epilog=examples("changes --since 7d", "changes --since 2026-11-20 --json"))
@since_option
@format_option()
@json_option
@store_option
def command(since: datetime, form: str, as_json: bool, store_dir: str) -> Shown:
    """Show what changed in schemas and lineage, across all datasets.

    Each schema change lists the downstream columns that depend on it, and the status of the next run of every job
    that reads the dataset.
    """
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415
    from eventlog_lineage.store.queries.open_store import open_store  # noqa: PLC0415
    from eventlog_lineage.store.queries.recent_changes import changes  # noqa: PLC0415 - help needs none of it

    with open_store(store_dir) as store:
        answer = changes(store, since)
    if form == "table" and not as_json:
        answer = _in_words(answer)
    hidden = ("kind", "nature", "confidence", "app_id", "attempt_id", "execution_id")
    return Shown(answer, "json" if as_json else form, empty=f"No changes since {since}.", hidden=hidden)


def _in_words(answer: Answer) -> Answer:
    """The next runs as `job: status`."""
    from eventlog_lineage.store.queries.open_store import Answer  # noqa: PLC0415

    def words(value: object) -> object:
        runs = value if isinstance(value, list) else []
        return [f"{run['job_name']}: {run['status'] or 'no run since'}" for run in runs]

    return Answer(answer.names, [(*row[:-1], words(row[-1])) for row in answer.rows])
