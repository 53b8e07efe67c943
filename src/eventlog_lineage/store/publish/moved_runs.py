"""Connections to the database of a store that was moved or copied, whose views lead to the runs in the old folder."""

from __future__ import annotations

import glob
from pathlib import Path

import duckdb

from eventlog_lineage.store.schema.internal_tables import RUN_TABLES
from eventlog_lineage.store.schema.run_files import RUNS_FOLDER, RUNS_VARIABLE, day_files, follow_folder, run_views
from eventlog_lineage.store.schema.store_facts import read_fact

_TEMPORARY = "eventlog_lineage_temporary_runs"
"""The variable of a connection that has temporary views over runs; to list its views takes 7 ms (DuckDB 2.0)."""


def lead_to_runs(connection: duckdb.DuckDBPyConnection, version: Path) -> None:
    """Let the views over runs read those of a version, for this connection.

    To create all views again, as temporary ones over temporary views, takes a fifth of a second.

    Args:
        connection: The database of the version; read-only is enough.
        version: The version's folder, an absolute path.

    Raises:
        duckdb.Error: The runs there cannot be read.
        FileNotFoundError: A table has no file there.
    """
    if read_fact(connection, RUNS_VARIABLE) == read_fact(connection, RUNS_FOLDER):  # else 0.1.0 made the views
        _lead_to(connection, version)
        return
    for statement in run_views(version, temporary=True):
        connection.execute(statement)
    connection.execute(f"SET VARIABLE {_TEMPORARY} = true")


def has_temporary_runs(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether `lead_to_runs` made temporary views for a connection."""
    return connection.execute(f"SELECT getvariable('{_TEMPORARY}')").fetchone() == (True,)


def _lead_to(connection: duckdb.DuckDBPyConnection, version: Path) -> None:
    folder = glob.escape(str(version))
    for table in RUN_TABLES:
        if next(day_files(version, table), None) is None:
            raise FileNotFoundError(f"no file of {table.name} is there")
    connection.execute(follow_folder(folder))


def second_connection(connection: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """Return another connection to a database that `open_for_reading` opened, which reads the same runs.

    It looks for names in `main` only, and has no temporary views.

    Args:
        connection: The connection of `open_for_reading`.
    """
    other = connection.cursor()
    (folder,) = connection.execute(f"SELECT CAST(getvariable('{RUNS_VARIABLE}') AS VARCHAR)").fetchone() or (None,)
    if folder is not None:
        other.execute(follow_folder(str(folder)))
    return other
