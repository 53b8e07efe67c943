"""Repair a version: replace damaged files by copies, write its Parquet files or make its database again."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from eventlog_lineage.errors import StoreError
from eventlog_lineage.history.job_names import JobNameRule
from eventlog_lineage.store.fold.steps import Fold, find_run_days, make_open_tables, open_days, python_step, sql_step
from eventlog_lineage.store.fold.stored_names import find_successors, name_current_edges
from eventlog_lineage.store.schema.creation import make_views, migrate, open_empty, write_views_digest
from eventlog_lineage.store.schema.database import (
    DATABASE_NAME,
    SCHEMA_VERSION,
    DamagedError,
    beside,
    find_relations,
    move_database,
    open_for_writing,
    point_to_runs,
    together,
    writable_path,
)
from eventlog_lineage.store.schema.internal_tables import DATABASE_TABLES, KEPT_TABLES, TRACE_TABLES
from eventlog_lineage.store.schema.relations import (
    INTERNAL,
    RUNS,
    TABLE_COLUMNS,
    columns_digest,
    quoted,
    read_fact,
    read_files,
    write_fact,
)
from eventlog_lineage.store.versions.check import check_rows, has_intact_database, is_readable, verify
from eventlog_lineage.store.versions.folder import (
    CURRENT,
    NAMES,
    VERSIONS,
    begin_version,
    by_number,
    copy_file,
    mode_of,
    set_mode,
    set_modes,
    switch,
    sync,
    sync_path,
    version_number,
    version_numbers,
)
from eventlog_lineage.store.versions.manifest import (
    ListedFile,
    changed_files,
    checksum,
    copy_checked,
    files_of,
    files_to_carry,
    is_intact,
    readable_manifest,
    write_manifest,
)
from eventlog_lineage.store.versions.parquet import FOLDER, Target, export_days, export_tables

if TYPE_CHECKING:
    import duckdb

    from eventlog_lineage.store.schema.declaration import Table


class Remedy(Enum):
    """How a version becomes whole; the first that is possible loses nothing and costs the least."""

    KEEP = "it is whole"
    REPLACE_FILES = "its damaged files have intact copies"
    WRITE_PARQUET = "its database and its runs are intact: its other Parquet files are written again"
    MAKE_DATABASE = "its Parquet files are intact: its database is made again"


@dataclass(frozen=True, slots=True)
class Examined:
    """What is wrong with a version.

    Attributes:
        remedy: How it becomes whole; None if it cannot.
        copies: The damaged and missing files that have an intact copy, by their paths in the version, and the copies.
        foreign: The paths of files that do not belong to the version.
        is_listed: The version has an intact list of its files, with checksums.
    """

    number: int
    remedy: Remedy | None
    copies: Mapping[str, Path] = field(default_factory=dict)
    foreign: tuple[str, ...] = ()
    is_listed: bool = True


def examine(store: Path, number: int) -> Examined:
    """Find what is wrong with a version; reads all of its files, and the copies of the damaged ones."""
    version = store / VERSIONS / str(number)
    files = readable_manifest(version)
    if not files:
        return Examined(number, _remedy_without_list(version), is_listed=False)
    changed = [name for name, _ in changed_files(version, files, contents=True)]
    damaged = {name: files[name] for name in changed if name in files}
    copies = _copies(store, number, damaged) if damaged else {}
    foreign = tuple(name for name in changed if name not in files)
    lost = {name for name in damaged if name not in copies}
    return Examined(number, _remedy(version, lost, is_changed=bool(changed)), copies, foreign)


def choose(store: Path) -> Examined | None:
    """Choose the newest version that is whole or can be made whole; None if there is none.

    Parquet files without checksums are the last choice: a flipped bit in their rows would not be found.
    """
    unsure = None
    for found in _examined(store):
        if found.remedy and (found.is_listed or found.remedy is not Remedy.MAKE_DATABASE):
            return found
        unsure = unsure or (found if found.remedy else None)
    return unsure


def newest_whole(store: Path) -> int | None:
    """Return the number of the newest whole version of a store; None if there is none."""
    return next((found.number for found in _examined(store) if found.remedy is Remedy.KEEP), None)


def _examined(store: Path) -> Iterator[Examined]:
    return (examine(store, number) for number in reversed(version_numbers(store)))


def _remedy_without_list(version: Path) -> Remedy | None:
    if has_intact_database(version):
        return Remedy.WRITE_PARQUET
    has_tables = os.path.isdir(version / INTERNAL)  # noqa: PTH112 - Path.is_dir raises where permissions are missing
    return Remedy.MAKE_DATABASE if has_tables else None


def _remedy(version: Path, lost: set[str], *, is_changed: bool) -> Remedy | None:
    """Choose the remedy of a version with a list."""
    needed = {name for name in lost if Path(name).parts[0] != FOLDER}
    if needed == {DATABASE_NAME}:
        return Remedy.MAKE_DATABASE
    if DATABASE_NAME in needed or any(name.startswith(f"{RUNS}/") for name in needed):
        return None
    if lost:
        return Remedy.WRITE_PARQUET
    if is_changed:
        return Remedy.REPLACE_FILES
    return Remedy.KEEP if is_readable(version) else None


def _copies(store: Path, number: int, damaged: Mapping[str, ListedFile]) -> dict[str, Path]:
    """Return the damaged files that exist elsewhere in the store with the same content, and where."""
    found: dict[str, Path] = {}
    for other in sorted(version_numbers(store), reverse=True):
        folder = store / VERSIONS / str(other)
        places: dict[ListedFile, list[str]] = {}
        for name, file in readable_manifest(folder).items():
            places.setdefault(file, []).append(name)
        for name, file in damaged.items():
            others = [place for place in places.get(file, ()) if name not in found and (other, place) != (number, name)]
            intact = next((folder / place for place in others if is_intact(folder / place, file)), None)
            if intact:
                found[name] = intact
    return found


_ASIDE = ".replaced"
_NEW = ".repaired"


class AsideFolder:
    """The folder for files that are in the place of the store's own; it is made for the first one."""

    def __init__(self, store: Path) -> None:
        """Choose a name that no other file has."""
        used = {path.name for path in store.iterdir()}
        self._folder = store / next(name for n in range(1, len(used) + 2) if (name := f"{_ASIDE}-{n}") not in used)
        self.path: Path | None = None

    def move(self, path: Path, name: str) -> None:
        """Move a file or folder."""
        self.path = self._folder
        (self._folder / name).parent.mkdir(parents=True, exist_ok=True)
        path.rename(self._folder / name)


