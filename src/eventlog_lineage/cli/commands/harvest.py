"""`eventlog-lineage harvest`: event logs into a store."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eventlog_lineage.cli import question
from eventlog_lineage.cli.common import setting, setting_argument, warn
from eventlog_lineage.cli.main import essence
from eventlog_lineage.errors import LineageError, UsageError, os_errors_as
from eventlog_lineage.safe_text import counted, escape_controls, replaced

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from eventlog_lineage.harvest.options import HarvestOptions
    from eventlog_lineage.harvest.run import HarvestResult
    from eventlog_lineage.history.job_names import JobNameRule
    from eventlog_lineage.store.writer import Summary


@click.command(
    help="Read the event logs at SOURCES that are new or have grown, and update the store.\n\n"
    "A SOURCE is an event log, a rolling log's folder, a folder of logs (searched recursively), a glob, a URI "
    "(file:, hdfs:, s3a:, gs:, abfss:), or a History Server's address (http://host:18080). Runs on Spark: locally by "
    "default, on any --master, or under spark-submit.",
    epilog=question.examples(
        "harvest /var/log/spark/apps --store /data/lineage",
        "harvest hdfs:///spark-logs 's3a://logs/2026-11-*' --master yarn --store /data/lineage --json",
    ),
)
@setting_argument("sources", nargs=-1, metavar="SOURCE...")
@question.store_option
@question.spark_options
@setting("--table-metadata", is_flag=True, help="Read the tables' own metadata for exact snapshots and schema changes.")
@setting("--reprocess", is_flag=True, help="Read all logs again.")
@setting("--strict", is_flag=True, help="Fail and change nothing if a log cannot be read at all.")
@setting("--fail-if-empty", is_flag=True, help="Fail and change nothing if a source has no event log.")
@setting(
    "--keep",
    "keep_days",
    type=click.IntRange(1),
    metavar="DAYS",
    help="Drop rows of runs older than this; logs are never deleted.",
)
@setting(
    "--keep-versions",
    type=click.IntRange(2),
    default=2,
    show_default=True,
    metavar="N",
    help="Versions of the store that stay readable, the new one included.",
)
@setting(
    "--redact", multiple=True, metavar="REGEX", help="Redact what matches, in addition to known secrets; repeatable."
)
@setting("--mask-literals", is_flag=True, help="Remove the literals of statements from expressions, plans and SQL.")
@question.masking_function_option
@question.source_options
@question.declared_option
@question.limit_options
@setting(
    "--job-names",
    "job_rule",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    callback=lambda _, __, path: _rule(path),
    help="Name jobs by this rule from now on, past runs included; preview it with `jobs --rule FILE`.",
)
@setting(
    "--landing-files",
    metavar="REGEX",
    callback=lambda _, __, text: _landing_rule(text),
    help="Files whose whole path matches are one dataset, the group `folder`, from now on; '' for none. By default, "
    "files named by a date or a number, and folders named by a date.",
)
@setting(
    "--store-mode",
    metavar="MODE",
    callback=lambda _, __, mode: _mode(mode),
    help="Permissions of the store's folders, in octal digits, such as 750; a new store is private (700).",
)
@setting("--metrics", metavar="FILE", help="Write metrics of the harvest for Prometheus (a textfile of node_exporter).")
@setting("--summary", metavar="FILE", help="Write the summary as JSON to a file.")
@setting(
    "--notify",
    metavar="URL",
    help="Post a message to a webhook (Slack, Mattermost, Teams) if the harvest, a log or a job failed, or a dataset "
    "is late.",
)
@setting("--notify-gaps", type=click.IntRange(0), metavar="N", help="Also post if the harvest has more than N gaps.")
@setting("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@setting("--quiet", is_flag=True, help="Print no summary, only errors.")
def harvest_command(  # noqa: PLR0913, PLR0917 - its options
    sources: tuple[str, ...],
    store_dir: str,
    as_json: bool,
    quiet: bool,
    metrics: str | None,
    summary: str | None,
    notify: str | None,
    notify_gaps: int | None,
    **how: Unpack[HarvestOptions],
) -> int:
    """Harvest; `how` are the fields of `HarvestOptions` by their names."""
    from eventlog_lineage.harvest.run import harvest  # noqa: PLC0415 - help needs none of it

    if not sources:
        raise click.UsageError("Missing argument 'SOURCE...'")
    report = partial(_report, store_dir, metrics, notify, notify_gaps)
    try:
        with progress_bar(enabled=sys.stderr.isatty() and not as_json and not quiet) as tell:
            result = harvest(sources, store_dir, how, tell)
    except Exception as error:
        report({}, error)
        raise
    for path, reason in result.unreadable:
        click.echo(escape_controls(f"Error: {path} cannot be read: {reason}"), err=True)
    record = as_record(result)
    if summary:
        write_text(summary, json.dumps(record, default=str) + "\n")
    report(record, None)
    if not quiet:
        click.echo(json.dumps(record, default=str) if as_json else _as_text(result))
    return 3 if result.unreadable else 0


def _report(  # noqa: PLR0913, PLR0917 - the options of reports
    store_dir: str,
    metrics: str | None,
    notify: str | None,
    most_gaps: int | None,
    record: dict[str, Any],
    error: Exception | None,
) -> None:
    """Write the metrics and post the message of a harvest that is done or failed; a webhook that fails is a warning."""
    if not metrics and not notify:
        return
    from eventlog_lineage.redaction import PLAIN, without_users  # noqa: PLC0415

    if error:
        words = PLAIN.text(str(error) if isinstance(error, LineageError) else essence(error))
        outcome = Outcome(record, words)
    else:
        outcome = Outcome(record, health=read_health(store_dir))
    if metrics:
        write_text(metrics, "\n".join(outcome.metrics()) + "\n")
    troubles = outcome.troubles(most_gaps)
    if notify and troubles and (reason := send(notify, troubles, without_users(store_dir))):
        warn(f"the message to the webhook was not sent: {reason}")


def _rule(path: str | None) -> JobNameRule | None:
    if path is None:
        return None
    from eventlog_lineage.history.job_names import read_rule  # noqa: PLC0415 - help needs none of it

    return read_rule(Path(path).read_text(encoding="utf-8"))


def _landing_rule(text: str | None) -> str | None:
    if text:
        try:
            groups = re.compile(text).groupindex
        except re.error as error:
            raise click.BadParameter(f"not a regular expression: {error}") from error
        if "folder" not in groups:
            raise click.BadParameter("name the part that is the dataset: (?P<folder>…)")
    return text


def _mode(text: str | int | None) -> int | None:
    if text is None:
        return None
    try:
        mode = int(str(text), 8)
    except ValueError:
        mode = 0
    if not 0o700 <= mode <= 0o777:
        raise click.BadParameter(
            f"invalid mode {str(text)!r}: use three octal digits, the first of them 7, such as 750"
        )
    return mode


def _as_text(result: HarvestResult) -> str:
    summary, facts = result.summary, result.summary.facts
    seconds = (summary.finished_at - facts.started_at).total_seconds()
    states = ", ".join(f"{count} {state}" for state, count in sorted(result.states.items()))
    read = f"{counted(facts.logs_read, 'log')} read{f' ({states})' if states else ''}"
    unread = f"{facts.logs_unchanged} unchanged, {facts.logs_failed} unreadable"
    found = f"{counted(summary.executions, 'SQL execution')}, {_found(summary)}"
    lines = [
        f"Harvest {summary.harvest_id}: {read}, {unread}, in {seconds:.1f} s",
        f"  {facts.bytes_read / 1e6:.1f} MB read, {found}",
    ]
    if result.again:
        again, count = result.again, result.again.facts.logs_read
        lines.append(
            f"Harvest {again.harvest_id}: {counted(count, 'log')} read again, with the tables of the others: "
            f"{_found(again)}"
        )
    if (result.again or summary).gaps:
        lines.append("  `eventlog-lineage gaps` lists what could not be resolved, and how to fix it")
    return "\n".join(lines)


def _found(summary: Summary) -> str:
    return f"{counted(summary.edges, 'distinct edge')}, {counted(summary.gaps, 'gap')}"


LATE = 2.0
"""Times the usual (or declared) time between two writes after which a dataset counts as late."""

_MOST_NAMED = 10
_SECONDS = 10

_METRICS = {
    "success": "1 if the last harvest is done, 0 if it failed",
    "timestamp_seconds": "End of the last harvest, in seconds since 1970",
    "duration_seconds": "Duration of the last harvest",
    "logs_seen": "Logs at the sources",
    "logs_read": "Logs that were new or had grown",
    "logs_failed": "Logs that could not be read",
    "bytes_read": "Bytes read from logs",
    "executions": "SQL executions found",
    "edges": "Distinct edges found",
    "gaps": "Gaps found",
    "failed_jobs": "Jobs of the store whose last write failed",
    "late_datasets": "Datasets of the store that are more than twice overdue",
}


@dataclass(frozen=True, slots=True)
class Health:
    """What is wrong in a store.

    Attributes:
        failed: Jobs whose last write failed, each with its error in one line.
    """

    failed: tuple[tuple[str, str], ...] = ()
    late: tuple[str, ...] = ()


def read_health(store_dir: str) -> Health:
    """Return what is wrong in a store."""
    from eventlog_lineage.library.answers import open_store  # noqa: PLC0415 - help needs none of it

    with open_store(store_dir) as store:
        failed = {str(row["job_name"]): str(row["error"] or "") for row in store.failures().records()}
        late = [str(row["dataset"]) for row in store.late().records() if float(str(row["times_usual"])) >= LATE]
    return Health(tuple(failed.items()), tuple(late))


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a harvest ended.

    Attributes:
        summary: The summary as `--json` prints it; empty if the harvest failed.
        error: Why it failed, in one line; empty if it is done.
    """

    summary: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""
    health: Health = Health()

    def metrics(self) -> Iterator[str]:
        """Yield the lines of a Prometheus textfile; of a harvest that failed, only that it did."""
        values: dict[str, object] = {"success": int(not self.error), "timestamp_seconds": int(time.time())}
        if not self.error:
            values |= {name: self.summary[name] for name in _METRICS if name in self.summary}
            values |= {"failed_jobs": len(self.health.failed), "late_datasets": len(self.health.late)}
        for name, value in values.items():
            yield f"# HELP eventlog_lineage_harvest_{name} {_METRICS[name]}."
            yield f"# TYPE eventlog_lineage_harvest_{name} gauge"
            yield f"eventlog_lineage_harvest_{name} {value}"

    def troubles(self, most_gaps: int | None) -> list[str]:
        """Return what somebody should know, a line each; none if all went well."""
        if self.error:
            return [f"harvest failed: {self.error}"]
        unreadable = [f"{each['log_path']}: {each['error']}" for each in self.summary.get("unreadable", ())]
        lines = [*_listed("log cannot be read", "logs cannot be read", unreadable)]
        gaps = int(self.summary.get("gaps", 0))
        if most_gaps is not None and gaps > most_gaps:
            lines.append(f"{gaps} gaps, more than {most_gaps}")
        failed = [f"{job}: {error}" for job, error in self.health.failed]
        lines += _listed("job failed last", "jobs failed last", failed)
        lines += _listed("dataset is late", "datasets are late", self.health.late)
        return lines


