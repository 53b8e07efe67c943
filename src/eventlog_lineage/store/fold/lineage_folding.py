"""Lineage over time: what is different from run to run, to `lineage_changes`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from eventlog_lineage.history.lineage_diff import NO_RENAMES, KnownEdge, compare
from eventlog_lineage.store.schema.history_tables import LINEAGE_CHANGES
from eventlog_lineage.store.schema.rows import Row
from eventlog_lineage.store.schema.sql_files import sql_text

from .insertion import insert_rows
from .renames import RenameHistory

if TYPE_CHECKING:
    import duckdb

_TURNS = """
    SELECT job_name, target_dataset, target_before, before, lineage_fingerprint, before_at, ran_at,
           other_spark, app_id, attempt_id, execution_id
    FROM lineage_turns
    ORDER BY ALL
"""

_EDGES = """
    SELECT lineage_fingerprint, target_dataset, source_dataset, source_column, target_column, dependency,
           transformation, expression, pattern
    FROM turning_edges
"""


def fold_lineage_changes(connection: duckdb.DuckDBPyConnection, renames: RenameHistory) -> None:
    """Make `lineage_changes` anew.

    Args:
        connection: The store's database, with its runs and schemas.
        renames: What has other names than before.
    """
    connection.execute(sql_text("folded/lineage_turns"))
    edges: dict[tuple[str, str], list[KnownEdge]] = {}
    for fingerprint, target, *facts in connection.execute(_EDGES).fetchall():
        edges.setdefault((fingerprint, target), []).append(KnownEdge(*facts))
    turns = connection.execute(_TURNS).fetchall()
    insert_rows(connection, LINEAGE_CHANGES, (row for turn in turns for row in _rows(turn, edges, renames)))


def _rows(
    turn: tuple[Any, ...], edges: dict[tuple[str, str], list[KnownEdge]], renames: RenameHistory
) -> Iterator[Row]:
    job, target, target_before, before, after, before_at, ran_at, other_spark, *run = turn
    known = before_at is not None and ran_at is not None
    between = renames.between(before_at, ran_at, (run[0], run[1], run[2])) if known else NO_RENAMES
    old, new = edges.get((before, target_before), []), edges.get((after, target), [])
    found = compare(old, new, target, between, other_spark=bool(other_spark))
    app_id, attempt_id, execution_id = run
    for change in found:
        yield LINEAGE_CHANGES.row.of(
            change,
            job_name=job,
            target_dataset=target,
            changed_at=ran_at,
            app_id=app_id,
            attempt_id=attempt_id,
            execution_id=execution_id,
        )