def move_aside(store: Path, aside: AsideFolder) -> None:
    """Move files and folders that replaced the store's links."""
    for name in (CURRENT, *NAMES):
        if os.path.lexists(store / name) and not (store / name).is_symlink():
            aside.move(store / name, name)


def replace_files(store: Path, examined: Examined, aside: AsideFolder) -> None:
    """Put copies in the place of a version's damaged files, and move what does not belong to it aside.

    A file is replaced at once, on the disk, with the content that the version's list names.

    Args:
        store: The store's folder; the lock is held.
        aside: Where files go that do not belong to the version.

    Raises:
        OSError: The disk is full, or rights are missing.
    """
    version = store / VERSIONS / str(examined.number)
    mode = mode_of(version)
    for name in examined.foreign:
        aside.move(version / name, f"version-{version.name}/{name}")
    for name, copy in examined.copies.items():
        target = version / name
        _open_folders(version, target.parent, mode)
        if os.path.lexists(target) and not stat.S_ISREG(target.lstat().st_mode):
            aside.move(target, f"version-{version.name}/{name}")
        new = target.with_name(f"{target.name}{_NEW}")
        new.unlink(missing_ok=True)
        copy_checked(copy, new)
        set_mode(new, mode)
        sync_path(new)
        new.replace(target)
        sync_path(target.parent)
    set_modes(version, mode)


def _open_folders(version: Path, folder: Path, mode: int) -> None:
    """Make the folders between a version and a file that are missing, and restore the modes of the others."""
    for path in (version, *reversed([path for path in (folder, *folder.parents) if version in path.parents])):
        path.mkdir(exist_ok=True)
        set_mode(path, mode)


