"""Whole and damaged versions of a store.

A version is complete if its files match its manifest, and its database opens and has this program's schema version.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import duckdb

from eventlog_lineage.errors import StoreError
from eventlog_lineage.store.publish.database import (
    DATABASE_NAME,
    SCHEMA_VERSION,
    DamagedError,
    open_for_reading,
    opened_again,
    opened_for_reading,
)
from eventlog_lineage.store.publish.versions import has_database
from eventlog_lineage.store.schema.ddl import quoted
from eventlog_lineage.store.schema.internal_tables import RUN_TABLES
from eventlog_lineage.store.schema.run_files import RUNS, RUNS_FOLDER
from eventlog_lineage.store.schema.store_facts import read_fact
from eventlog_lineage.store.schema.tables import PUBLIC_TABLES

from .contents import check_rows, table_names
from .manifest import LISTED, MANIFEST, changed_files, checksum, read_manifest

_MAGIC = b"PAR1"
_SMALLEST = 12
"""Bytes of a Parquet file without content: two magic numbers and the length of its footer."""


def check_schema(connection: duckdb.DuckDBPyConnection, store: Path) -> None:
    """Check that a database has the schema version of this program.

    Args:
        connection: The database.
        store: The store's folder, for the error.

    Raises:
        StoreError: It has another one.
    """
    version = _fact(connection, "schema_version") or "unknown"
    if version != SCHEMA_VERSION:
        raise StoreError(
            f"the store has tables of version {version}, this program uses version {SCHEMA_VERSION}",
            str(store),
            "harvest the logs into a new folder, or use the program that made it",
        )


def verify(version: Path, store: Path) -> None:
    """Check that a version is whole as far as this can be seen without reading all of it.

    Args:
        version: The version's folder.
        store: The store's folder, for messages.

    Raises:
        DamagedError: A file is missing, has another size or is unreadable.
        StoreError: The tables have another schema version, or another program has the database open for writing.
    """
    open_verified(version, store).close()


def open_verified(
    version: Path, store: Path, free: duckdb.DuckDBPyConnection | None = None
) -> duckdb.DuckDBPyConnection:
    """Check a version as `verify` does, and return a connection that reads its database.

    Args:
        version: The version's folder.
        store: The store's folder, for messages.
        free: As in `open_for_reading`.

    Raises:
        DamagedError: A file is missing, has another size or is unreadable.
        StoreError: The tables have another schema version, or another program has the database open for writing.
    """
    if not has_database(version):
        raise DamagedError(f"{DATABASE_NAME} is missing", str(version))
    connection = open_for_reading(version / DATABASE_NAME, free)
    try:
        _check(connection, version, store)
    except BaseException:
        connection.close()
        raise
    return connection


def verify_written(version: Path, store: Path, connection: duckdb.DuckDBPyConnection) -> None:
    """Check a version as `verify` does, after it is written.

    Args:
        version: The version's folder.
        store: The store's folder, for messages.
        connection: The connection that wrote the database, and has closed it.

    Raises:
        DamagedError: A file is missing, has another size or is unreadable.
    """
    with opened_again(connection, version / DATABASE_NAME):
        check_schema(connection, store)
    tables = frozenset(table.name for table in PUBLIC_TABLES)  # `duckdb_views()` would bind all views
    for flaw in (*_flaws(version, contents=False), *_table_flaws(version, tables)):
        raise DamagedError(flaw, str(version))


def _check(connection: duckdb.DuckDBPyConnection, version: Path, store: Path) -> None:
    tables = _tables(connection, version, store)
    for flaw in (*_flaws(version, contents=False), *_table_flaws(version, tables)):
        raise DamagedError(flaw, str(version))


def file_flaws(version: Path, free: duckdb.DuckDBPyConnection | None = None) -> Iterator[str]:
    """Yield what is wrong with a version's files, a phrase each; reads all of them.

    Args:
        version: The version's folder.
        free: As in `opened_for_reading`.
    """
    flaws = list(_flaws(version, contents=True))
    yield from flaws
    if any(flaw.startswith(DATABASE_NAME) for flaw in flaws):
        return
    try:
        yield from _table_flaws(version, _open(version, version, free))
        if not (version / MANIFEST).exists():
            _read_all(version)
            yield from check_rows(version, free).flaws
    except StoreError as error:
        yield error.what


def damaged_files(version: Path) -> Iterator[str]:
    """Yield what is wrong with a version's files, a phrase each, without opening the database; reads all of them."""
    yield from _flaws(version, contents=True)


def is_readable(version: Path) -> bool:
    """Return whether the database of a version opens, with all tables that it needs in Parquet."""
    try:
        return next(_table_flaws(version, _open(version, version)), None) is None
    except StoreError:
        return False


