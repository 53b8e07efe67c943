"""The queries of the page, its graph and its panels: SQL files of this package, run on an open store."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Any

from eventlog_lineage.store.panels import PANELS, Due, Panel, late
from eventlog_lineage.store.queries.open_store import OpenStore, error_line

_SQL = Path(__file__).parent / "sql"

Rows = list[tuple[Any, ...]]


def query(name: str) -> str:
    """Return the text of one of this package's SQL files."""
    return (_SQL / f"{name}.sql").read_text(encoding="utf-8")


def run(store: OpenStore, name: str, parameters: Mapping[str, object] | None = None) -> None:
    """Run a file of statements that make temporary tables."""
    store.connection.execute(query(name), parameters)


def query_columns(store: OpenStore, name: str) -> dict[str, list[Any]]:
    """Return the columns of a file with one query, by their names."""
    found = store.ask(query(name))
    return {name: [row[place] for row in found.rows] for place, name in enumerate(found.names)}


def numbers(store: OpenStore, query: str) -> list[array[int]]:
    """Return the columns of a query, all of them INTEGER without NULL: half a million rows take no Python objects."""
    found = store.connection.sql(query).to_arrow_table().combine_chunks()
    lists = []
    for column in found.columns:
        values = array("i")
        for chunk in column.chunks:
            values.frombytes(memoryview(chunk.buffers()[1])[4 * chunk.offset : 4 * (chunk.offset + len(chunk))])
        lists.append(values)
    return lists


def _numbered(values: Iterable[str]) -> tuple[list[int], list[str]]:
    """Return the number of each value, and the distinct values by number, in the order of their first use."""
    numbers: dict[str, int] = {}
    return [numbers.setdefault(value, len(numbers)) for value in values], list(numbers)


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
    spans = _spans(store.connection.execute(_SPANS).fetchall())
    kinds, types = _numbered(span[1] or "" for span in spans)
    return {
        "spans": {
            "column": [span[0] for span in spans],
            "type": kinds,
            "from": [span[2] for span in spans],
            "to": [span[3] for span in spans],
            "types": types,
        },
        "schema": store.connection.execute(_SCHEMA_CHANGES).fetchall(),
        "lineage": store.connection.execute(_LINEAGE_CHANGES).fetchall(),
        "apps": [row[0] for row in store.connection.execute(_APPS).fetchall()],
    }


def _spans(found: Rows) -> Rows:
    """Join the versions in a row that show the same type of a column."""
    joined: Rows = []
    for node, data_type, valid_from, valid_to in found:
        if joined and (*joined[-1][:2], joined[-1][3]) == (node, data_type, valid_from):
            joined[-1] = (*joined[-1][:3], valid_to)
        else:
            joined.append((node, data_type, valid_from, valid_to))
    return joined


COLUMN_NUMBERS = ("dataset", "name", "ordinal")
EDGE_NUMBERS = ("source", "target", "kind", "job", "first", "ended", "expression")
"""What the page has as lists of numbers, a number for each column and each edge, in this order."""


def graph_block(store: OpenStore, *, outside: bool) -> dict[str, Any]:
    """Return datasets, columns and edges; columns and edges as lists, one for each of the `…_NUMBERS`."""
    columns, strings = _columns(store)
    return {
        "datasets": query_columns(store, "datasets"),
        "columns": columns,
        "strings": strings,
        "edges": _edges(store),
        "outside": [*query_columns(store, "outside").values()] if outside else [[], [], []],
    }


def _columns(store: OpenStore) -> tuple[dict[str, list[Any]], list[str]]:
    found = store.connection.execute(
        "SELECT dataset_node, column_name, coalesce(ordinal, 0), is_gone FROM report_columns ORDER BY node"
    ).fetchall()
    names, strings = _numbered(row[1] for row in found)
    return {
        "dataset": [row[0] for row in found],
        "name": names,
        "ordinal": [row[2] for row in found],
        "gone": [number for number, row in enumerate(found) if row[3]],
    }, strings


def _edges(store: OpenStore) -> dict[str, Any]:
    run(store, "edges")
    lists = numbers(store, f"SELECT {', '.join(EDGE_NUMBERS)} FROM numbered_edges ORDER BY number")
    kinds = store.connection.execute(
        "SELECT dependency, transformation, masking, confidence, is_current FROM edge_kinds ORDER BY number"
    ).fetchall()
    return {
        **dict(zip(EDGE_NUMBERS, lists, strict=True)),
        "kinds": [list(row) for row in kinds],
        "jobs": _values(store, "SELECT job_name FROM edge_jobs ORDER BY number"),
        "times": _values(store, "SELECT epoch_ms(moment) FROM edge_times ORDER BY number"),
        "expressions": _values(store, "SELECT expression FROM edge_texts ORDER BY number"),
        "holes": [list(row) for row in store.ask(query("holes")).rows],
    }


def _values(store: OpenStore, query: str) -> list[Any]:
    return [row[0] for row in store.connection.execute(query).fetchall()]


MOST_ROWS = 2000
"""Limit of a panel's rows in the page; the page shows their number."""


def panels_block(store: OpenStore, due: Sequence[Due] = ()) -> list[dict[str, Any]]:
    """Return the panels with their first rows."""
    return [_panel(store, panel, due) for panel in PANELS]


def _panel(store: OpenStore, panel: Panel, due: Sequence[Due]) -> dict[str, Any]:
    answer = late(store, due) if panel.name == "late" else store.ask(panel.query)
    found = answer.rows
    places = [(answer.names.index(name), kind) for name, kind in panel.columns.items()]
    return {
        "name": panel.name,
        "title": panel.title,
        "question": panel.question,
        "note": panel.note,
        "columns": [{"name": name, "kind": kind} for name, kind in panel.columns.items()],
        "chart": panel.chart,
        "rows": [[_value(row[place], kind) for place, kind in places] for row in found[:MOST_ROWS]],
        "total": len(found),
    }


def _value(value: object, kind: str) -> object:
    """Return a value as JSON has it: times in milliseconds since 1970, days as texts."""
    if kind == "error":
        return error_line(str(value or ""))
    if isinstance(value, datetime):
        return round(value.replace(tzinfo=timezone.utc).timestamp() * 1000)
    return value.isoformat() if isinstance(value, date) else value
