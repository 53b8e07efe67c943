"""`report`: the store as one HTML page for a browser."""

from __future__ import annotations

import click

from eventlog_lineage.cli.options import examples, store_option


@click.command(
    epilog=examples("report --out lineage.html", "report --out daily.html --focus sales.daily.total --depth 2")
)
@click.option("--out", metavar="FILE", default="lineage.html", show_default=True, help="The page.")
@click.option(
    "--focus", metavar="NAME", help="Only what is near this dataset or dataset.column; the page begins there."
)
@click.option("--depth", type=click.IntRange(min=0), metavar="N", help="Hops around --focus.  [default: 3]")
@click.option(
    "--max-mb", type=click.IntRange(min=1), default=20, show_default=True, metavar="N", help="The biggest page, in MB."
)
@store_option
def command(out: str, focus: str | None, depth: int | None, max_mb: int, store_dir: str) -> None:
    """Write the store as one HTML page: search, lineage graph, history, and nine panels.

    The page is a single file that opens in a browser from the disk and loads nothing over the network. A store that is
    too big for --max-mb loses the least important facts first; the page and this command list what was left out.
    """
    from eventlog_lineage.report.write import MB, write_report  # noqa: PLC0415 - help needs none of it

    if depth is not None and focus is None:
        raise click.UsageError("--depth counts the hops around --focus: name a dataset or a column with --focus")
    written = write_report(store_dir, out, focus=focus, depth=depth, max_bytes=max_mb * MB)
    click.echo(
        f"{written.path}: {written.datasets:,} datasets, {written.columns:,} columns, {written.edges:,} edges, "
        f"{written.size / MB:.1f} MB"
    )
    for what in written.left_out:
        click.echo(f"  left out: {what}")
    click.echo(f"Open it in a browser: {written.path.resolve().as_uri()}")
