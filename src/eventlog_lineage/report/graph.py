"""The graph of the page: datasets, columns and edges as arrays of numbers.

A node is a number: datasets come first, by name, then the columns of the first dataset, of the second, and so on. An
edge goes from node to node; its target is a dataset where it holds for the whole target, its source is -1 where the
column has no source.
"""

from __future__ import annotations

from typing import Any

from eventlog_lineage.store.queries.open_store import OpenStore

from . import queries
from .numbering import Numbering

COLUMN_NUMBERS = ("dataset", "name", "ordinal")
EDGE_NUMBERS = ("source", "target", "kind", "job", "first", "ended", "expression")
"""What the page has as lists of numbers, a number for each column and each edge, in this order."""


def graph_block(store: OpenStore, *, outside: bool) -> dict[str, Any]:
    """Return datasets, columns and edges; columns and edges as lists, one for each of the `…_NUMBERS`.

    Args:
        store: The store, with its scope chosen.
        outside: Count edges to datasets that the page leaves out.
    """
    columns, strings = _columns(store)
    return {
        "datasets": _datasets(store),
        "columns": columns,
        "strings": strings,
        "edges": _edges(store),
        "outside": queries.columns(store, "outside", 3) if outside else [[], [], []],
    }


def _datasets(store: OpenStore) -> dict[str, list[Any]]:
    names, kinds, formats, locations, first, last, aliases = queries.columns(store, "datasets", 7)
    return {
        "name": names,
        "kind": kinds,
        "format": formats,
        "location": locations,
        "first": first,
        "last": last,
        "aliases": [each or [] for each in aliases],
    }


def _columns(store: OpenStore) -> tuple[dict[str, list[Any]], list[str]]:
    strings = Numbering[str]()
    found = store.connection.execute(
        "SELECT dataset_node, column_name, coalesce(ordinal, 0), is_gone FROM report_columns ORDER BY node"
    ).fetchall()
    return {
        "dataset": [row[0] for row in found],
        "name": [strings.number(row[1]) for row in found],
        "ordinal": [row[2] for row in found],
        "gone": [number for number, row in enumerate(found) if row[3]],
    }, strings.values


def _edges(store: OpenStore) -> dict[str, Any]:
    jobs, times = Numbering[str](), Numbering[Any]()
    kinds = Numbering[tuple[Any, ...]]()
    times.number(None)
    texts = Numbering[str]()
    source, target, kind, job, first, ended, expression = [], [], [], [], [], [], []
    edges: dict[int, int] = {}
    for number, row in enumerate(queries.rows(store, "edges")):
        source.append(row[0])
        target.append(row[1])
        kind.append(kinds.number(row[2:7]))
        job.append(jobs.number(row[7]))
        expression.append(texts.number(row[8]))
        first.append(times.number(row[9]))
        ended.append(times.number(row[10]))
        if row[11] is not None:
            edges[row[11]] = number
    return {
        "source": source,
        "target": target,
        "kind": kind,
        "kinds": [list(each) for each in kinds.values],
        "job": job,
        "jobs": jobs.values,
        "first": first,
        "ended": ended,
        "times": times.values,
        "expression": expression,
        "expressions": texts.values,
        "holes": [[edges[edge], removed, added] for edge, removed, added in queries.rows(store, "holes")],
    }
