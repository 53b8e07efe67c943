"""Opening a store to ask it something."""

from __future__ import annotations

import glob
import os
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from eventlog_lineage.errors import QueryError, UnknownNameError, UsageError
from eventlog_lineage.store.remote.folders import folder_to_read
from eventlog_lineage.store.schema.creation import check_schema, use_current_views
from eventlog_lineage.store.schema.database import (
    DATABASE_NAME,
    DamagedError,
    may_show_damage,
    open_for_reading,
    second_connection,
)
from eventlog_lineage.store.schema.internal_tables import RUN_TABLES
from eventlog_lineage.store.schema.relations import quoted, sql_text, text_literal
from eventlog_lineage.store.versions.check import damaged_files
from eventlog_lineage.store.versions.folder import is_store, no_store, readable_version
from eventlog_lineage.store.versions.restore import damaged, describe_link

if TYPE_CHECKING:
    from collections.abc import Iterable


_READING = {"SELECT"}
_HARMLESS = {"CALL", "CREATE", "DELETE", "DROP", "EXPLAIN", "INSERT", "MULTI", "PRAGMA", "SET", "UPDATE"}
"""Statements that read, or change temporary tables and variables only: the database is open read-only.

`MULTI` is a PIVOT (DuckDB 2), `PRAGMA` also an IMPORT DATABASE and a COPY FROM DATABASE, `EXPLAIN ANALYZE` runs its
statement: these may not contain the words below.
"""

_WORD = re.compile(rb"\w+")
_FORBIDDEN = {"attach", "copy", "execute", "export", "import", "install", "load", "prepare"}


