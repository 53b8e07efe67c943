"""What a page covers: the whole store, or what is near a dataset, less what does not fit."""

from __future__ import annotations

from dataclasses import dataclass

from eventlog_lineage.store.fold.renames import name_edges, read_renames
from eventlog_lineage.store.queries.lookups import check_name
from eventlog_lineage.store.queries.open_store import OpenStore

from . import queries

DEFAULT_DEPTH = 3
"""Hops to both sides of `--focus` where `--depth` is not given."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What the page covers.

    Attributes:
        dataset: The dataset in focus; empty for the whole store.
        column: The column in focus, if one was asked for.
        depth: Hops around the focus.
        datasets: Datasets of the page.
        all_datasets: Datasets of the store.
    """

    dataset: str
    column: str
    depth: int
    datasets: int
    all_datasets: int


def choose_scope(store: OpenStore, focus: str | None, depth: int | None) -> Scope:
    """Make the temporary tables that the other queries read, for the whole store or around a dataset.

    Args:
        store: The store.
        focus: A dataset or a column, as `upstream` takes it; None for the whole store.
        depth: Hops around the focus; None for the default.

    Raises:
        UsageError: The name means nothing in the store, or several things.
    """
    dataset, column = check_name(store, focus) if focus else ("", "")
    hops = DEFAULT_DEPTH if depth is None else depth
    name_edges(store.connection, read_renames(store.connection))
    queries.run(store, "graph")
    if dataset:
        queries.run(store, "scope", {"focus": dataset, "depth": hops})
    else:
        store.connection.execute("CREATE OR REPLACE TEMP TABLE report_scope AS FROM all_report_datasets")
    queries.run(store, "numbers")
    queries.run(store, "history")
    return Scope(dataset, column, hops, _count(store, "report_datasets"), _count(store, "all_report_datasets"))


def _count(store: OpenStore, table: str) -> int:
    return int(str(store.ask(f"SELECT count(*) FROM {table}").rows[0][0]))
