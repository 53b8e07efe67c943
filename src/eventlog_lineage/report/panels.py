"""The nine panels of the page, with the kinds of their columns and a chart for each."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, timezone
from typing import Any

from eventlog_lineage.store.panels import PANELS, Panel
from eventlog_lineage.store.queries.open_store import OpenStore

MOST_ROWS = 2000
"""Limit of a panel's rows in the page; the page shows their number."""


@dataclass(frozen=True, slots=True)
class Look:
    """How the page shows a panel.

    Attributes:
        columns: Query column to its kind: dataset, column (of the dataset before it), job, time, day, bytes, seconds,
            span (of time), count, factor, list, text, code.
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
            "error": "text",
            "failures": "count",
            "last_succeeded": "time",
            "waiting_jobs": "count",
            "readers": "list",
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
            "jobs": "list",
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
            "failed_next": "list",
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
            "jobs": "list",
        },
    ),
    "cost": Look(
        {
            "kind": "text",
            "name": "name",
            "runs": "count",
            "seconds": "seconds",
            "seconds_per_run": "seconds",
            "growth": "factor",
            "executor_seconds": "seconds",
            "cpu_seconds": "seconds",
            "shuffle_bytes": "bytes",
            "spilled_bytes": "bytes",
            "bytes_read": "bytes",
            "bytes_written": "bytes",
            "rows_written": "count",
            "last_run": "time",
        },
        {"kind": "bars", "x": "seconds", "y": "name", "where": ["kind", "job"]},
    ),
    "trust": Look(
        {"topic": "text", "item": "text", "count": "count", "detail": "text", "hint": "text", "seen_at": "time"},
        {"kind": "trust"},
    ),
}


def panels_block(store: OpenStore) -> list[dict[str, Any]]:
    """Return the panels with their first rows."""
    return [_panel(store, panel, LOOKS[panel.name]) for panel in PANELS]


def _panel(store: OpenStore, panel: Panel, look: Look) -> dict[str, Any]:
    answer = store.ask(panel.query)
    places = [answer.names.index(name) for name in look.columns]
    return {
        "name": panel.name,
        "title": panel.title,
        "question": panel.question,
        "note": panel.note,
        "columns": [{"name": name, "kind": kind} for name, kind in look.columns.items()],
        "chart": look.chart,
        "rows": [[_value(row[place]) for place in places] for row in answer.rows[:MOST_ROWS]],
        "total": len(answer.rows),
    }


def _value(value: object) -> object:
    """Return a value as JSON has it: times in milliseconds since 1970, days as texts."""
    if isinstance(value, datetime):
        return round(value.replace(tzinfo=timezone.utc).timestamp() * 1000)
    return value.isoformat() if isinstance(value, date) else value
