"""`show`: some logs as a page, without a store, Spark or Java."""

from __future__ import annotations

import click

from eventlog_lineage.cli.options import examples, limit_options, masking_function_option, output_option
from eventlog_lineage.safe_text import escape_controls


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
def command(  # noqa: PLR0913, PLR0917 - an option each
    logs: tuple[str, ...],
    out: str,
    focus: str | None,
    redact: tuple[str, ...],
    mask_literals: bool,
    masking_function: tuple[str, ...],
    max_line: int,
    max_plan: int,
    max_expansion: int,
    max_seconds_per_log: int,
) -> int:
    """Show logs."""
    from eventlog_lineage.cli.commands.report import print_written  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.connectors.source_rules import read_rules  # noqa: PLC0415
    from eventlog_lineage.events.read_options import ReadOptions  # noqa: PLC0415
    from eventlog_lineage.harvest.in_process import temporary_store  # noqa: PLC0415
    from eventlog_lineage.operators.derivations.functions import mask_names  # noqa: PLC0415
    from eventlog_lineage.redaction import Redaction  # noqa: PLC0415
    from eventlog_lineage.report.write import write_report  # noqa: PLC0415

    limits = (max_line << 20, max_plan << 20, max_expansion, max_seconds_per_log)
    read = ReadOptions(
        Redaction(redact), mask_literals, *limits, masks=mask_names(masking_function), source_rules=read_rules(())
    )
    with temporary_store(logs, read) as (store, harvested):
        written = write_report(store, out, focus=focus)
    for path, reason in harvested.unreadable:
        click.echo(escape_controls(f"{path}: cannot be read: {reason}"), err=True)
    print_written(written)
    return 3 if harvested.unreadable else 0
