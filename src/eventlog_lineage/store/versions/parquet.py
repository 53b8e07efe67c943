"""The Parquet files of a version, for dashboards and other engines, and the checkpoints of growing logs."""

from __future__ import annotations

import glob
import hashlib
import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from eventlog_lineage.store.schema.database import beside, point_to_runs
from eventlog_lineage.store.schema.declaration import Table
from eventlog_lineage.store.schema.internal_tables import KEPT_TABLES, RUN_TABLES, STORE_FACTS
from eventlog_lineage.store.schema.relations import (
    INTERNAL,
    NO_DAY,
    PARTITION,
    RUNS,
    RUNS_FOLDER,
    TABLE_COLUMNS,
    column_list,
    count_of,
    day_of,
    no_rows,
    quoted,
    sql_text,
    text_literal,
    texts_of,
)
from eventlog_lineage.store.schema.tables import HARVESTED_LOGS, HARVESTS, PUBLIC_TABLES, PUBLIC_VIEWS
from eventlog_lineage.store.versions.folder import PRIVATE, by_number
from eventlog_lineage.store.versions.manifest import CarriedFiles, copy_checked

if TYPE_CHECKING:
    import duckdb


FOLDER = ".checkpoints"
"""The files' folder, in a version and in the staging folder."""


def checkpoint_file(folder: Path, log_path: str) -> Path:
    """Return the file of a log."""
    return folder / FOLDER / hashlib.blake2b(log_path.encode(), digest_size=16).hexdigest()


def carry_checkpoints(
    connection: duckdb.DuckDBPyConnection, staging: Path, carried: CarriedFiles | None, version: Path
) -> None:
    """Fill a new version's folder: what this harvest left, and what others did whose logs it did not read.

    Args:
        connection: The store's database, with this harvest's logs in `harvested_logs` and in `read_logs`.
        carried: The files of the version before; None for the first version.
    """
    (version / FOLDER).mkdir()
    rows = connection.execute(
        "SELECT log_path, log_path IN (SELECT log_path FROM read_logs) FROM harvested_logs WHERE state = 'in_progress'"
    ).fetchall()
    for log_path, read in rows:
        if read:
            source = checkpoint_file(staging, str(log_path))
            if source.is_file():
                shutil.move(source, checkpoint_file(version, str(log_path)))
        elif carried:
            source = checkpoint_file(carried.previous, str(log_path))
            name = str(source.relative_to(carried.previous))
            if source.is_file() and carried.has(name):
                carried.carry(name)


_HARVESTS = 16
"""Harvests whose logs are in one file."""

PART = re.compile(r"part-(?P<version>[0-9]{1,16})(?:-(?P<group>[0-9]+))?\.parquet", re.ASCII)
"""The name of a file: the version that wrote it, and the group of harvests whose logs it has."""


def export_logs(connection: duckdb.DuckDBPyConnection, folder: Path, number: int, carried: CarriedFiles | None) -> None:
    """Write the logs of the harvests whose logs changed, carry the files of the others.

    Args:
        connection: The store's database, with the logs that this harvest replaced in `replaced_logs`.
    """
    kept = _unchanged(connection, carried) if carried else {}
    for group in _groups(connection, "harvested_logs") - kept.keys():
        file = text_literal(str(folder / f"part-{number}-{group}.parquet"))
        connection.execute(
            f"COPY (FROM harvested_logs WHERE harvest_id // {_HARVESTS} = {group})"
            f" TO {file} (FORMAT parquet, COMPRESSION zstd)"
        )
    if carried:
        for name in kept.values():
            carried.carry(name)


def _unchanged(connection: duckdb.DuckDBPyConnection, carried: CarriedFiles) -> dict[int, str]:
    """Return the groups of harvests whose logs are as in the version before, and their files."""
    old = carried.previous / HARVESTED_LOGS.name
    listed = (file.name for file in old.iterdir()) if old.is_dir() else ()
    names = (name for name in listed if carried.has(f"{HARVESTED_LOGS.name}/{name}"))
    matches = filter(None, map(PART.fullmatch, names))
    groups = {int(each["group"]): f"{HARVESTED_LOGS.name}/{each[0]}" for each in matches if each["group"]}
    changed = _groups(connection, "replaced_logs")
    return {group: name for group, name in groups.items() if group not in changed}


