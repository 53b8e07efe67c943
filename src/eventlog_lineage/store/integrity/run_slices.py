"""Slices of a version's runs: what reads all of them does so within a limit of memory, some days at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from eventlog_lineage.store.schema.ddl import column_list, quoted, text_literal
from eventlog_lineage.store.schema.internal_tables import RUN_TABLES
from eventlog_lineage.store.schema.run_files import day_files, no_rows
from eventlog_lineage.store.schema.tables import EXECUTIONS

if TYPE_CHECKING:
    import duckdb

    from eventlog_lineage.store.schema.declaration import Table

_EXECUTIONS_AT_ONCE = 500_000
"""Executions of a slice; all rows of an application are in one."""


@dataclass(frozen=True, slots=True)
class RunSlice:
    """Some days of a version, or some applications of a day.

    Attributes:
        days: As the names of partitions have them.
        parts: Into how many parts the applications of the days are divided.
        part: The part, from 0.
    """

    days: tuple[str, ...]
    parts: int = 1
    part: int = 0


def run_slices(version: Path) -> list[RunSlice]:
    """Return the slices of a version's runs; none where one is enough, or where the runs are in the database.

    Args:
        version: The version's folder.
    """
    import pyarrow.parquet as pq  # noqa: PLC0415 - the commands start without it

    sizes: dict[str, int] = {}
    for table in RUN_TABLES:
        for day, file in day_files(version, table):
            rows = pq.read_metadata(file).num_rows if table is EXECUTIONS else 0
            sizes[day] = sizes.get(day, 0) + rows
    if sum(sizes.values()) <= _EXECUTIONS_AT_ONCE:
        return []
    return list(_grouped(sizes))


def _grouped(sizes: dict[str, int]) -> Iterator[RunSlice]:
    days: list[str] = []
    count = 0
    for day, size in sorted(sizes.items()):
        if days and count + size > _EXECUTIONS_AT_ONCE:
            yield from _divided(days, count)
            days, count = [], 0
        days.append(day)
        count += size
    yield from _divided(days, count)


def _divided(days: list[str], count: int) -> Iterator[RunSlice]:
    parts = max(1, -(-count // _EXECUTIONS_AT_ONCE))
    yield from (RunSlice(tuple(days), parts, part) for part in range(parts))


def view_slice(connection: duckdb.DuckDBPyConnection, version: Path, runs: RunSlice) -> None:
    """View the runs of a slice, for a connection only, by the names of their tables.

    Args:
        connection: A connection to the version's database.
        version: The version's folder.
        runs: The slice.
    """
    for table in RUN_TABLES:
        connection.execute(f"CREATE OR REPLACE TEMP VIEW {quoted(table.name)} AS {_query(version, table, runs)}")


def _query(version: Path, table: Table, runs: RunSlice) -> str:
    files = [file for day, file in day_files(version, table) if day in runs.days]
    if not files:
        return no_rows(table)
    listed = ", ".join(map(text_literal, files))
    rows = f"read_parquet([{listed}], hive_partitioning = false, union_by_name = true)"
    return (
        f"SELECT {column_list(table.column_names)} FROM ({no_rows(table)} UNION ALL BY NAME SELECT * FROM {rows}) "
        f"WHERE hash(app_id, attempt_id) % {runs.parts} = {runs.part}"
    )
