"""Write to a store: read what it knows, fill a staging folder, make the next version, publish it.

with open_for_harvest(folder) as writer:
    known = frozenset(writer.known_paths())
    ...                                # Parquet into writer.staging_dir / table / *.parquet
    summary = writer.publish(HarvestFacts(started_at=..., logs_seen=...))
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import duckdb

from eventlog_lineage import __version__
from eventlog_lineage.declarations import Declarations
from eventlog_lineage.errors import StoreError, os_errors_as
from eventlog_lineage.history.job_names import JobNameRule
from eventlog_lineage.observed_schemas import StoredTable
from eventlog_lineage.store.fold.counts import Counts, count_found, count_rows, has_all_lineages
from eventlog_lineage.store.fold.declared_rows import given_declarations
from eventlog_lineage.store.fold.pipeline import fold_tables, merge
from eventlog_lineage.store.fold.staged_views import latest_time
from eventlog_lineage.store.fold.steps import (
    SCRATCH,
    Fold,
    RunDays,
    find_run_days,
    insert_rows,
    make_open_tables,
    open_days,
)
from eventlog_lineage.store.fold.stored_names import stored_rule
from eventlog_lineage.store.remote.folders import folder_to_write
from eventlog_lineage.store.schema.creation import empty_database, make_views, migrate, open_empty
from eventlog_lineage.store.schema.database import (
    DATABASE_NAME,
    DamagedError,
    close_database,
    move_database,
    open_for_reading,
    open_for_writing,
    remove_database,
    together,
    tune_for_few_rows,
    writable_path,
)
from eventlog_lineage.store.schema.relations import sql_text, value_of
from eventlog_lineage.store.schema.tables import EXECUTIONS, HARVESTS
from eventlog_lineage.store.versions.check import verify
from eventlog_lineage.store.versions.folder import (
    KEPT_VERSIONS,
    PRIVATE,
    STAGING,
    begin_version,
    copy_file,
    current_version,
    finish_switch,
    make_staging,
    mode_of,
    prepare,
    set_modes,
    set_store_modes,
    switch,
    sync,
    version_number,
    write_lock,
)
from eventlog_lineage.store.versions.manifest import (
    CarriedFiles,
    ListedFile,
    files_to_carry,
    is_intact,
    read_manifest,
    remove_unused,
    write_manifest,
)
from eventlog_lineage.store.versions.parquet import (
    Target,
    carry_checkpoints,
    checkpoint_file,
    export_days,
    export_tables,
)
from eventlog_lineage.store.versions.restore import restore_copy, update_error, version_to_continue

_FIRST = datetime(1970, 1, 1)

_SMALL = 32 << 20
"""Bytes of the database and the staged rows up to which one thread is faster than several that share each statement."""

_FEW = 200_000
"""Staged rows for which the same holds: a million edges with equal texts are 5 MB of Parquet, and 480 MB of blocks that
are not compressed."""

_SURELY_FEW = 256 << 10
"""Bytes of staged files whose rows need not be counted."""

_MANY = 500_000
"""Staged executions from which on the rows of the open days are in a file."""


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


def make_next_version(store: Path, scratch: Path) -> NextVersion:
    """Begin the next version of a store.

    Raises:
        OSError: The disk is full, or not there any more.
        duckdb.Error: The same, reported by DuckDB.
        DamagedError: The database of the version before, or its list, is damaged.
    """
    previous = current_version(store)
    version = begin_version(store)
    database = writable_path(version / DATABASE_NAME)
    is_large = count_rows((scratch.parent / EXECUTIONS.name).glob("*.parquet")) > _MANY
    night = scratch / "night.duckdb" if is_large else None
    connection = None
    try:
        if previous:
            listed = read_manifest(previous)
            _copy_database(previous, listed[DATABASE_NAME], database)
            connection = open_for_writing(database, scratch)
            make_open_tables(connection, night)
            runs = _take_runs(connection, previous, listed)
            with together(connection):
                make_views(connection)
        else:
            connection, runs = open_empty(database, scratch), RunDays()
            make_open_tables(connection, night)
        rule = stored_rule(connection) or JobNameRule()
        carried = files_to_carry(store, version, previous) if previous else None
    except BaseException:
        if connection:
            connection.close()
        remove_database(database, version / DATABASE_NAME)
        raise
    return NextVersion(version, previous, database, connection, rule, runs, carried)


def _copy_database(previous: Path, file: ListedFile, database: Path) -> None:
    """Copy the database of a version, and compare the checksum of the copy: nothing is built on a damaged one."""
    copy_file(previous / DATABASE_NAME, database)
    if not is_intact(database, file):
        raise DamagedError(f"{DATABASE_NAME} is damaged: its checksum differs", str(previous))


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
    with together(connection):
        is_migrated = migrate(connection)
    runs = find_run_days(previous, listed)
    if is_migrated:
        runs.is_migrated = runs.has_undated = True
        open_days(connection, runs, list(runs.closed))
    return runs


@dataclass(frozen=True, slots=True)
class KnownLog:
    """A log as the store knows it.

    Attributes:
        size: Bytes of all its files when it was read.
        modified_at: Of its newest file, UTC without a zone.
        state: `complete`, `in_progress`, `truncated`, `compacted` or `unreadable`.
        app_id: The application; empty if it is not known.
        unreadable: All of it or a part of it could not be read, which may be otherwise now.
    """

    size: int
    modified_at: datetime | None
    state: str
    app_id: str
    attempt_id: str
    unreadable: bool = False


_BATCH = 100_000


@dataclass(frozen=True, slots=True)
class HarvestFacts:
    """How a harvest ran, as the job reports it.

    Attributes:
        started_at: When it began, UTC without a zone.
        logs_read: Logs that were new or had grown.
        logs_unchanged: Logs that are the same as in the harvest before.
        logs_failed: Logs from which nothing could be read.
        bytes_read: Bytes read, compressed as they are.
        landing_files: The rule for landing files from now on; None for the store's own rule.
        is_reprocessed: The user asked to trace all lineages again: they replace those that the store has.
    """

    started_at: datetime
    logs_seen: int = 0
    logs_read: int = 0
    logs_unchanged: int = 0
    logs_failed: int = 0
    bytes_read: int = 0
    landing_files: str | None = None
    is_reprocessed: bool = False


@dataclass(frozen=True, slots=True)
class Summary:
    """What a harvest added, for people and machines.

    Attributes:
        finished_at: When the new version was complete, UTC without a zone.
        gaps: Gaps of theirs and of their logs.
        changed: Whether the tables can differ from before.
    """

    harvest_id: int
    facts: HarvestFacts
    finished_at: datetime
    executions: int
    edges: int
    gaps: int
    changed: bool


@dataclass(slots=True)
class StoreWriter:
    """A store that one harvest holds.

    Attributes:
        staging_dir: Where the harvest writes `<table>/*.parquet` (tables.HARVEST_TABLES); empty at first.
        mode: The mode of the new version's folders and, without the right to execute, of its files.
        reader: A connection to the current version, if it is open.
    """

    store: Path
    staging_dir: Path
    mode: int = PRIVATE
    keep_versions: int = KEPT_VERSIONS
    reader: duckdb.DuckDBPyConnection | None = None

    def known_lineages(self) -> Iterator[tuple[str, int]]:
        """Yield ids of lineages, each with the start of the run that was traced, in epoch milliseconds; 0: unknown."""
        return ((str(name), int(start)) for name, start in self._rows(sql_text("queries/known_lineages")))

    def known_places(self) -> Iterator[str]:
        """Return the locations of the datasets that the store knows."""
        return (str(row[0]) for row in self._rows("SELECT DISTINCT location FROM datasets WHERE location <> ''"))

    def known_tables(self, formats: Collection[str]) -> Iterator[StoredTable]:
        """Yield the versions of the tables of some formats, and of those that files are loaded into."""
        quoted = ", ".join(f"'{each}'" for each in sorted(formats))
        query = sql_text("queries/known_tables", formats=quoted)
        for name, columns, is_complete, since, until, is_loaded in self._rows(query):
            yield StoredTable(str(name), tuple(columns), bool(is_complete), int(since or 0), until, bool(is_loaded))

    def known_paths(self) -> Iterator[str]:
        """Return the paths of all logs that were harvested."""
        return (str(row[0]) for row in self._rows("SELECT log_path FROM harvested_logs"))

    def logs_without_targets(self) -> Iterator[str]:
        """Return the paths of the logs of the last harvest with a statement whose target is unknown."""
        return (str(row[0]) for row in self._rows(sql_text("queries/logs_without_targets")))

    def logs_without_lineages(self) -> frozenset[str]:
        """Return the paths of the logs with statements whose lineage an older program lost."""
        if (reader := self._opened()) is None or has_all_lineages(reader):
            return frozenset()
        return frozenset(str(row[0]) for row in self._rows(sql_text("queries/logs_without_lineages")))

    def known_logs(self, paths: Collection[str]) -> dict[str, KnownLog]:
        """Return the state of logs that were harvested, by their paths."""
        if not paths or (reader := self._opened()) is None:
            return {}
        # No Arrow table: DuckDB 2.0 imports pandas for one, where it is installed, in a fifth of a second.
        rows = reader.execute(sql_text("merge/known_logs"), {"paths": list(paths)}).fetchall()
        return {str(row[0]): KnownLog(*row[1:]) for row in rows}

    def checkpoint_file(self, log_path: str) -> Path | None:
        """Return the file with the resume point of a log; it may not exist."""
        return checkpoint_file(version, log_path) if (version := current_version(self.store)) else None

    def publish(
        self,
        facts: HarvestFacts,
        *,
        rule: JobNameRule | None = None,
        keep_days: int | None = None,
        declared: Declarations | None = None,
        on_step: Callable[[str], None] | None = None,
    ) -> Summary:
        """Build the next version from the staging folder and make it the current one.

        Args:
            rule: How jobs are named from now on; None for the store's own rule (at first the built-in one).
            keep_days: Drop the rows of applications that started earlier; what they showed stays in the folded tables.
            declared: What is declared from now on; None for the store's own declarations.
            on_step: Called before each step with its name: `copy`, `fold`, `export`, `sync`, `switch`, `clean`.

        Raises:
            StoreError: It cannot be done: no space, no file system.
        """
        self.close()
        step = on_step or (lambda _: None)
        next_version = published = None
        step("copy")
        try:
            next_version = make_next_version(self.store, self.staging_dir / SCRATCH)
            with next_version.connection as connection:
                step("fold")
                begun = begin_fold(next_version, self.staging_dir, facts.started_at, rule, keep_days, declared)
                summary = self._fill(next_version, facts, begun, step)
                close_database(connection)
                move_database(next_version.database, next_version.version / DATABASE_NAME)
                step("sync")
                carried = next_version.carried
                write_manifest(next_version.version, carried.checksums if carried else None)
                set_modes(next_version.version, self.mode)
                with ThreadPoolExecutor(max_workers=1) as aside:
                    synced = aside.submit(sync, next_version.version)
                    verify(next_version.version, self.store)
                    synced.result()
            step("switch")
            published = switch(self.store, next_version.version)
        except (DamagedError, duckdb.Error, OSError) as error:
            raise update_error(self.store, next_version.version if next_version else None, error) from error
        finally:
            if next_version:
                remove_database(next_version.database, next_version.version / DATABASE_NAME)
            step("clean")
            previous = version_number(next_version.previous) if next_version and published else None
            remove_unused(self.store, previous, self.keep_versions)
        return summary

    def close(self) -> None:
        """Close the current version, which other programs may open for writing; the next question opens it again."""
        if self.reader:
            self.reader.close()
            self.reader = None

    def _fill(
        self, next_version: NextVersion, facts: HarvestFacts, begun: Fold, step: Callable[[str], None]
    ) -> Summary:
        """Make a version whole."""
        connection, version = next_version.connection, next_version.version
        fold = replace(begun, landing_files=facts.landing_files, is_reprocessed=facts.is_reprocessed)
        target = Target(version, version_number(version), next_version.carried, next_version.runs.has_undated)
        merged = merge(fold)
        export_days(connection, target, merged.affected_days)
        if merged.changed:
            fold_tables(fold)
        step("export")
        found = count_found(fold) if merged.changed else Counts()
        summary = _enter(connection, facts, found, changed=merged.changed)
        carry_checkpoints(connection, self.staging_dir, next_version.carried, version)
        export_tables(connection, target, changed=merged.changed)
        connection.execute("CHECKPOINT")
        return summary

    def _rows(self, query: str) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query over the current version; read all of them before the next query."""
        reader = self._opened()
        if reader is None:
            return
        reader.execute(query)
        while rows := reader.fetchmany(_BATCH):
            yield from rows

    def _opened(self) -> duckdb.DuckDBPyConnection | None:
        """Return a connection to the current version; None for a new store."""
        version = current_version(self.store)
        if version is not None and self.reader is None:
            self.reader = open_for_reading(version / DATABASE_NAME)
        return self.reader if version is not None else None


