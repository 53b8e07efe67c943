"""The next version of a store while it is made, next to the current one, and its files, which are written meanwhile."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import duckdb

from eventlog_lineage.declarations import Declarations
from eventlog_lineage.history.job_names import JobNameRule
from eventlog_lineage.store.fold.declared_rows import given_declarations
from eventlog_lineage.store.fold.pipeline import FOLD_STEPS
from eventlog_lineage.store.fold.slices import count_rows
from eventlog_lineage.store.fold.staged_views import latest_time
from eventlog_lineage.store.fold.steps import Fold, RunDays, find_run_days, make_open_tables, open_days, view_runs
from eventlog_lineage.store.fold.stored_names import stored_rule
from eventlog_lineage.store.schema.creation import make_views, migrate, open_empty
from eventlog_lineage.store.schema.database import (
    DATABASE_NAME,
    beside,
    open_for_writing,
    point_to_runs,
    remove_database,
    together,
    tune_for_few_rows,
    writable_path,
)
from eventlog_lineage.store.schema.internal_tables import KEPT_TABLES
from eventlog_lineage.store.schema.tables import HARVESTED_LOGS, HARVESTS, PUBLIC_TABLES
from eventlog_lineage.store.versions.folder import begin_version, by_number, copy_file, current_version
from eventlog_lineage.store.versions.manifest import CarriedFiles, ListedFile, checksum, files_to_carry, read_manifest
from eventlog_lineage.store.versions.parquet import Target, export_days, export_tables
from eventlog_lineage.store.versions.restore import damaged

if TYPE_CHECKING:
    from eventlog_lineage.store.fold.pipeline import Days, Merged


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
    small = _is_small(next_version.database, tuple(staging.glob("*/*.parquet")))
    if small:
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
        has_few_rows=small,
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


TABLES_OF_FOLD: frozenset[str] = frozenset().union(*(step.relations().changes for step in FOLD_STEPS))
"""Tables that change after the merge; the others are written while these are made."""

TABLES_OF_HARVEST = frozenset({HARVESTS.name, HARVESTED_LOGS.name})
"""Tables with rows of the harvest itself, which are entered last."""

TABLES_OF_MERGE = frozenset(table.name for table in (*PUBLIC_TABLES, *KEPT_TABLES)) - TABLES_OF_FOLD - TABLES_OF_HARVEST
"""Tables that are complete after the merge."""


@dataclass(slots=True)
class FilesAside:
    """Writes files in a thread of its own, one after another.

    Attributes:
        connection: The draft's database; the thread has connections of its own, without the fold's temporary relations.
    """

    connection: duckdb.DuckDBPyConnection
    target: Target
    _stack: ExitStack
    _merged: Event = field(default_factory=Event)
    _submitted: list[Future[None]] = field(default_factory=list)
    _thread: ThreadPoolExecutor | None = None
    _plain: duckdb.DuckDBPyConnection | None = None

    def begin_days(self, days: Days) -> None:
        """Begin to write the affected days, unless that has begun; their gaps are written after `end_merge`."""
        if self._thread:
            return
        other, plain = (self._stack.enter_context(beside(self.connection)) for _ in range(2))
        self._plain, self._thread = plain, self._stack.enter_context(ThreadPoolExecutor(max_workers=1))
        self._stack.callback(self._merged.set)  # the thread does not wait for a merge that has failed

        def after_runs() -> None:
            with by_number(self.target.version) as path:
                point_to_runs(plain, path)
            self._merged.wait()

        self._submitted.append(self._thread.submit(export_days, other, self.target, days, after_runs))

    def end_merge(self, merged: Merged) -> None:
        """Write the days, unless that has begun, and the tables that the fold leaves as they are after the merge."""
        self.begin_days(merged.affected_days)
        self._merged.set()
        self._export(TABLES_OF_MERGE, merged)

    def end_fold(self, merged: Merged) -> None:
        """Write the tables that the fold has made."""
        self._export(TABLES_OF_FOLD, merged)

    def wait(self) -> None:
        """Wait until all that was begun is written."""
        for each in self._submitted:
            each.result()
        self._submitted.clear()

    def _export(self, names: Collection[str], merged: Merged) -> None:
        if self._thread and self._plain:
            self._submitted.append(
                self._thread.submit(export_tables, self._plain, self.target, changed=merged.changed, names=names)
            )


@contextmanager
def files_aside(connection: duckdb.DuckDBPyConnection, target: Target) -> Iterator[FilesAside]:
    """Yield what writes files in a thread of its own, which has ended after the block."""
    with ExitStack() as stack:
        yield FilesAside(connection, target, stack)
