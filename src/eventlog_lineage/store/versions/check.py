"""Check a version: its files against the manifest, its database, the rows of both and their references.

A version is complete if its files match its manifest, and its database opens and has this program's schema version.
"""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import duckdb

from eventlog_lineage.errors import StoreError
from eventlog_lineage.safe_text import temporary_folder
from eventlog_lineage.store.schema.creation import check_schema, use_current_views
from eventlog_lineage.store.schema.database import (
    DATABASE_NAME,
    DamagedError,
    failures_as,
    limit_memory,
    open_for_reading,
)
from eventlog_lineage.store.schema.internal_tables import RUN_TABLES
from eventlog_lineage.store.schema.relations import RUNS, count_of, quoted, text_literal
from eventlog_lineage.store.schema.tables import PUBLIC_TABLES
from eventlog_lineage.store.versions.folder import has_database
from eventlog_lineage.store.versions.manifest import (
    MANIFEST,
    changed_files,
    checksum,
    files_of,
    read_manifest,
    readable_manifest,
)


@dataclass(frozen=True, slots=True)
class _Reference:
    """A column whose values are in another table, except NULL and the empty text."""

    table: str
    column: str
    other: str
    key: str

    def missing(self) -> str:
        """Return the values that are not there, as what follows SELECT."""
        values = f"SELECT DISTINCT {self.column} AS value FROM {self.table} WHERE CAST({self.column} AS VARCHAR) <> ''"
        return f"FROM ({values}) v ANTI JOIN {self.other} o ON o.{self.key} = v.value"

    def flaw(self, count: int) -> str:
        """Return the phrase about missing values."""
        return f"{count} values of {self.table}.{self.column} are not in {self.other}.{self.key}"


_REFERENCES = (
    _Reference("executions", "lineage_id", "lineages", "lineage_id"),
    _Reference("executions", "lineage_fingerprint", "lineages", "lineage_fingerprint"),
    _Reference("dataset_io", "dataset", "datasets", "dataset"),
    _Reference("dataset_aliases", "dataset", "datasets", "dataset"),
    _Reference("column_lineage", "source_dataset", "datasets", "dataset"),
    _Reference("column_lineage", "target_dataset", "datasets", "dataset"),
    _Reference("table_lineage", "source_dataset", "datasets", "dataset"),
    _Reference("table_lineage", "target_dataset", "datasets", "dataset"),
    _Reference("schema_versions", "dataset", "datasets", "dataset"),
    _Reference("harvested_logs", "harvest_id", "harvests", "harvest_id"),
)


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a version.

    Attributes:
        count: The number of rows of all public tables in the database.
        flaws: What is wrong with them, a phrase each.
        missing: References to rows that are not there, a phrase each.
    """

    count: int
    flaws: tuple[str, ...]
    missing: tuple[str, ...]


def check_rows(version: Path) -> Rows:
    """Compare the rows of a version's Parquet files and database, and follow its references, within a limit of memory.

    Raises:
        DamagedError: The database cannot be read.
    """
    with (
        temporary_folder() as scratch,
        open_for_reading(version / DATABASE_NAME) as connection,
        failures_as(DamagedError, f"{DATABASE_NAME} cannot be read", version),
    ):
        with suppress(duckdb.InvalidInputException):  # another connection of this process has locked the settings
            limit_memory(connection, scratch)
        return _compared(connection, version)


def _compared(connection: duckdb.DuckDBPyConnection, version: Path) -> Rows:
    use_current_views(connection, tables_only=True)
    known = table_names(connection)
    tables = [table.name for table in PUBLIC_TABLES if table.name in known]
    counts = {table: count_of(connection, f"FROM {quoted(table)}") for table in tables}
    missing = {each: count_of(connection, each.missing()) for each in _REFERENCES}
    return Rows(
        sum(counts.values()),
        tuple(_count_flaws(connection, version, counts)),
        tuple(each.flaw(count) for each, count in missing.items() if count),
    )


def table_names(connection: duckdb.DuckDBPyConnection) -> frozenset[str]:
    """Return the names of a database's tables and views, and of temporary ones; one of an older program may lack some.

    Raises:
        DamagedError: The database cannot be read.
    """
    with failures_as(DamagedError, f"{DATABASE_NAME} cannot be read"):
        rows = connection.execute(  # faster than information_schema
            "SELECT table_name FROM duckdb_tables() WHERE database_name IN (current_database(), 'temp') "
            "UNION ALL SELECT view_name FROM duckdb_views() WHERE database_name IN (current_database(), 'temp')"
        ).fetchall()
    return frozenset(str(name) for (name,) in rows)


def _count_flaws(connection: duckdb.DuckDBPyConnection, version: Path, counts: Mapping[str, int]) -> Iterator[str]:
    for table, expected in counts.items():
        files = f"{glob.escape(str(version / table))}/**/*.parquet"
        try:
            found = count_of(connection, f"FROM read_parquet({text_literal(files)})")
        except duckdb.Error as error:
            yield f"the Parquet files of {table} cannot be read: {str(error).splitlines()[0]}"
            continue
        if found != expected:
            yield f"{table} has {found} rows in Parquet and {expected} in {DATABASE_NAME}"


def verify(version: Path, store: Path) -> None:
    """Check that a version is whole as far as this can be seen without reading all of it.

    Raises:
        DamagedError: A file is missing, has another size or is unreadable.
        StoreError: The tables have another schema version, or another program has the database open for writing.
    """
    open_verified(version, store).close()


def open_verified(version: Path, store: Path) -> duckdb.DuckDBPyConnection:
    """Check a version as `verify` does, with the same errors, and return a connection that reads its database."""
    if not has_database(version):
        raise DamagedError(f"{DATABASE_NAME} is missing", str(version))
    connection = open_for_reading(version / DATABASE_NAME)
    try:
        _require_whole(connection, version, store)
    except BaseException:
        connection.close()
        raise
    return connection


def _require_whole(connection: duckdb.DuckDBPyConnection, version: Path, store: Path) -> None:
    check_schema(connection, store)
    tables = table_names(connection)
    for flaw in (*_flaws(version, contents=False), *_table_flaws(read_manifest(version), tables)):
        raise DamagedError(flaw, str(version))


def file_flaws(version: Path) -> Iterator[str]:
    """Yield what is wrong with a version's files, a phrase each; reads all of them."""
    flaws = list(_flaws(version, contents=True))
    yield from flaws
    if any(flaw.startswith(DATABASE_NAME) for flaw in flaws):
        return
    yield from _reading_flaws(version)


