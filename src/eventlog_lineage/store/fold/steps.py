"""Steps of the fold: what each one reads and makes, and how it runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import duckdb

from eventlog_lineage.declarations.things import Declarations
from eventlog_lineage.history.job_names import JobNameRule
from eventlog_lineage.store.fold.run_days import RunDays
from eventlog_lineage.store.schema.ddl import arrow_schema, column_list, quoted, raw_sql, sql_text
from eventlog_lineage.store.schema.declaration import Row, Table

_ROWS_AT_ONCE = 10_000

_FEW_ROWS = 10_000
"""Rows that are inserted as lists: the first Arrow array of a process imports pandas where it is installed."""


def insert_rows(connection: duckdb.DuckDBPyConnection, table: Table, rows: Iterable[Row]) -> None:
    """Insert rows into a table.

    Args:
        table: The table; it exists.
        rows: Rows as `table.row` makes them, with Python's types.
    """
    listed = list(rows)
    if not listed:
        return
    columns = list(zip(*listed, strict=True))
    if len(listed) <= _FEW_ROWS:
        lists = ", ".join(f"unnest(CAST(? AS {column.type}[]))" for column in table.columns)
        names = column_list(table.column_names)
        connection.execute(
            f"INSERT INTO {quoted(table.name)} ({names}) SELECT {lists}", [list(each) for each in columns]
        )
        return
    import pyarrow as pa  # noqa: PLC0415 - the commands start without it

    schema = arrow_schema(table)
    arrays = [pa.array(values, type=field.type) for values, field in zip(columns, schema, strict=True)]
    connection.register("inserted_rows", pa.Table.from_arrays(arrays, schema=schema))
    connection.execute(f"INSERT INTO {quoted(table.name)} BY NAME SELECT * FROM inserted_rows")
    connection.unregister("inserted_rows")


def read_records(
    connection: duckdb.DuckDBPyConnection, query: str, parameters: Sequence[object] = ()
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a query as column name to value, in bounded memory.

    Args:
        connection: The store's database; no other query may run on it until the last row is read.
        parameters: Values for its `?`.
    """
    cursor = connection.execute(query, list(parameters))
    names = [str(column[0]) for column in cursor.description or ()]
    while rows := cursor.fetchmany(_ROWS_AT_ONCE):
        for row in rows:
            yield dict(zip(names, row, strict=True))


_DECLARATION = re.compile(r"^-- (reads|makes|changes): (.+)$", re.MULTILINE)


SCRATCH = ".scratch"
"""The folder, in the staging folder, for what does not fit into memory."""


@dataclass(frozen=True, slots=True)
class Fold:
    """What the steps work on.

    Attributes:
        connection: The database of the next version, with its tables and views.
        staging: The harvest's rows: `STAGING/<table>/*.parquet` (tables.HARVEST_TABLES).
        rule: How jobs are named.
        rename_jobs: Jobs were named by another rule before, or not at all: name all of them again.
        landing_files: The rule for landing files from now on; None for the store's own rule.
        declared: What is declared from now on; None for the store's own declarations.
        keep_from: Drop the run-level rows of applications that started before this time (UTC); None keeps all.
        latest: Times of logs after this one are not trusted (UTC); None trusts all.
        is_first: The store has no rows yet.
        is_reprocessed: The user asked to trace all lineages again: they replace those that the store has.
        has_few_rows: The store and the harvest are small.
        runs: The days of the version before.
        executions: How many executions are staged, repeated ones included; 0 if that is not known.
        slices: Into how many slices the rows of a step are divided.
        slice: The slice that a step works on, from 0.
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
    has_few_rows: bool = False
    runs: RunDays = field(default_factory=RunDays)
    executions: int = 0
    slices: int = 1
    slice: int = 0

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
        action: Its work.
        relations: What it reads, makes and changes.
        when: Whether it runs in a harvest.
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
    """Run an SQL file that has no placeholders once."""
    return ({},)


def staged(*tables: Table) -> Callable[[Fold], bool]:
    """Return the condition that a harvest left rows of one of some tables."""
    return lambda fold: any(fold.has_staged(table.name) for table in tables)


def sql_step(
    name: str,
    *,
    when: Callable[[Fold], bool] = always,
    values: Callable[[Fold], Iterable[Values]] = once,
) -> Step:
    """Return the step that runs an SQL file.

    Its first comment declares the relations in lines `-- reads: …`, `-- makes: …` and `-- changes: …`.

    Args:
        name: The file's path below `store/sql`, without `.sql`.
        values: The placeholders' values for each run of the file: once, or as often as there are batches.
    """

    def run(fold: Fold) -> None:
        for each in values(fold):
            for statement in _statements(sql_text(name, **each), fold.connection):
                fold.connection.execute(statement)

    return Step(name, run, lambda: declared_relations(name), when)


_parsed: dict[str, tuple[duckdb.Statement, ...]] = {}
"""SQL that was parsed; DuckDB's parser takes a seventh of a small night."""

_MOST_PARSED = 256


def _statements(text: str, connection: duckdb.DuckDBPyConnection) -> tuple[duckdb.Statement, ...]:
    """Parse SQL once per process.

    Args:
        connection: Any connection: without one, DuckDB makes a database of its own to parse.
    """
    found = _parsed.get(text)
    if found is None:
        if len(_parsed) >= _MOST_PARSED:
            _parsed.clear()
        found = _parsed[text] = tuple(connection.extract_statements(text))
    return found


def python_step(*, reads: str = "", makes: str = "", changes: str = "") -> Callable[[Callable[[Fold], None]], Step]:
    """Return a decorator that makes a function a step."""
    relations = Relations(frozenset(reads.split()), frozenset(makes.split()), frozenset(changes.split()))

    def decorated(function: Callable[[Fold], None]) -> Step:
        return Step(function.__name__, function, lambda: relations)

    return decorated


@cache
def declared_relations(name: str) -> Relations:
    """Return the relations that the first comment of an SQL file declares.

    Args:
        name: The file's path below `store/sql`, without `.sql`.
    """
    found: dict[str, set[str]] = {"reads": set(), "makes": set(), "changes": set()}
    for kind, names in _DECLARATION.findall(raw_sql(name)):
        found[kind].update(names.split())
    return Relations(**{kind: frozenset(names) for kind, names in found.items()})
