"""`changes [DATASET] --since WHEN`: what changed, what depends on it, and whether the next runs failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.name_types import DATASET
from eventlog_lineage.cli.options import time_option
from eventlog_lineage.cli.question import question

if TYPE_CHECKING:
    from datetime import datetime

    from eventlog_lineage.cli.output import Shown
    from eventlog_lineage.store.queries.open_store import Answer, OpenStore


@question(
    "changes --since 7d",
    "changes sales.daily --versions",
    "changes --since 2026-11-20 --kind column_dropped --format json",
    "changes --since 1d --fail-on breaking",
)
@click.argument("dataset", type=DATASET, required=False)
@time_option("--since", "Leave out what is older; without it, everything")
@time_option("--until", "Leave out what is newer")
@click.option("--versions", is_flag=True, help="Also list the schema versions of DATASET and their evidence.")
@click.option("--kind", metavar="KIND", help="Only changes of this kind: schema, lineage, column_dropped, edge_added …")
@click.option(
    "--fail-on",
    multiple=True,
    metavar="KIND",
    help="End with exit code 1 if there is a change of this kind: any, schema, lineage, column_dropped, breaking (a "
    "column or table is dropped, renamed or retyped, and something depends on it) …; repeatable.",
)
def command(  # noqa: PLR0913, PLR0917 - its options
    store: OpenStore,
    dataset: str | None,
    since: datetime | None,
    until: datetime | None,
    versions: bool,
    kind: str | None,
    fail_on: tuple[str, ...],
) -> Shown:
    """Show what changed in schemas and lineage, of DATASET or across all datasets.

    Each schema change lists the downstream columns that depend on it, and the status of the next run of every job
    that reads the dataset. Tables that the first harvest of the store found are left out: DATASET or --kind lists when
    they were created.
    """
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.recent_changes import changes, failing  # noqa: PLC0415

    if dataset is None and since is None:
        raise click.UsageError("Missing --since WHEN or a DATASET")
    if versions:
        if dataset is None or until or kind:
            raise click.UsageError("--versions needs a DATASET, and takes --since only")
        return show_story(store, dataset, since)
    answer = changes(store, since, dataset, until=until, kind=kind)
    hidden = ("kind", "nature", "confidence", "app_id", "attempt_id", "execution_id")
    empty = f"No changes{f' of {dataset}' if dataset else ''}{f' since {since}' if since else ''}."
    if dataset is None and kind is None:
        empty += " --kind table_created also lists the tables that the first harvest found."
    failures = failing(answer, fail_on)
    if failures:
        counted = "1 change" if failures == 1 else f"{failures} changes"
        click.echo(f"--fail-on {' '.join(fail_on)}: {counted}.", err=True)
    table = _in_words(answer).without_empty("code_version")
    return Shown(answer, empty=empty, hidden=hidden, table=table, code=1 if failures else 0)


def show_story(store: OpenStore, dataset: str, since: datetime | None) -> Shown:
    """Return the versions and changes of a dataset as they are shown."""
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.recent_changes import story  # noqa: PLC0415

    hidden = ("app_id", "attempt_id", "execution_id", "confidence")
    found = story(store, dataset, since)
    table = found.without_empty("code_version")
    return Shown(found, empty=f"No history of {dataset} in the store.", hidden=hidden, table=table)


def _in_words(answer: Answer) -> Answer:
    """Return the next runs as `job: status`."""
    from eventlog_lineage.store.queries.open_store import Answer  # noqa: PLC0415

    def words(value: object) -> object:
        runs = value if isinstance(value, list) else []
        return [f"{run['job_name']}: {run['status'] or 'no run since'}" for run in runs]

    return Answer(answer.names, [(*row[:-1], words(row[-1])) for row in answer.rows])