def _groups(connection: duckdb.DuckDBPyConnection, relation: str) -> set[int]:
    """Return the groups of the harvests of some logs, and that of the last harvest."""
    rows = connection.execute(
        f"SELECT DISTINCT harvest_id // {_HARVESTS} FROM (SELECT harvest_id FROM {relation} "
        "UNION ALL SELECT coalesce(max(harvest_id), 0) FROM harvests)"
    ).fetchall()
    return {int(group) for (group,) in rows}


_FACTS = f"SELECT * FROM store_facts WHERE fact NOT IN ('{RUNS_FOLDER}', '{TABLE_COLUMNS}')"
"""The facts that depend neither on the database's tables nor on the files of the runs, and where they are."""

_EXECUTIONS_AT_ONCE = 500_000
"""Executions whose rows are written together."""

_DAY = f"coalesce(strftime({PARTITION}, '%Y-%m-%d'), '{NO_DAY}')"


@dataclass(frozen=True, slots=True)
class Target:
    """Where Parquet files go.

    A file's name contains the version that wrote it: two files with the same name are equal in all versions.

    Attributes:
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
        is_of_runs: Whether the views read it: days are in the names of its files. Public tables have folders of days.
    """

    table: Table
    name: Path
    path: Path
    is_of_runs: bool

    def file(self, day: str, name: str) -> Path:
        """Return where a day's file goes."""
        return self.path / f"{day}.{name}" if self.is_of_runs else self.path / f"{PARTITION}={day}" / name

    def is_empty(self) -> bool:
        """Return whether nothing is in the folder."""
        return not any(self.path.iterdir())


def _day_folders(version: Path) -> list[_DayFolder]:
    """Return the folders of the tables of runs, with the public copy of a table before the other one."""
    public = [_DayFolder(each, Path(each.name), version / each.name, False) for each in PUBLIC_TABLES if each.per_run]
    own = [_DayFolder(each, Path(RUNS, each.name), version / RUNS / each.name, True) for each in RUN_TABLES]
    return [*public, *own]


def export_tables(connection: duckdb.DuckDBPyConnection, target: Target, *, changed: bool) -> None:
    """Write the tables whose rows do not belong to single runs, the public and the internal ones."""
    (target.version / INTERNAL).mkdir(exist_ok=True)
    public = [(table, Path(table.name)) for table in PUBLIC_TABLES if not table.per_run]
    for table, folder in (*public, *((table, Path(INTERNAL, table.name)) for table in KEPT_TABLES)):
        _export_table(connection, target, table, folder, changed=changed)


def _export_table(
    connection: duckdb.DuckDBPyConnection, target: Target, table: Table, folder: Path, *, changed: bool
) -> None:
    new, old = target.version / folder, target.old_folder(folder)
    new.mkdir()
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
    """Return whether the facts about the store differ from those of the version before: the program may be another."""
    files = f"FROM read_parquet({text_literal(f'{glob.escape(str(old))}/*.parquet')})"
    differences = f"({_FACTS} EXCEPT {files}) UNION ALL ({files} EXCEPT {_FACTS})"
    return connection.execute(differences).fetchone() is not None


def export_days(connection: duckdb.DuckDBPyConnection, target: Target, affected_days: Sequence[date | None]) -> None:
    """Write the partitions of the affected days, carry the others: of the public tables, and of those the views read.

    Args:
        connection: The store's database, which finds the open days.
        affected_days: The days whose run-level rows differ from before; they are open. None for applications whose
            start is not known.
    """
    with beside(connection) as other:  # the tables of single runs are hidden from it
        _export_days(other, target, affected_days)
    with beside(connection) as other, by_number(target.version) as path:
        point_to_runs(other, path)


def _export_days(connection: duckdb.DuckDBPyConnection, target: Target, affected_days: Sequence[date | None]) -> None:
    affected, written = _narrow_to(connection, affected_days) if affected_days else (set(), set())
    slices = _slices(connection) if affected else 1
    (target.version / RUNS).mkdir()
    for folder in _day_folders(target.version):
        folder.path.mkdir()
        if affected:
            _write_affected(connection, target, folder, slices)
        _carry_days(target, folder, affected)
        if folder.is_empty():
            day = NO_DAY if folder.is_of_runs else min(written, default=NO_DAY)
            _write_no_rows(connection, folder, day, target.number)


