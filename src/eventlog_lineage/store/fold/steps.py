"""Steps of the fold: what each one reads and makes, how it runs, and the days of runs that it changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import duckdb

from eventlog_lineage.declarations import Declarations
from eventlog_lineage.history.job_names import JobNameRule
from eventlog_lineage.store.schema.creation import make_schema
from eventlog_lineage.store.schema.database import attach_unlogged, find_relations
from eventlog_lineage.store.schema.declaration import Row, Table
from eventlog_lineage.store.schema.internal_tables import RUN_TABLES
from eventlog_lineage.store.schema.relations import (
    NO_DAY,
    PARTITION,
    column_list,
    create_table,
    day_files,
    quoted,
    raw_sql,
    read_files,
    sql_text,
    texts_of,
    value_of,
)

NIGHT = "night"
"""The database that has the rows of the open days."""

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
    """

    closed: dict[str, dict[str, list[Path]]] = field(default_factory=dict)
    is_migrated: bool = False
    has_undated: bool = False

    def files(self, table: str) -> list[Path]:
        """Return the files of a table of all closed days."""
        return [file for files in self.closed.values() for file in files.get(table, ())]


def find_run_days(version: Path, listed: Collection[str] | None) -> RunDays:
    """Return the days of a version, all of them closed."""
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


def make_open_tables(connection: duckdb.DuckDBPyConnection, file: Path | None = None) -> None:
    """Create the missing tables `open_<table>` for the rows of the open days, and look for names there.

    Args:
        file: The file that has them, for a harvest of many rows: its blocks are compressed, and not written again when
            they leave the memory. None for memory, of which what does not fit goes to DuckDB's temporary folder.
    """
    if f"{NIGHT}.main" in value_of(connection, "SELECT current_setting('search_path')"):
        return
    make_schema(connection)
    if file is None or "?" in str(file):  # see `schema.database.writable_path`
        connection.execute(f"ATTACH ':memory:' AS {NIGHT}")
    else:
        file.parent.mkdir(parents=True, exist_ok=True)
        attach_unlogged(connection, file, NIGHT)
    connection.execute("; ".join(create_table(table, f"{NIGHT}.main.open_{table.name}") for table in RUN_TABLES))
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


def _view_rows(connection: duckdb.DuckDBPyConnection, table: Table, days: RunDays) -> None:
    """Create the temporary view with the rows of a table of all days, open and closed."""
    columns = column_list(table.column_names)
    selected = f"SELECT {columns} FROM open_{table.name}"
    if files := days.files(table.name):
        selected += f" UNION ALL SELECT {columns} FROM {read_files(files)}"
    connection.execute(f"CREATE OR REPLACE TEMP VIEW {quoted(table.name)} AS {selected}")


def open_days(connection: duckdb.DuckDBPyConnection, days: RunDays, opened: Iterable[str]) -> None:
    """Read the rows of closed days into the tables of the open days, and view the rows of all days again.

    Args:
        connection: The database; `make_open_tables` has run.
    """
    found = [files for day in set(opened) if (files := days.closed.pop(day, None))]
    for table in RUN_TABLES:
        read = [file for of_day in found for file in of_day.get(table.name, ())]
        if read:
            connection.execute(f"INSERT INTO open_{table.name} BY NAME SELECT * FROM {read_files(read, by_name=True)}")
            _view_rows(connection, table, days)


def days_of(connection: duckdb.DuckDBPyConnection, query: str) -> list[str]:
    """Return days, by the names of their partitions.

    Args:
        query: A query for dates in the column `started_on`.
    """
    day = f"coalesce(strftime({PARTITION}, '%Y-%m-%d'), '{NO_DAY}')"
    return texts_of(connection, f"SELECT DISTINCT {day} FROM ({query})")


def make_temporary(
    connection: duckdb.DuckDBPyConnection, name: str, columns: str, rows: Iterable[Sequence[object]] = ()
) -> None:
    """Make a temporary table of rows."""
    connection.execute(f"CREATE OR REPLACE TEMP TABLE {name} ({columns})")
    insert_values(connection, name, rows)


def insert_values(connection: duckdb.DuckDBPyConnection, table: str, rows: Iterable[Sequence[object]]) -> None:
    """Insert rows, a column at a time: DuckDB takes lists as values."""
    if values := [list(column) for column in zip(*rows, strict=True)]:
        connection.execute(f"INSERT INTO {table} SELECT {', '.join(['unnest(?)'] * len(values))}", values)


_ROWS_AT_ONCE = 10_000


def insert_rows(connection: duckdb.DuckDBPyConnection, table: Table, rows: Iterable[Row]) -> None:
    """Insert rows into a table as lists: the first Arrow array of a process imports pandas where it is installed."""
    if columns := [list(values) for values in zip(*rows, strict=True)]:
        lists = ", ".join(f"unnest(CAST(? AS {column.type}[]))" for column in table.columns)
        names = column_list(table.column_names)
        connection.execute(f"INSERT INTO {quoted(table.name)} ({names}) SELECT {lists}", columns)


