"""Create the tables, views and macros of a store's database, and bring those of 0.2 to the declared tables.

A harvest, `restore` and `rebuild` migrate the version that they write. Questions read an older version as it is: the
tables and columns that it lacks are temporary views.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from eventlog_lineage.errors import StoreError
from eventlog_lineage.safe_text import temporary_folder

from . import database
from .internal_tables import DATABASE_TABLES, RUN_TABLES, STORED_TABLES
from .relations import (
    INTERNAL,
    MACROS,
    TABLE_COLUMNS,
    VIEWS,
    columns_digest,
    comment_on,
    create_table,
    empty_run_views,
    no_rows,
    qualified,
    quoted,
    read_fact,
    read_facts,
    sql_text,
    stored_name,
    value_of,
    write_fact,
    write_facts,
)
from .tables import COLUMN_LINEAGE, PUBLIC_VIEWS

if TYPE_CHECKING:
    from .declaration import Table

QUERY_VIEWS = ("statement_runs", "dataset_changes")
"""Views that other views read: they come first."""

VIEW_FILES = ("views", "lineage_tables", "names", "readers", "traces", "past_lineage", "costs", "inventory")
"""Files of `store/sql/views` with several statements; the views of public tables come after the first one."""

_DIGEST = "views_digest"
"""The fact that names the views and macros of a database."""

_STATEMENT_END = re.compile(r";\s*(?:\n|$)")
_CREATION = re.compile(r"^CREATE OR REPLACE (?=VIEW|MACRO)", re.MULTILINE)


def make_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Create all tables in an empty database."""
    make_schema(connection)
    make_again(connection, DATABASE_TABLES)
    write_fact(connection, "schema_version", database.SCHEMA_VERSION)
    write_fact(connection, TABLE_COLUMNS, columns_digest())


