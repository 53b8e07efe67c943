"""The rows of single runs while a harvest is folded: days that change are tables, the others stay Parquet files."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from eventlog_lineage.store.publish.database import find_relations
from eventlog_lineage.store.schema.ddl import column_list, create_table, quoted, text_literal
from eventlog_lineage.store.schema.internal_tables import RUN_TABLES
from eventlog_lineage.store.schema.run_files import NO_DAY, PARTITION, RUN_COLUMNS, columns_digest, day_files
from eventlog_lineage.store.schema.sql_files import sql_text
from eventlog_lineage.store.schema.store_facts import read_fact

from .creation import make_schema

if TYPE_CHECKING:
    from eventlog_lineage.store.schema.declaration import Table

NIGHT = "night"
"""The database that has the rows of the open days: in memory, what does not fit goes to DuckDB's temporary folder; in a
file for a large harvest, whose blocks are compressed and not written again when they leave the memory."""

OPEN_RUNS = "open_runs"
"""The view of the runs of the open days, as `statement_runs` has them."""

RUN_VIEWS = " ".join((*(table.name for table in RUN_TABLES), "statement_runs", "dataset_io", OPEN_RUNS))
"""The temporary views that `view_runs` makes."""


@dataclass(slots=True)
class RunDays:
    """The days of the version before; those that a harvest changes are opened.

    Attributes:
        closed: Day to table to files: days whose rows are as they were.
        is_migrated: All days are open, because the version before has other tables or columns.
        has_undated: The version before may have rows of applications whose start is not known.
        is_viewed: `view_runs` has run.
    """

    closed: dict[str, dict[str, list[Path]]] = field(default_factory=dict)
    is_migrated: bool = False
    has_undated: bool = False
    is_viewed: bool = False

    def files(self, table: str) -> list[Path]:
        """Return the files of a table of all closed days."""
        return [file for files in self.closed.values() for file in files.get(table, ())]


def find_run_days(version: Path, listed: Collection[str] | None) -> RunDays:
    """Return the days of a version, all of them closed.

    Args:
        version: The version's folder.
        listed: The paths of the files that belong to it; None for all.
    """
    closed: dict[str, dict[str, list[Path]]] = {}
    for table in RUN_TABLES:
        for day, file in day_files(version, table):
            if listed is None or file[len(str(version)) + 1 :] in listed:
                closed.setdefault(day, {}).setdefault(table.name, []).append(Path(file))
    has_undated = any(map(_may_have_rows, (file for files in closed.get(NO_DAY, {}).values() for file in files)))
    if not has_undated:
        closed.pop(NO_DAY, None)  # files without rows are there for the columns of tables without other files
    return RunDays(closed, has_undated=has_undated)


def _may_have_rows(file: Path) -> bool:
    try:
        return bool(pq.read_metadata(file).num_rows)
    except (OSError, pa.ArrowException):  # to read it reports what is wrong
        return True


def make_open_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the missing tables `open_<table>` for the rows of the open days, and look for names there."""
    (path,) = connection.execute("SELECT current_setting('search_path')").fetchone() or ("",)
    if f"{NIGHT}.main" in path:
        return
    make_schema(connection)
    connection.execute(f"ATTACH ':memory:' AS {NIGHT}")
    connection.execute("; ".join(create_table(table, f"{NIGHT}.main.open_{table.name}") for table in RUN_TABLES))
    find_open_tables(connection)


