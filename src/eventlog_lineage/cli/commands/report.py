"""`report`: the store as one HTML page for a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.common import counted
from eventlog_lineage.cli.options import due_option, examples, output_option, store_option

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
def command(  # noqa: PLR0913, PLR0917 - an option each
    out: str, focus: str | None, depth: int | None, max_mb: int, due: tuple[str, ...], store_dir: str
) -> None:
    """Write the store as one HTML page: map, search, lineage graph, history, and nine panels.

    The page is a single file that opens in a browser from the disk and loads nothing over the network. A store that is
    too big for --max-mb loses the least important facts first; the page and this command list what was left out.
    """
    from eventlog_lineage.report.write import MB, write_report  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.panels.due import read_due  # noqa: PLC0415

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
