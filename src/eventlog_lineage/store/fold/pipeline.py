"""The fold: a harvest's rows go into the store's tables in a fixed order of steps."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date

from eventlog_lineage.connectors.connector import connectors
from eventlog_lineage.model import GapReason
from eventlog_lineage.store.fold.declared_rows import declare, keep_declarations
from eventlog_lineage.store.fold.staged_views import (
    identify_applications,
    report_later_times,
    view_staged_logs,
    view_staging,
)
from eventlog_lineage.store.fold.steps import Fold, Step, Values, always, python_step, sql_step, staged
from eventlog_lineage.store.fold.stored_names import (
    find_successors,
    identify_datasets,
    keep_rule,
    name_current_edges,
    name_job_bases,
    name_landing_files,
)
from eventlog_lineage.store.schema import tables
from eventlog_lineage.store.schema.creation import make_again
from eventlog_lineage.store.schema.database import together
from eventlog_lineage.store.schema.declaration import DECLARATIONS, TAGS, TEXT, Column, Table
from eventlog_lineage.store.schema.internal_tables import (
    TRACE_COLUMNS,
    TRACE_DATASETS,
    TRACE_EDGES,
    TRACE_NAMES,
    TRACE_PAIRS,
)
from eventlog_lineage.store.schema.relations import NO_DAY, column_list, count_of, quoted, text_literal, value_of

from .counts import check_lineages
from .steps import OPEN_RUNS, RUN_VIEWS, days_of, make_open_tables, open_days, view_runs
from .stored_names import fold_lineage_changes, fold_schemas

_LOG = logging.getLogger(__name__)

APPLICATION_KEY = ("app_id", "attempt_id")
"""The key of an application attempt."""

EXECUTION_KEY = (*APPLICATION_KEY, "execution_id")
"""The key of an execution."""

_FROM_ALL_PARTS = frozenset({"root_execution_id", "lineage_id", "plan_fingerprint"})
"""Columns of an execution that depend on other executions as well, which a log that lost parts may lack."""

_COMPLETE = "coalesce({row}.complete, false)::INTEGER"
_STATUS = "CASE {row}.status WHEN 'succeeded' THEN 3 WHEN 'failed' THEN 3 WHEN 'running' THEN 2 ELSE 1 END"


@python_step(
    reads="reported_again staged_executions executions",
    changes="dropped_applications open_applications open_executions open_log_gaps",
)
def drop_reported(fold: Fold) -> None:
    """Drop the applications that events report and that a log has; a warning counts their runs."""
    connection = fold.connection
    if not connection.execute("FROM reported_again LIMIT 1").fetchone():
        return
    runs = "SELECT app_id, attempt_id, execution_id FROM"
    both = f"{runs} staged_executions UNION {runs} executions"
    count = count_of(connection, f"FROM ({both}) SEMI JOIN reported_again USING (app_id, attempt_id)")
    connection.execute("INSERT INTO dropped_applications BY NAME FROM reported_again EXCEPT FROM dropped_applications")
    for table in ("open_applications", "open_executions", "open_log_gaps"):
        same = f"{table}.app_id = r.app_id AND {table}.attempt_id = r.attempt_id"
        connection.execute(f"DELETE FROM {table} USING reported_again r WHERE {same}")
    facts = {"runs": count, "hint": "their applications' logs have them"}
    _LOG.warning("left out runs in OpenLineage events", extra={"facts": facts})


@python_step(
    reads="staged_applications staged_gaps dropped_applications",
    makes="merged_applications",
    changes="open_applications",
)
def merge_applications(fold: Fold) -> None:
    """Merge the staged applications into those stored; a complete log has precedence."""
    _Merge(tables.APPLICATIONS, APPLICATION_KEY, _COMPLETE).run(fold)


@python_step(
    reads="staged_executions staged_gaps dropped_applications lineages",
    makes="merged_executions",
    changes="open_executions",
)
def merge_executions(fold: Fold) -> None:
    """Merge the staged executions into those stored; one that has ended has precedence over a running one.

    The lineage's fingerprint follows the lineage's id, whichever harvest brought that.
    """
    link = f"SELECT m.* REPLACE (l.lineage_fingerprint AS lineage_fingerprint) FROM merged_{tables.EXECUTIONS.name} m"
    link += " LEFT JOIN lineages l ON l.lineage_id = m.lineage_id"
    _Merge(tables.EXECUTIONS, EXECUTION_KEY, _STATUS, link, _FROM_ALL_PARTS).run(fold)


@dataclass(frozen=True, slots=True)
class _Merge:
    """Makes the temporary table `merged_<table>` of the staged rows, and replaces the stored rows of open days by it.

    Most harvests bring rows whose keys are distinct and not stored yet. Then there is nothing to choose, and the long
    statements that choose are left out: to plan them takes longer than to run them. No statement updates many rows:
    DuckDB keeps updates of a table in memory, and does not write them to its temporary folder (1.2 to 2.0).

    Attributes:
        table: The table; `staged_<table>` has the new rows.
        key: The columns that name a row.
        rank: The precedence of a row, as an expression on `{row}`; the greater has precedence, of equals the new row.
        inserted: The query for the rows to insert, if it is not for the merged rows as they are.
        lasting: Columns for which a log that lost parts since the last harvest has no precedence over what is stored.
    """

    table: Table
    key: tuple[str, ...]
    rank: str
    inserted: str = ""
    lasting: frozenset[str] = frozenset()

    def run(self, fold: Fold) -> None:
        connection, name = fold.connection, self.table.name
        connection.execute(f"""
            CREATE OR REPLACE TEMP TABLE merged_{name} AS
            SELECT c.* FROM staged_{name} c ANTI JOIN dropped_applications d USING (app_id, attempt_id)
        """)
        repeated, stored = connection.execute(self._counts()).fetchone() or (0, 0)
        if repeated:
            connection.execute(self._distinct())
        if stored:
            connection.execute(self._with_stored())
        if stored:
            same = " AND ".join(f"open_{name}.{column} = m.{column}" for column in self.key)
            connection.execute(f"DELETE FROM open_{name} USING merged_{name} m WHERE {same}")
        connection.execute(f"INSERT INTO open_{name} BY NAME {self.inserted or f'FROM merged_{name}'}")

    def _counts(self) -> str:
        """Return the query for the number of staged rows with a repeated key and of those with a stored key."""
        name, keys = self.table.name, ", ".join(self.key)
        return f"""
            SELECT (SELECT count(*) FROM merged_{name})
                   - (SELECT count(*) FROM (SELECT DISTINCT {keys} FROM merged_{name})),
                   (SELECT count(*) FROM merged_{name} SEMI JOIN open_{name} USING ({keys}))
        """

    def _distinct(self) -> str:
        name, every = self.table.name, column_list(self.table.column_names, "c")
        return f"""
            CREATE OR REPLACE TEMP TABLE merged_{name} AS
            SELECT c.* FROM merged_{name} c
            QUALIFY row_number() OVER (
                PARTITION BY {column_list(self.key, "c")} ORDER BY {self.rank.format(row="c")} DESC, {every}
            ) = 1
        """

    def _with_stored(self) -> str:
        name, keys = self.table.name, ", ".join(self.key)
        chosen = ", ".join(
            f"h.{column.name}"
            if column.name in self.key
            else f"{_preferred(column, self.rank, column.name in self.lasting)} AS {quoted(column.name)}"
            for column in self.table.columns
        )
        return f"""
            CREATE OR REPLACE TEMP TABLE merged_{name} AS
            WITH stored AS (SELECT c.* FROM open_{name} c SEMI JOIN merged_{name} h USING ({keys})),
            incomplete_logs AS (
                SELECT DISTINCT app_id, attempt_id FROM staged_gaps
                WHERE reason IN ('{GapReason.COMPACTED_LOG}', '{GapReason.MISSING_PARTS}')
            )
            SELECT {chosen}
            FROM merged_{name} h
            LEFT JOIN stored s USING ({keys})
            LEFT JOIN incomplete_logs p ON p.app_id = h.app_id AND p.attempt_id = h.attempt_id
        """


def _preferred(column: Column, rank: str, lasting: bool) -> str:
    new, old = f"h.{quoted(column.name)}", f"s.{quoted(column.name)}"
    known_new, known_old = (f"nullif({new}, '')", f"nullif({old}, '')") if column.type == TEXT else (new, old)
    wins = f"{rank.format(row='h')} >= {rank.format(row='s')}"
    by_new = f"coalesce({known_new}, {known_old}, {new}, {old})"
    by_old = f"coalesce({known_old}, {known_new}, {old}, {new})"
    if lasting:
        wins = f"({wins} AND p.app_id IS NULL)"
    return f"CASE WHEN s.app_id IS NULL OR {wins} THEN {by_new} ELSE {by_old} END"


_OPEN_DAYS: Values = {"runs": OPEN_RUNS, "executions": "open_executions"}
_ALL_DAYS: Values = {"runs": "statement_runs", "executions": "executions"}

_FOLDED = (
    tables.DATASETS,
    tables.DATASET_ALIASES,
    tables.COLUMN_LINEAGE,
    tables.TABLE_LINEAGE,
    tables.COLUMN_JOINS,
    tables.LINEAGE_CHANGES,
    DECLARATIONS,
    TAGS,
    TRACE_DATASETS,
    TRACE_NAMES,
    TRACE_COLUMNS,
    TRACE_EDGES,
    TRACE_PAIRS,
)
"""Tables that are made again from the series of runs and their lineages."""


@python_step(changes=" ".join(table.name for table in _FOLDED))
def clear_folded_tables(fold: Fold) -> None:
    """Replace the tables that are made again: faster than to delete the rows of many."""
    if fold.is_first:
        return
    with together(fold.connection):
        make_again(fold.connection, _FOLDED)


_has_commits = staged(tables.TABLE_COMMITS)


def _expires(fold: Fold) -> bool:
    return fold.keep_from is not None


def _applications_to_name(fold: Fold) -> Iterable[Values]:
    applications = "open_applications" if fold.rename_jobs else "compared_applications"
    return ({"applications": applications, "prefix": "open_"},)


def _of_rebuilt_jobs(fold: Fold) -> Iterable[Values]:
    rebuilt = fold.connection.execute("FROM changed_jobs WHERE is_rebuilt LIMIT 1").fetchone()
    return (_ALL_DAYS if rebuilt else _OPEN_DAYS,)


def _until_stable(fold: Fold) -> Iterable[Values]:
    """Select observations, and a second time where the first one found datasets to select from all runs."""
    before = count_of(fold.connection, "FROM rebuilt_datasets")
    yield _ALL_DAYS if before else _OPEN_DAYS
    if count_of(fold.connection, "FROM rebuilt_datasets") != before:
        yield _ALL_DAYS


def _connectors(_: Fold) -> Iterable[Values]:
    return ({"connectors": f"[{', '.join(map(text_literal, sorted(connectors())))}]::VARCHAR[]"},)


def _batches(fold: Fold) -> Iterable[Values]:
    batches = value_of(fold.connection, "SELECT coalesce(max(batch) + 1, 0) FROM target_batches")
    return [{"batch": batch} for batch in range(batches)]


@python_step(makes=RUN_VIEWS)
def view_stored_runs(fold: Fold) -> None:
    """Make the tables of the open days, and views over the runs of all days; applications without a start are open."""
    make_open_tables(fold.connection)
    view_runs(fold.connection, fold.runs)
    if fold.runs.has_undated:
        open_days(fold.connection, fold.runs, [NO_DAY])


@python_step(reads="days_before staged_applications", makes=RUN_VIEWS)
def open_staged_days(fold: Fold) -> None:
    """Open the days of the applications of this harvest."""
    days = "FROM days_before UNION ALL SELECT CAST(started_at AS DATE) AS started_on FROM staged_applications"
    open_days(fold.connection, fold.runs, days_of(fold.connection, days))


def open_days_of(relation: str, when: Callable[[Fold], bool] = always) -> Step:
    """Return the step that opens the days of applications."""

    @python_step(reads=f"{relation} applications open_applications staged_keys", makes=RUN_VIEWS)
    def opened(fold: Fold) -> None:
        if not fold.runs.closed:
            return
        closed = f"FROM {relation} ANTI JOIN open_applications USING (app_id, attempt_id)"
        closed += " ANTI JOIN staged_keys USING (app_id, attempt_id)"  # their days are open
        if fold.connection.execute(f"{closed} LIMIT 1").fetchone():  # else no past day is read
            days = (
                "SELECT CAST(started_at AS DATE) AS started_on FROM applications "
                f"SEMI JOIN ({closed}) USING (app_id, attempt_id)"
            )
            open_days(fold.connection, fold.runs, days_of(fold.connection, days))

    return replace(opened, name=f"open_days_of_{relation}", when=when)


MERGE_STEPS: tuple[Step, ...] = (
    view_stored_runs,
    identify_applications,
    report_later_times,
    view_staging,
    sql_step("merge/staged_runs"),
    open_staged_days,
    sql_step("merge/compared_applications"),
    open_days_of("compared_applications"),
    sql_step("merge/stored_runs"),
    drop_reported,
    sql_step("merge/lineages"),
    sql_step("merge/plans", when=staged(tables.PLAN_NODES)),
    sql_step("merge/relinked"),
    merge_applications,
    merge_executions,
    sql_step("merge/runs"),
    sql_step("names/statements_to_name", values=_applications_to_name),
    name_job_bases,
    sql_step("names/job_numbers"),
    sql_step("names/renamed_jobs"),
    sql_step("names/job_names"),
    check_lineages,
    keep_rule,
    keep_declarations,
    sql_step("fold/changed_runs"),
    sql_step("fold/changed_jobs"),
    sql_step("fold/run_series", values=_of_rebuilt_jobs),
    name_landing_files,
    sql_step("names/dataset_names", values=_connectors),
    sql_step("merge/affected_applications"),
    sql_step("merge/table_commits", when=_has_commits),
    open_days_of("matched_commits", _has_commits),
    sql_step("merge/written_snapshots", when=_has_commits),
    sql_step("merge/preceding_commits", when=_has_commits),
    open_days_of("preceding_commits", _has_commits),
    sql_step("merge/read_snapshots", when=_has_commits),
    sql_step("merge/unseen_commits", when=_has_commits),
    open_days_of("unseen_commits", _has_commits),
    sql_step("merge/commit_gaps", when=_has_commits),
    open_days_of("affected_applications"),
    sql_step("fold/other_datasets"),
    sql_step("merge/affected_days", when=lambda fold: not _expires(fold)),
    sql_step("fold/changed_observations"),
    sql_step("fold/schema_observations", values=_until_stable),
    sql_step("fold/selected_observations"),
    sql_step("fold/table_schemas", when=staged(tables.SEEN_SCHEMAS)),
    fold_schemas,
    sql_step("merge/expired_applications", when=_expires),
    open_days_of("expired_applications", _expires),
    sql_step("merge/drop_runs", when=_expires),
    sql_step("merge/affected_days", when=_expires),
)
"""The rows of single runs, their lineages, names and schemas. After these steps the run-level tables are complete."""

FOLD_STEPS: tuple[Step, ...] = (
    clear_folded_tables,
    find_successors,
    sql_step("fold/job_runs"),
    sql_step("fold/column_lineage", values=_batches),
    sql_step("fold/table_lineage"),
    sql_step("fold/column_joins"),
    sql_step("fold/lineage_change_points"),
    fold_lineage_changes,
    sql_step("fold/dataset_facts"),
    declare,
    identify_datasets,
    sql_step("fold/datasets"),
    name_current_edges,
    sql_step("fold/trace"),
    sql_step("fold/tags"),
)
"""The tables over distinct lineages and their series of runs.

