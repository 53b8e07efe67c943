"""What `upstream` and `downstream` share: their options, and how a trace is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from .options import time_option

if TYPE_CHECKING:
    from eventlog_lineage.store.queries.open_store import Answer, OpenStore

    from .output import Shown
    from .tree import Trace


def skip_option(what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return `--skip`.

    Args:
        what: The first words of its help.
    """
    words = f"{what}: 'staging.*', temp (temporary views); repeatable."
    return click.option("--skip", multiple=True, metavar="PATTERN", help=words)


def trace_options(direct_only: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add `--depth`, `--direct-only`, `--at`, `--since`, `--until`, `--skip` and `--detail`.

    Args:
        direct_only: The help of `--direct-only`.
    """
    options = (
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

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return add


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
    from eventlog_lineage.store.queries.lookups import ends, labels, temporary_views, trace  # noqa: PLC0415

    from .output import Shown  # noqa: PLC0415 - help needs none of it
    from .tree import Trace  # noqa: PLC0415

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
    from eventlog_lineage.store.queries.lookups import trace_names  # noqa: PLC0415 - help needs none of it

    from .drawing import draw_dot, draw_mermaid  # noqa: PLC0415
    from .tree import draw_tree  # noqa: PLC0415

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
