"""Read a harvest's staging folder as views over its Parquet files."""

from __future__ import annotations

import glob
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from eventlog_lineage.store.schema.ddl import arrow_schema, quoted, text_literal
from eventlog_lineage.store.schema.declaration import TIME, Column, Table
from eventlog_lineage.store.schema.rows import Row
from eventlog_lineage.store.schema.staged_ids import SUFFIX
from eventlog_lineage.store.schema.tables import EXECUTIONS, HARVEST_TABLES, HARVESTED_LOGS, TABLE_COMMITS

from .steps import Fold, python_step

_SMALL = 1 << 20
"""Bytes of Parquet up to which the rows are read into a table: the files would be opened again by every step."""

_FEW = 100_000
"""Rows up to which that is so: equal ones take few bytes in a file, and all of theirs in a table."""

_DEFAULTS = {"app_id": "''", "attempt_id": "''", "root_execution_id": "execution_id"}
"""Values instead of NULL in columns that rows are joined by."""

_TIMES_OF_FILES = frozenset({HARVESTED_LOGS.name, TABLE_COMMITS.name})
"""Tables whose times are not those of a driver's clock."""


@python_step(
    reads="application_ids",
    makes=" ".join(f"staged_{table.name}" for table in HARVEST_TABLES),
)
def view_staging(fold: Fold) -> None:
    """Make a temporary view `staged_<table>` for each table of the harvest, or a table where the rows are few.

    Columns that the files lack are NULL. Times with a zone and times without one are both read as UTC; a time later
    than the harvest is NULL. A table without files has no rows.
    """
    (named,) = fold.connection.execute("SELECT count(*) > 0 FROM application_ids").fetchone() or (False,)
    for table in HARVEST_TABLES:
        _view(fold, table, named)


@python_step(makes=f"staged_{HARVESTED_LOGS.name}")
def view_staged_logs(fold: Fold) -> None:
    """Make the temporary view of the logs of a harvest that has none."""
    _view(fold, HARVESTED_LOGS, named=False)


def _view(fold: Fold, table: Table, named: bool) -> None:
    """Make the temporary view or table of a table of the harvest.

    Args:
        fold: The database and the harvest.
        table: The table.
        named: Whether `application_ids` has rows.
    """
    name = quoted(f"staged_{table.name}")
    files = _files(fold.staging, table)
    if not files:
        columns = ", ".join(f"{quoted(column.name)} {column.type}" for column in table.columns)
        fold.connection.execute(f"CREATE TEMP TABLE {name} ({columns})")
        return
    latest = None if table.name in _TIMES_OF_FILES else fold.latest
    footers = _footers(table, files)
    selected = _selected(fold.staging, table, footers, latest)
    if {"app_id", "attempt_id"} <= set(table.column_names):
        selected = f"SELECT {', '.join(_with_id(column, named) for column in table.columns)} FROM ({selected}) s"
    small = footers.rows <= _FEW and sum(file.stat().st_size for file in files) <= _SMALL
    kind = "TABLE" if small else "VIEW"
    fold.connection.execute(f"CREATE TEMP {kind} {name} AS {selected}")


def select_staged(staging: Path, table: Table, latest: datetime | None = None) -> str:
    """Return a query for a harvest's rows of a table, with all columns; ids are those of the files.

    Args:
        staging: The staging folder.
        table: The table.
        latest: Times after this one are NULL, and the durations that end with them; None for all times as they are.
    """
    return _selected(staging, table, _footers(table, _files(staging, table)), latest)


def _selected(staging: Path, table: Table, footers: _Footers, latest: datetime | None) -> str:
    """Return the query of `select_staged`.

    Args:
        staging: The staging folder.
        table: The table.
        footers: The footers of its files.
        latest: As in `select_staged`.
    """
    selected = ", ".join(f"{_value(column, footers)} AS {quoted(column.name)}" for column in table.columns)
    if not footers.files:
        return f"SELECT {selected} WHERE false"
    pattern = text_literal(f"{glob.escape(str(staging / table.name))}/*.parquet")
    query = f"SELECT {selected} FROM read_parquet({pattern}, union_by_name = true)"
    if latest is None or not footers.may_be_later(latest):
        return query
    bounded = ", ".join(_bounded(column, table, latest) for column in table.columns)
    return f"SELECT {bounded} FROM ({query})"


def staged_columns(
    staging: Path, table: Table, columns: Sequence[str], at_most: int
) -> list[tuple[str | None, ...]] | None:
    """Return the values of text columns of a harvest's rows; None if there are many rows, or a file lacks a column.

    Args:
        staging: The staging folder.
        table: The table.
        columns: The names of the columns.
        at_most: Rows that are read at most.
    """
    files = [pq.ParquetFile(file) for file in _files(staging, table)]
    if sum(file.metadata.num_rows for file in files) > at_most:
        return None
    if any(not set(columns) <= set(file.schema_arrow.names) for file in files):
        return None
    read = [file.read(columns=list(columns)) for file in files]
    return [row for rows in read for row in zip(*(rows.column(name).to_pylist() for name in columns), strict=True)]


