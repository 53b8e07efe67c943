"""Create the tables, views and macros of a store's database."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

import duckdb

from eventlog_lineage.store.publish.database import SCHEMA_VERSION, find_relations
from eventlog_lineage.store.publish.moved_runs import has_temporary_runs
from eventlog_lineage.store.schema.ddl import comment_on, create_table, quoted
from eventlog_lineage.store.schema.internal_tables import DATABASE_TABLES, RUN_TABLES
from eventlog_lineage.store.schema.run_files import TABLE_COLUMNS, columns_digest, completed_view, empty_run_views
from eventlog_lineage.store.schema.schemas import (
    INTERNAL,
    MACROS,
    VIEWS,
    is_public,
    old_views,
    qualified,
    stored_name,
)
from eventlog_lineage.store.schema.sql_files import sql_text
from eventlog_lineage.store.schema.store_facts import read_fact, write_fact
from eventlog_lineage.store.schema.tables import PUBLIC_VIEWS

if TYPE_CHECKING:
    from eventlog_lineage.store.schema.declaration import Table

QUERY_VIEWS = ("statement_runs", "dataset_changes")
"""Views that other views read: they come first."""

VIEW_FILES = ("views", "lineage_tables", "names", "readers", "traces", "past_lineage", "costs", "inventory")
"""Files of `store/sql/views` with several statements; the views of public tables come after the first one."""
OLD_FILE = "old_names"
"""The SQL file of views and macros of older releases."""

_DIGEST = "views_digest"
"""The fact that names the views and macros of a database."""

_STATEMENT_END = re.compile(r";\s*(?:\n|$)")
_CREATION = re.compile(r"^CREATE OR REPLACE (?=VIEW|MACRO)", re.MULTILINE)


def make_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Create all tables in an empty database.

    Args:
        connection: The database.
    """
    make_schema(connection)
    make_again(connection, DATABASE_TABLES)
    write_fact(connection, "schema_version", SCHEMA_VERSION)
    write_fact(connection, TABLE_COLUMNS, columns_digest(DATABASE_TABLES))