def confine(connection: duckdb.DuckDBPyConnection, folders: Iterable[Path]) -> None:
    """Take the rights of a connection to reach files, except those in some folders, and to load extensions.

    It holds for all connections of this process to the same database, and cannot be undone. DuckDB lets COPY write to
    the allowed folders; `refuse_writing` does not.
    """
    if connection.execute("SELECT current_setting('lock_configuration')").fetchone() == (True,):
        return
    found = {form for folder in folders for form in (str(folder), str(folder.absolute()), os.path.realpath(folder))}
    allowed = {f"{form}/" for folder in found for form in (folder, glob.escape(folder))}  # DuckDB compares the pattern
    listed = ", ".join(text_literal(folder) for folder in sorted(allowed))
    with suppress(duckdb.CatalogException):  # a DuckDB without this setting reads no files at all then
        connection.execute(f"SET allowed_directories = [{listed}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def refuse_writing(connection: duckdb.DuckDBPyConnection, query: str) -> None:
    """Refuse statements that write files or reach other databases.

    Args:
        connection: A confined connection: parsing an IMPORT DATABASE reads files in DuckDB 1.2.

    Raises:
        UsageError: The query has such a statement, or none at all.
        duckdb.Error: The query cannot be parsed.
    """
    statements = connection.extract_statements(query)
    kinds = {statement.type.name for statement in statements}
    if not kinds:
        raise UsageError("the query is empty", hint='write SQL, such as `eventlog-lineage sql "FROM table_lineage"`')
    if kinds <= _READING:
        if len(statements) > 1:
            raise UsageError(f"{len(statements)} queries", hint="give one at a time: only one has an answer")
        return
    words = _keywords(query) & _FORBIDDEN
    if words or not kinds <= _READING | _HARMLESS:
        what = ", ".join(sorted(word.upper() for word in words)) or ", ".join(sorted(kinds - _READING - _HARMLESS))
        raise UsageError(
            f"the query cannot run: {what} is not allowed, sql only reads the store",
            hint="to write a file, use --format and redirect the output",
        )


def _keywords(query: str) -> set[str]:
    """Return the keywords of a query in lower case; quoted names and texts are none."""
    content = query.encode()  # tokens are at byte offsets
    tokens = ((at, getattr(kind, "name", "")) for at, kind in duckdb.tokenize(query))
    words = (_WORD.match(content, at) for at, kind in tokens if kind in {"keyword", "identifier"})
    return {word[0].decode().lower() for word in words if word}


_AGAIN = 0.05
"""Seconds between two interrupts of a question that takes too long."""
_LESS = "a column instead of a dataset, fewer hops, a shorter time, a filter or a LIMIT"
_ROWS_AT_ONCE = 100
_BYTES_PER_VALUE = 60
"""Memory of a Python value without its text."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The rows of an answer.

    Attributes:
        rows: The values, in Python's types; timestamps are UTC without a zone.
        types: DuckDB's types of the columns; empty if they are not known.
    """

    names: tuple[str, ...]
    rows: list[tuple[object, ...]]
    types: tuple[str, ...] = ()

    def without(self, *names: str) -> Answer:
        """Return the answer without some columns."""
        return self._at([place for place, name in enumerate(self.names) if name not in names])

    def only(self, *names: str) -> Answer:
        """Return the answer with some columns, in the order of their names here."""
        return self._at([self.names.index(name) for name in names])

    def _at(self, places: Sequence[int]) -> Answer:
        types = tuple(self.types[place] for place in places) if self.types else ()
        rows = [tuple(row[place] for place in places) for row in self.rows]
        return Answer(tuple(self.names[place] for place in places), rows, types)

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
        """Run a query of the program's own."""
        try:
            return _answer(self.connection, query, parameters)
        except duckdb.Error as error:
            self._check_damage(error)
            raise

    def ask_freely(self, query: str, most_bytes: int | None = None) -> Answer:
        """Run a query that a user wrote; it reads this store and nothing else, and writes no files.

        The connection keeps these limits afterwards, as do other connections of this process to the same database.

        Args:
            most_bytes: Limit of the answer, and an eighth of what DuckDB may take; None for no limit.

        Raises:
            QueryError: DuckDB cannot run it; with DuckDB's message and position.
            StoreError: DuckDB cannot run it because the store is damaged.
            UsageError: It is empty, or does something else than read.
        """
        try:
            if most_bytes is not None:
                with suppress(duckdb.InvalidInputException):  # another query of this process has locked the settings
                    limits = f"SET memory_limit = '{most_bytes * 8}B'; SET max_temp_directory_size = '0KB'"
                    self.free.execute(limits)
            confine(self.free, (self.store, self.version))
            refuse_writing(self.free, query)
            found = _answer(self.free, query, most_bytes=most_bytes)
            return found if "rowid" in query.lower() else found.without("rowid")  # a view of an older store has it
        except MemoryError:
            raise QueryError("the query needs too much memory; add a filter or a LIMIT") from None
        except duckdb.Error as error:
            self._check_damage(error)
            message, _, excerpt = str(error).partition("\nLINE ")
            what = " ".join(message.split())
            raise QueryError(f"the query fails: {what}", excerpt=f"LINE {excerpt}" if excerpt else "") from None

    def _check_damage(self, error: duckdb.Error) -> None:
        """Raise `StoreError` for the damaged file that an error may come from."""
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
    connection: duckdb.DuckDBPyConnection,
    query: str,
    parameters: Sequence[object] | Mapping[str, object] = (),
    most_bytes: int | None = None,
) -> Answer:
    values = dict(parameters) if isinstance(parameters, Mapping) else list(parameters)
    cursor = connection.execute(query, values)
    described = cursor.description or ()
    types = tuple(str(column[1]) for column in described)
    rows = cursor.fetchall() if most_bytes is None else _bounded(cursor, most_bytes)
    return Answer(tuple(str(column[0]) for column in described), rows, types)


def _bounded(cursor: duckdb.DuckDBPyConnection, most_bytes: int) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    while more := cursor.fetchmany(_ROWS_AT_ONCE):
        most_bytes -= sum(_BYTES_PER_VALUE + len(str(value)) for row in more for value in row)
        if most_bytes < 0:
            raise QueryError(f"the answer is too large after {len(rows)} rows; add a filter or a LIMIT")
        rows += more
    return rows