def make_schema(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the internal schema if it is missing, and let the connection find what is in it."""
    connection.execute(f"CREATE SCHEMA IF NOT EXISTS {INTERNAL}")
    if INTERNAL not in value_of(connection, "SELECT current_setting('search_path')"):
        database.find_relations(connection)


def make_again(connection: duckdb.DuckDBPyConnection, tables: tuple[Table, ...]) -> None:
    """Create tables without rows, in place of those that are there."""
    for table in tables:
        connection.execute(create_table(table, stored_name(table), replace=True))
        connection.execute(comment_on(table, stored_name(table)))


def make_views(connection: duckdb.DuckDBPyConnection, *, replace: bool = False, over_files: bool = True) -> None:
    """Create the views and macros, or replace those of an older program; the views over runs have no rows at first.

    A database with this program's views keeps them: to create them takes a fifth of a small night.

    Args:
        replace: Also replace this program's own views, which somebody may have changed.
        over_files: The runs are views over Parquet files; if not, they are tables, which are there.
    """
    if not replace and has_current_views(connection):
        return
    _drop_views(connection)
    for statement in empty_run_views() if over_files else ():
        connection.execute(statement)
    for table in RUN_TABLES if over_files else ():
        connection.execute(comment_on(table, stored_name(table), view=True))
    for statement in qualified(_view_statements()):
        connection.execute(statement)
    for table in PUBLIC_VIEWS:
        connection.execute(comment_on(table, view=True))
    write_views_digest(connection)


def write_views_digest(connection: duckdb.DuckDBPyConnection) -> None:
    """Enter in the facts that a database has this program's views and macros."""
    write_fact(connection, _DIGEST, _views_digest())


def _drop_views(connection: duckdb.DuckDBPyConnection) -> None:
    """Drop the views and macros, of which this program may have others."""
    found = connection.execute(
        "SELECT 'VIEW', schema_name, view_name FROM duckdb_views() "
        "WHERE database_name = current_database() AND NOT internal "
        "UNION ALL SELECT DISTINCT CASE function_type WHEN 'table_macro' THEN 'MACRO TABLE' ELSE 'MACRO' END, "
        "schema_name, function_name FROM duckdb_functions() "
        "WHERE database_name = current_database() AND NOT internal AND function_type IN ('macro', 'table_macro')"
    ).fetchall()
    for kind, schema, name in found:
        connection.execute(f"DROP {kind} IF EXISTS {schema}.{quoted(name)}")


def view_temporarily(connection: duckdb.DuckDBPyConnection, *, tables_only: bool = False) -> None:
    """Create this program's views and macros for a connection only."""
    for statement in _table_views() if tables_only else _view_statements():
        if _CREATION.search(statement):
            connection.execute(_CREATION.sub("CREATE OR REPLACE TEMP ", statement))


def has_current_views(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether a database has this program's views and macros."""
    return read_fact(connection, _DIGEST) == _views_digest()


def _view_statements() -> Iterator[str]:
    """Yield the statements that create the views and macros, in their order."""
    yield from _table_views()
    for name in VIEW_FILES[1:]:
        yield from _statements(name)


def _table_views() -> Iterator[str]:
    """Yield the statements that create the public tables that are views, and the views and macros that these read."""
    for name in QUERY_VIEWS:
        yield f"CREATE OR REPLACE VIEW {name} AS {sql_text(f'views/{name}', prefix='')}"
    yield from _statements(VIEW_FILES[0])
    for table in PUBLIC_VIEWS:
        yield f"CREATE OR REPLACE VIEW {table.name} AS {sql_text('views/' + table.name)}"


def _statements(name: str) -> list[str]:
    return [text for text in map(str.strip, _STATEMENT_END.split(sql_text(f"views/{name}"))) if text]


@cache
def _views_digest() -> str:
    """Return what names the views and macros with their comments, and the columns of the runs that they read."""
    comments = (comment_on(table, view=True) for table in (*RUN_TABLES, *PUBLIC_VIEWS))
    words = (*_view_statements(), *VIEWS, *MACROS, *comments, *empty_run_views())
    return hashlib.sha256("\n".join(words).encode()).hexdigest()


@cache
def empty_database() -> bytes:
    """Return the file of a database without rows, whose tables and views take as long as to fold a small harvest.

    Raises:
        OSError: The disk is full.
        duckdb.Error: The same, reported by DuckDB.
    """
    with temporary_folder() as folder, database.connect_for_writing(folder) as connection:
        database.attach_new(connection, folder / database.DATABASE_NAME)
        with database.together(connection):
            make_tables(connection)
            make_views(connection)
        connection.execute("CHECKPOINT")
        database.close_database(connection)
        return (folder / database.DATABASE_NAME).read_bytes()


def open_empty(path: Path, scratch: Path) -> duckdb.DuckDBPyConnection:
    """Create the database of a new store, and open it as `open_for_writing` does."""
    path.write_bytes(empty_database())
    return database.open_for_writing(path, scratch)


_OLDER = "2"
"""The schema version of 0.2; 0.1.0 has the same one, without the fact `TABLE_COLUMNS`."""

_OLD_FACTS = ("run_columns", "eventlog_lineage_version", "clock_margin")
"""Facts that only programs of 0.2 read."""


def check_schema(connection: duckdb.DuckDBPyConnection, store: Path) -> None:
    """Check that a database has tables that this program reads: its own or those of 0.2.

    Raises:
        StoreError: It has others.
    """
    try:
        facts = read_facts(connection)
    except duckdb.Error:
        facts = {}
    version = facts.get("schema_version", "")
    if version == database.SCHEMA_VERSION or (version == _OLDER and TABLE_COLUMNS in facts):
        return
    if version.isdecimal() and int(version) > int(database.SCHEMA_VERSION):
        what = f"the store has tables of version {version}, this program reads version {database.SCHEMA_VERSION}"
        raise StoreError(what, str(store), "upgrade eventlog-lineage")
    hint = "harvest the logs into a new store: `eventlog-lineage harvest LOGS --store NEW_FOLDER`"
    raise StoreError("the store was made by a program before 0.2, which this one does not read", str(store), hint)


def has_current_tables(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether a database has the tables and columns that this program declares."""
    facts = read_facts(connection)
    return (facts.get("schema_version"), facts.get(TABLE_COLUMNS)) == (database.SCHEMA_VERSION, columns_digest())


def migrate(connection: duckdb.DuckDBPyConnection) -> bool:
    """Bring the tables of a database to the declared columns; `Column.older` fills those that it lacks.

    The runs are Parquet files, which the caller writes again.

    Returns:
        Whether the version before had other tables.
    """
    if has_current_tables(connection):
        return False
    make_schema(connection)
    stored = _stored_columns(connection)
    for table in DATABASE_TABLES:
        columns = stored.get(stored_name(table), [])
        if columns != list(table.column_names):
            _recreate(connection, table, [name for name in table.column_names if name in columns])
    connection.execute("DELETE FROM store_facts WHERE list_contains(?, fact)", [list(_OLD_FACTS)])
    write_facts(connection, {"schema_version": database.SCHEMA_VERSION, TABLE_COLUMNS: columns_digest()})
    return True


def _view_declared_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """View, for this connection only, the tables of an older version with the declared columns."""
    stored = _stored_columns(connection)
    for table in STORED_TABLES:
        columns = stored.get(stored_name(table), [])
        if not set(table.column_names) <= set(columns):
            listed = ", ".join(
                quoted(each.name)
                if each.name in columns
                else f"CAST({each.older} AS {each.type}) AS {quoted(each.name)}"
                for each in table.columns
            )
            if table is COLUMN_LINEAGE:
                listed += ", rowid"  # the edges of traces are rows by number
            rows = f"SELECT {listed} FROM {_database(connection)}.{stored_name(table)}" if columns else no_rows(table)
            connection.execute(f"CREATE OR REPLACE TEMP VIEW {quoted(table.name)} AS {rows}")


def use_current_views(connection: duckdb.DuckDBPyConnection, *, tables_only: bool = False) -> bool:
    """View this program's tables, views and macros for a connection; return whether the store's own serve."""
    has_tables = has_current_tables(connection)
    if has_tables and has_current_views(connection):
        return True
    if not has_tables:
        _view_declared_tables(connection)
    view_temporarily(connection, tables_only=tables_only)
    return False


def _stored_columns(connection: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    """Return the columns of the tables and views of a database, by their names with schemas, as SQL."""
    rows = connection.execute(
        "SELECT schema_name, table_name, list(column_name ORDER BY column_index) FROM duckdb_columns() "
        "WHERE database_name = current_database() AND NOT internal GROUP BY ALL"
    ).fetchall()
    return {f"{schema}.{quoted(name)}": columns for schema, name, columns in rows}


def _database(connection: duckdb.DuckDBPyConnection) -> str:
    return quoted(value_of(connection, "SELECT current_database()"))


def _recreate(connection: duckdb.DuckDBPyConnection, table: Table, known: list[str]) -> None:
    """Create a table with the declared columns, and keep the rows that it has."""
    name, columns = stored_name(table), ", ".join(map(quoted, known))
    if known:
        connection.execute(f"CREATE OR REPLACE TEMP TABLE older_rows AS SELECT {columns} FROM {name}")
    make_again(connection, (table,))
    if known:
        connection.execute(f"INSERT INTO {name} BY NAME FROM older_rows; DROP TABLE older_rows")
