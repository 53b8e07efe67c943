"""The graph of the page: datasets, columns and edges as arrays of numbers.

A node is a number: datasets come first, by name, then the columns of the first dataset, of the second, and so on. An
edge goes from node to node; its target is a dataset where it holds for the whole target, its source is -1 where the
column has no source.
"""

from __future__ import annotations

from collections.abc import Hashable
from itertools import groupby
from typing import Any, Generic, TypeVar

from eventlog_lineage.report import queries
from eventlog_lineage.report.queries import Rows
from eventlog_lineage.store.queries.open_store import OpenStore

_Value = TypeVar("_Value", bound=Hashable)


class Numbering(Generic[_Value]):
    """Distinct values in the order of their first use; a value's number is its index."""

    def __init__(self) -> None:
        self._numbers: dict[_Value, int] = {}

    def number(self, value: _Value) -> int:
        """Return the number of a value, a new one for a new value."""
        return self._numbers.setdefault(value, len(self._numbers))

    @property
    def values(self) -> list[_Value]:
        """The values by number."""
        return list(self._numbers)


_SPANS = """
    SELECT node, data_type, epoch_ms(valid_from), epoch_ms(valid_to)
    FROM report_schema ORDER BY node, valid_from, valid_to NULLS LAST
"""

_SCHEMA_CHANGES = """
    SELECT dataset_node, column_node, column_name, epoch_ms(changed_at), change, old_value, new_value, nature,
           confidence, job_name, detail, a.number
    FROM report_schema_changes LEFT JOIN report_change_apps a USING (app_id, attempt_id)
    ORDER BY changed_at, dataset_node, change, column_node, old_value, new_value
"""

_LINEAGE_CHANGES = """
    SELECT target, source, concat_ws('.', source_dataset, source_column), epoch_ms(changed_at), change, old_value,
           new_value, job_name, a.number
    FROM report_lineage_changes LEFT JOIN report_change_apps a USING (app_id, attempt_id)
    ORDER BY changed_at, target, change, source, old_value, new_value, job_name
"""

_APPS = "SELECT who FROM report_change_apps ORDER BY number"


def history_block(store: OpenStore) -> dict[str, Any]:
    """Return the columns' types over time, and the changes of schemas and lineage, the oldest first."""
    types = Numbering[str]()
    spans = _spans(store.connection.execute(_SPANS).fetchall())
    return {
        "spans": {
            "column": [span[0] for span in spans],
            "type": [types.number(span[1] or "") for span in spans],
            "from": [span[2] for span in spans],
            "to": [span[3] for span in spans],
            "types": types.values,
        },
        "schema": store.connection.execute(_SCHEMA_CHANGES).fetchall(),
        "lineage": store.connection.execute(_LINEAGE_CHANGES).fetchall(),
        "apps": [row[0] for row in store.connection.execute(_APPS).fetchall()],
    }


def _spans(found: Rows) -> Rows:
    """Join the versions in a row that show the same type of a column."""
    joined: Rows = []
    for _, versions in groupby(found, lambda row: row[0]):
        span: tuple[Any, ...] | None = None
        for node, data_type, valid_from, valid_to in versions:
            if span is not None and span[1] == data_type and span[3] == valid_from:
                span = (node, data_type, span[2], valid_to)
                continue
            if span is not None:
                joined.append(span)
            span = (node, data_type, valid_from, valid_to)
        if span is not None:
            joined.append(span)
    return joined


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
    queries.run(store, "edges")
    lists = queries.numbers(store, f"SELECT {', '.join(EDGE_NUMBERS)} FROM numbered_edges ORDER BY number")
    rows = store.connection.execute(
        "SELECT dependency, transformation, masking, confidence, is_current FROM edge_kinds ORDER BY number"
    ).fetchall()
    return {
        **dict(zip(EDGE_NUMBERS, lists, strict=True)),
        "kinds": [list(row) for row in rows],
        "jobs": _values(store, "SELECT job_name FROM edge_jobs ORDER BY number"),
        "times": _values(store, "SELECT epoch_ms(moment) FROM edge_times ORDER BY number"),
        "expressions": _values(store, "SELECT expression FROM edge_texts ORDER BY number"),
        "holes": [list(row) for row in queries.rows(store, "holes")],
    }


def _values(store: OpenStore, query: str) -> list[Any]:
    return [row[0] for row in store.connection.execute(query).fetchall()]
