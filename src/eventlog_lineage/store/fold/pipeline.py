"""The fold: a harvest's rows go into the store's tables in a fixed order of steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from eventlog_lineage.store.publish.database import together
from eventlog_lineage.store.schema.history_tables import LINEAGE_CHANGES, LINEAGE_SCHEMAS, SEEN_SCHEMAS
from eventlog_lineage.store.schema.internal_tables import (
    TRACE_COLUMNS,
    TRACE_DATASETS,
    TRACE_EDGES,
    TRACE_NAMES,
    TRACE_PAIRS,
)
from eventlog_lineage.store.schema.run_files import NO_DAY
from eventlog_lineage.store.schema.schemas import stored_name
from eventlog_lineage.store.schema.tables import (
    COLUMN_LINEAGE,
    DATASET_ALIASES,
    DATASETS,
    HARVEST_TABLES,
    LINEAGE_EDGES,
    LINEAGE_GAPS,
    LINEAGE_IO,
    LINEAGES,
    PLAN_NODES,
    TABLE_COMMITS,
    TABLE_LINEAGE,
)

from .application_ids import identify_applications
from .clocks import report_later_times
from .creation import make_again
from .landing_files import name_landing_files
from .lineage_folding import complete_series, fold_lineage_changes
from .renames import find_successors, name_current_edges
from .run_days import OPEN_RUNS, RUN_VIEWS, days_of, make_open_tables, move_open_tables, open_days, view_runs
from .schema_folding import fold_schemas
from .slices import (
    ONE_SLICE,
    application_slices,
    count_staged,
    dataset_slices,
    is_large,
    naming_slices,
    series_periods,
)
from .staged_views import view_staged_logs, view_staging
from .steps import SCRATCH, Fold, Step, Values, python_step, sql_step
from .stored_names import identify_datasets, keep_rule, name_job_bases
from .upsert import merge_applications, merge_executions

_EDGES_AT_ONCE = 1_000_000
"""Edges that are sorted at a time: what does not fit into memory would go to the disk and come back."""

_OPEN_DAYS: Values = {"runs": OPEN_RUNS, "executions": "open_executions"}
_ALL_DAYS: Values = {"runs": "statement_runs", "executions": "executions"}

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


@python_step(changes=" ".join(table.name for table in _FOLDED))
def clear_folded_tables(fold: Fold) -> None:
    """Empty the tables that are made again.

    To replace a table is faster than to delete its rows, unless they are few: its comments have to be set again.
    `column_lineage` is always replaced, because `trace_edges` has its row ids, and those of deleted rows are reused.
    """
    if fold.is_first:
        return
    kept = tuple(table for table in _FOLDED if fold.has_few_rows and table is not COLUMN_LINEAGE)
    with together(fold.connection):
        make_again(fold.connection, tuple(table for table in _FOLDED if table not in kept))
        for table in kept:
            fold.connection.execute(f"DELETE FROM {stored_name(table)}")


def _lineages(fold: Fold) -> Iterable[Values]:
    tables = (LINEAGES, LINEAGE_EDGES, LINEAGE_IO, LINEAGE_GAPS, LINEAGE_SCHEMAS)
    staged = any(fold.has_staged(table.name) for table in tables)
    return ({"is_reprocessed": str(fold.is_reprocessed).lower()},) if staged else ()


def _no_lineages(fold: Fold) -> Iterable[Values]:
    return () if _lineages(fold) else ({},)


def _plans(fold: Fold) -> Iterable[Values]:
    return ({},) if fold.has_staged(PLAN_NODES.name) else ()


def _commits(fold: Fold) -> Iterable[Values]:
    return ({},) if fold.has_staged(TABLE_COMMITS.name) else ()


def _schemas(fold: Fold) -> Iterable[Values]:
    return ({},) if fold.has_staged(SEEN_SCHEMAS.name) else ()


def _slice(fold: Fold) -> Iterable[Values]:
    return ({"slices": fold.slices, "slice": fold.slice},)


def _applications_to_name(fold: Fold) -> Iterable[Values]:
    applications = "open_applications" if fold.rename_jobs else "compared_applications"
    return [{"applications": applications, "prefix": "open_", **each} for each in _slice(fold)]


def _undated(fold: Fold) -> Iterable[Values]:
    return ({"has_undated": str(fold.runs.has_undated).lower()},)


def _without_stored_runs(fold: Fold) -> Iterable[Values]:
    return ({},) if is_large(fold) and not fold.connection.execute("FROM stored_runs LIMIT 1").fetchone() else ()


def _with_stored_runs(fold: Fold) -> Iterable[Values]:
    return () if tuple(_without_stored_runs(fold)) else ({},)


def _renames(fold: Fold) -> Iterable[Values]:
    return ({"rename_jobs": "true" if fold.rename_jobs else "false"},)


def _until_stable(fold: Fold) -> Iterable[Values]:
    """Select observations, and a second time where the first one found datasets to select from all runs."""
    count = "SELECT count(*) FROM rebuilt_datasets"
    (before,) = fold.connection.execute(count).fetchone() or (0,)
    yield _ALL_DAYS if before else _OPEN_DAYS
    if fold.connection.execute(count).fetchone() != (before,):
        yield _ALL_DAYS


def _expiry(fold: Fold) -> Iterable[Values]:
    return () if fold.keep_from is None else ({"keep_from": f"TIMESTAMP '{fold.keep_from:%Y-%m-%d %H:%M:%S}'"},)


def _days(fold: Fold) -> Iterable[Values]:
    return ({"all_days": str(fold.runs.is_migrated).lower()},)


def _days_at_once(fold: Fold) -> Iterable[Values]:
    return _days(fold) if fold.keep_from is None else ()


def _days_after_expiry(fold: Fold) -> Iterable[Values]:
    return () if fold.keep_from is None else _days(fold)


def _latest(fold: Fold) -> Iterable[Values]:
    if fold.latest is None or fold.is_first or fold.has_bounded_times:
        return ()
    return ({"latest": f"TIMESTAMP '{fold.latest:%Y-%m-%d %H:%M:%S}'"},)


def _batch_size(_: Fold) -> Iterable[Values]:
    return ({"edges_at_once": _EDGES_AT_ONCE},)


def _batches(fold: Fold) -> Iterable[Values]:
    row = fold.connection.execute("SELECT coalesce(max(batch) + 1, 0) FROM target_batches").fetchone()
    return [{"batch": batch} for batch in range(row[0] if row else 0)]


@python_step(makes=RUN_VIEWS)
def view_stored_runs(fold: Fold) -> None:
    """Make the tables of the open days, and views over the runs of all days; applications without a start are open."""
    make_open_tables(fold.connection)
    if is_large(fold):
        move_open_tables(fold.connection, fold.staging / SCRATCH)
    if is_large(fold) or not fold.runs.is_viewed:
        view_runs(fold.connection, fold.runs)
    if fold.runs.has_undated:
        open_days(fold.connection, fold.runs, [NO_DAY])


@python_step(reads="days_before staged_applications", makes=RUN_VIEWS)
def open_staged_days(fold: Fold) -> None:
    """Open the days of the applications of this harvest."""
    days = "FROM days_before UNION ALL SELECT CAST(started_at AS DATE) AS started_on FROM staged_applications"
    open_days(fold.connection, fold.runs, days_of(fold.connection, days))


def open_days_of(relation: str, condition: Callable[[Fold], Iterable[Values]] = lambda _: ({},)) -> Step:
    """Return the step that opens the days of applications.

    Args:
        relation: The temporary table with their keys.
        condition: The values of the step that makes the table: without any it is not there.
    """

    @python_step(reads=f"{relation} applications open_applications staged_keys", makes=RUN_VIEWS)
    def opened(fold: Fold) -> None:
        if not fold.runs.closed or not tuple(condition(fold)):
            return
        closed = f"FROM {relation} ANTI JOIN open_applications USING (app_id, attempt_id)"
        closed += " ANTI JOIN staged_keys USING (app_id, attempt_id)"  # their days are open
        if fold.connection.execute(f"{closed} LIMIT 1").fetchone():  # else no past day is read
            days = (
                "SELECT CAST(started_at AS DATE) AS started_on FROM applications "
                f"SEMI JOIN ({closed}) USING (app_id, attempt_id)"
            )
            open_days(fold.connection, fold.runs, days_of(fold.connection, days))

    return replace(opened, name=f"open_days_of_{relation}")


_OPENING_STEPS: tuple[Step, ...] = (
    view_stored_runs,
    identify_applications,
    report_later_times,
    view_staging,
    sql_step("merge/staged_runs", _undated),
    open_staged_days,
    sql_step("merge/later_applications", _latest),
    open_days_of("later_applications", _latest),
    sql_step("merge/stored_clocks", _latest),
    complete_series,
    sql_step("merge/compared_applications", _renames),
    open_days_of("compared_applications"),
    sql_step("merge/stored_runs"),
    sql_step("merge/lineages", _lineages, {"is_reprocessed": "false"}),
    sql_step("merge/no_lineages", _no_lineages),
    sql_step("merge/plans", _plans, {}),
    sql_step("merge/relinked"),
    merge_applications,
)

_RUN_STEPS: tuple[Step, ...] = (
    merge_executions,
    sql_step("merge/runs", _slice, ONE_SLICE),
    sql_step("names/statements_to_name", _applications_to_name),
    name_job_bases,
    sql_step("names/job_numbers"),
    sql_step("names/renamed_jobs"),
    sql_step("names/job_names", naming_slices, ONE_SLICE),
)

_SERIES_STEPS: tuple[Step, ...] = (
    keep_rule,
    sql_step("fold/changed_runs", _with_stored_runs, {}),
    sql_step("fold/new_runs", _without_stored_runs),
    sql_step("fold/changed_jobs"),
    sql_step("fold/run_series", series_periods),
    name_landing_files,
    sql_step("names/dataset_names"),
    sql_step("merge/affected_applications"),
    sql_step("merge/table_commits", _commits),
    open_days_of("matched_commits", _commits),
    sql_step("merge/written_snapshots", _commits),
    sql_step("merge/preceding_commits", _commits),
    open_days_of("preceding_commits", _commits),
    sql_step("merge/read_snapshots", _commits),
    sql_step("merge/unseen_commits", _commits),
    open_days_of("unseen_commits", _commits),
    sql_step("merge/commit_gaps", _commits),
    open_days_of("affected_applications"),
    sql_step("fold/other_datasets"),
    sql_step("merge/affected_days", _days_at_once, {"all_days": "false"}),
)

_OBSERVATION_STEPS: tuple[Step, ...] = (
    sql_step("fold/changed_observations", _slice, ONE_SLICE),
    sql_step("fold/schema_observations", _until_stable, _OPEN_DAYS, _ALL_DAYS),
    sql_step("fold/selected_observations"),
)

_CLOSING_STEPS: tuple[Step, ...] = (
    sql_step("fold/table_schemas", _schemas),
    fold_schemas,
    sql_step("merge/expired_applications", _expiry),
    open_days_of("expired_applications", _expiry),
    sql_step("merge/drop_runs", _expiry),
    sql_step("merge/affected_days", _days_after_expiry),
)


def _whole(fold: Fold) -> Sequence[Fold]:
    return (fold,)


Stages = tuple[tuple[tuple[Step, ...], Callable[[Fold], Iterable[Fold]]], ...]

RUN_STAGES: Stages = ((_OPENING_STEPS, _whole), (_RUN_STEPS, application_slices), (_SERIES_STEPS, _whole))
"""Steps that run one after another for each slice of the harvest, and the function that returns the slices.