They change no run-level table: the Parquet of the days is written before them.
"""

STEPS = (*MERGE_STEPS, *FOLD_STEPS)


_WIDE = tuple(
    """
    merged_executions merged_io_metrics unnamed_statements named_statements renamed_executions merged_runs joined_runs
    """.split()
)
"""Temporary tables with a row for each run, which nothing reads after the merge."""


@dataclass(frozen=True, slots=True)
class Merged:
    """What `merge` did.

    Attributes:
        changed: Whether anything but the list of harvests can differ from before.
        affected_days: The days whose run-level rows differ from before; None for applications whose start is unknown.
    """

    changed: bool
    affected_days: tuple[date | None, ...]


def merge(fold: Fold) -> Merged:
    """Merge a harvest's rows into the tables of single runs; `fold_tables` follows."""
    staged = any(fold.has_staged(table.name) for table in tables.HARVEST_TABLES)
    if not staged and _stays(fold):
        view_staged_logs.run(fold)
        return Merged(False, ())
    for step in MERGE_STEPS:
        step.run(fold)
    fold.connection.execute("".join(f"DROP TABLE IF EXISTS {name};" for name in _WIDE))
    dropped = fold.connection.execute("SELECT 1 FROM changed_days LIMIT 1").fetchone() is not None
    renamed = fold.connection.execute("SELECT 1 FROM renamed_names LIMIT 1").fetchone() is not None
    changed = staged or fold.rename_jobs or fold.declared is not None or dropped or renamed
    days = fold.connection.execute("SELECT started_on FROM affected_days").fetchall()
    return Merged(changed, tuple(day for (day,) in days))


def _stays(fold: Fold) -> bool:
    """Return whether the store stays as it is without new rows: no rule is another one, and nothing expires."""
    rules = fold.rename_jobs or fold.landing_files is not None or fold.keep_from is not None
    rules = rules or fold.declared is not None
    return not (rules or fold.is_first or fold.runs.is_migrated)


def fold_tables(fold: Fold) -> None:
    """Make the tables over all runs again; the rows of single runs stay as they are."""
    for step in FOLD_STEPS:
        step.run(fold)
