"""Commands that show lineage without asking: `report` as a page, `show` and `explain` of logs."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.question import (
    due_option,
    examples,
    limit_options,
    masking_function_option,
    output_option,
    source_options,
    store_option,
)
from eventlog_lineage.errors import LogError, PlanSyntaxError, UsageError
from eventlog_lineage.safe_text import counted, escape_controls, escape_json

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from eventlog_lineage.events.read_options import ReadOptions
    from eventlog_lineage.events.records import AssembledLog
    from eventlog_lineage.harvest.options import HarvestOptions
    from eventlog_lineage.lineage.application import TracedStatement
    from eventlog_lineage.report.write import WrittenReport


@click.command(
    epilog=examples("report --output lineage.html", "report --output daily.html --focus sales.daily.total --depth 2")
)
@output_option("out", default="lineage.html", show_default=True, help="The page.")
@click.option(
    "--focus", metavar="NAME", help="Only what is near this dataset or dataset.column; the page begins there."
)
@click.option("--depth", type=click.IntRange(min=0), metavar="N", help="Hops around --focus.  [default: 3]")
@click.option(
    "--max-mb", type=click.IntRange(min=1), default=20, show_default=True, metavar="N", help="The biggest page, in MB."
)
@due_option
@store_option
def report_command(  # noqa: PLR0913, PLR0917 - an option each
    out: str, focus: str | None, depth: int | None, max_mb: int, due: tuple[str, ...], store_dir: str
) -> None:
    """Write the store as one HTML page: map, search, lineage graph, history, and nine panels.

    The page is a single file that opens in a browser from the disk and loads nothing over the network. A store that is
    too big for --max-mb loses the least important facts first; the page and this command list what was left out.
    """
    from eventlog_lineage.report.write import MB, write_report  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.panels import read_due  # noqa: PLC0415

    if depth is not None and focus is None:
        raise click.UsageError("--depth counts the hops around --focus: name a dataset or a column with --focus")
    rules = read_due(due)
    print_written(write_report(store_dir, out, focus=focus, depth=depth, max_bytes=max_mb * MB, due=rules))


def print_written(written: WrittenReport) -> None:
    """Print where a page is, and what it holds."""
    from eventlog_lineage.report.write import MB  # noqa: PLC0415 - help needs none of it

    click.echo(
        f"{written.path}: {counted(written.datasets, 'dataset')}, {counted(written.columns, 'column')}, "
        f"{counted(written.edges, 'edge')}, {written.size / MB:.1f} MB"
    )
    for what in written.left_out:
        click.echo(f"  left out: {what}")
    click.echo(f"Open it in a browser: {written.path.resolve().as_uri()}")


@click.command(
    help="Show some LOGs as an HTML page: map, lineage graph, history and panels, without a store, Spark or Java.\n\n"
    "A LOG is an event log, a rolling log's folder, a folder of logs or a glob. `harvest` and `report` do the same for "
    "many logs and keep what they read.",
    epilog=examples("show app-20261120-0001.zstd", "show /var/log/spark/apps -o lineage.html --focus sales.daily"),
)
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@output_option("out", default="lineage.html", show_default=True, help="The page.")
@click.option("--focus", metavar="NAME", help="The dataset or dataset.column that the page begins with.")
@click.option("--redact", multiple=True, metavar="REGEX", help="Redact what matches, in addition to known secrets.")
@click.option("--mask-literals", is_flag=True, help="Remove the literals of statements.")
@masking_function_option
@limit_options
def show_command(logs: tuple[str, ...], out: str, focus: str | None, **how: Unpack[HarvestOptions]) -> int:
    """Show logs; `how` are fields of `HarvestOptions`."""
    from eventlog_lineage.harvest.run import temporary_store  # noqa: PLC0415
    from eventlog_lineage.report.write import write_report  # noqa: PLC0415

    with temporary_store(logs, how) as (store, harvested):
        written = write_report(store, out, focus=focus)
    for path, reason in harvested.unreadable:
        click.echo(escape_controls(f"{path}: cannot be read: {reason}"), err=True)
    print_written(written)
    return 3 if harvested.unreadable else 0


@click.command(
    help="Show the plan trees of one LOG and the lineage of each statement, without Spark and without a store.",
    epilog=examples("explain app-20261120-0001.zstd", "explain eventlog_v2_app-1 --execution 17 --format json"),
)
@click.argument("log")
@click.option("--execution", type=int, metavar="N", help="Only the statement of execution N.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--redact", multiple=True, metavar="REGEX", help="Redact what matches, in addition to known secrets.")
@click.option("--mask-literals", is_flag=True, help="Remove the literals of statements.")
@click.option("--lineage-only", is_flag=True, help="Print no plan trees.")
@masking_function_option
@source_options
@limit_options
def explain_command(
    log: str, execution: int | None, form: str, *, lineage_only: bool, **how: Unpack[HarvestOptions]
) -> None:
    """Explain; `how` are fields of `HarvestOptions`."""
    from eventlog_lineage.connectors.connector import use_connectors  # noqa: PLC0415
    from eventlog_lineage.harvest.options import read_options  # noqa: PLC0415
    from eventlog_lineage.lineage.application import trace_log  # noqa: PLC0415

    read = read_options(how)
    lineage_only = lineage_only or read.mask_literals  # plans are full of literals
    use_connectors(read.connectors)
    assembled = _read(log, read)
    shows_plans = form == "text" and not lineage_only
    traced = trace_log(assembled, read.masks, execution, keep_plans=shows_plans, max_seconds=read.max_seconds)
    statements = [_masked(statement) if read.mask_literals else statement for statement in traced]
    if execution is not None and not statements:
        raise UsageError(f"the log has no SQL execution {execution}", log, "omit --execution to see all")
    if form == "json":
        click.echo(escape_json(_as_json(statements), kept="\n"))
    elif not statements:
        click.echo("No SQL execution in the log.", err=True)
    else:
        text = "\n".join(_as_text(statement, lineage_only) for statement in statements)
        click.echo(escape_controls(text, kept="\n"))


def _read(log: str, options: ReadOptions) -> AssembledLog:
    """Return the only log of a source, and report its gaps on stderr."""
    from eventlog_lineage.events.reading import read_log  # noqa: PLC0415
    from eventlog_lineage.events.sources.discovery import find_logs  # noqa: PLC0415
    from eventlog_lineage.lineage.application import source_gaps  # noqa: PLC0415

    logs = list(find_logs([log]))
    if len(logs) != 1:
        raise UsageError(f"explain takes one log, found {len(logs)}", log, "name one of them; harvest takes them all")
    assembled = replace(read_log(logs[0], options), source_rules=options.source_rules)
    if assembled.state == "unreadable":
        raise LogError(assembled.error, logs[0].path)
    for gap in (*assembled.gaps, *source_gaps(assembled)):
        click.echo(escape_controls(f"gap {gap.reason} of the log: {gap.detail}; {gap.hint}"), err=True)
    return assembled


def _masked(statement: TracedStatement) -> TracedStatement:
    from eventlog_lineage.lineage.results.lineage_names import without_literals  # noqa: PLC0415

    return replace(statement, lineage=without_literals(statement.lineage))


def _as_text(statement: TracedStatement, lineage_only: bool) -> str:
    from eventlog_lineage.lineage.results.lineage_names import render_lineage, render_plan  # noqa: PLC0415
    from eventlog_lineage.plan.plan_text import PlanText  # noqa: PLC0415

    numbers = ", ".join(str(member.execution_id) for member in statement.members)
    first = statement.root.description.strip().split("\n", 1)[0]
    lines = [f"# execution {numbers}: {first} ({statement.root.status})"]
    plans = [member.plan for member in statement.members if isinstance(member.plan, PlanText)]
    for plan in plans if not lineage_only else ():
        try:
            lines.append(render_plan(plan.physical))
        except PlanSyntaxError as error:
            lines.append(f"no plan: {error}")
        lines.append("")
    return "\n".join([*lines, render_lineage(statement.lineage), ""])


def _as_json(statements: list[TracedStatement]) -> str:
    rows = [
        {
            "execution_id": statement.root.execution_id,
            "executions": [member.execution_id for member in statement.members],
            "description": statement.root.description,
            "status": statement.root.status,
            **asdict(statement.lineage),
        }
        for statement in statements
    ]
    return json.dumps(rows, indent=2, default=str)
