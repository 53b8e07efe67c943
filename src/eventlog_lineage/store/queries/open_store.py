"""Opening a store to ask it something."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import duckdb

from eventlog_lineage.errors import QueryError, StoreError
from eventlog_lineage.store.fold.creation import use_current_views
from eventlog_lineage.store.integrity.damage import damaged, describe_link
from eventlog_lineage.store.integrity.verification import check_schema, damaged_files
from eventlog_lineage.store.publish.database import DATABASE_NAME, DamagedError, may_show_damage, opened_for_reading
from eventlog_lineage.store.publish.moved_runs import second_connection
from eventlog_lineage.store.publish.versions import is_store, readable_version
from eventlog_lineage.store.remote.folders import folder_to_read
from eventlog_lineage.store.schema.ddl import quoted
from eventlog_lineage.store.schema.internal_tables import RUN_TABLES

from .confinement import confine, refuse_writing


@dataclass(frozen=True, slots=True)
class Answer:
    """The rows of an answer.

    Attributes:
        names: The columns' names.
        rows: The values, in Python's types; timestamps are UTC without a zone.
        types: DuckDB's types of the columns; empty if they are not known.
    """

    names: tuple[str, ...]
    rows: list[tuple[object, ...]]
    types: tuple[str, ...] = ()

    def without(self, *names: str) -> Answer:
        """Return the answer without some columns."""
        kept = [place for place, name in enumerate(self.names) if name not in names]
        types = tuple(self.types[place] for place in kept) if self.types else ()
        rows = [tuple(row[place] for place in kept) for row in self.rows]
        return Answer(tuple(self.names[place] for place in kept), rows, types)

    def without_empty(self, *names: str) -> Answer:
        """Return the answer without those of some columns that have no value."""
        places = {name: self.names.index(name) for name in names}
        return self.without(*(name for name, at in places.items() if not any(row[at] for row in self.rows)))

    def records(self) -> Iterator[dict[str, object]]:
        """Yield each row as names and values."""
        return (dict(zip(self.names, row, strict=True)) for row in self.rows)


@dataclass(frozen=True, slots=True)
class OpenStore:
    """A version of a store, open for reading; it stays the same while harvests publish newer ones.

    Attributes:
        store: The store's folder.
        version: The version's folder, with the database and the Parquet tables.
        connection: The database, read-only.
        free: The connection of `ask_freely`, which looks for names in `main` only, as a DuckDB shell does. Where this
            program's views and macros are temporary ones, it is the other connection, the only one that has them.
    """

    store: Path
    version: Path
    connection: duckdb.DuckDBPyConnection
    free: duckdb.DuckDBPyConnection

    def ask(self, query: str, parameters: Sequence[object] | Mapping[str, object] = ()) -> Answer:
        """Run a query of the program's own.

        Args:
            query: SQL.
            parameters: Values for its `?`, or for its `$name`.
        """
        try:
            return _answer(self.connection, query, parameters)
        except duckdb.Error as error:
            self._check_damage(error)
            raise

    def ask_freely(self, query: str) -> Answer:
        """Run a query that a user wrote; it reads this store and nothing else, and writes no files.

        The connection keeps these limits afterwards, as do other connections of this process to the same database.

        Raises:
            QueryError: DuckDB cannot run it; with DuckDB's message and position.
            StoreError: DuckDB cannot run it because the store is damaged.
            UsageError: It is empty, or does something else than read.
        """
        try:
            confine(self.free, (self.store, self.version))
            refuse_writing(self.free, query)
            return _answer(self.free, query)
        except duckdb.Error as error:
            self._check_damage(error)
            message, _, excerpt = str(error).partition("\nLINE ")
            what = " ".join(message.split())
            raise QueryError(f"the query fails: {what}", excerpt=f"LINE {excerpt}" if excerpt else "") from None

    def _check_damage(self, error: duckdb.Error) -> None:
        """Report the damaged file that an error may come from.

        Raises:
            StoreError: A file is damaged.
        """
        is_unclear = isinstance(error, duckdb.BinderException) and not self._has_columns()
        flaw = next(damaged_files(self.version), None) if is_unclear or may_show_damage(error) else None
        if flaw is not None:
            raise damaged(self.store, f"version {self.version.name}: {flaw}") from None

    def _has_columns(self) -> bool:
        """Return whether the files of the runs have the columns that their views read."""
        try:
            for table in RUN_TABLES:
                self.connection.execute(f"FROM {quoted(table.name)} LIMIT 0")
        except duckdb.Error:
            return False
        return True


def _answer(
    connection: duckdb.DuckDBPyConnection, query: str, parameters: Sequence[object] | Mapping[str, object] = ()
) -> Answer:
    values = dict(parameters) if isinstance(parameters, Mapping) else list(parameters)
    cursor = connection.execute(query, values)
    described = cursor.description or ()
    types = tuple(str(column[1]) for column in described)
    return Answer(tuple(str(column[0]) for column in described), cursor.fetchall(), types)


@contextmanager
def open_store(store_dir: str | Path, duck: duckdb.DuckDBPyConnection | None = None) -> Iterator[OpenStore]:
    """Open the current version of a store for reading.

    Args:
        store_dir: The store's folder or URL.
        duck: A connection without a database, whose DuckDB is to open the store: one store at a time. None for a new
            DuckDB.

    Raises:
        StoreError: There is no store, it is of another version, or it cannot be read.
        UsageError: The URL is not supported, or its client is not installed.
    """
    with folder_to_read(store_dir) as folder, _open(folder.path, duck) as opened:
        yield opened


@contextmanager
def _open(store: Path, duck: duckdb.DuckDBPyConnection | None) -> Iterator[OpenStore]:
    version = readable_version(store)
    if version is None:
        if is_store(store):
            raise damaged(store, describe_link(store))
        raise StoreError(
            "there is no store", str(store), "name the store with --store; `eventlog-lineage harvest` makes one"
        )
    with ExitStack() as opened:
        try:
            connection = opened.enter_context(opened_for_reading(version / DATABASE_NAME, duck))
        except DamagedError as error:
            raise damaged(store, error.what) from None
        check_schema(connection, store)
        free = second_connection(connection) if use_current_views(connection) else connection
        if free is not connection:
            opened.enter_context(free)
        with suppress(duckdb.InvalidInputException):  # as in `open_for_reading`
            free.execute("SET enable_progress_bar = false")
        yield OpenStore(store, version, connection, free)