def remake_version(store: Path, number: int, remedy: Remedy) -> Path:
    """Make a new version from the intact files of another one, make it current, and return its folder.

    Args:
        store: The store's folder; the lock is held.
        number: The other version; it stays as it is.
        remedy: `WRITE_PARQUET` or `MAKE_DATABASE`.

    Raises:
        DamagedError: The Parquet files that the database is made from do not belong together.
        StoreError: They have the tables of another schema version.
    """
    source = store / VERSIONS / str(number)
    draft = begin_version(store)
    try:
        database = writable_path(draft / DATABASE_NAME)
        if remedy is Remedy.WRITE_PARQUET:
            copy_file(source / DATABASE_NAME, database)
            _export(source, draft, database)
            _copy_checkpoints(source, draft)
            checksums = None
        else:
            checksums = _carry(store, draft, source)
            _fill(store, source, draft, database)
        move_database(database, draft / DATABASE_NAME)
        write_manifest(draft, checksums)
        set_modes(draft, mode_of(source))
        sync(draft)
        verify(draft, store)
        if remedy is Remedy.MAKE_DATABASE:
            rows = check_rows(draft)
            for flaw in (*rows.flaws, *rows.missing):
                raise DamagedError(flaw, str(source))
        return switch(store, draft)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _export(source: Path, draft: Path, database: Path) -> None:
    scratch = draft / ".scratch"
    target = Target(draft, version_number(draft))
    with open_for_writing(database, scratch) as connection:
        make_open_tables(connection)
        with together(connection):
            migrate(connection)
        runs = find_run_days(source, readable_manifest(source) or None)
        open_days(connection, runs, list(runs.closed))
        with together(connection):
            make_views(connection, replace=True)
        days = connection.execute("SELECT CAST(started_at AS DATE) FROM open_applications UNION SELECT NULL").fetchall()
        export_days(connection, target, [day for (day,) in days])
        export_tables(connection, target, changed=True)
        connection.execute("CHECKPOINT")
    shutil.rmtree(scratch, ignore_errors=True)


def _copy_checkpoints(source: Path, draft: Path) -> None:
    """Copy the checkpoints that are intact; a log without one is read from its beginning."""
    (draft / FOLDER).mkdir()
    for name, file in readable_manifest(source).items():
        path = source / name
        if Path(name).parent == Path(FOLDER) and path.is_file() and checksum(path) == file.sha256:
            copy_file(path, draft / name)


@python_step(reads="tags", makes="given_tags")
def _list_given_tags(fold: Fold) -> None:
    """List the tags that do not follow from others, whose columns are nodes of traces."""
    fold.connection.execute(
        "CREATE OR REPLACE TEMP TABLE given_tags AS "
        "SELECT dataset, column_name, tag, origin FROM tags WHERE origin <> 'derived'"
    )


_TRACE_STEPS = (find_successors, name_current_edges, _list_given_tags, sql_step("fold/trace"))
"""The steps that make the tables of `TRACE_TABLES`, whose edges are rows of `column_lineage` by number."""


def _carry(store: Path, draft: Path, source: Path) -> dict[str, ListedFile]:
    """Carry all files but the database, and checkpoints that are damaged; return their checksums."""
    (draft / FOLDER).mkdir()
    listed = readable_manifest(source)
    checksums = {}
    if not listed:
        for name in files_of(source):
            if name != DATABASE_NAME:
                (draft / name).parent.mkdir(parents=True, exist_ok=True)
                checksums[name] = copy_checked(source / name, draft / name)
        return checksums
    carried = files_to_carry(store, draft, source)
    for name, file in listed.items():
        checkpoint = Path(name).parts[0] == FOLDER
        if name == DATABASE_NAME or (checkpoint and not is_intact(source / name, file)):
            continue
        (draft / name).parent.mkdir(parents=True, exist_ok=True)
        carried.carry(name)
    return carried.checksums


def _fill(store: Path, source: Path, draft: Path, database: Path) -> None:
    scratch = draft / ".scratch"
    with open_empty(database, scratch) as connection:
        find_relations(connection)
        with together(connection):
            connection.execute("DELETE FROM store_facts")
            for table in DATABASE_TABLES:
                if table not in TRACE_TABLES:
                    _read(connection, table, draft)
        if (version := read_fact(connection, "schema_version")) != SCHEMA_VERSION:
            what = f"the database of version {source.name} cannot be made again: it has tables of version {version}"
            raise StoreError(what, str(store), "restore another version, or harvest the logs into a new store")
        make_open_tables(connection)
        with together(connection):
            write_fact(connection, TABLE_COLUMNS, columns_digest())
            write_views_digest(connection)
        fold = Fold(connection, scratch, JobNameRule())
        for step in _TRACE_STEPS:
            step.run(fold)
        with beside(connection) as other, by_number(draft) as path:
            point_to_runs(other, path)
        connection.execute("CHECKPOINT")
    shutil.rmtree(scratch, ignore_errors=True)


def _read(connection: duckdb.DuckDBPyConnection, table: Table, version: Path) -> None:
    """Read the rows of a table from a version's Parquet files."""
    folder = version / INTERNAL / table.name if table in KEPT_TABLES else version / table.name
    files = sorted(folder.glob("*.parquet"))
    if files:
        connection.execute(f"INSERT INTO {quoted(table.name)} BY NAME SELECT * FROM {read_files(files)}")
