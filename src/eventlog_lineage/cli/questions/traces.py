"""Questions about paths of lineage: `upstream`, `downstream`, `path`, `cycles`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from eventlog_lineage.cli.drawing import Trace, draw_dot, draw_mermaid, draw_tree
from eventlog_lineage.cli.options import NAME, combined, skip_option, time_option
from eventlog_lineage.cli.output import Shown
from eventlog_lineage.cli.question import question

if TYPE_CHECKING:
    from eventlog_lineage.store.queries.open_store import Answer, OpenStore


def trace_options(direct_only: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add `--depth`, `--direct-only`, `--at`, `--since`, `--until`, `--skip` and `--detail`.

    Args:
        direct_only: The help of `--direct-only`.
    """
    return combined(
        click.option("--depth", type=click.IntRange(min=1), metavar="N", help="Follow at most N hops.  [default: all]"),
        click.option("--direct-only", is_flag=True, help=direct_only),
        time_option("--at", "As the lineage was at that time"),
        time_option("--since", "The lineage of all runs since then, instead of that of each job's last one"),
        time_option("--until", "With --since, the lineage of the runs until then"),
        skip_option("Go through matching datasets without showing them"),
        click.option(
            "--detail",
            type=click.Choice(["auto", "columns", "tables"]),
            default="auto",
            show_default=True,
            help="What mermaid and dot draw; auto leaves out the columns of more than 50 tables.",
        ),
    )


def show_trace(  # noqa: PLR0913 - the options of two commands
    store: OpenStore,
    name: str,
    *,
    up: bool,
    depth: int | None,
    direct_only: bool,
    at: datetime | None,
    since: datetime | None,
    until: datetime | None,
    skip: tuple[str, ...],
    detail: str,
    plain: bool,
) -> Shown:
    """Return a trace as it is shown: a tree on a terminal, a table in a pipe.

    Args:
        name: A dataset or `dataset.column`.
        depth: The most hops; None for all.
        direct_only: Leave out what only influences a value.
        at: The time; None for now.
        since: The begin of a span of time, which ends at `until`; None for a point in time.
        plain: It is shown as a table that is not for a terminal, which has fewer columns.
    """
    from eventlog_lineage.store.queries.asked_names import find_target  # noqa: PLC0415
    from eventlog_lineage.store.queries.paths import ends, labels, temporary_views, trace  # noqa: PLC0415

    if (at and since) or (until and not since):
        raise click.UsageError("--until takes --since, and neither takes --at")
    end = until or at
    answer = trace(
        store, name, up=up, depth=depth, direct_only=direct_only, at=end, since=since, short=plain, skip=skip
    )
    target = find_target(store, name)
    when = f" since {since}" if since else ""
    when += f" {'until' if since else 'at'} {end}" if end else ""
    known = {} if plain else labels(store, ends(answer.records()))
    asked = Trace(target.dataset, target.column, up, temporary_views(store), known)
    if target.job:
        return Shown(answer, empty=f"{target.job} has no lineage.", writers=_drawings(store, target.job, answer, asked))
    return Shown(
        answer,
        empty=f"No {'upstream' if up else 'downstream'} of {name} in the store{when}.",
        trace=asked,
        detail=detail,
    )


def _drawings(store: OpenStore, job: str, answer: Answer, asked: Trace) -> dict[str, Callable[[], Iterable[str]]]:
    """Return the drawings of a job's lineage: a tree for each dataset that it begins at, one graph of all."""
    from eventlog_lineage.store.queries.paths import trace_names  # noqa: PLC0415 - help needs none of it

    begun = [replace(asked, dataset=dataset, column="") for dataset in trace_names(store, job)]
    rows = list(answer.records())

    def trees() -> Iterator[str]:
        for each in begun:
            yield from draw_tree(rows, each, None)

    return {
        "tree": trees,
        "mermaid": lambda: draw_mermaid(rows, begun[0], "auto"),
        "dot": lambda: draw_dot(rows, begun[0], "auto"),
    }


@question(
    "upstream sales.daily.total",
    "upstream sales.daily --format mermaid --depth 2",
    "upstream sales.daily.total --at 2026-11-19",
    forms=("tree", "mermaid", "dot"),
    by_form=True,
)
@click.argument("name", type=NAME)
@trace_options("Only sources of values, without filters, joins and the like.")
def upstream_command(store: OpenStore, name: str, **options: Any) -> Shown:
    """Show the columns or datasets that NAME comes from, through all hops.

    NAME is a dataset or dataset.column; the last part of a name is enough if it is unique. `masked` shows whether every
    path from one to the other masks.
    """
    return show_trace(store, name, up=True, **options)


@question(
    "downstream raw.orders.amount",
    "downstream raw.orders --direct-only --format dot",
    forms=("tree", "mermaid", "dot"),
    by_form=True,
)
@click.argument("name", type=NAME)
@trace_options("Only values derived from it, without filters, joins and the like.")
def downstream_command(store: OpenStore, name: str, **options: Any) -> Shown:
    """Show the columns or datasets that NAME flows to, through all hops.

    NAME is a dataset or dataset.column; the last part of a name is enough if it is unique. `masked` shows whether every
    path from one to the other masks.
    Queries that write nothing (dashboards, notebooks, ad-hoc SQL) are listed as consumers, with user and last read.
    """
    return show_trace(store, name, up=False, **options)


@question("path raw.orders.amount sales.daily.total", "path raw.orders exports.daily --limit 3")
@click.argument("start", type=NAME, metavar="A")
@click.argument("end", type=NAME, metavar="B")
@click.option(
    "--limit", type=click.IntRange(1), default=10, show_default=True, metavar="N", help="Show at most N paths."
)
@skip_option("Go through matching datasets without showing them")
def path_command(store: OpenStore, start: str, end: str, limit: int, skip: tuple[str, ...]) -> Shown:
    """Show the paths from A to B, the shortest first: each step with its expression and job.

    A and B are datasets or columns; with a dataset on one side, the paths are those between datasets.
    """
    from eventlog_lineage.store.queries.paths import paths, short_paths  # noqa: PLC0415

    answer, more = paths(store, start, end, limit, skip)
    if more:
        click.echo(f"There are more than {limit} paths; --limit shows more.", err=True)
    return Shown(answer, empty=f"No path from {start} to {end} in the store.", table=short_paths(answer))


@question("cycles", "cycles --format json")
def cycles_command(store: OpenStore) -> Shown:
    """List circular dependencies: datasets that depend on themselves through others, and the jobs between them.

    Of datasets that depend on one another along several paths, the shortest is shown. A job that reads what it writes
    is left out.
    """
    from eventlog_lineage.store.queries.paths import cycles  # noqa: PLC0415

    return Shown(cycles(store), empty="No circular dependencies.")
