"""The fold: a harvest's rows go into the store's tables in a fixed order of steps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from eventlog_lineage.store.publish.database import together
from eventlog_lineage.store.schema.history_tables import LINEAGE_CHANGES
from eventlog_lineage.store.schema.internal_tables import (
    TRACE_COLUMNS,
    TRACE_DATASETS,
    TRACE_EDGES,
    TRACE_NAMES,
    TRACE_PAIRS,
)
from eventlog_lineage.store.schema.sql_files import sql_text
from eventlog_lineage.store.schema.tables import (
    COLUMN_LINEAGE,
    DATASET_ALIASES,
    DATASETS,
    HARVEST_TABLES,
    TABLE_COMMITS,
    TABLE_LINEAGE,
)

from .application_ids import identify_applications
from .clocks import report_later_times
from .creation import make_again
from .lineage_folding import fold_lineage_changes
from .renames import find_successors, name_current_edges
from .schema_folding import fold_schemas
from .staged_views import view_staging
from .steps import Fold, Step, Values, python_step, sql_step
from .stored_names import identify_datasets, keep_rule, name_job_bases
from .upsert import merge_applications, merge_executions

_EDGES_AT_ONCE = 1_000_000
"""Edges that are sorted at a time: what does not fit into memory would go to the disk and come back."""

_FOLDED = (
    DATASETS,
    DATASET_ALIASES,
    COLUMN_LINEAGE,
    TABLE_LINEAGE,
    LINEAGE_CHANGES,
    TRACE_DATASETS,
    TRACE_NAMES,
    TRACE_COLUMNS,
    TRACE_EDGES,
    TRACE_PAIRS,
)
"""Tables that are made again from the series of runs and their lineages."""


@python_step(
    reads="run_series statement_runs",
    makes="changed_runs changed_jobs continued_series joined_runs joined_series",
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
    fold.connection.execute(sql_text("fold/run_series"))


@python_step(changes=" ".join(table.name for table in _FOLDED))
def clear_folded_tables(fold: Fold) -> None:
    """Empty the tables that are made again: to replace a table is faster than to delete its rows."""
    if not fold.is_first:
        with together(fold.connection):
            make_again(fold.connection, _FOLDED)


def _commits(fold: Fold) -> Iterable[Values]:
    return ({},) if fold.has_staged(TABLE_COMMITS.name) else ()


def _applications_to_name(fold: Fold) -> Iterable[Values]:
    return ({"applications": "applications" if fold.rename_jobs else "compared_applications"},)


def _renames(fold: Fold) -> Iterable[Values]:
    return ({"rename_jobs": "true" if fold.rename_jobs else "false"},)


def _until_stable(fold: Fold) -> Iterable[Values]:
    """Select observations, and a second time where the first one found datasets to select from all runs."""
    count = "SELECT count(*) FROM rebuilt_datasets"
    before = fold.connection.execute(count).fetchone()
    yield {}
    if fold.connection.execute(count).fetchone() != before:
        yield {}


def _expiry(fold: Fold) -> Iterable[Values]:
    return () if fold.keep_from is None else ({"keep_from": f"TIMESTAMP '{fold.keep_from:%Y-%m-%d %H:%M:%S}'"},)


def _latest(fold: Fold) -> Iterable[Values]:
    if fold.latest is None or fold.is_first:
        return ()
    return ({"latest": f"TIMESTAMP '{fold.latest:%Y-%m-%d %H:%M:%S}'"},)


def _batch_size(_: Fold) -> Iterable[Values]:
    return ({"edges_at_once": _EDGES_AT_ONCE},)


def _batches(fold: Fold) -> Iterable[Values]:
    row = fold.connection.execute("SELECT coalesce(max(batch) + 1, 0) FROM target_batches").fetchone()
    return [{"batch": batch} for batch in range(row[0] if row else 0)]


MERGE_STEPS: tuple[Step, ...] = (
    identify_applications,
    report_later_times,
    view_staging,
    sql_step("merge/staged_runs"),
    sql_step("merge/stored_clocks", _latest),
    complete_series,
    sql_step("merge/compared_runs", _renames),
    sql_step("merge/lineages"),
    merge_applications,
    merge_executions,
    sql_step("merge/runs"),
    sql_step("names/statements_to_name", _applications_to_name),
    name_job_bases,
    sql_step("names/job_numbers"),
    sql_step("names/job_names"),
    keep_rule,
    sql_step("fold/changed_runs"),
    sql_step("fold/run_series"),
    sql_step("names/dataset_names"),
    sql_step("merge/affected_applications"),
    sql_step("merge/table_commits", _commits),
    sql_step("fold/changed_observations"),
    sql_step("fold/schema_observations", _until_stable),
    sql_step("fold/selected_observations"),
    fold_schemas,
    sql_step("merge/drop_runs", _expiry),
    sql_step("merge/affected_days"),
)
"""The rows of single runs, their lineages, names and schemas. After these steps the run-level tables are complete."""

FOLD_STEPS: tuple[Step, ...] = (
    clear_folded_tables,
    find_successors,
    sql_step("fold/job_runs", _batch_size),
    sql_step("fold/column_lineage", _batches),
    sql_step("fold/table_lineage"),
    sql_step("fold/lineage_change_points"),
    fold_lineage_changes,
    sql_step("fold/dataset_facts"),
    identify_datasets,
    sql_step("fold/datasets"),
    name_current_edges,
    sql_step("fold/trace"),
)
"""The tables over distinct lineages and their series of runs.

They change no run-level table: the Parquet of the days is written at the same time.
"""

STEPS = (*MERGE_STEPS, *FOLD_STEPS)


@dataclass(frozen=True, slots=True)
class Merged:
    """What `merge` did.

    Attributes:
        changed: Whether anything but the list of harvests can differ from before.
        affected_days: The days whose run-level rows differ from before; None for applications whose start is unknown.
    """

    changed: bool
    affected_days: tuple[date | None, ...]


@dataclass(frozen=True, slots=True)
class Counts:
    """What the harvest found.

    Attributes:
        executions: Executions in the staging folder.
        edges: Distinct edges of their lineages.
        gaps: Gaps of these executions and of their logs.
    """

    executions: int
    edges: int
    gaps: int


def merge(fold: Fold) -> Merged:
    """Merge a harvest's rows into the tables of single runs; `fold_tables` follows.

    Args:
        fold: The database and the harvest.
    """
    for step in MERGE_STEPS:
        step.run(fold)
    days = fold.connection.execute("SELECT started_on FROM affected_days").fetchall()
    staged = any(fold.has_staged(table.name) for table in HARVEST_TABLES)
    dropped = fold.connection.execute("SELECT 1 FROM dropped_days LIMIT 1").fetchone() is not None
    return Merged(staged or fold.rename_jobs or dropped, tuple(day for (day,) in days))


def fold_tables(fold: Fold) -> None:
    """Make the tables over all runs again; the rows of single runs stay as they are.

    Args:
        fold: The database after `merge`.
    """
    for step in FOLD_STEPS:
        step.run(fold)


def count_found(fold: Fold) -> Counts:
    """Return what the harvest found.

    Args:
        fold: The database after `merge`.
    """
    row = fold.connection.execute(sql_text("merge/counts")).fetchone() or (0, 0, 0)
    return Counts(*map(int, row))
