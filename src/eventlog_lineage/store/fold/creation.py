"""Create the tables, views and macros of a store's database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eventlog_lineage.store.publish.database import SCHEMA_VERSION
from eventlog_lineage.store.schema.ddl import comment_on, create_table, quoted
from eventlog_lineage.store.schema.declaration import Table
from eventlog_lineage.store.schema.internal_tables import STORED_TABLES
from eventlog_lineage.store.schema.sql_files import sql_text
from eventlog_lineage.store.schema.tables import PUBLIC_VIEWS

if TYPE_CHECKING:
    import duckdb

QUERY_VIEWS = ("statement_runs", "dataset_changes")
"""Views that queries read; a store of an older version may lack them."""

_RETIRED_VIEWS = ("ended_things",)
"""Views of older versions that nothing reads any more."""


def make_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Create all tables in an empty database.

    Args:
        connection: The database.
    """
    make_again(connection, STORED_TABLES)
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


def make_views(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the views and macros, or replace those of an older program.

    Args:
        connection: The store's database, with its tables.
    """
    for name in _RETIRED_VIEWS:
        connection.execute(f"DROP VIEW IF EXISTS {name}")
    for name in QUERY_VIEWS:
        connection.execute(f"CREATE OR REPLACE VIEW {name} AS {sql_text(f'views/{name}')}")
    connection.execute(sql_text("views/views"))
    for table in PUBLIC_VIEWS:
        connection.execute(f"CREATE OR REPLACE VIEW {quoted(table.name)} AS {sql_text('views/' + table.name)}")
        connection.execute(comment_on(table, view=True))
    connection.execute(sql_text("views/lineage_tables"))
    connection.execute(sql_text("views/macros"))


def add_missing_views(connection: duckdb.DuckDBPyConnection) -> None:
    """Create, for this connection only, the views that queries read and a store of an older version lacks.

    Args:
        connection: The store's database; read-only is enough.
    """
    rows = connection.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()
    for name in QUERY_VIEWS:
        if (name,) not in rows:
            connection.execute(f"CREATE TEMP VIEW {name} AS {sql_text(f'views/{name}')}")


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
    for table in STORED_TABLES:
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