def move_open_tables(connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
    """Keep the rows of the open days in a file, if there are none yet; in memory where DuckDB cannot write the path.

    Args:
        connection: The next version's database; `make_open_tables` has run.
        folder: The folder for the file; it is removed with it.
    """
    if any(connection.execute(f"FROM {NIGHT}.main.open_{table.name} LIMIT 1").fetchone() for table in RUN_TABLES):
        return
    if "?" in str(folder):  # see `publish.database.writable_path`
        return
    folder.mkdir(parents=True, exist_ok=True)
    find_relations(connection)
    connection.execute(f"DETACH {NIGHT}")
    attach = f"ATTACH {text_literal(str(folder / f'{NIGHT}.duckdb'))} AS {NIGHT}"
    try:
        connection.execute(f"{attach} (RECOVERY_MODE 'no_wal_writes')")
    except duckdb.BinderException:  # DuckDB before 1.5 does not know how
        connection.execute(attach)
    connection.execute("; ".join(create_table(table, f"{NIGHT}.main.open_{table.name}") for table in RUN_TABLES))
    find_open_tables(connection)


def find_open_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Let a connection look for names in the store's database, then among the open days."""
    find_relations(connection, f"{NIGHT}.main")


def view_runs(connection: duckdb.DuckDBPyConnection, days: RunDays) -> None:
    """Create the temporary views with the runs of all days, by the names of the tables, and `open_runs`.

    Args:
        connection: The next version's database.
        days: Its days.
    """
    for table in RUN_TABLES:
        _view_rows(connection, table, days)
    connection.execute(f"CREATE OR REPLACE TEMP VIEW statement_runs AS {sql_text('views/statement_runs', prefix='')}")
    connection.execute(f"CREATE OR REPLACE TEMP VIEW dataset_io AS {sql_text('views/dataset_io')}")
    connection.execute(
        f"CREATE OR REPLACE TEMP VIEW {OPEN_RUNS} AS "
        f"FROM ({sql_text('views/statement_runs', prefix='open_')}) WHERE NOT is_past"
    )
    days.is_viewed = True


def _view_rows(connection: duckdb.DuckDBPyConnection, table: Table, days: RunDays) -> None:
    """Create the temporary view with the rows of a table of all days, open and closed.

    Args:
        connection: The draft's database with the open tables.
        table: The table to view.
        days: The days of runs; those that are closed are read from their files.
    """
    columns = column_list(table.column_names)
    selected = f"SELECT {columns} FROM open_{table.name}"
    if files := days.files(table.name):
        selected += f" UNION ALL SELECT {columns} FROM {_read(files)}"
    connection.execute(f"CREATE OR REPLACE TEMP VIEW {quoted(table.name)} AS {selected}")


def open_days(connection: duckdb.DuckDBPyConnection, days: RunDays, opened: Iterable[str]) -> None:
    """Read the rows of closed days into the tables of the open days, and view the rows of all days again.

    Args:
        connection: The database; `make_open_tables` has run.
        days: The days; those opened are not closed any more.
        opened: The days to open, as `RunDays.closed` has them; those that are open stay so.
    """
    found = [files for day in set(opened) if (files := days.closed.pop(day, None))]
    for table in RUN_TABLES:
        read = [file for of_day in found for file in of_day.get(table.name, ())]
        if read:
            connection.execute(f"INSERT INTO open_{table.name} BY NAME SELECT * FROM {_read(read, by_name=True)}")
            _view_rows(connection, table, days)


def take_tables(connection: duckdb.DuckDBPyConnection) -> bool:
    """Move the runs of an older store, which has them in the database, to the open days; return whether it is one."""
    if not has_other_columns(connection):
        return False
    rows = connection.execute(
        "SELECT table_name FROM duckdb_tables() WHERE database_name = current_database() AND schema_name = 'main'"
    ).fetchall()
    stored = [table for table in RUN_TABLES if (table.name,) in rows]
    for table in stored:
        connection.execute(f"INSERT INTO open_{table.name} BY NAME SELECT * FROM {_main(connection, table)}")
        connection.execute(f"DROP TABLE {_main(connection, table)}")
    return bool(stored)


def has_other_columns(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether the runs of a version have other columns than this program's."""
    return read_fact(connection, RUN_COLUMNS) != columns_digest()


def days_of(connection: duckdb.DuckDBPyConnection, query: str) -> list[str]:
    """Return days, by the names of their partitions.

    Args:
        connection: The database.
        query: A query for dates in the column `started_on`.
    """
    day = f"coalesce(strftime({PARTITION}, '%Y-%m-%d'), '{NO_DAY}')"
    return [str(row[0]) for row in connection.execute(f"SELECT DISTINCT {day} FROM ({query})").fetchall()]


def _main(connection: duckdb.DuckDBPyConnection, table: Table) -> str:
    (database,) = connection.execute("SELECT current_database()").fetchone() or ("",)
    return f"{quoted(str(database))}.main.{quoted(table.name)}"


def _read(files: Iterable[Path], *, by_name: bool = False) -> str:
    listed = ", ".join(text_literal(str(file)) for file in files)
    return f"read_parquet([{listed}], hive_partitioning = false, union_by_name = {str(by_name).lower()})"