def _write_affected(connection: duckdb.DuckDBPyConnection, target: Target, folder: _DayFolder, slices: int) -> None:
    table = folder.table
    if folder.is_of_runs and table in PUBLIC_TABLES:
        _copy_days(target.version / table.name, folder, target.number)
    else:
        _write_slices(connection, folder, target.number, slices)


def _narrow_to(
    connection: duckdb.DuckDBPyConnection, affected_days: Sequence[date | None]
) -> tuple[set[str], set[str]]:
    """View the run-level rows of the affected days by the names of the tables.

    DuckDB looks for unqualified names among the temporary ones first, so the queries of the public views can be run
    on these days alone.

    Returns:
        The days, and those on which applications started, by the names of their partitions.
    """
    connection.execute(
        f"CREATE TEMP TABLE affected_days AS SELECT unnest(?::DATE[]) AS {PARTITION}", [list(affected_days)]
    )
    affected = set(texts_of(connection, f"SELECT {_DAY} FROM affected_days"))
    connection.execute(sql_text("merge/affected_runs"))
    for table in RUN_TABLES:
        connection.execute(
            f"CREATE TEMP VIEW {quoted(table.name)} AS SELECT t.* FROM open_{table.name} t "
            "SEMI JOIN affected_runs d ON d.app_id = t.app_id AND d.attempt_id = t.attempt_id"
        )
    applications = f"SELECT DISTINCT {_DAY} FROM (SELECT started_at::DATE AS {PARTITION} FROM applications)"
    return affected, set(texts_of(connection, applications))


def _source(table: Table) -> str:
    return f"({sql_text('views/' + table.name)})" if table in PUBLIC_VIEWS else quoted(table.name)


def _slices(connection: duckdb.DuckDBPyConnection) -> int:
    """Return into how many slices of applications the rows of the affected days are divided."""
    return max(1, -(-count_of(connection, "FROM open_executions") // _EXECUTIONS_AT_ONCE))


def _write_slices(connection: duckdb.DuckDBPyConnection, folder: _DayFolder, number: int, slices: int) -> None:
    """Write the affected days of a table, the applications in slices where there are many."""
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
    for day in list(folder.path.iterdir()) if folder.is_of_runs else ():
        if day.is_dir():  # a partition, as DuckDB makes folders of them
            for file in day.iterdir():
                file.rename(folder.file(day_of(day.name), file.name))
            day.rmdir()


def _copy_days(public: Path, folder: _DayFolder, number: int) -> None:
    """Copy the files that this version wrote of a public table: the runs have the same rows, and so a second copy."""
    for file in public.glob(f"{PARTITION}=*/part-{number}-*.parquet"):
        copy_checked(file, folder.file(day_of(file.parent.name), file.name))


def _write_no_rows(connection: duckdb.DuckDBPyConnection, folder: _DayFolder, day: str, number: int) -> None:
    """Write a file without rows for an empty table, so that every table has a schema to read."""
    file = folder.file(day, f"part-{number}.parquet")
    file.parent.mkdir(exist_ok=True)
    connection.execute(f"COPY ({no_rows(folder.table)}) TO {text_literal(str(file))} (FORMAT parquet)")


def _carry_days(target: Target, folder: _DayFolder, affected: set[str]) -> None:
    """Carry the days of a table's folder that are not affected."""
    old = target.old_folder(folder.name)
    if not old or not target.carried:
        return
    kept = _days_except(old, affected)
    if not target.has_undated and (len(kept) > 1 or not folder.is_empty()):
        kept = _days_except(old, {*affected, NO_DAY})  # the file without rows was there for the columns
    for name, is_folder in kept:
        if is_folder:
            (target.version / folder.name / name).mkdir(PRIVATE)
            target.carried.carry_folder(f"{folder.name}/{name}")
        elif target.carried.has(f"{folder.name}/{name}"):
            target.carried.carry(f"{folder.name}/{name}")


def _days_except(folder: Path, days: set[str]) -> list[tuple[str, bool]]:
    """Return the files and folders of other days, each with whether it is a folder; a table has years of days."""
    with os.scandir(folder) as entries:
        return sorted((entry.name, entry.is_dir()) for entry in entries if day_of(entry.name) not in days)