def make_schema(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the internal schema if it is missing, and let the connection find what is in it."""
    connection.execute(f"CREATE SCHEMA IF NOT EXISTS {INTERNAL}")
    (path,) = connection.execute("SELECT current_setting('search_path')").fetchone() or ("",)
    if INTERNAL not in path:
        find_relations(connection)


def make_again(connection: duckdb.DuckDBPyConnection, tables: tuple[Table, ...]) -> None:
    """Create tables without rows, in place of those that are there.

    Args:
        connection: The store's database.
        tables: The tables.
    """
    for table in tables:
        connection.execute(create_table(table, stored_name(table), replace=True))
        connection.execute(comment_on(table, stored_name(table)))


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
    _drop_moved(connection)
    for statement in empty_run_views() if over_files else ():
        connection.execute(statement)
    for table in RUN_TABLES if over_files else ():
        connection.execute(comment_on(table, stored_name(table), view=True))
    for statement in (*qualified(_view_statements()), *old_views(), *_statements(OLD_FILE)):
        connection.execute(statement)
    for table in PUBLIC_VIEWS:
        connection.execute(comment_on(table, view=True))
    write_views_digest(connection)


def write_views_digest(connection: duckdb.DuckDBPyConnection) -> None:
    """Enter in the facts that a database has this program's views and macros."""
    write_fact(connection, _DIGEST, _views_digest())


def _drop_moved(connection: duckdb.DuckDBPyConnection) -> None:
    """Drop the views and macros of `main` that older versions made there and this one does not."""
    found = connection.execute(
        "SELECT 'VIEW', view_name FROM duckdb_views() "
        "WHERE database_name = current_database() AND schema_name = 'main' AND NOT internal "
        "UNION ALL SELECT CASE function_type WHEN 'table_macro' THEN 'MACRO TABLE' ELSE 'MACRO' END, function_name "
        "FROM duckdb_functions() WHERE database_name = current_database() AND schema_name = 'main' AND NOT internal "
        "AND function_type IN ('macro', 'table_macro')"
    ).fetchall()
    for kind, name in found:
        if not is_public(name):
            connection.execute(f"DROP {kind} IF EXISTS main.{quoted(name)}")


def use_current_views(connection: duckdb.DuckDBPyConnection, *, tables_only: bool = False) -> bool:
    """Create, for this connection only, this program's views and macros, where those of the store do not serve it.

    That is so in a store of another version, and in one whose runs are not where its views look for them: then the
    connection has temporary views over the runs. A view over tables that an older store lacks stays as it is there.

    Args:
        connection: The store's database; read-only is enough.
        tables_only: Create only the public tables among them and what these read: a third of the views and macros.

    Returns:
        Whether the store's own views and macros serve.
    """
    if _has_current_views(connection) and not has_temporary_runs(connection):
        return True
    _complete_runs(connection)
    _view_temporarily(connection, _table_views() if tables_only else _view_statements())
    _name_parts(connection)
    return False


def view_public_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Create, for this connection only, the public tables that are views over runs, over the runs that it views.

    Args:
        connection: The store's database, with temporary views over runs.
    """
    _view_temporarily(connection, _table_views())


def _view_temporarily(connection: duckdb.DuckDBPyConnection, statements: Iterable[str]) -> None:
    for statement in statements:
        if _CREATION.search(statement):
            with suppress(duckdb.Error):
                connection.execute(_CREATION.sub("CREATE OR REPLACE TEMP ", statement))


def _name_parts(connection: duckdb.DuckDBPyConnection) -> None:
    """View, for this connection only, the datasets of a store before 0.2.0 with their names in parts."""
    (database,) = connection.execute("SELECT current_database()").fetchone() or ("",)
    stored = f"{quoted(str(database))}.main.datasets"
    with suppress(duckdb.Error):
        if "catalog_name" not in {row[0] for row in connection.execute(f"DESCRIBE {stored}").fetchall()}:
            connection.execute(
                "CREATE OR REPLACE TEMP VIEW datasets AS SELECT * EXCLUDE (parts), catalog_of(parts) AS catalog_name, "
                "schema_of(parts) AS schema_name, table_of(parts) AS table_name "
                f"FROM (SELECT *, name_parts(dataset, kind) AS parts FROM {stored})"
            )


def _has_current_views(connection: duckdb.DuckDBPyConnection) -> bool:
    return read_fact(connection, _DIGEST) == _views_digest()


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
    old = (*old_views(), *_statements(OLD_FILE))
    words = (*_view_statements(), *VIEWS, *MACROS, *old, *comments, *empty_run_views())
    return hashlib.sha256("\n".join(words).encode()).hexdigest()


def add_missing_columns(connection: duckdb.DuckDBPyConnection) -> None:
    """Bring the tables of an older version to the declared columns; columns that come later are NULL in older rows.

    Tables that are compressed now are written again.

    Args:
        connection: The store's database.
    """
    make_schema(connection)
    if _has_current_tables(connection):
        return
    rows = connection.execute(
        "SELECT schema_name, table_name, list(column_name) FROM duckdb_columns() "
        "SEMI JOIN duckdb_tables() USING (table_oid, database_name, schema_name, table_name) "
        "WHERE database_name = current_database() GROUP BY ALL"
    ).fetchall()
    stored = {f"{schema}.{quoted(name)}": set(columns) for schema, name, columns in rows}
    for table in DATABASE_TABLES:
        name, older = stored_name(table), f"main.{quoted(table.name)}"
        found = name if name in stored else older
        if found not in stored:
            make_again(connection, (table,))
        elif found != name or table.is_compressed or not stored[found].issuperset(table.column_names):
            _recreate(connection, table, found, stored[found])
    write_fact(connection, TABLE_COLUMNS, columns_digest(DATABASE_TABLES))


def _has_current_tables(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether a database has this program's tables; `duckdb_columns()` would bind all views as well."""
    if read_fact(connection, TABLE_COLUMNS) != columns_digest(DATABASE_TABLES):
        return False
    rows = connection.execute(
        "SELECT schema_name, table_name, column_count FROM duckdb_tables() WHERE database_name = current_database()"
    ).fetchall()
    stored = {f"{schema}.{quoted(name)}": count for schema, name, count in rows}
    return all(stored.get(stored_name(table)) == len(table.columns) for table in DATABASE_TABLES)


def _recreate(connection: duckdb.DuckDBPyConnection, table: Table, found: str, known: set[str]) -> None:
    """Create a table with the declared columns in its schema, and move the rows there from where they are found.

    Args:
        connection: The store's database.
        table: The declared table.
        found: The table's present name, with its schema.
        known: The columns that the present table has.
    """
    columns = ", ".join(quoted(name) for name in table.column_names if name in known)
    name = stored_name(table)
    if found == name:
        connection.execute(f"CREATE TEMP TABLE older_rows AS SELECT {columns} FROM {found}")
        make_again(connection, (table,))
        found = "older_rows"
    else:
        make_again(connection, (table,))
    connection.execute(f"INSERT INTO {name} BY NAME SELECT {columns} FROM {found}")
    connection.execute(f"DROP TABLE {found}")
