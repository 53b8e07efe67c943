"""Repair a version: make a new one of what is intact of it, here and in other versions.

Its Parquet files follow from its database and the runs, its database from its Parquet files. The damaged version stays
as it is.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from eventlog_lineage.errors import StoreError
from eventlog_lineage.history.job_names import JobNameRule
from eventlog_lineage.store.fold.steps import (
    SCRATCH,
    Fold,
    find_run_days,
    make_open_tables,
    open_days,
    python_step,
    sql_step,
)
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
    VERSIONS,
    begin_version,
    by_number,
    copy_file,
    link_or_copy,
    mode_of,
    set_modes,
    switch,
    sync,
    version_number,
    version_numbers,
)
from eventlog_lineage.store.versions.manifest import (
    ListedFile,
    changed_files,
    files_of,
    is_intact,
    readable_manifest,
    write_manifest,
)
from eventlog_lineage.store.versions.parquet import FOLDER, Target, export_days, export_tables

if TYPE_CHECKING:
    import duckdb

    from eventlog_lineage.store.schema.declaration import Table


class Remedy(Enum):
    """How a version becomes whole; the first that is possible costs the least."""

    KEEP = "it is whole"
    TAKE_COPIES = "its damaged files have intact copies"
    WRITE_PARQUET = "its database and its runs are intact: its other Parquet files are written again"
    MAKE_DATABASE = "its Parquet files are intact: its database is made again"


@dataclass(frozen=True, slots=True)
class Examined:
    """What is intact of a version.

    Attributes:
        remedy: How it becomes whole; None if it cannot.
        files: Its list of files; empty without an intact one.
        places: Where the content of its files is intact, by their paths in it: there, or in another version. Without a
            list, where its files are.
    """

    number: int
    remedy: Remedy | None
    files: Mapping[str, ListedFile]
    places: Mapping[str, Path]


def examine(store: Path, number: int) -> Examined:
    """Find what is intact of a version; reads all of its files, and the copies of the damaged ones."""
    version = store / VERSIONS / str(number)
    files = readable_manifest(version)
    if not files:
        places = {name: version / name for name in files_of(version)}
        return Examined(number, _remedy_without_list(version), files, places)
    changed = {name for name, _ in changed_files(version, files, contents=True)}
    places = {name: version / name for name in files if name not in changed}
    if damaged := {name: files[name] for name in changed if name in files}:
        places |= _copies(store, number, damaged)
    return Examined(number, _remedy(version, files.keys() - places.keys(), is_changed=bool(changed)), files, places)


def choose(store: Path) -> Examined | None:
    """Choose the newest version that is whole or can be made whole; None if there is none.

    Parquet files without checksums are the last choice: a flipped bit in their rows would not be found.
    """
    unsure = None
    for found in _examined(store):
        if found.remedy and (found.files or found.remedy is not Remedy.MAKE_DATABASE):
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


def _remedy(version: Path, lost: Set[str], *, is_changed: bool) -> Remedy | None:
    """Choose the remedy of a version with a list."""
    needed = {name for name in lost if Path(name).parts[0] != FOLDER}
    if needed == {DATABASE_NAME}:
        return Remedy.MAKE_DATABASE
    if DATABASE_NAME in needed or any(name.startswith(f"{RUNS}/") for name in needed):
        return None
    if lost:
        return Remedy.WRITE_PARQUET
    if is_changed:
        return Remedy.TAKE_COPIES
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


_INTACT = ".intact"
"""The folder, in a draft, with the files that the new version is made of."""


def remake_version(store: Path, examined: Examined, remedy: Remedy) -> Path:
    """Make a new version of what is intact of another one, make it current, and return its folder.

    Args:
        store: The store's folder; the lock is held.

    Raises:
        DamagedError: The Parquet files that the database is made from do not belong together.
        StoreError: They have the tables of another schema version.
    """
    source = store / VERSIONS / str(examined.number)
    draft = begin_version(store)
    database = writable_path(draft / DATABASE_NAME)
    try:
        _gather(examined, draft / _INTACT)
        if remedy is Remedy.MAKE_DATABASE:
            _move_up(draft)
            _fill(store, source, draft, database)
        else:
            copy_file(examined.places[DATABASE_NAME], database)
            _take_over(draft, database, examined, is_exported=remedy is Remedy.WRITE_PARQUET)
        move_database(database, draft / DATABASE_NAME)
        for folder in (_INTACT, SCRATCH):
            shutil.rmtree(draft / folder, ignore_errors=True)
        write_manifest(draft)
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


def _gather(examined: Examined, folder: Path) -> None:
    """Link the intact files but the database into a folder."""
    for name, place in examined.places.items():
        if name != DATABASE_NAME:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            link_or_copy(place, folder / name)


def _move_up(draft: Path) -> None:
    for path in (draft / _INTACT).iterdir():
        path.rename(draft / path.name)


def _take_over(draft: Path, database: Path, examined: Examined, *, is_exported: bool) -> None:
    """Make the database that of a draft, with Parquet files as they were, or written from it and the intact runs."""
    with open_for_writing(database, draft / SCRATCH) as connection:
        make_open_tables(connection)
        with together(connection):
            has_other_tables = migrate(connection)
        if is_exported or has_other_tables:
            _export(connection, draft, examined)
        else:
            _move_up(draft)
        _point_views(connection, draft)


def _export(connection: duckdb.DuckDBPyConnection, draft: Path, examined: Examined) -> None:
    """Write the Parquet files of a draft; of a version with a list, keep the checkpoints that are intact."""
    target = Target(draft, version_number(draft))
    runs = find_run_days(draft / _INTACT, examined.files or None)
    open_days(connection, runs, list(runs.closed))
    with together(connection):
        make_views(connection, replace=True)
    days = connection.execute("SELECT CAST(started_at AS DATE) FROM open_applications UNION SELECT NULL").fetchall()
    export_days(connection, target, [day for (day,) in days])
    export_tables(connection, target, changed=True)
    if examined.files and (draft / _INTACT / FOLDER).is_dir():
        (draft / _INTACT / FOLDER).rename(draft / FOLDER)


def _point_views(connection: duckdb.DuckDBPyConnection, draft: Path) -> None:
    """Let the views of a draft's database read its runs."""
    with beside(connection) as other, by_number(draft) as path:
        point_to_runs(other, path)
    connection.execute("CHECKPOINT")


