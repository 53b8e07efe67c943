"""The rows of single runs while a harvest is folded: days that change are tables, the others stay Parquet files."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from eventlog_lineage.store.schema.creation import make_schema
from eventlog_lineage.store.schema.database import find_relations
from eventlog_lineage.store.schema.ddl import column_list, create_table, quoted, sql_text, text_literal
from eventlog_lineage.store.schema.internal_tables import RUN_TABLES
from eventlog_lineage.store.schema.relations import NO_DAY, PARTITION, day_files

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
    import pyarrow as pa  # noqa: PLC0415 - a question to a store imports this module, but no pyarrow
    import pyarrow.parquet as pq  # noqa: PLC0415

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
    if "?" in str(folder):  # see `schema.database.writable_path`
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
    """Create the temporary views with the runs of all days, by the names of the tables, and `open_runs`."""
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


def days_of(connection: duckdb.DuckDBPyConnection, query: str) -> list[str]:
    """Return days, by the names of their partitions.

    Args:
        query: A query for dates in the column `started_on`.
    """
    day = f"coalesce(strftime({PARTITION}, '%Y-%m-%d'), '{NO_DAY}')"
    return [str(row[0]) for row in connection.execute(f"SELECT DISTINCT {day} FROM ({query})").fetchall()]


def _read(files: Iterable[Path], *, by_name: bool = False) -> str:
    listed = ", ".join(text_literal(str(file)) for file in files)
    return f"read_parquet([{listed}], hive_partitioning = false, union_by_name = {str(by_name).lower()})"
