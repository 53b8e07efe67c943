"""A store as one DuckDB file that depends on no other file."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from eventlog_lineage.errors import LineageError
from eventlog_lineage.store.fold.creation import add_missing_columns, make_schema, make_views
from eventlog_lineage.store.integrity.manifest import LISTED
from eventlog_lineage.store.publish.database import (
    DATABASE_NAME,
    move_database,
    open_for_writing,
    together,
    writable_path,
)
from eventlog_lineage.store.publish.versions import copy_file
from eventlog_lineage.store.schema.ddl import column_list, comment_on, create_table, quoted, text_literal
from eventlog_lineage.store.schema.internal_tables import RUN_TABLES
from eventlog_lineage.store.schema.run_files import FACTS_OF_RUNS, day_files
from eventlog_lineage.store.schema.schemas import stored_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eventlog_lineage.store.queries.open_store import OpenStore
    from eventlog_lineage.store.schema.declaration import Table

_MEMORY_LIMIT = "600MB"


def write_database(store: OpenStore, out: Path) -> None:
    """Write all tables, views and macros of a store to one file; the runs are tables in it, not views over Parquet.

    Args:
        store: The store.
        out: The file. It is replaced as a whole, or left as it is.

    Raises:
        LineageError: The file cannot be written.
    """
    partial = out.absolute().with_name(f".{out.name}.{os.getpid()}.partial")
    try:
        with tempfile.TemporaryDirectory(prefix="eventlog-lineage-") as scratch:
            database = writable_path(partial)
            copy_file(store.version / DATABASE_NAME, database)
            _fill(store.version, database, Path(scratch))
            move_database(database, partial)
        partial.replace(out)
    except (OSError, duckdb.Error) as error:
        words = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise LineageError(f"cannot write: {words}", str(out)) from None
    finally:
        with suppress(OSError):
            partial.unlink()


def _fill(version: Path, database: Path, scratch: Path) -> None:
    """Make tables of the views over a version's runs, in a copy of its database.

    Args:
        version: The folder of the version.
        database: The copy of its database.
        scratch: A folder for temporary files.
    """
    with open_for_writing(database, scratch, _MEMORY_LIMIT) as connection:
        connection.execute("SET preserve_insertion_order = true")  # traces name edges by their row numbers
        rows = connection.execute("SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal").fetchall()
        views = {f"{schema}.{quoted(name)}" for schema, name in rows}
        with together(connection):
            make_schema(connection)
            for table in RUN_TABLES:
                names = (stored_name(table), f"main.{quoted(table.name)}")  # older versions have all of them in `main`
                if view := next((name for name in names if name in views), None):
                    connection.execute(f"DROP VIEW {view}")
                    _store_runs(connection, table, [file for _, file in day_files(version, table)])
            add_missing_columns(connection)
            make_views(connection, over_files=False)
            connection.execute("DELETE FROM store_facts WHERE list_contains(?, fact)", [list(_OF_A_STORE)])
        connection.execute("CHECKPOINT")


def _store_runs(connection: duckdb.DuckDBPyConnection, table: Table, files: Sequence[str]) -> None:
    connection.execute(create_table(table, stored_name(table)))
    connection.execute(comment_on(table, stored_name(table)))
    if files:
        listed = ", ".join(map(text_literal, files))
        columns = column_list(table.column_names)
        connection.execute(
            f"INSERT INTO {stored_name(table)} ({columns}) "
            f"SELECT {columns} FROM read_parquet([{listed}], hive_partitioning = false)"
        )


_OF_A_STORE = (*FACTS_OF_RUNS, LISTED)
"""Facts about files next to a database."""
