"""The next version of a store while it is made, next to the current one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from eventlog_lineage.declarations import Declarations
from eventlog_lineage.history.job_names import JobNameRule
from eventlog_lineage.store.fold.declared_rows import given_declarations
from eventlog_lineage.store.fold.slices import count_rows
from eventlog_lineage.store.fold.staged_views import latest_time
from eventlog_lineage.store.fold.steps import Fold, RunDays, find_run_days, make_open_tables, open_days, view_runs
from eventlog_lineage.store.fold.stored_names import stored_rule
from eventlog_lineage.store.schema.creation import make_views, migrate, open_empty
from eventlog_lineage.store.schema.database import (
    DATABASE_NAME,
    open_for_writing,
    remove_database,
    together,
    tune_for_few_rows,
    writable_path,
)
from eventlog_lineage.store.versions.folder import begin_version, copy_file, current_version
from eventlog_lineage.store.versions.manifest import CarriedFiles, ListedFile, checksum, files_to_carry, read_manifest
from eventlog_lineage.store.versions.restore import damaged

if TYPE_CHECKING:
    pass


_FIRST = datetime(1970, 1, 1)

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
        previous: The folder of the version before it; None for the first.
        database: Where its database is written; `move_database` moves it into the version's folder.
        connection: The database, with tables, views and macros.
        rule: How its jobs are named so far; the built-in rule in the first version.
        carried: The files of the version before; None for the first.
    """

    version: Path
    previous: Path | None
    database: Path
    connection: duckdb.DuckDBPyConnection
    rule: JobNameRule
    runs: RunDays
    carried: CarriedFiles | None


def make_next_version(store: Path, scratch: Path, memory_limit: str) -> NextVersion:
    """Begin the next version of a store.

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
            connection = open_for_writing(database, scratch, memory_limit)
            runs = _take_runs(connection, previous, listed)
            with together(connection):
                make_views(connection)
        else:
            connection, runs = open_empty(database, scratch, memory_limit), RunDays()
            make_open_tables(connection)
        rule = stored_rule(connection) or JobNameRule()
    except BaseException:
        if connection:
            connection.close()
        remove_database(database, version / DATABASE_NAME)
        raise
    carried = files_to_carry(store, version, previous) if previous else None
    return NextVersion(version, previous, database, connection, rule, runs, carried)


def begin_fold(  # noqa: PLR0913, PLR0917 - what a harvest can set
    next_version: NextVersion,
    staging: Path,
    started_at: datetime,
    rule: JobNameRule | None,
    keep_days: int | None,
    declared: Declarations | None = None,
) -> Fold:
    """Return what the steps of the fold work on; a small database is tuned for few rows."""
    if _is_small(next_version.database, tuple(staging.glob("*/*.parquet"))):
        tune_for_few_rows(next_version.connection)
    is_first = next_version.previous is None
    if declared is not None and declared.texts() == given_declarations(next_version.connection):
        declared = None
    return Fold(
        next_version.connection,
        staging,
        rule or next_version.rule,
        rename_jobs=is_first or next_version.runs.is_migrated or (rule is not None and rule != next_version.rule),
        declared=declared,
        keep_from=started_at - timedelta(days=min(keep_days, (started_at - _FIRST).days)) if keep_days else None,
        latest=latest_time(next_version.connection, started_at),
        is_first=is_first,
        runs=next_version.runs,
    )


def _is_small(database: Path, staged: Sequence[Path]) -> bool:
    """Return whether a database and staged rows are small enough for `tune_for_few_rows`."""
    size = sum(file.stat().st_size for file in staged)
    if size + database.stat().st_size > _SMALL:
        return False
    return size <= _SURELY_FEW or count_rows(staged) <= _FEW


def _take_runs(connection: duckdb.DuckDBPyConnection, previous: Path, listed: Mapping[str, ListedFile]) -> RunDays:
    """Find the runs of the version before; all of its days are open if it has other tables."""
    make_open_tables(connection)
    with together(connection):
        is_migrated = migrate(connection)
    runs = find_run_days(previous, listed)
    if is_migrated:
        runs.is_migrated = runs.has_undated = True
        open_days(connection, runs, list(runs.closed))
    return runs


def _compare(copy: Path, files: Mapping[str, ListedFile], previous: Path, store: Path) -> None:
    """Compare the checksum of a copied database with the published one: nothing is built on a damaged database."""
    if checksum(copy) != files[DATABASE_NAME].sha256:
        raise damaged(store, f"version {previous.name}: {DATABASE_NAME} is damaged: its checksum differs")


def make_in_background(store: Path, scratch: Path, memory_limit: str) -> Future[NextVersion]:
    """Begin the next version in a thread of its own, and view its runs."""

    def begin() -> NextVersion:
        begun = make_next_version(store, scratch, memory_limit)
        with suppress(duckdb.Error):  # `view_stored_runs` meets and reports it
            view_runs(begun.connection, begun.runs)
        return begun

    executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="next-version")
    try:
        return executor.submit(begin)
    finally:
        executor.shutdown(wait=False)
