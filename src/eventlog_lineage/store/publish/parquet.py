"""The public tables as Parquet, for dashboards and other engines."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from eventlog_lineage.store.schema.ddl import column_list, quoted, text_literal
from eventlog_lineage.store.schema.declaration import Table
from eventlog_lineage.store.schema.internal_tables import KEPT_TABLES, RUN_TABLES, STORE_FACTS
from eventlog_lineage.store.schema.run_files import (
    FACTS_OF_RUNS,
    INTERNAL,
    NO_DAY,
    PARTITION,
    RUNS,
    TABLE_COLUMNS,
    day_of,
    no_rows,
)
from eventlog_lineage.store.schema.sql_files import sql_text
from eventlog_lineage.store.schema.tables import GAPS, HARVESTED_LOGS, HARVESTS, PUBLIC_TABLES, PUBLIC_VIEWS

from .carrying.carried_files import CarriedFiles, copy_checked
from .log_files import export_logs

if TYPE_CHECKING:
    import duckdb

_OF_THE_DATABASE = ", ".join(map(text_literal, (*FACTS_OF_RUNS, TABLE_COLUMNS)))

_FACTS = f"SELECT * FROM store_facts WHERE fact NOT IN ({_OF_THE_DATABASE})"
"""The facts that depend neither on the database's tables nor on the files of the runs, and where they are."""

_ROWS_FROM = {
    "gaps": ("open_log_gaps", "lineage_gaps", "schema_gaps"),
    "stream_batches": ("open_batch_sources",),
}
"""Public views that are mostly empty, and the relations without whose rows they are (`store/sql/views`)."""

_EXECUTIONS_AT_ONCE = 1_000_000
"""Executions whose rows are written together."""

_DAY = f"coalesce(strftime({PARTITION}, '%Y-%m-%d'), '{NO_DAY}')"


@dataclass(frozen=True, slots=True)
class Target:
    """Where Parquet files go.

    A file's name contains the version that wrote it: two files with the same name are equal in all versions.

    Attributes:
        version: The new version's folder.
        number: The new version's number.
        carried: What did not change since the previous version; None if all files are written.
        has_undated: Whether the previous version may have rows of applications whose start is not known.
    """

    version: Path
    number: int
    carried: CarriedFiles | None = None
    has_undated: bool = True

    def old_folder(self, folder: Path) -> Path | None:
        """Return a folder of the previous version, if it is there."""
        old = self.carried.previous / folder if self.carried else None
        return old if old and old.is_dir() else None


@dataclass(frozen=True, slots=True)
class _DayFolder:
    """The folder of a table whose rows belong to days, within the new version.

    Attributes:
        table: The table.
        name: The folder's path within a version.
        path: The folder.
        is_of_runs: Whether the views read it: days are in the names of its files. Public tables have folders of days.
    """

    table: Table
    name: Path
    path: Path
    is_of_runs: bool

    def file(self, day: str, name: str) -> Path:
        """Return where a day's file goes.

        Args:
            day: The day, as the names of partitions have it.
            name: The file's name without the day.
        """
        return self.path / f"{day}.{name}" if self.is_of_runs else self.path / f"{PARTITION}={day}" / name

    def is_empty(self) -> bool:
        """Return whether nothing is in the folder."""
        return not any(self.path.iterdir())


def _day_folders(version: Path) -> list[_DayFolder]:
    """Return the folders of the tables of runs, with the public copy of a table before the other one, gaps last.

    Args:
        version: The new version's folder.
    """
    public = [_DayFolder(each, Path(each.name), version / each.name, False) for each in PUBLIC_TABLES if each.per_run]
    own = [_DayFolder(each, Path(RUNS, each.name), version / RUNS / each.name, True) for each in RUN_TABLES]
    return sorted((*public, *own), key=lambda each: each.table is GAPS)


def export_tables(
    connection: duckdb.DuckDBPyConnection,
    target: Target,
    *,
    changed: bool,
    names: Container[str] | None = None,
) -> None:
    """Write the tables whose rows do not belong to single runs, the public and the internal ones.

    Args:
        connection: The store's database.
        target: Where to.
        changed: Whether the harvest changed anything else; the harvests and logs are written anyway.
        names: Write the tables of these names only; None for all.
    """
    (target.version / INTERNAL).mkdir(exist_ok=True)
    public = [(table, Path(table.name)) for table in PUBLIC_TABLES if not table.per_run]
    for table, folder in (*public, *((table, Path(INTERNAL, table.name)) for table in KEPT_TABLES)):
        if names is not None and table.name not in names:
            continue
        new = target.version / folder
        new.mkdir()
        old = target.old_folder(folder)
        is_new = changed or not old or table == HARVESTS or (table == STORE_FACTS and _has_other_facts(connection, old))
        if table == HARVESTED_LOGS:
            export_logs(connection, new, target.number, target.carried)
        elif target.carried and not is_new:
            target.carried.carry_folder(str(folder))
        else:
            file = text_literal(str(new / f"part-{target.number}.parquet"))
            rows = _FACTS if table == STORE_FACTS else f"FROM {quoted(table.name)}"
            connection.execute(f"COPY ({rows}) TO {file} (FORMAT parquet, COMPRESSION zstd)")