@contextmanager
def open_store(store_dir: str | Path) -> Iterator[OpenStore]:
    """Open the current version of a store for reading.

    Raises:
        StoreError: There is no store, it is of another version, or it cannot be read.
        UsageError: The URL is not supported, or its client is not installed.
    """
    with folder_to_read(store_dir) as folder, _open(folder.path) as opened:
        yield opened


@contextmanager
def _open(store: Path) -> Iterator[OpenStore]:
    version = readable_version(store)
    if version is None:
        if is_store(store):
            raise damaged(store, describe_link(store))
        raise no_store(store)
    with ExitStack() as opened:
        try:
            connection = opened.enter_context(open_for_reading(version / DATABASE_NAME))
        except DamagedError as error:
            raise damaged(store, error.what) from None
        check_schema(connection, store)
        free = second_connection(connection) if use_current_views(connection) else connection
        if free is not connection:
            opened.enter_context(free)
        with suppress(duckdb.InvalidInputException):  # as in `open_for_reading`
            free.execute("SET enable_progress_bar = false")
        yield OpenStore(store, version, connection, free)


@contextmanager
def limited(store: OpenStore, seconds: float) -> Iterator[None]:
    """Interrupt the queries of a question that takes too long.

    Raises:
        QueryError: It took longer.
    """
    late, over = threading.Event(), threading.Event()

    def interrupt() -> None:
        late.set()
        while not over.wait(_AGAIN):  # a question asks several queries
            store.connection.interrupt()
            store.free.interrupt()

    timer = threading.Timer(seconds, interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    except (QueryError, duckdb.Error):
        if late.is_set():
            raise late_question(seconds) from None
        raise
    finally:
        over.set()
        timer.cancel()


def late_question(seconds: float) -> QueryError:
    """Return the error of a question that takes longer than it may."""
    return QueryError(f"the question takes longer than {seconds:g} s; ask for less: {_LESS}")


_CAUSE = re.compile(r"^Caused by: (.+)$", re.MULTILINE)
_TASK = re.compile(r"^Job aborted due to stage failure: .*?\((?:TID|executor) [^)]*\)[^:]*: ", re.DOTALL)
_CLASS = re.compile(r"^(?:[a-z_][\w$]*\.)+(\w+(?:Error|Exception|Failure)\w*): (?=\S)")
_FRAME = re.compile(r"^\s*(?:at |\.\.\. \d+ more|Driver stacktrace|Traceback \(most recent)|^\s*$")
_LONGEST = 300


def error_line(error: str) -> str:
    """Return the innermost cause of an error without its stack; empty for an empty error.

    `SparkContext` reports a failed job as `Job aborted due to stage failure: … (TID 84) (host executor 1): ` and the
    task's stack, whose last `Caused by:` is the exception that was thrown first (all versions). A Python worker's
    traceback ends in its exception.
    """
    text = error.strip()
    if causes := _CAUSE.findall(text):
        text = causes[-1]
    elif "Traceback (most recent call last):" in text:
        text = _last_of_traceback(text)
    text = _TASK.sub("", text)
    line = next((each.strip() for each in text.splitlines() if not _FRAME.match(each)), "")
    line = _CLASS.sub(r"\1: ", line)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _last_of_traceback(text: str) -> str:
    """Return the exception's line of the last Python traceback: the first line after it that is not indented."""
    after = text.rpartition("Traceback (most recent call last):")[2].splitlines()[1:]
    return next((line for line in after if line and not line[0].isspace()), text)


def with_error_lines(found: Answer, *names: str) -> Answer:
    """Return an answer with the errors in some of its columns shortened."""
    places = [found.names.index(name) for name in names]
    rows = [
        tuple(error_line(str(value)) if at in places and value else value for at, value in enumerate(row))
        for row in found.rows
    ]
    return Answer(found.names, rows, found.types)


_NEAR = 5


@dataclass(frozen=True, slots=True)
class Target:
    """What a name means: a job, or a dataset, or a column of it.

    Attributes:
        job: The job; empty for others.
        dataset: The dataset; empty for a job.
        column: The column as it was asked for; empty for a dataset or a job.
    """

    job: str = ""
    dataset: str = ""
    column: str = ""

    @property
    def name(self) -> str:
        """The whole name."""
        return self.job or (f"{self.dataset}.{self.column}" if self.column else self.dataset)


def find_target(store: OpenStore, asked: str) -> Target:
    """Return what a name means; a dataset or a column before a job, a whole name before a part of one.

    Raises:
        UsageError: The name is unknown or ambiguous; the error lists similar names.
    """
    try:
        dataset, column = check_name(store, asked)
        return Target(dataset=dataset, column=column)
    except UnknownNameError:
        if job := _find_job(store, asked):
            return Target(job=job)
        raise


def check_job(store: OpenStore, asked: str) -> str:
    """Return the one job that a name means: all of it, its end after a colon, or a part.

    Raises:
        UsageError: The name is unknown or ambiguous.
    """
    if job := _find_job(store, asked):
        return job
    raise UnknownNameError(f"no job of the store is called {asked}", hint="`jobs` lists them")


def _find_job(store: OpenStore, asked: str) -> str:
    rows = store.ask(sql_text("queries/named_jobs"), {"asked": asked.strip()}).rows if asked.strip() else []
    found = [str(job) for (job,) in rows]
    if len(found) > 1:
        listed = "; ".join(found[:_NEAR])
        raise UsageError(f"{asked} can mean {len(found)} jobs: {listed}", hint="give more of the name")
    return found[0] if found else ""


def written_by(store: OpenStore, job: str, *, at_last: bool = False) -> list[str]:
    """Return the datasets that a job writes, by name."""
    query = sql_text("queries/written_by_job")
    return [str(dataset) for (dataset,) in store.ask(query, {"job": job, "last": at_last}).rows]


def read_by(store: OpenStore, job: str) -> list[str]:
    """Return the datasets that a job reads, by name; views that it reads through are not among them."""
    query = """
        SELECT DISTINCT i.dataset FROM executions e JOIN named_io i USING (lineage_fingerprint)
        WHERE e.job_name = ? AND i.direction = 'read' AND i.mode <> 'view' ORDER BY ALL
    """
    return [str(dataset) for (dataset,) in store.ask(query, [job]).rows]


def check_dataset(store: OpenStore, asked: str) -> str:
    """Return the one dataset that a name means.

    Raises:
        UsageError: It means nothing in the store, several things, or a column.
    """
    dataset, column = check_name(store, asked)
    if column:
        raise UsageError(f"{asked} is a column", hint=f"ask for the dataset {dataset}")
    return dataset


def check_name(store: OpenStore, asked: str, *, tables_first: bool = False) -> tuple[str, str]:
    """Return the one dataset, and the column as asked for (or empty), that a name means.

    Args:
        tables_first: Of a table and paths with the same ending, the table is meant.

    Raises:
        UsageError: The name is unknown or ambiguous; the error lists similar names.
    """
    found = store.ask("SELECT DISTINCT dataset, rest FROM find_names(?) ORDER BY ALL", [asked]).rows
    if tables_first and len(found) > 1:
        tables = store.ask("SELECT dataset FROM datasets WHERE kind = 'table'").rows
        found = [row for row in found if (row[0],) in tables] or found
    if len(found) == 1:
        return str(found[0][0]), str(found[0][1])
    if found:
        names = ", ".join(".".join(map(str, filter(None, row))) for row in found[:_NEAR])
        raise UsageError(f"{asked} can mean {len(found)} things: {names}", hint="give more of the name")
    near = ", ".join(_near(store, asked))
    hint = f"did you mean {near}?" if near else "the store has no datasets yet"
    raise UnknownNameError(f"no dataset or column of the store is called {asked}", hint=hint)


def _near(store: OpenStore, asked: str) -> list[str]:
    """Return the most similar names: columns of the dataset that the name begins with, datasets, columns."""
    head, _, column = asked.rpartition(".")
    rows = store.ask(sql_text("queries/near_columns"), [head, column, _NEAR]).rows if head else []
    if not rows:
        rows = store.ask(sql_text("queries/near_names"), {"asked": asked, "most": _NEAR}).rows
    return [str(row[0]) for row in rows]
