"""`eventlog-lineage harvest`: event logs into a store."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from eventlog_lineage.cli.configuration import setting, setting_argument
from eventlog_lineage.cli.options import examples, limit_options, masking_function_option, store_option
from eventlog_lineage.safe_text import escape_controls

if TYPE_CHECKING:
    from eventlog_lineage.harvest.run import HarvestResult
    from eventlog_lineage.history.job_names import JobNameRule


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
@setting("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@setting("--quiet", is_flag=True, help="Print no summary, only errors.")
def command(sources: tuple[str, ...], store_dir: str, as_json: bool, quiet: bool, **how: Any) -> int:
    """Harvest; `how` are the fields of `HarvestOptions` by their names."""
    from eventlog_lineage.cli.progress import progress_bar  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.harvest.run import HarvestOptions, harvest  # noqa: PLC0415

    if not sources:
        raise click.UsageError("Missing argument 'SOURCE...'")
    with progress_bar(enabled=sys.stderr.isatty() and not as_json and not quiet) as tell:
        result = harvest(sources, store_dir, HarvestOptions(**how), tell)
    for path, reason in result.unreadable:
        click.echo(escape_controls(f"Error: {path} cannot be read: {reason}"), err=True)
    if not quiet:
        click.echo(_as_json(result) if as_json else _as_text(result))
    return 3 if result.unreadable else 0


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
    logs = "log" if facts.logs_read == 1 else "logs"
    read = f"{facts.logs_read} {logs} read{f' ({states})' if states else ''}"
    unread = f"{facts.logs_unchanged} unchanged, {facts.logs_failed} unreadable"
    found = f"{summary.executions} SQL executions, {summary.edges} distinct edges, {summary.gaps} gaps"
    lines = [
        f"Harvest {summary.harvest_id}: {read}, {unread}, in {seconds:.1f} s",
        f"  {facts.bytes_read / 1e6:.1f} MB read, {found}",
    ]
    if result.again:
        again, count = result.again, result.again.facts.logs_read
        logs = "1 log" if count == 1 else f"{count} logs"
        lines.append(
            f"Harvest {again.harvest_id}: {logs} read again, with the tables of the others: "
            f"{again.edges} distinct edges, {again.gaps} gaps"
        )
    if (result.again or summary).gaps:
        lines.append("  `eventlog-lineage gaps` lists what could not be resolved, and how to fix it")
    return "\n".join(lines)


def _as_json(result: HarvestResult) -> str:
    import json  # noqa: PLC0415
    from dataclasses import asdict  # noqa: PLC0415

    summary = asdict(result.summary)
    facts = {name: value for name, value in summary.pop("facts").items() if name != "landing_files"}
    unreadable = [{"log_path": path, "error": reason} for path, reason in result.unreadable]
    again = {"again": asdict(result.again)} if result.again else {}
    return json.dumps(
        {**summary, **facts, "states": dict(result.states), "unreadable": unreadable, **again}, default=str
    )