def may_be_later(staging: Path, table: Table, latest: datetime) -> bool:
    """Return whether a harvest's rows of a table may have times after another, by the statistics of its files.

    Args:
        staging: The staging folder.
        table: The table.
        latest: The time, UTC without a zone.
    """
    return _footers(table, _files(staging, table)).may_be_later(latest)


@dataclass(frozen=True, slots=True)
class _Footers:
    """What the footers of some Parquet files have.

    Attributes:
        files: How many files there are.
        rows: How many rows they have.
        names: The names of their columns.
        typed: The columns that have the declared type in all of them.
        last: A time that none of theirs exceeds, UTC without a zone; None if it is unknown.
    """

    files: int
    rows: int
    names: frozenset[str]
    typed: frozenset[str]
    last: datetime | None

    def may_be_later(self, latest: datetime) -> bool:
        """Return whether a time may be after another."""
        return self.last is None or self.last > latest


def _footers(table: Table, files: Sequence[Path]) -> _Footers:
    """Read the footers of a table's files.

    Args:
        table: The declared table.
        files: Its staged Parquet files.
    """
    times = {column.name for column in table.columns if column.type == TIME}
    declared = {(field.name, field.type) for field in arrow_schema(table)}
    typed = {name for name, _ in declared}
    names: set[str] = set()
    rows = 0
    last: datetime | None = datetime.min
    for file in files:
        footer = pq.read_metadata(file)
        rows += footer.num_rows
        schema = footer.schema.to_arrow_schema()
        names.update(schema.names)
        typed.intersection_update(field.name for field in schema if (field.name, field.type) in declared)
        groups = [footer.row_group(number) for number in range(footer.num_row_groups)]
        for column in (group.column(number) for group in groups for number in range(group.num_columns)):
            if column.path_in_schema in times:
                found = _last_time(column.statistics)
                last = max(last, found) if last is not None and found is not None else None
    return _Footers(len(files), rows, frozenset(names), frozenset(typed), last)


def _last_time(statistics: pq.Statistics | None) -> datetime | None:
    """Return the last time in a column by its statistics, UTC without a zone; None if they do not have it."""
    if statistics is None or not (statistics.has_min_max or (statistics.has_null_count and not statistics.num_values)):
        return None
    if not statistics.has_min_max:  # all values are NULL
        return datetime.min
    try:
        time = statistics.max
    except (ValueError, OverflowError):  # it is beyond Python's years
        return None
    if not isinstance(time, datetime):
        return None
    return time.astimezone(timezone.utc).replace(tzinfo=None) if time.tzinfo else time


def stage_rows(staging: Path, table: Table, name: str, rows: Sequence[Row]) -> None:
    """Add rows to a harvest's.

    Args:
        staging: The staging folder.
        table: The table.
        name: Of the file; one that is there is replaced.
        rows: The rows; none make no file.
    """
    if rows:
        folder = staging / table.name
        folder.mkdir(exist_ok=True)
        columns = [list(values) for values in zip(*rows, strict=True)]
        made = pa.table(columns, schema=arrow_schema(table))
        pq.write_table(made, folder / f"{name}.parquet")


def _files(staging: Path, table: Table) -> list[Path]:
    folder = staging / table.name
    return sorted(folder.glob("*.parquet")) if folder.is_dir() else []


def _value(column: Column, footers: _Footers) -> str:
    value = name = quoted(column.name)
    if column.name not in footers.names:
        return f"CAST({_DEFAULTS.get(column.name, 'NULL') if footers.names else 'NULL'} AS {column.type})"
    if column.name not in footers.typed:
        value = f"make_timestamp(epoch_us({name}))" if column.type == TIME else f"CAST({name} AS {column.type})"
    return f"coalesce({value}, {_DEFAULTS[column.name]})" if column.name in _DEFAULTS else value


def _bounded(column: Column, table: Table, latest: datetime) -> str:
    name, until = quoted(column.name), f"TIMESTAMP '{latest:%Y-%m-%d %H:%M:%S}'"
    if column.type == TIME:
        return f"CASE WHEN {name} <= {until} THEN {name} END AS {name}"
    if table is EXECUTIONS and column.name == "duration_ms":
        return f"CASE WHEN started_at <= {until} AND ended_at <= {until} THEN duration_ms END AS duration_ms"
    return name


def _with_id(column: Column, named: bool) -> str:
    if column.name != "app_id":
        return f"s.{quoted(column.name)}"
    own = f"regexp_replace(s.app_id, '{SUFFIX}', '')"
    if not named:
        return f"{own} AS app_id"
    given = "SELECT i.app_id FROM application_ids i WHERE i.staged_id = s.app_id AND i.attempt_id = s.attempt_id"
    return f"coalesce(({given}), {own}) AS app_id"
