"""A store as one DuckDB file that depends on no other file."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from eventlog_lineage.errors import LineageError
from eventlog_lineage.output_file import replaced
from eventlog_lineage.store.schema.creation import make_schema, make_views
from eventlog_lineage.store.schema.database import (
    DATABASE_NAME,
    MEMORY_LIMIT,
    move_database,
    open_for_writing,
    together,
    writable_path,
)
from eventlog_lineage.store.schema.ddl import comment_on, create_table, text_literal
from eventlog_lineage.store.schema.internal_tables import RUN_TABLES
from eventlog_lineage.store.schema.migration import migrate
from eventlog_lineage.store.schema.relations import RUNS_FOLDER, day_files, stored_name
from eventlog_lineage.store.versions.folder import copy_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eventlog_lineage.store.queries.open_store import OpenStore
    from eventlog_lineage.store.schema.declaration import Table


def write_database(store: OpenStore, out: Path) -> None:
    """Write all tables, views and macros of a store to one file; the runs are tables in it, not views over Parquet.

    Args:
        store: The store.
        out: The file. It is replaced as a whole, or left as it is.

    Raises:
        LineageError: The file cannot be written.
    """
    try:
        with replaced(out) as written, tempfile.TemporaryDirectory(prefix="eventlog-lineage-") as scratch:
            database = writable_path(written)
            copy_file(store.version / DATABASE_NAME, database)
            _fill(store.version, database, Path(scratch))
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