@contextmanager
def open_for_harvest(
    store_dir: str | Path, mode: int | None = None, keep_versions: int = KEPT_VERSIONS
) -> Iterator[StoreWriter]:
    """Open a store for the one harvest that may write it; it is made if it is not there, or of a copy of a version.

    What a killed harvest left is cleared away. Without `publish` nothing changes.

    Args:
        store_dir: The store's folder, on a file system with links, or its URL on object storage or HDFS.
        mode: The mode of the store's folders and, without the right to execute, of its files. None for the mode of the
            store's current version, and `permissions.PRIVATE` for a new store.
        keep_versions: How many versions the store keeps, the new one included; at least two.

    Raises:
        StoreError: Another harvest is writing it, it is of another version, or the folder cannot be used.
        UsageError: The URL is not supported, or its client is not installed.
    """
    with folder_to_write(store_dir, keep_versions) as folder:
        store = folder.path
        with os_errors_as(StoreError, "the store cannot be made", store, "check the path"):
            store.parent.mkdir(parents=True, exist_ok=True)
            if not store.is_dir():
                store.mkdir(mode=PRIVATE, exist_ok=True)
        with write_lock(store):
            restore_copy(store)
            finish_switch(store)
            current, reader = version_to_continue(store) or (None, None)
            writer = StoreWriter(store, store / STAGING, PRIVATE, keep_versions, reader)
            beside = ThreadPoolExecutor(max_workers=1)
            try:
                if current is None:
                    beside.submit(empty_database)  # takes 0.3 s once, while Java starts or logs are read
                prepare(store)
                if mode is not None:
                    set_store_modes(store, mode)
                writer.mode = mode_of(current) if mode is None else mode
                make_staging(store)
                yield writer
            finally:
                beside.shutdown(wait=False)
                writer.close()
                shutil.rmtree(writer.staging_dir, ignore_errors=True)


def _enter(connection: duckdb.DuckDBPyConnection, facts: HarvestFacts, counts: Counts, *, changed: bool) -> Summary:
    """Insert the harvest and its logs."""
    harvest_id = int(value_of(connection, "SELECT coalesce(max(harvest_id), 0) + 1 FROM harvests"))
    connection.execute(sql_text("merge/harvested_logs", harvest_id=harvest_id))
    finished_at = datetime.now(timezone.utc).replace(tzinfo=None)
    row = HARVESTS.row.of(
        facts,
        harvest_id=harvest_id,
        finished_at=finished_at,
        executions=counts.executions,
        edges=counts.edges,
        gaps=counts.gaps,
        version=__version__,
    )
    insert_rows(connection, HARVESTS, [row])
    return Summary(harvest_id, facts, finished_at, counts.executions, counts.edges, counts.gaps, changed)