def read_records(
    connection: duckdb.DuckDBPyConnection, query: str, parameters: Sequence[object] = ()
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a query as column name to value, in bounded memory.

    Args:
        connection: The store's database; no other query may run on it until the last row is read.
    """
    cursor = connection.execute(query, list(parameters))
    names = [str(column[0]) for column in cursor.description or ()]
    while rows := cursor.fetchmany(_ROWS_AT_ONCE):
        for row in rows:
            yield dict(zip(names, row, strict=True))


_DECLARATION = re.compile(r"^-- (reads|makes|changes): (.+)$", re.MULTILINE)


_EDGES_AT_ONCE = 1_000_000
"""Edges that are sorted at a time: what does not fit into memory would go to the disk and come back."""

SCRATCH = ".scratch"
"""The folder, in the staging folder, for what does not fit into memory."""


@dataclass(frozen=True, slots=True)
class Fold:
    """What the steps work on.

    Attributes:
        connection: The database of the next version, with its tables and views.
        staging: The harvest's rows: `STAGING/<table>/*.parquet` (tables.HARVEST_TABLES).
        rename_jobs: Jobs were named by another rule before, or not at all: name all of them again.
        landing_files: The rule for landing files from now on; None for the store's own rule.
        declared: What is declared from now on; None for the store's own declarations.
        keep_from: Drop the run-level rows of applications that started before this time (UTC); None keeps all.
        latest: Times of logs after this one are not trusted (UTC); None trusts all.
        is_reprocessed: The user asked to trace all lineages again: they replace those that the store has.
    """

    connection: duckdb.DuckDBPyConnection
    staging: Path
    rule: JobNameRule
    rename_jobs: bool = False
    landing_files: str | None = None
    declared: Declarations | None = None
    keep_from: datetime | None = None
    latest: datetime | None = None
    is_first: bool = False
    is_reprocessed: bool = False
    runs: RunDays = field(default_factory=RunDays)

    def placeholders(self) -> Mapping[str, object]:
        """Return the values of the placeholders that each SQL file may have."""
        return {
            "is_reprocessed": str(self.is_reprocessed).lower(),
            "rename_jobs": str(self.rename_jobs).lower(),
            "has_undated": str(self.runs.has_undated).lower(),
            "all_days": str(self.runs.is_migrated).lower(),
            "keep_from": f"TIMESTAMP '{self.keep_from:%Y-%m-%d %H:%M:%S}'" if self.keep_from else "NULL",
            "edges_at_once": _EDGES_AT_ONCE,
        }

    def has_staged(self, table: str) -> bool:
        """Return whether the harvest left rows of a table."""
        return any((self.staging / table).glob("*.parquet"))


@dataclass(frozen=True, slots=True)
class Relations:
    """The relations that a step depends on and those that depend on it.

    Attributes:
        reads: Tables and views that must hold their rows before the step.
        makes: Temporary tables and views that it makes, or replaces.
        changes: Tables with rows that it inserts, updates or deletes.
    """

    reads: frozenset[str] = frozenset()
    makes: frozenset[str] = frozenset()
    changes: frozenset[str] = frozenset()


def always(_: Fold) -> bool:
    """Run a step in each harvest."""
    return True


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the fold.

    Attributes:
        name: The SQL file below `store/sql`, or the name of the function.
    """

    name: str
    action: Callable[[Fold], None]
    relations: Callable[[], Relations]
    when: Callable[[Fold], bool] = always

    def run(self, fold: Fold) -> None:
        """Run the step if its harvest needs it."""
        if self.when(fold):
            self.action(fold)


Values = Mapping[str, object]


def once(_: Fold) -> Iterable[Values]:
    """Run an SQL file once."""
    return ({},)


def staged(*tables: Table) -> Callable[[Fold], bool]:
    """Return the condition that a harvest left rows of one of some tables."""
    return lambda fold: any(fold.has_staged(table.name) for table in tables)


def sql_step(
    name: str, *, when: Callable[[Fold], bool] = always, values: Callable[[Fold], Iterable[Values]] = once
) -> Step:
    """Return the step that runs an SQL file.

    Its first comment declares the relations in lines `-- reads: …`, `-- makes: …` and `-- changes: …`.

    Args:
        values: Values in addition to `Fold.placeholders` for each run of the file, one a batch.
    """

    def run(fold: Fold) -> None:
        for each in values(fold):
            fold.connection.execute(sql_text(name, **{**fold.placeholders(), **each}))

    return Step(name, run, lambda: declared_relations(name), when)


def python_step(*, reads: str = "", makes: str = "", changes: str = "") -> Callable[[Callable[[Fold], None]], Step]:
    """Return a decorator that makes a function a step."""
    relations = Relations(frozenset(reads.split()), frozenset(makes.split()), frozenset(changes.split()))

    def decorated(function: Callable[[Fold], None]) -> Step:
        return Step(function.__name__, function, lambda: relations)

    return decorated


@cache
def declared_relations(name: str) -> Relations:
    """Return the relations that the first comment of an SQL file declares."""
    found: dict[str, set[str]] = {"reads": set(), "makes": set(), "changes": set()}
    for kind, names in _DECLARATION.findall(raw_sql(name)):
        found[kind].update(names.split())
    return Relations(**{kind: frozenset(names) for kind, names in found.items()})
