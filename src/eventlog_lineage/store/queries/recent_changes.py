"""What changed since a time, what depends on it, and how the next runs that read it went."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from .open_store import Answer, OpenStore

_CHANGES = """
    SELECT changed_at, 'schema' AS kind, dataset, change, column_name, old_value, new_value, nature, confidence,
           job_name, app_id, attempt_id, execution_id
    FROM schema_changes WHERE changed_at >= ?
    UNION ALL BY NAME
    SELECT changed_at, 'lineage' AS kind, target_dataset AS dataset, change, target_column AS column_name,
           CASE change WHEN 'edge_removed' THEN concat_ws('.', source_dataset, source_column) ELSE old_value END
               AS old_value,
           CASE change WHEN 'edge_added' THEN concat_ws('.', source_dataset, source_column) ELSE new_value END
               AS new_value,
           CAST(NULL AS VARCHAR) AS nature, CAST(NULL AS VARCHAR) AS confidence, job_name, app_id, attempt_id,
           execution_id
    FROM lineage_changes WHERE changed_at >= ?
    ORDER BY changed_at, dataset, kind DESC, change, column_name, old_value, new_value
"""

_HELD = """
    CREATE OR REPLACE TEMP TABLE held_edges AS
    SELECT l.source_dataset, lower(l.source_column) AS source_column, l.target_dataset, l.target_column, l.job_name,
           l.first_seen, l.last_seen, l.is_current, min(r.changed_at) AS ended_at
    FROM column_lineage l
    LEFT JOIN lineage_changes r
      ON r.change = 'edge_removed' AND NOT l.is_current AND r.job_name = l.job_name
     AND r.target_dataset = l.target_dataset AND r.source_dataset = l.source_dataset
     AND r.source_column = l.source_column AND r.target_column IS NOT DISTINCT FROM l.target_column
     AND r.changed_at > l.last_seen
    WHERE l.source_dataset IS NOT NULL AND l.target_dataset IS NOT NULL
    GROUP BY ALL
"""
"""Edges, with the time from which on they did not hold any more."""

_DEPENDANTS = """
    WITH RECURSIVE now_held AS MATERIALIZED (
        FROM held_edges WHERE first_seen <= $at AND (ended_at IS NULL OR ended_at > $at)
    ),
    reached(dataset, column_name) AS (
        SELECT CAST($dataset AS VARCHAR), lower(CAST($column AS VARCHAR))
        UNION
        SELECT h.target_dataset, lower(h.target_column)
        FROM reached r
        JOIN now_held h ON h.source_dataset = r.dataset
         AND (r.column_name IS NULL OR h.source_column = r.column_name
              OR starts_with(h.source_column, r.column_name || '.'))
    )
    SELECT DISTINCT h.target_dataset, h.target_column
    FROM reached r
    JOIN now_held h ON h.source_dataset = r.dataset
     AND (r.column_name IS NULL OR h.source_column = r.column_name
          OR starts_with(h.source_column, r.column_name || '.'))
    WHERE h.target_dataset <> $dataset
    ORDER BY ALL
"""

_NEXT_RUNS = """
    WITH readers AS (
        SELECT DISTINCT e.job_name
        FROM executions e JOIN named_io i USING (lineage_fingerprint)
        WHERE i.direction = 'read' AND i.dataset IN ($dataset, $other) AND e.execution_id = e.root_execution_id
        UNION
        SELECT DISTINCT p.job_name
        FROM past_runs p JOIN named_io i USING (lineage_fingerprint)
        WHERE i.direction = 'read' AND i.dataset IN ($dataset, $other)
    )
    SELECT r.job_name, e.started_at, e.status, e.error, e.app_id, e.execution_id
    FROM readers r
    LEFT JOIN executions e
      ON e.job_name = r.job_name AND e.started_at >= $at AND e.execution_id = e.root_execution_id
     AND NOT (e.app_id = $app AND e.attempt_id = $attempt AND e.execution_id = $execution)
    QUALIFY row_number() OVER (PARTITION BY r.job_name ORDER BY e.started_at, e.app_id, e.execution_id) = 1
    ORDER BY r.job_name
"""

_WITHOUT_DEPENDANTS = frozenset({"column_added", "table_created"})


def changes(store: OpenStore, since: datetime) -> Answer:
    """What changed in schemas and lineage, across all datasets, the oldest first.

    Args:
        store: The store.
        since: From this time on, UTC without a zone.

    Returns:
        changed_at, kind (`schema`, `lineage`), dataset, change, column_name, old_value, new_value, nature, confidence,
        job_name, app_id, attempt_id, execution_id; for a change of a schema also `depends`, the columns and datasets
        downstream that were made of it at that time, and `next_runs`, the first run after it of every job that reads
        the dataset: job_name, started_at, status, error (None where there was none yet).
    """
    found = store.ask(_CHANGES, [since, since])
    store.connection.execute(_HELD)
    rows: list[tuple[object, ...]] = []
    known: dict[tuple[object, ...], tuple[list[str], list[dict[str, object]]]] = {}
    for row in found.records():
        if row["kind"] != "schema":
            rows.append((*row.values(), None, None))
            continue
        key = (row["dataset"], _before(row), row["changed_at"], row["execution_id"], row["change"])
        if key not in known:
            known[key] = (_depends(store, row), _next_runs(store, row))
        rows.append((*row.values(), *known[key]))
    return Answer((*found.names, "depends", "next_runs"), rows)


def _before(row: dict[str, Any]) -> object:
    """The column's name before the change."""
    return row["old_value"] if row["change"] == "column_renamed" else row["column_name"]


def _depends(store: OpenStore, row: dict[str, Any]) -> list[str]:
    if row["change"] in _WITHOUT_DEPENDANTS:
        return []
    dataset = row["old_value"] if row["change"] == "table_renamed" else row["dataset"]
    asked = {"dataset": dataset, "column": _before(row), "at": row["changed_at"]}
    found = store.connection.execute(_DEPENDANTS, asked).fetchall()
    return [f"{target}.{column}" if column else str(target) for target, column in found]


def _next_runs(store: OpenStore, row: dict[str, Any]) -> list[dict[str, object]]:
    asked = {
        "dataset": row["dataset"],
        "other": row["old_value"] if row["change"] == "table_renamed" else row["dataset"],
        "at": row["changed_at"],
        "app": row["app_id"],
        "attempt": row["attempt_id"],
        "execution": row["execution_id"],
    }
    found = store.connection.execute(_NEXT_RUNS, asked).fetchall()
    names = ("job_name", "started_at", "status", "error", "app_id", "execution_id")
    return [dict(zip(names, each, strict=True)) for each in found]