def _listed(one: str, several: str, items: Sequence[str]) -> Iterator[str]:
    if items:
        more = f"; and {len(items) - _MOST_NAMED} more" if len(items) > _MOST_NAMED else ""
        yield f"{len(items)} {one if len(items) == 1 else several}: {'; '.join(items[:_MOST_NAMED])}{more}"


def as_record(result: HarvestResult) -> dict[str, Any]:
    """Return the summary of a harvest as `--json` prints it."""
    summary = asdict(result.summary)
    facts = {name: value for name, value in summary.pop("facts").items() if name != "landing_files"}
    unreadable = [{"log_path": path, "error": reason} for path, reason in result.unreadable]
    again = {"again": asdict(result.again)} if result.again else {}
    seconds = (result.summary.finished_at - result.summary.facts.started_at).total_seconds()
    states = dict(result.states)
    return {**summary, **facts, "duration_seconds": seconds, "states": states, "unreadable": unreadable, **again}


def write_text(path: str, text: str) -> None:
    """Write a file as a whole.

    Raises:
        UsageError: It cannot be written.
    """
    with os_errors_as(UsageError, "cannot write the file", path, "check the path"), replaced(Path(path)) as partial:
        partial.write_text(text, encoding="utf-8")


def send(url: str, lines: Sequence[str], store_dir: str) -> str:
    """Post a message to a webhook (Slack, Mattermost, Teams); return why it could not be sent, empty if it was."""
    from urllib.request import Request, urlopen  # noqa: PLC0415 - few harvests send one

    text = "\n".join([f"eventlog-lineage, store {store_dir}:", *(f"• {line}" for line in lines)])
    body = json.dumps({"text": text, "store": store_dir, "troubles": list(lines)}).encode()
    headers = {"Content-Type": "application/json", "User-Agent": "eventlog-lineage"}
    if not url.startswith(("http://", "https://")):
        return "the URL begins with neither http:// nor https://"
    try:
        with urlopen(Request(url, body, headers), timeout=_SECONDS):
            return ""
    except (OSError, ValueError) as error:
        return str(error) or type(error).__name__


