"""`eventlog-lineage explain`: one log's plans and lineage, without Spark and without a store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from eventlog_lineage.cli.question import examples, limit_options, masking_function_option, source_options
from eventlog_lineage.errors import LogError, PlanSyntaxError, UsageError
from eventlog_lineage.safe_text import escape_controls, escape_json

if TYPE_CHECKING:
    from eventlog_lineage.events.read_options import ReadOptions
    from eventlog_lineage.events.records import AssembledLog
    from eventlog_lineage.lineage.application import TracedStatement


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
def explain_command(  # noqa: PLR0913, PLR0917 - an option each
    log: str,
    execution: int | None,
    form: str,
    redact: tuple[str, ...],
    mask_literals: bool,
    lineage_only: bool,
    masking_function: tuple[str, ...],
    source: tuple[Any, ...],
    connector: tuple[str, ...],
    max_line: int,
    max_plan: int,
    max_expansion: int,
    max_seconds_per_log: int,
) -> None:
    """Explain."""
    from eventlog_lineage.connectors.connector import (  # noqa: PLC0415
        read_connector_file,
        read_rules,
        use_connectors,
    )
    from eventlog_lineage.events.read_options import ReadOptions  # noqa: PLC0415
    from eventlog_lineage.lineage.application import trace_log  # noqa: PLC0415
    from eventlog_lineage.operators.derivations.functions import mask_names  # noqa: PLC0415
    from eventlog_lineage.redaction import Redaction  # noqa: PLC0415

    lineage_only = lineage_only or mask_literals  # plans are full of literals
    masks, rules = mask_names(masking_function), read_rules(source)
    use_connectors(tuple(map(read_connector_file, connector)))
    limits = (max_line << 20, max_plan << 20, max_expansion, max_seconds_per_log)
    assembled = _read(log, ReadOptions(Redaction(redact), mask_literals, *limits, source_rules=rules))
    shows_plans = form == "text" and not lineage_only
    limit = max_seconds_per_log
    traced = trace_log(assembled, masks, execution, keep_plans=shows_plans, max_seconds=limit)
    statements = [_masked(statement) if mask_literals else statement for statement in traced]
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
    from dataclasses import replace  # noqa: PLC0415

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
    from dataclasses import replace  # noqa: PLC0415

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
    import json  # noqa: PLC0415
    from dataclasses import asdict  # noqa: PLC0415

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
