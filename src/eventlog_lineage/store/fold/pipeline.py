"""Merging a harvest's staging folder into the store's database, in DuckDB's SQL."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from eventlog_lineage.history.job_names import JobNameRule
from eventlog_lineage.store.publish.database import SCHEMA_VERSION, together
from eventlog_lineage.store.schema.ddl import comment_on, create_table, quoted
from eventlog_lineage.store.schema.declaration import Table
from eventlog_lineage.store.schema.history_tables import LINEAGE_CHANGES
from eventlog_lineage.store.schema.internal_tables import (
    STORED_TABLES,
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
    PUBLIC_VIEWS,
    TABLE_COMMITS,
    TABLE_LINEAGE,
)

from .lineage_folding import fold_lineage_changes
from .renames import name_edges, read_renames
from .schema_folding import fold_schemas
from .staged_views import view_staging
from .stored_names import identify_datasets, name_jobs
from .upsert import merge_applications, merge_executions

if TYPE_CHECKING:
    import duckdb

_EDGES_AT_ONCE = 1_000_000
"""Edges that are sorted at a time: what does not fit into memory would go to the disk and come back."""

_MADE_ANEW = (
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


@dataclass(frozen=True, slots=True)
class Merged:
    """What a hand-over came to.

    Attributes:
        changed: Whether anything but the list of harvests can differ from before.
        due_days: The days whose run-level rows differ from before; None for applications whose start is not known.
    """

    changed: bool
    due_days: tuple[date | None, ...]


@dataclass(frozen=True, slots=True)
class Folded:
    """What a fold did.

    Attributes:
        changed: Whether anything but the list of harvests can differ from before.
        executions: Executions handed over.
        edges: Distinct edges of their lineages.
        gaps: Gaps of these executions and of their logs.
    """

    changed: bool
    executions: int
    edges: int
    gaps: int


def make_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Make all tables in an empty database."""
    for table in STORED_TABLES:
        _make_table(connection, table)
    connection.execute("INSERT INTO store_facts VALUES ('schema_version', ?)", [SCHEMA_VERSION])


def add_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the tables that a store of an older release does not have yet."""
    names = connection.execute("SELECT table_name FROM duckdb_tables() WHERE NOT internal").fetchall()
    known = {str(name) for (name,) in names}
    for table in STORED_TABLES:
        if table.name not in known:
            _make_table(connection, table)


def make_views(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the views and macros, or replace those of an older program."""
    connection.execute(sql_text("views/views"))
    for table in PUBLIC_VIEWS:
        connection.execute(f"CREATE OR REPLACE VIEW {quoted(table.name)} AS {sql_text('views/' + table.name)}")
        connection.execute(comment_on(table, view=True))
    connection.execute(sql_text("views/snapshot_views"))
    connection.execute(sql_text("views/macros"))


def merge(
    connection: duckdb.DuckDBPyConnection,
    staging: Path,
    rule: JobNameRule,
    *,
    renaming: bool = False,
    keep_from: datetime | None = None,
) -> Merged:
    """Merge a hand-over's rows into the store; `fold` follows.

    Args:
        connection: The store's database, with its tables and views.
        staging: The hand-over (tables.HARVEST_TABLES).
        rule: How jobs are named from now on.
        renaming: They were named otherwise before, or not at all.
        keep_from: Drop the run-level rows of applications that started before this time (UTC); folded tables
            remember them.
    """
    handed = view_staging(connection, staging)
    connection.execute(sql_text("merge/days_before"))
    connection.execute(sql_text("merge/merge_lineages"))
    merge_applications(connection)
    merge_executions(connection)
    connection.execute(sql_text("merge/merge_runs"))
    connection.execute(sql_text("names/names"))
    connection.execute(sql_text("merge/due"))
    if TABLE_COMMITS.name in handed:
        connection.execute(sql_text("merge/table_commits"))
    name_jobs(connection, rule, all_of_them=renaming)
    fold_schemas(connection)
    if keep_from is not None:
        connection.execute(sql_text("merge/drop_runs", keep_from=f"TIMESTAMP '{keep_from:%Y-%m-%d %H:%M:%S}'"))
    connection.execute(sql_text("merge/due_days"))
    days = connection.execute("SELECT started_on FROM due_days").fetchall()
    changed = bool(handed or renaming or _any(connection, "dropped_days"))
    return Merged(changed, tuple(day for (day,) in days))


def fold(connection: duckdb.DuckDBPyConnection, merged: Merged, *, empty: bool) -> Folded:
    """Make the tables anew that tell of all nights, if anything changed; the rows of single runs stay as they are.

    Args:
        connection: After `merge`.
        merged: What `merge` gave.
        empty: The tables have no rows yet.
    """
    if merged.changed:
        _make_anew(connection, empty=empty)
    return Folded(merged.changed, *_counts(connection))


def _make_table(connection: duckdb.DuckDBPyConnection, table: Table) -> None:
    connection.execute(create_table(table, replace=True))
    connection.execute(comment_on(table))


def _make_anew(connection: duckdb.DuckDBPyConnection, *, empty: bool) -> None:
    """Make the tables anew; with `empty` they have no rows yet."""
    if not empty:
        with together(connection):
            for table in _MADE_ANEW:
                _make_table(connection, table)
    renames = read_renames(connection)
    connection.execute(sql_text("folded/folded", edges_at_once=_EDGES_AT_ONCE))
    (batches,) = connection.execute("SELECT coalesce(max(batch) + 1, 0) FROM target_batches").fetchone() or (0,)
    for batch in range(batches):
        connection.execute(sql_text("folded/folded_edges", batch=batch))
    connection.execute(sql_text("folded/folded_tables"))
    fold_lineage_changes(connection, renames)
    connection.execute(sql_text("folded/dataset_facts"))
    identify_datasets(connection)
    connection.execute(sql_text("folded/datasets"))
    name_edges(connection, renames)
    connection.execute(sql_text("views/trace"))


def _counts(connection: duckdb.DuckDBPyConnection) -> tuple[int, int, int]:
    row = connection.execute(sql_text("merge/counts")).fetchone()
    return (int(row[0]), int(row[1]), int(row[2])) if row else (0, 0, 0)


def _any(connection: duckdb.DuckDBPyConnection, table: str) -> bool:
    return connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() is not None
