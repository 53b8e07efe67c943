"""`eventlog-lineage harvest`: event logs into a store."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click

from eventlog_lineage.cli.common import counted, warn
from eventlog_lineage.cli.configuration import setting, setting_argument
from eventlog_lineage.cli.options import (
    declared_option,
    examples,
    limit_options,
    masking_function_option,
    source_options,
    store_option,
)
from eventlog_lineage.safe_text import escape_controls

if TYPE_CHECKING:
    from eventlog_lineage.harvest.run import HarvestResult
    from eventlog_lineage.history.job_names import JobNameRule
    from eventlog_lineage.store.writer import Summary


_Function = TypeVar("_Function", bound=Callable[..., Any])


def spark_options(function: _Function) -> _Function:
    """Add `--master`, `--conf` and `--pack`, which a command gets as `master`, `settings` and `pack`."""
    master = setting("--master", metavar="URL", help="Spark master: local[4], spark://host:7077, yarn, k8s://…")
    conf = setting(
        "--conf",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        callback=lambda _, __, values: _pairs(values),
        help="Spark setting; repeatable.",
    )
    pack = setting(
        "--pack",
        metavar="FILE",
        help="Archive for the executors, made by `eventlog-lineage pack`; not for a local master.",
    )
    return master(conf(pack(function)))


@click.command(
    help="Read the event logs at SOURCES that are new or have grown, and update the store.\n\n"
    "A SOURCE is an event log, a rolling log's folder, a folder of logs (searched recursively), a glob, a URI "
    "(file:, hdfs:, s3a:, gs:, abfss:), or a History Server's address (http://host:18080). Runs on Spark: locally by "
    "default, on any --master, or under spark-submit.",
    epilog=examples(
        "harvest /var/log/spark/apps --store /data/lineage",
        "harvest hdfs:///spark-logs 's3a://logs/2026-11-*' --master yarn --store /data/lineage --json",
    ),
)
@setting_argument("sources", nargs=-1, metavar="SOURCE...")
@store_option
@spark_options
@setting(
    "--table-metadata",
    is_flag=True,
    help="Read the tables' own metadata for exact snapshots and schema changes.",
)
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
@masking_function_option
@source_options
@declared_option
@limit_options
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
@setting(
    "--notify-gaps",
    type=click.IntRange(0),
    metavar="N",
    help="Also post if the harvest has more than N gaps.",
)
@setting("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@setting("--quiet", is_flag=True, help="Print no summary, only errors.")
def command(  # noqa: PLR0913, PLR0917 - its options
    sources: tuple[str, ...],
    store_dir: str,
    as_json: bool,
    quiet: bool,
    metrics: str | None,
    summary: str | None,
    notify: str | None,
    notify_gaps: int | None,
    **how: Any,
) -> int:
    """Harvest; `how` are the fields of `HarvestOptions` by their names."""
    import json  # noqa: PLC0415 - help needs none of it

    from eventlog_lineage.cli.harvest_reports import as_record, write_text  # noqa: PLC0415
    from eventlog_lineage.cli.progress import progress_bar  # noqa: PLC0415
    from eventlog_lineage.harvest.run import HarvestOptions, harvest  # noqa: PLC0415

    if not sources:
        raise click.UsageError("Missing argument 'SOURCE...'")
    report = partial(_report, store_dir, metrics, notify, notify_gaps)
    try:
        with progress_bar(enabled=sys.stderr.isatty() and not as_json and not quiet) as tell:
            result = harvest(sources, store_dir, HarvestOptions(**how), tell)
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
    from eventlog_lineage.cli.harvest_reports import Health, Outcome, read_health, send, write_text  # noqa: PLC0415
    from eventlog_lineage.cli.main import essence  # noqa: PLC0415
    from eventlog_lineage.errors import LineageError  # noqa: PLC0415
    from eventlog_lineage.redaction import PLAIN, without_users  # noqa: PLC0415

    words = PLAIN.text(str(error) if isinstance(error, LineageError) else essence(error)) if error else ""
    outcome = Outcome(record, words, Health() if error else read_health(store_dir))
    if metrics:
        write_text(metrics, "\n".join(outcome.metrics()) + "\n")
    troubles = outcome.troubles(most_gaps) if notify else []
    if notify and troubles and (reason := send(notify, troubles, without_users(store_dir))):
        warn(f"the message to the webhook was not sent: {reason}")


def _rule(path: str | None) -> JobNameRule | None:
    if path is None:
        return None
    from pathlib import Path  # noqa: PLC0415 - help needs none of it

    from eventlog_lineage.history.job_names import read_rule  # noqa: PLC0415

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


def _pairs(settings: tuple[str, ...]) -> dict[str, str]:
    pairs = {}
    for setting_text in settings:
        key, equals, value = setting_text.partition("=")
        if not equals:
            raise click.BadParameter(f"invalid Spark setting {setting_text!r}: use KEY=VALUE")
        pairs[key] = value
    return pairs


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