@python_step(reads="tags", makes="given_tags")
def _list_given_tags(fold: Fold) -> None:
    """List the tags that do not follow from others, whose columns are nodes of traces."""
    fold.connection.execute(
        "CREATE OR REPLACE TEMP TABLE given_tags AS "
        "SELECT dataset, column_name, tag, origin FROM tags WHERE origin <> 'derived'"
    )


_TRACE_STEPS = (find_successors, name_current_edges, _list_given_tags, sql_step("fold/trace"))
"""The steps that make the tables of `TRACE_TABLES`, whose edges are rows of `column_lineage` by number."""


def _fill(store: Path, source: Path, draft: Path, database: Path) -> None:
    with open_empty(database, draft / SCRATCH) as connection:
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
        fold = Fold(connection, draft / SCRATCH, JobNameRule())
        for step in _TRACE_STEPS:
            step.run(fold)
        _point_views(connection, draft)


def _read(connection: duckdb.DuckDBPyConnection, table: Table, version: Path) -> None:
    """Read the rows of a table from a version's Parquet files."""
    folder = version / INTERNAL / table.name if table in KEPT_TABLES else version / table.name
    files = sorted(folder.glob("*.parquet"))
    if files:
        connection.execute(f"INSERT INTO {quoted(table.name)} BY NAME SELECT * FROM {read_files(files)}")
