"""Open stores of 0.2: the one step from their tables to those of this program.

A harvest, `restore` and `rebuild` migrate the version that they write. Questions read an older version as it is: the
tables and columns that it lacks are temporary views.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from eventlog_lineage.errors import StoreError
from eventlog_lineage.store.schema.creation import has_current_views, make_again, make_schema, view_temporarily
from eventlog_lineage.store.schema.database import SCHEMA_VERSION
from eventlog_lineage.store.schema.ddl import quoted
from eventlog_lineage.store.schema.internal_tables import DATABASE_TABLES, STORED_TABLES
from eventlog_lineage.store.schema.relations import (
    TABLE_COLUMNS,
    columns_digest,
    no_rows,
    read_facts,
    stored_name,
    write_facts,
)
from eventlog_lineage.store.schema.tables import COLUMN_LINEAGE

if TYPE_CHECKING:
    from eventlog_lineage.store.schema.declaration import Table


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
    if version == SCHEMA_VERSION or (version == _OLDER and TABLE_COLUMNS in facts):
        return
    if version.isdecimal() and int(version) > int(SCHEMA_VERSION):
        what = f"the store has tables of version {version}, this program reads version {SCHEMA_VERSION}"
        raise StoreError(what, str(store), "upgrade eventlog-lineage")
    hint = "harvest the logs into a new store: `eventlog-lineage harvest LOGS --store NEW_FOLDER`"
    raise StoreError("the store was made by a program before 0.2, which this one does not read", str(store), hint)


def has_current_tables(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether a database has the tables and columns that this program declares."""
    facts = read_facts(connection)
    return (facts.get("schema_version"), facts.get(TABLE_COLUMNS)) == (SCHEMA_VERSION, columns_digest())


def migrate(connection: duckdb.DuckDBPyConnection) -> bool:
    """Bring the tables of a database to the declared columns; `Column.older` fills those that it lacks.

    The runs are Parquet files, which the caller writes again.

    Args:
        connection: The database of the next version, a copy of that of the version before.

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
    write_facts(connection, {"schema_version": SCHEMA_VERSION, TABLE_COLUMNS: columns_digest()})
    return True


def _view_declared_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """View, for this connection only, the tables of an older version with the declared columns.

    Args:
        connection: The database; read-only is enough.
    """
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
    """Create, for this connection only, this program's tables, views and macros, where those of the store are others.

    Args:
        connection: The store's database; read-only is enough.
        tables_only: As in `view_temporarily`.

    Returns:
        Whether the store's own views and macros serve.
    """
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
    (name,) = connection.execute("SELECT current_database()").fetchone() or ("",)
    return quoted(str(name))


def _recreate(connection: duckdb.DuckDBPyConnection, table: Table, known: list[str]) -> None:
    """Create a table with the declared columns, and keep the rows that it has.

    Args:
        known: The declared columns that it has; none if there is no such table.
    """
    name, columns = stored_name(table), ", ".join(map(quoted, known))
    if known:
        connection.execute(f"CREATE OR REPLACE TEMP TABLE older_rows AS SELECT {columns} FROM {name}")
    make_again(connection, (table,))
    if known:
        connection.execute(f"INSERT INTO {name} BY NAME FROM older_rows; DROP TABLE older_rows")
