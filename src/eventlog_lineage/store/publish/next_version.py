"""The next version of a store while it is made, next to the current one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import duckdb

from eventlog_lineage.history.job_names import JobNameRule
from eventlog_lineage.store.fold.clocks import has_bounded_times, latest_time
from eventlog_lineage.store.fold.creation import add_missing_columns, make_views
from eventlog_lineage.store.fold.pipeline import STEPS
from eventlog_lineage.store.fold.run_days import (
    RunDays,
    find_run_days,
    has_other_columns,
    make_open_tables,
    open_days,
    take_tables,
    view_runs,
)
from eventlog_lineage.store.fold.slices import count_rows
from eventlog_lineage.store.fold.steps import Fold, parse_ahead
from eventlog_lineage.store.fold.stored_names import stored_rule
from eventlog_lineage.store.integrity.damage import damaged
from eventlog_lineage.store.integrity.manifest import LISTED, ListedFile, checksum, read_manifest
from eventlog_lineage.store.schema.store_facts import write_fact

from .carrying.carried_files import CarriedFiles, files_to_carry
from .database import DATABASE_NAME, open_for_writing, remove_database, together, tune_for_few_rows, writable_path
from .empty_database import open_empty
from .versions import begin_version, copy_file, current_version

_SMALL = 32 << 20
"""Bytes of the database and the staged rows up to which one thread is faster than several that share each statement."""

_FEW = 200_000
"""Staged rows for which the same holds: a million edges with equal texts are 5 MB of Parquet, and 480 MB of blocks that
are not compressed."""

_SURELY_FEW = 256 << 10
"""Bytes of staged files whose rows need not be counted."""


@dataclass(frozen=True, slots=True)
class NextVersion:
    """A version that is not published yet; at first it has the rows of the version before it.

    Attributes:
        version: Its folder.
        previous: The folder of the version before it; None for the first.
        database: Where its database is written; `move_database` moves it into the version's folder.
        connection: The database, with tables, views and macros.
        rule: How its jobs are named so far; the built-in rule in the first version.
        runs: The days of the version before.
        carried: The files of the version before; None for the first.
    """

    version: Path
    previous: Path | None
    database: Path
    connection: duckdb.DuckDBPyConnection
    rule: JobNameRule
    runs: RunDays
    carried: CarriedFiles | None


def make_next_version(
    store: Path, scratch: Path, memory_limit: str, free: duckdb.DuckDBPyConnection | None = None
) -> NextVersion:
    """Begin the next version of a store.

    Args:
        store: The store's folder; the lock is held.
        scratch: A folder for what does not fit into memory.
        memory_limit: DuckDB's memory limit, as DuckDB spells it: `2GB`.
        free: A connection without a database, if there is one.

    Raises:
        OSError: The disk is full, or not there any more.
        duckdb.Error: The same, reported by DuckDB.
        StoreError: The database of the version before is damaged.
    """
    previous = current_version(store)
    version = begin_version(store)
    database = writable_path(version / DATABASE_NAME)
    connection = None
    try:
        if previous:
            copy_file(previous / DATABASE_NAME, database)
            listed = read_manifest(previous)
            _compare(database, listed, previous, store)
            connection = open_for_writing(database, scratch, memory_limit, free)
            runs = _take_runs(connection, previous, listed)
            with together(connection):
                make_views(connection)
                write_fact(connection, LISTED, "1")
        else:
            connection, runs = open_empty(database, scratch, memory_limit, free), RunDays()
            make_open_tables(connection)
        rule = stored_rule(connection) or JobNameRule()
    except BaseException:
        if connection:
            connection.close()
        remove_database(database, version / DATABASE_NAME)
        raise
    carried = files_to_carry(store, version, previous) if previous else None
    return NextVersion(version, previous, database, connection, rule, runs, carried)


def begin_fold(
    next_version: NextVersion,
    staging: Path,
    started_at: datetime,
    rule: JobNameRule | None,
    keep_days: int | None,
) -> Fold:
    """Return what the steps of the fold work on; a small database is tuned for few rows.

    Args:
        next_version: The version; its database is open.
        staging: The harvest's rows.
        started_at: When the harvest began, UTC without a zone.
        rule: How jobs are named from now on; None for the store's own rule.
        keep_days: Drop the rows of applications that started earlier than so many days before; None keeps all.
    """
    small = _is_small(next_version.database, tuple(staging.glob("*/*.parquet")))
    if small:
        tune_for_few_rows(next_version.connection)
    is_first = next_version.previous is None
    return Fold(
        next_version.connection,
        staging,
        rule or next_version.rule,
        rename_jobs=is_first or (rule is not None and rule != next_version.rule),
        keep_from=started_at - timedelta(days=keep_days) if keep_days is not None else None,
        latest=latest_time(next_version.connection, started_at),
        has_bounded_times=not is_first and has_bounded_times(next_version.connection),
        is_first=is_first,
        has_few_rows=small,
        runs=next_version.runs,
    )


def _is_small(database: Path, staged: Sequence[Path]) -> bool:
    """Return whether a database and staged rows are small enough for `tune_for_few_rows`.

    Args:
        database: The draft's database.
        staged: The staged Parquet files.
    """
    size = sum(file.stat().st_size for file in staged)
    if size + database.stat().st_size > _SMALL:
        return False
    return size <= _SURELY_FEW or count_rows(staged) <= _FEW


def _take_runs(
    connection: duckdb.DuckDBPyConnection, previous: Path, listed: Mapping[str, ListedFile] | None
) -> RunDays:
    """Find the runs of the version before; all of its days are open if it has them in another form.

    Args:
        connection: The draft's database.
        previous: The folder of the version before.
        listed: The listed files of that version, or None if it has no list.
    """
    make_open_tables(connection)
    with together(connection):
        add_missing_columns(connection)
    runs = find_run_days(previous, listed)
    if take_tables(connection) or has_other_columns(connection):
        runs.is_migrated = runs.has_undated = True
        open_days(connection, runs, list(runs.closed))
    return runs


def _compare(copy: Path, files: Mapping[str, ListedFile] | None, previous: Path, store: Path) -> None:
    """Compare the checksum of a copied database with the published one: nothing is built on a damaged database.

    Args:
        copy: The copied database.
        files: The listed files of the version before, or None if it has no list.
        previous: The folder of the version before.
        store: The store's folder, for messages.
    """
    if files and checksum(copy) != files[DATABASE_NAME].sha256:
        raise damaged(store, f"version {previous.name}: {DATABASE_NAME} is damaged: its checksum differs")


def make_in_background(
    store: Path, scratch: Path, memory_limit: str, free: duckdb.DuckDBPyConnection | None = None
) -> Future[NextVersion]:
    """Begin the next version in a thread of its own, view its runs, and parse the SQL that will fill it.

    Args:
        store: The store's folder; the lock is held.
        scratch: A folder for what does not fit into memory.
        memory_limit: DuckDB's memory limit, as DuckDB spells it: `2GB`.
        free: A connection without a database, if there is one.
    """

    def begin() -> NextVersion:
        begun = make_next_version(store, scratch, memory_limit, free)
        with suppress(duckdb.Error):  # `view_stored_runs` meets and reports it
            view_runs(begun.connection, begun.runs)
        parse_ahead(STEPS, begun.connection)
        return begun

    executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="next-version")
    try:
        return executor.submit(begin)
    finally:
        executor.shutdown(wait=False)
