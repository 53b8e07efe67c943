"""Create the tables, views and macros of a store's database."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from eventlog_lineage.store.schema.database import (
    SCHEMA_VERSION,
    attach_new,
    close_database,
    connect_for_writing,
    find_relations,
    open_attached,
    together,
)
from eventlog_lineage.store.schema.ddl import comment_on, create_table, quoted, sql_text
from eventlog_lineage.store.schema.internal_tables import DATABASE_TABLES, RUN_TABLES
from eventlog_lineage.store.schema.relations import (
    INTERNAL,
    MACROS,
    TABLE_COLUMNS,
    VIEWS,
    columns_digest,
    empty_run_views,
    qualified,
    read_fact,
    stored_name,
    write_fact,
)
from eventlog_lineage.store.schema.tables import PUBLIC_VIEWS

if TYPE_CHECKING:
    from eventlog_lineage.store.schema.declaration import Table


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
    write_fact(connection, "schema_version", SCHEMA_VERSION)
    write_fact(connection, TABLE_COLUMNS, columns_digest())


def make_schema(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the internal schema if it is missing, and let the connection find what is in it."""
    connection.execute(f"CREATE SCHEMA IF NOT EXISTS {INTERNAL}")
    (path,) = connection.execute("SELECT current_setting('search_path')").fetchone() or ("",)
    if INTERNAL not in path:
        find_relations(connection)


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
    """Create this program's views and macros for a connection only.

    Args:
        connection: The store's database; read-only is enough.
        tables_only: Create only the public tables among them and what these read: a third of the views and macros.
    """
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


_files: dict[str, bytes] = {}
"""Schema version to the content of an empty database."""


def open_empty(
    path: Path, scratch: Path, memory_limit: str, free: duckdb.DuckDBPyConnection | None = None
) -> duckdb.DuckDBPyConnection:
    """Create the database of a new store, and open it as `open_for_writing` does.

    To create all tables and views takes as long as to fold a small harvest: a process does it once and copies the file.

    Args:
        path: The database; there is no file.
        scratch: A folder for what does not fit into memory.
        memory_limit: As DuckDB spells it: `2GB`.
        free: A connection without a database, if there is one.
    """
    connection = connect_for_writing(scratch, memory_limit, free)
    try:
        if content := _files.get(SCHEMA_VERSION):
            path.write_bytes(content)
        else:
            attach_new(connection, path)
            with together(connection):
                make_tables(connection)
                make_views(connection)
            connection.execute("CHECKPOINT")
            close_database(connection)
            _files[SCHEMA_VERSION] = path.read_bytes()
        open_attached(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection
