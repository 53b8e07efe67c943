"""Questions about changes: `changes` of schemas and lineage, `diff` of two times, stores or runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.common import warn
from eventlog_lineage.cli.output import Shown, as_text, markdown_table
from eventlog_lineage.cli.question import (
    DATASET,
    ask_stores,
    check_span,
    examples,
    in_form,
    output_options,
    question,
    stores_option,
    time_option,
)
from eventlog_lineage.errors import UsageError
from eventlog_lineage.safe_text import counted
from eventlog_lineage.user_input import read_time

if TYPE_CHECKING:
    from eventlog_lineage.store.queries.comparison import Difference, State
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
def changes_command(  # noqa: PLR0913, PLR0917 - its options
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
    from eventlog_lineage.store.queries.comparison import changes, failing  # noqa: PLC0415

    if dataset is None and since is None:
        raise click.UsageError("Missing --since WHEN or a DATASET")
    check_span(since, until)
    if versions and (dataset is None or until or kind):
        raise click.UsageError("--versions needs a DATASET, and takes --since only")
    if versions:
        return show_story(store, str(dataset), since)
    answer = changes(store, since, dataset, until=until, kind=kind)
    hidden = ("kind", "nature", "confidence", "app_id", "attempt_id", "execution_id")
    failures = failing(answer, fail_on)
    if failures:
        click.echo(f"--fail-on {' '.join(fail_on)}: {counted(failures, 'change')}.", err=True)
    table = _in_words(answer).without_empty("code_version")
    empty = _no_changes(dataset, since, kind)
    return Shown(answer, empty=empty, hidden=hidden, table=table, code=int(bool(failures)))


def _no_changes(dataset: str | None, since: datetime | None, kind: str | None) -> str:
    empty = f"No changes{f' of {dataset}' if dataset else ''}{f' since {since}' if since else ''}."
    if dataset is None and kind is None:
        empty += " --kind table_created also lists the tables that the first harvest found."
    return empty


def show_story(store: OpenStore, dataset: str, since: datetime | None) -> Shown:
    """Return the versions and changes of a dataset as they are shown."""
    from eventlog_lineage.store.queries.comparison import story  # noqa: PLC0415

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


@question("history sales.daily", "history s3://lake/raw/orders --since 30d --format json")
@click.argument("dataset", type=DATASET)
@time_option("--since", "Leave out what is older")
def history_command(store: OpenStore, dataset: str, since: datetime | None) -> Shown:
    """Show the schema versions of DATASET, and each change of its schema and lineage with the evidence.

    The history of a renamed table includes its earlier names. `changes DATASET --versions` is the same.
    """
    return show_story(store, dataset, since)


@click.command(
    epilog=examples(
        "diff --since 7d",
        "diff 2026-11-18 2026-11-20",
        "diff /data/production /data/staging --format markdown",
        "diff 'nightly-sales: mart: order_quality' --failed",
    )
)
@click.argument("before", required=False, metavar="A")
@click.argument("after", required=False, metavar="B")
@time_option("--since", "Compare that time with the present")
@click.option("--failed", is_flag=True, help="With a job: compare its last failed run instead of its last one.")
@click.option(
    "--fail-on",
    type=click.Choice(["direct", "any", "unmasked"]),
    help="End with exit code 1 if values flow on from what is removed or changed (direct), if anything depends on it "
    "(any), if values flow on without a mask (unmasked).",
)
@output_options()
@stores_option
def diff_command(  # noqa: PLR0913 - the options of the command
    before: str | None,
    after: str | None,
    since: datetime | None,
    *,
    failed: bool,
    fail_on: str | None,
    form: str | None,
    as_json: bool,
    output: str,
    stores: tuple[str, ...],
) -> Shown:
    """Show what is different: datasets, columns and types, edges and expressions, each with what depends on it.

    A and B are two times of a store, or the folders or URLs of two stores; with --since, the store at that time and
    now. What depends on a change is followed through all hops in A, consumers included. With a job alone, its last run
    is compared with the last good run before it: inputs, rows, lineage.
    """
    if (since is None) == (before is None) or (after is None and before and _is_time(before)):
        raise click.UsageError("Give either --since WHEN, or A and B, or a job")
    if before is None:
        shown = ask_stores(_between_times, stores, {"times": (since, None), "fail_on": fail_on})
    elif after is None:
        shown = ask_stores(_between_runs, stores, {"job": before, "failed": failed})
    elif _is_store(before) and _is_store(after):
        shown = _between_stores(before, after, fail_on)
    else:
        shown = ask_stores(_between_times, stores, {"times": (read_time(before), read_time(after)), "fail_on": fail_on})
    return in_form(shown, "json" if as_json else form, output)


def _is_store(name: str) -> bool:
    from eventlog_lineage.store.remote.storage import remote_url  # noqa: PLC0415 - help needs none of it

    return Path(name).is_dir() or remote_url(name) is not None


def _is_time(text: str) -> bool:
    try:
        read_time(text)
    except UsageError:
        return False
    return True


def _between_stores(before: str, after: str, fail_on: str | None) -> Shown:
    from eventlog_lineage.store.queries.comparison import State  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.open_store import open_store  # noqa: PLC0415

    with open_store(before) as one, open_store(after) as other:
        return _compared(State(one), State(other), fail_on)


def _between_times(store: OpenStore, times: tuple[datetime, datetime | None], fail_on: str | None) -> Shown:
    from eventlog_lineage.store.queries.comparison import State  # noqa: PLC0415 - help needs none of it

    return _compared(State(store, times[0]), State(store, times[1]), fail_on)


def _between_runs(store: OpenStore, job: str, *, failed: bool) -> Shown:
    from eventlog_lineage.store.queries.comparison import compare_runs  # noqa: PLC0415

    found = compare_runs(store, job, failed=failed)
    if found.rows and all(good is None for _, good, *_ in found.rows):
        warn(f"{job} has no good run to compare with")
    return Shown(found, empty=f"{job} did not run.")


def _compared(before: State, after: State, fail_on: str | None) -> Shown:
    """Return the differences; the exit code is 1 if what `fail_on` names depends on them."""
    from eventlog_lineage.store.queries.comparison import compare  # noqa: PLC0415
    from eventlog_lineage.store.queries.dependants import fails  # noqa: PLC0415
    from eventlog_lineage.store.queries.paths import ends, labels  # noqa: PLC0415

    found = compare(before, after)
    failing = fails(found.dependants, fail_on)
    verdict = f"--fail-on {fail_on}: {f'failed, {failing} dependants' if failing else 'passed'}." if fail_on else ""
    if failing:
        click.echo(verdict, err=True)
    known = labels(before.store, ends(_edges(found)))
    return Shown(
        found.changes,
        empty="No differences.",
        writers={"markdown": lambda: _markdown(found, known, verdict)},
        code=1 if failing else 0,
    )


def _markdown(found: Difference, labels: Mapping[str, str], verdict: str) -> Iterable[str]:

    from eventlog_lineage.cli.commands.impact import impact_markdown  # noqa: PLC0415 - help needs none of it

    yield "### Changes of schemas and lineage"
    yield ""
    if not found.changes.rows:
        yield "No differences."
        return
    columns = [[as_text(value) for value in column] for column in zip(*found.changes.rows, strict=True)]
    yield from markdown_table(found.changes.names, columns)
    yield ""
    affected = {row["changed"] for row in found.dependants.records()}
    changed = [each for each in found.changed if each.full_name in affected]
    yield from impact_markdown(found.dependants, changed, list(_edges(found)), labels, verdict)


def _edges(found: Difference) -> Iterator[dict[str, object]]:
    """Return the edges from changes to their dependants, for the graph."""
    names = {each.full_name: each for each in found.changed}
    for row in found.dependants.records():
        each = names[str(row["changed"])]
        kinds = row["transformations"] if isinstance(row["transformations"], list) else []
        jobs = row["jobs"] if isinstance(row["jobs"], list) else []
        yield {
            "source_dataset": each.dataset,
            "source_column": each.column or None,
            "target_dataset": row["dataset"],
            "target_column": row["column_name"],
            "dependency": row["dependency"],
            "transformation": ", ".join(map(str, kinds)),
            "job_name": ", ".join(map(str, jobs)),
            "user_name": row["user_name"],
        }