def _has_other_facts(connection: duckdb.DuckDBPyConnection, old: Path) -> bool:
    """Return whether the facts about the store differ from those of the version before: the program may be another.

    Args:
        connection: The draft's database.
        old: The folder of the facts in the version before.
    """
    files = f"FROM read_parquet({text_literal(f'{glob.escape(str(old))}/*.parquet')})"
    differences = f"({_FACTS} EXCEPT {files}) UNION ALL ({files} EXCEPT {_FACTS})"
    return connection.execute(differences).fetchone() is not None


def export_days(
    connection: duckdb.DuckDBPyConnection,
    target: Target,
    affected_days: Sequence[date | None],
    after_runs: Callable[[], None] = lambda: None,
) -> None:
    """Write the partitions of the affected days, carry the others: of the public tables, and of those the views read.

    Args:
        connection: The store's database, which finds the open days; a connection of its own: the tables of single runs
            are hidden from it then.
        target: Where to.
        affected_days: The days whose run-level rows differ from before; they are open. None for applications whose
            start is not known.
        after_runs: Called when all files but those of the gaps are written: these depend on the history of schemas.
    """
    affected, written = _narrow_to(connection, affected_days) if affected_days else (set(), set())
    slices = _slices(connection) if affected else 1
    (target.version / RUNS).mkdir()
    for folder in _day_folders(target.version):
        table = folder.table
        if table is GAPS:
            after_runs()
        folder.path.mkdir()
        if affected and folder.is_of_runs and table in PUBLIC_TABLES:
            _copy_days(target.version / table.name, folder, target.number)
        elif affected and _has_rows(connection, table):
            parts = slices if table in PUBLIC_VIEWS else 1
            if parts == len(affected) == 1:
                _write_day(connection, folder, next(iter(affected)), target.number)
            else:
                _write_slices(connection, folder, target.number, parts)
        _carry_days(target, folder, affected)
        if folder.is_empty():
            day = NO_DAY if folder.is_of_runs else min(written, default=NO_DAY)
            _write_no_rows(connection, folder, day, target.number)


def _narrow_to(
    connection: duckdb.DuckDBPyConnection, affected_days: Sequence[date | None]
) -> tuple[set[str], set[str]]:
    """View the run-level rows of the affected days by the names of the tables.

    DuckDB looks for unqualified names among the temporary ones first, so the queries of the public views can be run
    on these days alone.

    Args:
        connection: The store's database.
        affected_days: The days.

    Returns:
        The days, and those on which applications started, by the names of their partitions.
    """
    connection.execute(
        f"CREATE TEMP TABLE affected_days AS SELECT unnest(?::DATE[]) AS {PARTITION}", [list(affected_days)]
    )
    affected = _texts(connection, f"SELECT {_DAY} FROM affected_days")
    connection.execute(sql_text("merge/affected_runs"))
    for table in RUN_TABLES:
        connection.execute(
            f"CREATE TEMP VIEW {quoted(table.name)} AS SELECT t.* FROM open_{table.name} t "
            "SEMI JOIN affected_runs d ON d.app_id = t.app_id AND d.attempt_id = t.attempt_id"
        )
    applications = f"SELECT DISTINCT {_DAY} FROM (SELECT started_at::DATE AS {PARTITION} FROM applications)"
    return affected, _texts(connection, applications)


def _has_rows(connection: duckdb.DuckDBPyConnection, table: Table) -> bool:
    """Return whether the open days may have rows of a table: to write a partition of none takes much longer.

    Args:
        connection: The draft's database with the open tables.
        table: The table to be written.
    """
    relations = _ROWS_FROM.get(table.name, () if table in PUBLIC_VIEWS else (f"open_{table.name}",))
    found = (connection.execute(f"SELECT 1 FROM {relation} LIMIT 1").fetchone() for relation in relations)
    return not relations or any(found)


def _source(table: Table) -> str:
    return f"({sql_text('views/' + table.name)})" if table in PUBLIC_VIEWS else quoted(table.name)