def has_intact_database(version: Path) -> bool:
    """Return whether the database of a version, and the runs that its views read, are as they were published.

    Where its checksum is lost, DuckDB's own checksums decide, which it has for each block of a file.
    """
    database = version / DATABASE_NAME
    try:
        files = read_manifest(version) or {}
    except DamagedError:
        files = {}
    try:
        if DATABASE_NAME in files and checksum(database) != files[DATABASE_NAME].sha256:
            return False
        if any(checksum(version / name) != file.sha256 for name, file in files.items() if name.startswith(f"{RUNS}/")):
            return False
        with opened_for_reading(database) as connection:
            check_schema(connection, version)
        if DATABASE_NAME not in files:
            _read_all(version)
    except (StoreError, OSError):
        return False
    return True


def _flaws(version: Path, *, contents: bool) -> Iterator[str]:
    if not has_database(version):
        yield f"{DATABASE_NAME} is missing"
        return
    try:
        files = read_manifest(version)
    except DamagedError as error:
        yield error.what
        return
    if files is None:
        yield from _unlisted_flaws(version)
        return
    yield from (change for _, change in changed_files(version, files, contents=contents))


def _unlisted_flaws(version: Path) -> Iterator[str]:
    """Yield the flaws of a version without a list, which an older program made."""
    for table in PUBLIC_TABLES:
        files = sorted((version / table.name).rglob("*.parquet"))
        yield from (f"{file.relative_to(version)} is not a whole Parquet file" for file in files if not _ends(file))


def _table_flaws(version: Path, tables: frozenset[str]) -> Iterator[str]:
    """Yield the public tables of a version's database that have no Parquet files.

    Args:
        version: The folder of the version.
        tables: The tables and views of its database.
    """
    for table in PUBLIC_TABLES:
        if table.name in tables and not _has_parquet(f"{version}/{table.name}"):
            yield f"{table.name} has no Parquet files"


def _has_parquet(folder: str) -> bool:
    """Return whether there is a Parquet file in a folder or in one below it: each version is looked through twice."""
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return False
    return any(entry.name.endswith(".parquet") for entry in entries) or any(
        _has_parquet(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)
    )


def _read_all(version: Path) -> None:
    with opened_for_reading(version / DATABASE_NAME) as connection:
        try:
            rows = connection.execute("SELECT table_name FROM duckdb_tables() WHERE NOT internal").fetchall()
            for table in (*(name for (name,) in rows), *(table.name for table in RUN_TABLES)):
                connection.execute(f"SELECT sum(hash(t)) FROM {quoted(table)} t").fetchall()
        except duckdb.Error as error:
            words = str(error).splitlines()[0]
            raise DamagedError(f"{DATABASE_NAME} cannot be read: {words}", str(version)) from None


def _open(version: Path, store: Path, free: duckdb.DuckDBPyConnection | None = None) -> frozenset[str]:
    """Open a version's database, and return the names of its tables and views.

    Args:
        version: The folder of the version.
        store: The store's folder, for messages.
        free: As in `opened_for_reading`.
    """
    with opened_for_reading(version / DATABASE_NAME, free) as connection:
        return _tables(connection, version, store)


def _tables(connection: duckdb.DuckDBPyConnection, version: Path, store: Path) -> frozenset[str]:
    """Return the names of the tables and views of a version's database.

    Args:
        connection: The version's database.
        version: The folder of the version.
        store: The store's folder, for messages.
    """
    check_schema(connection, store)
    if _fact(connection, LISTED) and not (version / MANIFEST).exists():
        raise DamagedError(f"{MANIFEST} is missing", str(version))
    return table_names(connection)


def _fact(connection: duckdb.DuckDBPyConnection, fact: str) -> str:
    try:
        return read_fact(connection, fact) or ""
    except duckdb.Error:
        return ""


def views_folder(version: Path, free: duckdb.DuckDBPyConnection | None = None) -> str:
    """Return the folder of a version by the views of its database; empty where an older program made it.

    Args:
        version: The version's folder.
        free: As in `opened_for_reading`.

    Raises:
        DamagedError: The database cannot be opened.
    """
    with opened_for_reading(version / DATABASE_NAME, free) as connection:
        return _fact(connection, RUNS_FOLDER)


def _ends(file: Path) -> bool:
    """Return whether a file begins and ends as Parquet files do."""
    try:
        with file.open("rb") as parquet:
            start = parquet.read(len(_MAGIC))
            size = parquet.seek(0, os.SEEK_END)
            parquet.seek(max(0, size - 8))
            end = parquet.read(8)
    except OSError:
        return False
    footer = int.from_bytes(end[:4], "little")
    return size >= _SMALLEST and start == end[4:] == _MAGIC and footer <= size - _SMALLEST