def damaged_files(version: Path) -> Iterator[str]:
    """Yield what is wrong with a version's files, a phrase each, without opening the database; reads all of them.

    A copy of a version's visible files has no list to compare them with.
    """
    if (version / MANIFEST).exists() or not has_database(version):
        yield from _flaws(version, contents=True)


def is_readable(version: Path) -> bool:
    """Return whether the database of a version opens, with all tables that it needs in Parquet."""
    return next(_reading_flaws(version), None) is None


def has_intact_database(version: Path) -> bool:
    """Return whether the database of a version, and the runs that its views read, are as they were published.

    Where its checksum is lost, DuckDB's own checksums decide, which it has for each block of a file.
    """
    database = version / DATABASE_NAME
    files = readable_manifest(version)
    try:
        if DATABASE_NAME in files and checksum(database) != files[DATABASE_NAME].sha256:
            return False
        if any(checksum(version / name) != file.sha256 for name, file in files.items() if name.startswith(f"{RUNS}/")):
            return False
        with open_for_reading(database) as connection:
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
    yield from (change for _, change in changed_files(version, files, contents=contents))


def _table_flaws(files: Iterable[str], tables: frozenset[str]) -> Iterator[str]:
    """Yield the public tables of a version's database that have no Parquet files among those of the version."""
    having = {name.partition("/")[0] for name in files if name.endswith(".parquet")}
    for table in PUBLIC_TABLES:
        if table.name in tables and table.name not in having:
            yield f"{table.name} has no Parquet files"


def _read_all(version: Path) -> None:
    with (
        open_for_reading(version / DATABASE_NAME) as connection,
        failures_as(DamagedError, f"{DATABASE_NAME} cannot be read", version),
    ):
        rows = connection.execute("SELECT table_name FROM duckdb_tables() WHERE NOT internal").fetchall()
        for table in (*(name for (name,) in rows), *(table.name for table in RUN_TABLES)):
            connection.execute(f"SELECT sum(hash(t)) FROM {quoted(table)} t").fetchall()


def _reading_flaws(version: Path) -> Iterator[str]:
    """Yield why the database of a version does not open, or its public tables that have no Parquet files."""
    try:
        with open_for_reading(version / DATABASE_NAME) as connection:
            check_schema(connection, version)
            tables = table_names(connection)
        yield from _table_flaws(files_of(version), tables)
    except StoreError as error:
        yield error.what