def _slices(connection: duckdb.DuckDBPyConnection) -> int:
    """Return into how many slices of applications the rows of public views are divided: views join tables of runs."""
    (count,) = connection.execute("SELECT count(*) FROM open_executions").fetchone() or (0,)
    return max(1, -(-int(count) // _EXECUTIONS_AT_ONCE))


def _write_slices(connection: duckdb.DuckDBPyConnection, folder: _DayFolder, number: int, slices: int) -> None:
    """Write the affected days of a table, the applications in slices where there are many.

    Args:
        connection: The draft's database, with `affected_runs`.
        folder: The folder of the table.
        number: The number of the version, part of the files' names.
        slices: The number of slices.
    """
    if slices == 1:
        _write_days(connection, folder, f"{number}")
        return
    connection.execute("CREATE OR REPLACE TEMP TABLE all_affected_runs AS FROM affected_runs")
    for each in range(slices):
        connection.execute(
            "CREATE OR REPLACE TEMP TABLE affected_runs AS "
            f"FROM all_affected_runs WHERE hash(app_id, attempt_id) % {slices} = {each}"
        )
        _write_days(connection, folder, f"{number}-{each}")
    connection.execute("CREATE OR REPLACE TEMP TABLE affected_runs AS FROM all_affected_runs")


def _write_days(connection: duckdb.DuckDBPyConnection, folder: _DayFolder, part: str) -> None:
    table = folder.table
    connection.execute(
        f"COPY (SELECT {column_list(table.column_names, 't')}, d.{PARTITION}"
        f" FROM {_source(table)} t JOIN affected_runs d ON d.app_id = t.app_id AND d.attempt_id = t.attempt_id)"
        f" TO {text_literal(str(folder.path))} (FORMAT parquet, COMPRESSION zstd, PARTITION_BY ({PARTITION}),"
        f" FILENAME_PATTERN 'part-{part}-{{i}}', OVERWRITE_OR_IGNORE)"
    )
    without_day = folder.path / f"{PARTITION}=NULL"  # as DuckDB 1 calls it
    if without_day.is_dir():
        without_day.rename(folder.path / f"{PARTITION}={NO_DAY}")
    if folder.is_of_runs:
        _leave_day_folders(folder)


def _leave_day_folders(folder: _DayFolder) -> None:
    """Move the files of days out of the folders that DuckDB makes of partitions.

    Args:
        folder: The folder of a table's runs.
    """
    for day in list(folder.path.iterdir()):
        if day.is_dir():
            for file in day.iterdir():
                file.rename(folder.file(day_of(day.name), file.name))
            day.rmdir()


def _write_day(connection: duckdb.DuckDBPyConnection, folder: _DayFolder, day: str, number: int) -> None:
    """Write the only affected day of a table, if it has rows: without partitions this takes a third less.

    Args:
        connection: The draft's database, with `affected_runs`.
        folder: The folder of the table.
        day: The day.
        number: The number of the version, part of the file's name.
    """
    table, file = folder.table, folder.file(day, f"part-{number}-0.parquet")
    file.parent.mkdir(exist_ok=True)
    (rows,) = connection.execute(
        f"COPY (SELECT {column_list(table.column_names, 't')} FROM {_source(table)} t"
        " SEMI JOIN affected_runs d ON d.app_id = t.app_id AND d.attempt_id = t.attempt_id)"
        f" TO {text_literal(str(file))} (FORMAT parquet, COMPRESSION zstd)"
    ).fetchone() or (0,)
    if not rows:
        file.unlink()
        if file.parent != folder.path:
            file.parent.rmdir()


def _copy_days(public: Path, folder: _DayFolder, number: int) -> None:
    """Copy the files that this version wrote of a public table: the runs have the same rows, and so a second copy.

    Args:
        public: The folder of the public table.
        folder: The folder of the second copy.
        number: The number of the version, part of the files' names.
    """
    for file in public.glob(f"{PARTITION}=*/part-{number}-*.parquet"):
        copy_checked(file, folder.file(day_of(file.parent.name), file.name))


def _write_no_rows(connection: duckdb.DuckDBPyConnection, folder: _DayFolder, day: str, number: int) -> None:
    """Write a file without rows for an empty table, so that every table has a schema to read.

    Args:
        connection: The draft's database.
        folder: The folder of the table.
        day: The day of the file, whose type the partition's values have.
        number: The number of the version, part of the file's name.
    """
    file = folder.file(day, f"part-{number}.parquet")
    file.parent.mkdir(exist_ok=True)
    connection.execute(f"COPY ({no_rows(folder.table)}) TO {text_literal(str(file))} (FORMAT parquet)")


def _carry_days(target: Target, folder: _DayFolder, affected: set[str]) -> None:
    """Carry the days of a table's folder that are not affected.

    Args:
        target: The version that is written.
        folder: The folder of the table.
        affected: The days that are written again.
    """
    old = target.old_folder(folder.name)
    if not old or not target.carried:
        return
    with os.scandir(old) as entries:  # a table has an entry for each day of years
        names = sorted((entry.name, entry.is_dir()) for entry in entries)
    kept = [(name, is_folder) for name, is_folder in names if day_of(name) not in affected]
    if not target.has_undated and (len(kept) > 1 or not folder.is_empty()):
        kept = [each for each in kept if day_of(each[0]) != NO_DAY]  # the file without rows was there for the columns
    for name, is_folder in kept:
        if is_folder:
            target.carried.carry_day(f"{folder.name}/{name}")
        elif target.carried.has(f"{folder.name}/{name}"):
            target.carried.carry(f"{folder.name}/{name}")


def _texts(connection: duckdb.DuckDBPyConnection, query: str) -> set[str]:
    return {str(row[0]) for row in connection.execute(query).fetchall()}