If no runs expire, the tables of single runs are complete after them, but for the gaps of schemas.
"""

SCHEMA_STAGES: Stages = ((_OBSERVATION_STEPS, dataset_slices), (_CLOSING_STEPS, _whole))
"""The history of schemas, and the runs that expire."""

MERGE_STEPS = tuple(step for steps, _ in (*RUN_STAGES, *SCHEMA_STAGES) for step in steps)
"""The rows of single runs, their lineages, names and schemas. After these steps the run-level tables are complete."""

UNCHANGED_STEPS: tuple[Step, ...] = (view_staged_logs,)
"""What a harvest without rows needs instead of `MERGE_STEPS`."""

FOLD_STEPS: tuple[Step, ...] = (
    clear_folded_tables,
    find_successors,
    sql_step("fold/job_runs", _batch_size, {"edges_at_once": _EDGES_AT_ONCE}),
    sql_step("fold/column_lineage", _batches, {"batch": 0}),
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


Days = tuple[date | None, ...]
"""The days whose run-level rows differ from before; None for applications whose start is unknown."""


@dataclass(frozen=True, slots=True)
class Merged:
    """What `merge` did.

    Attributes:
        changed: Whether anything but the list of harvests can differ from before.
        affected_days: The days whose run-level rows differ from before.
    """

    changed: bool
    affected_days: Days


def merge(fold: Fold, on_days: Callable[[Days], None] = lambda _: None) -> Merged:
    """Merge a harvest's rows into the tables of single runs; `fold_tables` follows.

    Args:
        fold: The database and the harvest.
        on_days: Called with the affected days when no more run-level rows change but gaps; not in each merge.
    """
    staged = any(fold.has_staged(table.name) for table in HARVEST_TABLES)
    if not staged and _stays(fold):
        for step in UNCHANGED_STEPS:
            step.run(fold)
        return Merged(False, ())
    fold = count_staged(fold)
    _run(RUN_STAGES, fold)
    if fold.keep_from is None:
        on_days(_affected_days(fold))
    _run(SCHEMA_STAGES, fold)
    dropped = fold.connection.execute("SELECT 1 FROM changed_days LIMIT 1").fetchone() is not None
    renamed = fold.connection.execute("SELECT 1 FROM renamed_names LIMIT 1").fetchone() is not None
    return Merged(staged or fold.rename_jobs or dropped or renamed, _affected_days(fold))


def _run(stages: Stages, fold: Fold) -> None:
    for steps, slices in stages:
        for part in slices(fold):
            for step in steps:
                step.run(part)


def _affected_days(fold: Fold) -> Days:
    return tuple(day for (day,) in fold.connection.execute("SELECT started_on FROM affected_days").fetchall())


def _stays(fold: Fold) -> bool:
    """Return whether the store stays as it is without new rows: no rule is another one, and nothing expires."""
    rules = fold.rename_jobs or fold.landing_files is not None or fold.keep_from is not None
    return not (rules or fold.is_first or fold.runs.is_migrated)


def fold_tables(fold: Fold) -> None:
    """Make the tables over all runs again; the rows of single runs stay as they are.

    Args:
        fold: The database after `merge`.
    """
    for step in FOLD_STEPS:
        step.run(fold)