_TITLES = {
    "list": "Listing logs",
    "start": "Starting Spark",
    "read": "Reading logs",
    "assemble": "Assembling spread logs",
    "trace": "Tracing plans",
    "store": "Updating the store",
}


@contextmanager
def progress_bar(*, enabled: bool) -> Iterator[Callable[[str, int, int], None]]:
    """Yield a function that shows how far a step is: (step, done, of); one that does nothing if it is not enabled."""
    if not enabled:
        yield lambda *_: None
        return
    from rich.console import Console  # noqa: PLC0415 - quiet runs need none of it
    from rich.filesize import decimal  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, Task, TextColumn, TimeRemainingColumn  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    class Amount(TextColumn):
        """How much of how much, and how fast: bytes of logs, tasks of anything else."""

        def __init__(self) -> None:
            super().__init__("")

        def render(self, task: Task) -> Text:
            shown: Callable[[int], str] = decimal if task.fields["step"] == "read" else str
            rate = f", {shown(int(task.speed))}/s" if task.speed and task.fields["step"] == "read" else ""
            of = f" of {shown(int(task.total))}" if task.total else ""
            return Text(f"{shown(int(task.completed))}{of}{rate}" if task.total else "")

    columns = (TextColumn("{task.description}"), BarColumn(), Amount(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        tasks = {}

        def tell(step: str, done: int, of: int) -> None:
            if step not in tasks:
                tasks[step] = progress.add_task(_TITLES.get(step, step), total=of or None, step=step)
            progress.update(tasks[step], completed=done, total=of or None)

        yield tell
