"""`report` and `show`: a store, or some logs without one, as an HTML page for a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.common import counted
from eventlog_lineage.cli.question import (
    due_option,
    examples,
    limit_options,
    masking_function_option,
    output_option,
    store_option,
)
from eventlog_lineage.safe_text import escape_controls

if TYPE_CHECKING:
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
def show_command(  # noqa: PLR0913, PLR0917 - an option each
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
    from eventlog_lineage.connectors.connector import read_rules  # noqa: PLC0415
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
