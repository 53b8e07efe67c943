"""`impact NAME...`: what depends on columns and tables, for the reviewer of a change."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.name_types import NAME
from eventlog_lineage.cli.question import question
from eventlog_lineage.cli.traces import skip_option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from eventlog_lineage.cli.output import Shown
    from eventlog_lineage.store.queries.dependants import Changed
    from eventlog_lineage.store.queries.open_store import OpenStore


@question(
    "impact raw.orders.amount",
    "impact staging.customers --format markdown > comment.md",
    "impact --ddl migrations/042.sql --fail-on direct",
    "impact --ddl migrations/042.sql --annotate github",
)
@click.argument("names", nargs=-1, type=NAME)
@click.option(
    "--ddl",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="A file of SQL; what its ALTER and DROP statements drop, rename or retype is asked for. - is standard input.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["direct", "any", "unmasked"]),
    help="End with exit code 1 if values flow on (direct), if anything depends on it (any), if values flow on without "
    "a mask (unmasked).",
)
@click.option(
    "--annotate",
    type=click.Choice(["github"]),
    help="Print an annotation for each statement of --ddl with dependants, which GitHub shows at its line in a pull "
    "request, on standard error.",
)
@skip_option("Leave out matching datasets, but not what depends on them")
def command(  # noqa: PLR0913, PLR0917 - an option each
    store: OpenStore,
    names: tuple[str, ...],
    ddl: tuple[str, ...],
    fail_on: str | None,
    annotate: str | None,
    skip: tuple[str, ...],
) -> Shown:
    """Show what depends on NAMES, through all hops: columns, datasets, and consumers that write nothing.

    A NAME is a dataset or dataset.column; a file that ends in .sql is one of --ddl. The Markdown format is a comment
    for a pull request, with a graph. A table of --ddl that the store does not know is reported on standard error:
    nothing that was harvested depends on it.
    """
    from eventlog_lineage.cli.impact_report import (  # noqa: PLC0415 - help needs none of it
        github_annotations,
        impact_markdown,
        short_impact,
    )
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415
    from eventlog_lineage.store.queries.dependants import fails, find_changed, impact  # noqa: PLC0415
    from eventlog_lineage.store.queries.lookups import ends, labels, trace  # noqa: PLC0415

    names, ddl = _sorted_out(names, ddl)
    changed = [each for name in names for each in find_changed(store, name)]
    places: dict[tuple[str, str], tuple[str, int]] = {}
    changed += _of_files(store, ddl, places)
    answer = impact(store, changed, skip)
    if annotate:
        for line in github_annotations(answer, places, fail_on):
            click.echo(line, err=True)
    failing = fails(answer, fail_on) if fail_on else 0
    verdict = _verdict(failing, fail_on)
    if failing:
        click.echo(verdict, err=True)
    edges = [edge for each in changed for edge in trace(store, each.full_name, up=False, skip=skip).records()]
    known = labels(store, ends(edges))
    return Shown(
        answer,
        empty=f"Nothing in the store depends on {', '.join(each.full_name for each in changed) or 'these statements'}.",
        table=short_impact(answer),
        writers={"markdown": lambda: impact_markdown(answer, changed, edges, known, verdict)},
        code=1 if failing else 0,
    )


def _of_files(
    store: OpenStore, files: tuple[str, ...], places: dict[tuple[str, str], tuple[str, int]]
) -> Iterator[Changed]:
    """Yield what the statements of files change; a name that the store does not know is reported.

    Args:
        places: The file and line of each changed name and its change; filled here.
    """
    from eventlog_lineage.cli.schema_statements import read_statements  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.errors import UnknownNameError  # noqa: PLC0415
    from eventlog_lineage.safe_text import escape_controls  # noqa: PLC0415
    from eventlog_lineage.store.queries.dependants import find_changed  # noqa: PLC0415

    for file in files:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8", errors="replace")
        for statement in read_statements(text):
            try:
                for each in find_changed(store, statement.name, statement.change, statement.kept):
                    places[each.full_name, each.change] = (file, statement.line)
                    yield each
            except UnknownNameError as error:  # noqa: PERF203 - files are short
                click.echo(escape_controls(f"{file}: {statement.name} is {statement.change}: {error}"), err=True)


def _sorted_out(names: tuple[str, ...], ddl: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names and the files of statements: a NAME that ends in .sql is one if it exists."""
    files = tuple(name for name in names if name.endswith(".sql") and Path(name).is_file())
    if not names and not ddl:
        raise click.UsageError("Missing argument 'NAMES...' or --ddl FILE")
    return tuple(name for name in names if name not in files), ddl + files


def _verdict(failing: int, level: str | None) -> str:
    if level is None:
        return ""
    if not failing:
        return f"--fail-on {level}: passed."
    return f"--fail-on {level}: failed, {failing} {'dependant' if failing == 1 else 'dependants'}."
