"""Create the tables, views and macros of a store's database."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

import duckdb

from eventlog_lineage.store.publish.database import SCHEMA_VERSION
from eventlog_lineage.store.schema.ddl import comment_on, create_table, quoted
from eventlog_lineage.store.schema.internal_tables import DATABASE_TABLES, RUN_TABLES
from eventlog_lineage.store.schema.run_files import completed_view, empty_run_views
from eventlog_lineage.store.schema.sql_files import sql_text
from eventlog_lineage.store.schema.tables import PUBLIC_VIEWS

if TYPE_CHECKING:
    from eventlog_lineage.store.schema.declaration import Table

QUERY_VIEWS = ("statement_runs", "dataset_changes")
"""Views that other views read: they come first."""

VIEW_FILES = ("views", "lineage_tables", "names", "readers", "traces", "past_lineage", "costs")
"""Files of `store/sql/views` with several statements; the views of public tables come after the first one."""

_DIGEST = "views_digest"
"""The fact that names the views and macros of a database."""

_STATEMENT_END = re.compile(r";\s*(?:\n|$)")
_CREATION = re.compile(r"^CREATE OR REPLACE (?=VIEW|MACRO)", re.MULTILINE)

_DROP_RETIRED = (
    "DROP VIEW IF EXISTS ended_things",
    "DROP MACRO TABLE IF EXISTS reach_up",
    "DROP MACRO TABLE IF EXISTS reach_datasets",
    "DROP MACRO TABLE IF EXISTS dataset_trace",
)
"""Views and macros of older versions that nothing reads any more."""


def make_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Create all tables in an empty database.

    Args:
        connection: The database.
    """
    make_again(connection, DATABASE_TABLES)
    connection.execute("INSERT INTO store_facts VALUES ('schema_version', ?)", [SCHEMA_VERSION])


def make_again(connection: duckdb.DuckDBPyConnection, tables: tuple[Table, ...]) -> None:
    """Create tables without rows, in place of those that are there.

    Args:
        connection: The store's database.
        tables: The tables.
    """
    for table in tables:
        connection.execute(create_table(table, replace=True))
        connection.execute(comment_on(table))


def make_views(connection: duckdb.DuckDBPyConnection, *, replace: bool = False, over_files: bool = True) -> None:
    """Create the views and macros, or replace those of an older program; the views over runs have no rows at first.

    A database with this program's views keeps them: to create them takes a fifth of a small night.

    Args:
        connection: The store's database, with its tables.
        replace: Also replace this program's own views, which somebody may have changed.
        over_files: The runs are views over Parquet files; if not, they are tables, which are there.
    """
    if not replace and _has_current_views(connection):
        return
    for statement in empty_run_views() if over_files else ():
        connection.execute(statement)
    for table in RUN_TABLES if over_files else ():
        connection.execute(comment_on(table, view=True))
    for statement in _DROP_RETIRED:
        connection.execute(statement)
    for statement in _view_statements():
        connection.execute(statement)
    for table in PUBLIC_VIEWS:
        connection.execute(comment_on(table, view=True))
    connection.execute("DELETE FROM store_facts WHERE fact = ?", [_DIGEST])
    connection.execute("INSERT INTO store_facts VALUES (?, ?)", [_DIGEST, _views_digest()])


def use_current_views(connection: duckdb.DuckDBPyConnection) -> None:
    """Create, for this connection only, this program's views and macros, where the store has those of another version.

    A view over tables that an older store lacks stays as it is there.

    Args:
        connection: The store's database; read-only is enough.
    """
    if _has_current_views(connection):
        return
    _complete_runs(connection)
    for statement in _view_statements():
        if _CREATION.search(statement):
            with suppress(duckdb.Error):
                connection.execute(_CREATION.sub("CREATE OR REPLACE TEMP ", statement))


def _has_current_views(connection: duckdb.DuckDBPyConnection) -> bool:
    row = connection.execute("SELECT value FROM store_facts WHERE fact = ?", [_DIGEST]).fetchone()
    return row is not None and row[0] == _views_digest()


def _complete_runs(connection: duckdb.DuckDBPyConnection) -> None:
    """View the runs of an older version, for this connection only, with the columns that it lacks: they are NULL."""
    rows = connection.execute(
        "SELECT database_name, schema_name, table_name, list(column_name) FROM duckdb_columns() "
        "WHERE list_contains(?, table_name) AND database_name IN (current_database(), 'temp') GROUP BY ALL",
        [[table.name for table in RUN_TABLES]],
    ).fetchall()
    here = {name for database, _, name, _ in rows if database == "temp"}
    stored = {name: (f"{quoted(database)}.{quoted(schema)}", columns) for database, schema, name, columns in rows}
    for table in RUN_TABLES:
        where, columns = stored.get(table.name, ("", []))
        if where and table.name not in here and not set(table.column_names) <= set(columns):
            connection.execute(completed_view(table, columns, f"{where}.{quoted(table.name)}"))


def _view_statements() -> Iterator[str]:
    """Yield the statements that create the views and macros, in their order."""
    for name in QUERY_VIEWS:
        yield f"CREATE OR REPLACE VIEW {name} AS {sql_text(f'views/{name}', prefix='')}"
    yield from _statements(VIEW_FILES[0])
    for table in PUBLIC_VIEWS:
        yield f"CREATE OR REPLACE VIEW {quoted(table.name)} AS {sql_text('views/' + table.name)}"
    for name in VIEW_FILES[1:]:
        yield from _statements(name)


def _statements(name: str) -> list[str]:
    return [text for text in map(str.strip, _STATEMENT_END.split(sql_text(f"views/{name}"))) if text]


@cache
def _views_digest() -> str:
    """Return what names the views and macros with their comments, and the columns of the runs that they read."""
    comments = (comment_on(table, view=True) for table in (*RUN_TABLES, *PUBLIC_VIEWS))
    words = (*_view_statements(), *comments, *empty_run_views(), *_DROP_RETIRED)
    return hashlib.sha256("\n".join(words).encode()).hexdigest()


def add_missing_columns(connection: duckdb.DuckDBPyConnection) -> None:
    """Bring the tables of an older version to the declared columns; columns that come later are NULL in older rows.

    Args:
        connection: The store's database.
    """
    rows = connection.execute(
        "SELECT table_name, list(column_name) FROM duckdb_columns() "
        "WHERE database_name = current_database() AND schema_name = 'main' GROUP BY table_name"
    ).fetchall()
    stored = {str(name): set(columns) for name, columns in rows}
    for table in (*DATABASE_TABLES, *(table for table in RUN_TABLES if table.name in stored)):
        if table.name not in stored:
            make_again(connection, (table,))
        elif missing := set(table.column_names) - stored[table.name]:
            _recreate(connection, table, set(table.column_names) - missing)


def _recreate(connection: duckdb.DuckDBPyConnection, table: Table, known: set[str]) -> None:
    """Create a table with the declared columns in their order, and copy its rows."""
    columns = ", ".join(quoted(name) for name in table.column_names if name in known)
    connection.execute(f"CREATE TEMP TABLE older_rows AS SELECT {columns} FROM {quoted(table.name)}")
    make_again(connection, (table,))
    connection.execute(f"INSERT INTO {quoted(table.name)} BY NAME SELECT * FROM older_rows")
    connection.execute("DROP TABLE older_rows")
