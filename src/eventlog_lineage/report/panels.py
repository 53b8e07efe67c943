"""The nine panels of the page, with the kinds of their columns and a chart for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timezone
from typing import Any

from eventlog_lineage.store.panels import PANELS, Panel
from eventlog_lineage.store.panels.due import Due, late
from eventlog_lineage.store.queries.error_line import error_line
from eventlog_lineage.store.queries.open_store import OpenStore

MOST_ROWS = 2000
"""Limit of a panel's rows in the page; the page shows their number."""


@dataclass(frozen=True, slots=True)
class Look:
    """How the page shows a panel.

    Attributes:
        columns: Query column to its kind: dataset, column (of the dataset before it), job, time, day, bytes, seconds,
            span (of time), count, factor, jobs (a list), list, text, error (one line of it), code.
        chart: The chart's kind and the columns that it draws; empty for none.
    """

    columns: dict[str, str]
    chart: dict[str, Any] = field(default_factory=dict)


LOOKS = {
    "nights": Look(
        {
            "day": "day",
            "applications": "count",
            "statements": "count",
            "succeeded": "count",
            "failed": "count",
            "unfinished": "count",
            "seconds": "seconds",
            "rows_written": "count",
            "bytes_written": "bytes",
        },
        {"kind": "stacks", "x": "day", "y": ["succeeded", "failed", "unfinished"]},
    ),
    "failures": Look(
        {
            "failed_at": "time",
            "job_name": "job",
            "dataset": "dataset",
            "error": "error",
            "failures": "count",
            "last_succeeded": "time",
            "waiting_jobs": "count",
            "readers": "jobs",
            "waiting_datasets": "count",
        },
    ),
    "late": Look(
        {
            "dataset": "dataset",
            "last_write": "time",
            "usual_gap_seconds": "span",
            "age_seconds": "span",
            "times_usual": "factor",
            "writes": "count",
            "job_name": "job",
        },
        {"kind": "late", "x": "times_usual", "y": "dataset"},
    ),
    "do_not_break": Look(
        {"dataset": "dataset", "column_name": "column", "columns": "count", "datasets": "count", "jobs": "count"},
        {"kind": "bars", "x": "columns", "y": "column_name", "of": "dataset"},
    ),
    "personal_data": Look(
        {
            "dataset": "dataset",
            "column_name": "column",
            "personal_dataset": "dataset",
            "personal_column": "column",
            "transformations": "list",
            "jobs": "jobs",
            "last_seen": "time",
        },
    ),
    "changes": Look(
        {
            "changed_at": "time",
            "kind": "text",
            "dataset": "dataset",
            "column_name": "column",
            "change": "text",
            "nature": "text",
            "old_value": "code",
            "new_value": "code",
            "dependants": "count",
            "failed_next": "jobs",
            "job_name": "job",
        },
        {"kind": "weeks", "x": "changed_at", "color": "change"},
    ),
    "removable": Look(
        {
            "kind": "text",
            "dataset": "dataset",
            "column_name": "column",
            "bytes_written": "bytes",
            "last_written": "time",
            "last_read": "time",
            "jobs": "jobs",
        },
    ),
    "cost": Look(
        {
            "kind": "text",
            "name": "name",
            "runs": "count",
            "executor_seconds": "span",
            "cpu_seconds": "span",
            "seconds": "span",
            "seconds_per_run": "span",
            "growth": "factor",
            "shuffle_bytes": "bytes",
            "spilled_bytes": "bytes",
            "bytes_read": "bytes",
            "bytes_written": "bytes",
            "rows_written": "count",
            "last_run": "time",
        },
        {"kind": "bars", "x": "executor_seconds", "y": "name", "where": ["kind", "job"]},
    ),
    "trust": Look(
        {"topic": "text", "item": "text", "count": "count", "detail": "text", "hint": "text", "seen_at": "time"},
        {"kind": "trust"},
    ),
}


def panels_block(store: OpenStore, due: Sequence[Due] = ()) -> list[dict[str, Any]]:
    """Return the panels with their first rows.

    Args:
        store: The store.
        due: How often datasets have to be written, where that is not their own cadence.
    """
    return [_panel(store, panel, LOOKS[panel.name], due) for panel in PANELS]


def _panel(store: OpenStore, panel: Panel, look: Look, due: Sequence[Due]) -> dict[str, Any]:
    answer = late(store, due) if panel.name == "late" else store.ask(panel.query)
    found = answer.rows
    places = [(answer.names.index(name), kind) for name, kind in look.columns.items()]
    return {
        "name": panel.name,
        "title": panel.title,
        "question": panel.question,
        "note": panel.note,
        "columns": [{"name": name, "kind": kind} for name, kind in look.columns.items()],
        "chart": look.chart,
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
