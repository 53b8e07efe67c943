"""The store as files: a table as CSV (RFC 4180), safe to open in a spreadsheet, or all of it as one DuckDB file."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from eventlog_lineage.errors import LineageError
from eventlog_lineage.output_file import replaced, temporary_folder
from eventlog_lineage.safe_text import spreadsheet_cell
from eventlog_lineage.store.queries.open_store import OpenStore
from eventlog_lineage.store.schema.creation import make_schema, make_views, migrate
from eventlog_lineage.store.schema.database import (
    DATABASE_NAME,
    MEMORY_LIMIT,
    move_database,
    open_for_writing,
    together,
    writable_path,
)
from eventlog_lineage.store.schema.internal_tables import RUN_TABLES
from eventlog_lineage.store.schema.relations import (
    RUNS_FOLDER,
    comment_on,
    create_table,
    day_files,
    quoted,
    stored_name,
    text_literal,
)
from eventlog_lineage.store.versions.folder import copy_file

if TYPE_CHECKING:
    from eventlog_lineage.store.schema.declaration import Table

LINEAGE = "column_lineage"

_CHUNK = 10_000
_ENDS = {"column_lineage", "table_lineage"}
"""Tables with a source and a target dataset: OpenLineage's names and the systems of both follow their own columns."""


def csv_lines(store: OpenStore, table: str = LINEAGE, *, raw: bool = False, current: bool = False) -> Iterator[str]:
    r"""Return a table's lines, the header first; each ends in `\r\n`.

    Args:
        table: A table or view.
        raw: Write texts as they are. Else a text that a spreadsheet would take for a formula begins with `'`, and
            control and invisible characters are escaped.
        current: Only rows with `is_current`, in tables that have it.
    """
    text = str if raw else spreadsheet_cell
    columns = [str(row[0]) for row in store.ask(f"DESCRIBE {quoted(table)}").rows]
    cursor = store.connection.execute(_query(table, columns, current=current))
    yield _line([name for name, *_ in cursor.description or ()], text)
    while rows := cursor.fetchmany(_CHUNK):
        yield "".join(_line(row, text) for row in rows)


def _query(table: str, columns: Sequence[str], *, current: bool) -> str:
    where = " WHERE l.is_current" if current and "is_current" in columns else ""
    if table not in _ENDS:
        return f"SELECT l.* FROM {quoted(table)} l{where} ORDER BY ALL"
    names = ", ".join(f'{end}.namespace AS {end}_namespace, {end}."name" AS {end}_name' for end in ("source", "target"))
    names += "".join(f', {end}."system" AS {end}_system' for end in ("source", "target"))
    joins = " ".join(f"LEFT JOIN datasets {end} ON {end}.dataset = l.{end}_dataset" for end in ("source", "target"))
    return f"SELECT l.*, {names} FROM {quoted(table)} l {joins}{where} ORDER BY ALL"


def _line(values: Sequence[object], text: Callable[[str], str]) -> str:
    line = StringIO()
    csv.writer(line, lineterminator="\r\n").writerow([_cell(value, text) for value in values])
    return line.getvalue()


def _cell(value: object, text: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return text(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, (list, dict, tuple)):
        return text(json.dumps(value, ensure_ascii=False, default=str))
    return value


def write_database(store: OpenStore, out: Path) -> None:
    """Write all tables, views and macros of a store to one file; the runs are tables in it, not views over Parquet.

    Args:
        out: The file. It is replaced as a whole, or left as it is.

    Raises:
        LineageError: The file cannot be written.
    """
    try:
        with replaced(out) as written, temporary_folder() as scratch:
            database = writable_path(written)
            copy_file(store.version / DATABASE_NAME, database)
            _fill(store.version, database, scratch)
            move_database(database, written)
    except (OSError, duckdb.Error) as error:
        words = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise LineageError(f"cannot write: {words}", str(out)) from None


def _fill(version: Path, database: Path, scratch: Path) -> None:
    """Make tables of the views over a version's runs, in a copy of its database.

    Args:
        version: The folder of the version.
        database: The copy of its database.
        scratch: A folder for temporary files.
    """
    with open_for_writing(database, scratch, MEMORY_LIMIT) as connection:
        connection.execute("SET preserve_insertion_order = true")  # traces name edges by their row numbers
        with together(connection):
            make_schema(connection)
            for table in RUN_TABLES:
                connection.execute(f"DROP VIEW {stored_name(table)}")
                _store_runs(connection, table, [file for _, file in day_files(version, table)])
            migrate(connection)
            make_views(connection, over_files=False)
            connection.execute(f"DELETE FROM store_facts WHERE fact = '{RUNS_FOLDER}'")
        connection.execute("CHECKPOINT")


def _store_runs(connection: duckdb.DuckDBPyConnection, table: Table, files: Sequence[str]) -> None:
    connection.execute(create_table(table, stored_name(table)))
    connection.execute(comment_on(table, stored_name(table)))
    if files:
        listed = ", ".join(map(text_literal, files))
        rows = f"read_parquet([{listed}], hive_partitioning = false, union_by_name = true)"
        connection.execute(f"INSERT INTO {stored_name(table)} BY NAME FROM {rows}")
