"""Lineage over time: the series of runs of older stores, and the differences from run to run, for `lineage_changes`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from eventlog_lineage.history.lineage_diff import NO_RENAMES, KnownEdge, compare
from eventlog_lineage.store.schema.history_tables import LINEAGE_CHANGES
from eventlog_lineage.store.schema.rows import Row
from eventlog_lineage.store.schema.sql_files import sql_text

from .insertion import insert_rows, read_records
from .renames import RenameHistory, read_renames
from .slices import series_periods
from .steps import Fold, python_step


@dataclass(frozen=True, slots=True)
class ChangePoint:
    """A run whose lineage onto a target differs from that of the run before; the columns of lineage_change_points.

    Attributes:
        job_name: The job.
        target_dataset: The target, by its name in this run.
        target_before: The target, by its name in the run before.
        before: The fingerprint of the lineage in the run before.
        lineage_fingerprint: The fingerprint of the lineage in this run.
        before_at: Start of the run before, UTC; None if it is unknown.
        changed_at: Start of this run, UTC; None if it is unknown.
        app_id: The application of this run.
        attempt_id: Its attempt.
        execution_id: Its root execution.
        other_spark: The runs have different minor versions of Spark.
    """

    job_name: str
    target_dataset: str
    target_before: str
    before: str
    lineage_fingerprint: str
    before_at: datetime | None
    changed_at: datetime | None
    app_id: str
    attempt_id: str
    execution_id: int
    other_spark: bool


Edges = Mapping[tuple[str, str], Sequence[KnownEdge]]
"""(lineage fingerprint, target) to edges."""


@python_step(
    reads="run_series statement_runs",
    makes="changed_runs changed_jobs continued_series joined_runs alternating_jobs joined_series",
    changes="run_series",
)
def complete_series(fold: Fold) -> None:
    """Make the series of runs of a store whose program knew none."""
    stored = fold.connection.execute("SELECT 1 FROM run_series LIMIT 1").fetchone()
    if fold.is_first or stored:
        return
    fold.connection.execute(
        "CREATE OR REPLACE TEMP TABLE changed_runs AS "
        "SELECT * EXCLUDE (status, last_seen, run_count, is_past), false AS is_new FROM statement_runs"
    )
    fold.connection.execute(sql_text("fold/changed_jobs"))
    for each in series_periods(fold):
        fold.connection.execute(sql_text("fold/run_series", **each))


@python_step(reads="lineage_change_points change_point_edges schema_changes", changes="lineage_changes")
def fold_lineage_changes(fold: Fold) -> None:
    """Compare the lineages before and after each change point and write down the differences."""
    if not fold.may_have_rows("lineage_change_points"):
        return
    renames = read_renames(fold.connection)
    edges: dict[tuple[str, str], list[KnownEdge]] = {}
    for record in read_records(fold.connection, "FROM change_point_edges ORDER BY edge_number"):
        key = (record.pop("lineage_fingerprint"), record.pop("target_dataset"))
        del record["edge_number"]
        edges.setdefault(key, []).append(KnownEdge(**record))
    points = [
        ChangePoint(**record) for record in read_records(fold.connection, "FROM lineage_change_points ORDER BY ALL")
    ]
    insert_rows(fold.connection, LINEAGE_CHANGES, (row for point in points for row in _rows(point, edges, renames)))


def _rows(point: ChangePoint, edges: Edges, renames: RenameHistory) -> Iterator[Row]:
    run = (point.app_id, point.attempt_id, point.execution_id)
    between = NO_RENAMES
    if point.before_at is not None and point.changed_at is not None:
        between = renames.between(point.before_at, point.changed_at, run)
    old = edges.get((point.before, point.target_before), [])
    new = edges.get((point.lineage_fingerprint, point.target_dataset), [])
    for change in compare(old, new, point.target_dataset, between, other_spark=point.other_spark):
        yield LINEAGE_CHANGES.row.of(
            change,
            job_name=point.job_name,
            target_dataset=point.target_dataset,
            changed_at=point.changed_at,
            app_id=point.app_id,
            attempt_id=point.attempt_id,
            execution_id=point.execution_id,
        )
