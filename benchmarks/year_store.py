"""What a night costs in a store of a year: nights into a generated store of 50,000,000 executions and a young one.

    PYTHONPATH=src python benchmarks/year_store.py [--days 365] [--copies 6] [--logs 200] [--statements 121]
        [--folder FOLDER] [--most 1.15]

Two nights are harvested (many_nights.py, 24,200 executions times --copies). The files of the second day are copied to
the other days of the year, with other application ids and times, and the database and the manifest are completed:
`check` must find the store whole. Then two nights follow there, and in the store of two nights. Disk: 2 GB and the
store. Fails where a night of the year is above --most times that of the young store.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb

from eventlog_lineage.store.administration import check_store
from eventlog_lineage.store.schema.internal_tables import RUN_SERIES, RUN_TABLES
from eventlog_lineage.store.schema.relations import INTERNAL, NO_DAY, PARTITION, RUNS, day_files
from eventlog_lineage.store.schema.tables import HARVESTED_LOGS, HARVESTS, PUBLIC_TABLES
from eventlog_lineage.store.versions.manifest import write_manifest
from large_harvest import multiply
from many_nights import middle, print_night

_SHIFT = "{column} + INTERVAL {days} DAY AS {column}"


def lengthen(store: Path, days: int) -> None:
    """Copy the second day of a store of two nights to further days."""
    version = (store / ".current").resolve()
    with duckdb.connect(str(version / "lineage.duckdb")) as connection:
        connection.execute("SET preserve_insertion_order = false")
        _copy_days(connection, version, days)
        _complete(connection, version, days)
        connection.execute("CHECKPOINT")
    (version / ".manifest.json").unlink()
    write_manifest(version)


def _copy_days(connection: duckdb.DuckDBPyConnection, version: Path, days: int) -> None:
    for table in (table for table in PUBLIC_TABLES if table.per_run):
        folders = sorted(path for path in (version / table.name).glob(f"{PARTITION}=2*"))
        if folders:
            rows = f"read_parquet('{folders[-1]}/*.parquet', hive_partitioning = false)"
            for day, name in _further_days(connection, folders[-1].name.partition("=")[2], days):
                file = version / table.name / f"{PARTITION}={name}" / "part-2-0.parquet"
                file.parent.mkdir()
                _copy(connection, rows, file, day)
    for table in RUN_TABLES:
        second = max(day_files(version, table))
        if second[0] == NO_DAY:
            continue
        for day, name in _further_days(connection, second[0], days):
            file = version / RUNS / table.name / f"{name}.part-2-0.parquet"
            twin = version / table.name / f"{PARTITION}={name}" / "part-2-0.parquet"
            if twin.exists():  # the same rows: two tables of one file
                os.link(twin, file)
            else:
                _copy(connection, f"read_parquet('{second[1]}', hive_partitioning = false)", file, day)


def _further_days(connection: duckdb.DuckDBPyConnection, second: str, days: int) -> Iterator[tuple[int, str]]:
    """Yield the numbers and dates of the days after the second one."""
    for day in range(3, days + 1):
        (name,) = connection.execute(f"SELECT CAST(DATE '{second}' + {day - 2} AS VARCHAR)").fetchone() or ("",)
        yield day, str(name)


def _copy(connection: duckdb.DuckDBPyConnection, rows: str, file: Path, day: int) -> None:
    """Write the rows of the second day as those of another one."""
    described = connection.execute(f"DESCRIBE FROM {rows}").fetchall()
    changed = _changed(described, day)
    replaced = f" REPLACE ({', '.join(changed)})" if changed else ""
    connection.execute(f"COPY (SELECT *{replaced} FROM {rows}) TO '{file}' (FORMAT parquet, COMPRESSION zstd)")


def _changed(described: list[tuple[Any, ...]], day: int) -> list[str]:
    ids = [
        f"regexp_replace({name}, '-2$', '-{day}') AS {name}" for name, *_ in described if name in {"app_id", "log_path"}
    ]
    times = [f'"{name}"' for name, kind, *_ in described if kind.startswith("TIMESTAMP")]
    return ids + [_SHIFT.format(column=name, days=day - 2) for name in times]


def _complete(connection: duckdb.DuckDBPyConnection, version: Path, days: int) -> None:
    """Enter the further days in the tables of harvests, logs and series of runs, and write these again."""
    connection.execute("SET search_path = 'internal,main'")
    further = f"range(3, {days + 1}) d(day)"
    for table in (HARVESTS, HARVESTED_LOGS):
        described = connection.execute(f"DESCRIBE {table.name}").fetchall()
        changed = [
            part.replace("'-3'", "'-' || day").replace("INTERVAL 1 DAY", "INTERVAL (day - 2) DAY")
            for part in _changed(described, 3)
        ]
        changed.append("day AS harvest_id")
        connection.execute(
            f"INSERT INTO {table.name} SELECT * EXCLUDE (day) REPLACE ({', '.join(changed)}) "
            f"FROM {table.name}, {further} WHERE harvest_id = 2"
        )
    connection.execute(
        f"UPDATE run_series SET last_seen = last_seen + INTERVAL {days - 2} DAY, run_count = run_count * {days} // 2 "
        "WHERE CAST(last_seen AS DATE) = (SELECT max(CAST(last_seen AS DATE)) FROM run_series)"
    )
    for name in (version / HARVESTS.name, version / INTERNAL / RUN_SERIES.name, version / HARVESTED_LOGS.name):
        for file in name.iterdir():
            file.unlink()
    for folder in (version / HARVESTS.name, version / INTERNAL / RUN_SERIES.name):
        connection.execute(f"COPY {folder.name} TO '{folder}/part-2.parquet' (FORMAT parquet, COMPRESSION zstd)")
    for group in range(days // 16 + 1):
        file = version / HARVESTED_LOGS.name / f"part-2-{group}.parquet"
        query = f"FROM {HARVESTED_LOGS.name} WHERE harvest_id // 16 = {group}"
        connection.execute(f"COPY ({query}) TO '{file}' (FORMAT parquet, COMPRESSION zstd)")


def night_of(store: Path, handed: Path, number: int) -> dict[str, Any]:
    """Harvest a night in a process of its own."""
    program = Path(__file__).with_name("many_nights.py")
    call = [sys.executable, str(program), "--one", str(store), str(handed), str(number)]
    found: dict[str, Any] = json.loads(subprocess.run(call, check=True, stdout=subprocess.PIPE, text=True).stdout)
    print_night(number, found)
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--copies", type=int, default=6)
    parser.add_argument("--logs", type=int, default=200)
    parser.add_argument("--statements", type=int, default=121)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--most", type=float, default=1.15)
    arguments = parser.parse_args()
    from store_speed import hand_over  # noqa: PLC0415 - the nights' processes need none of it

    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        one, handed, young, year = (Path(folder, name) for name in ("one", "handed", "young", "year"))
        one.mkdir()
        hand_over(one, arguments.logs, arguments.statements)
        multiply(one, handed, arguments.copies)
        for number in (1, 2):
            night_of(young, handed, number)
        subprocess.run(["cp", "-a", str(young), str(year)], check=True)
        begin = time.perf_counter()
        lengthen(year, arguments.days)
        size = sum(file.stat().st_size for file in (year / ".current").resolve().rglob("*") if file.is_file())
        with duckdb.connect(str((year / ".current").resolve() / "lineage.duckdb"), read_only=True) as connection:
            runs = f"read_parquet('{(year / '.current').resolve()}/{RUNS}/executions/*.parquet')"
            (count,) = connection.execute(f"SELECT count(*) FROM {runs}").fetchone() or (0,)
        print(
            f"{count} executions in {arguments.days} days, {size / 1e6:.0f} MB, "
            f"made in {time.perf_counter() - begin:.0f} s"
        )
        begin = time.perf_counter()
        checked = check_store(year)
        print(f"check: {checked}, {time.perf_counter() - begin:.0f} s"[:300])
        nights = {
            what: [night_of(store, handed, first + place) for place in range(3)]
            for what, store, first in (("young", young, 3), ("year", year, arguments.days + 1))
        }
        shutil.rmtree(year)
    early, late = middle(nights["young"]), middle(nights["year"])
    ratios = {name: late[name] / early[name] for name in early}
    print("a year to two nights: " + ", ".join(f"{name} {ratio:.2f}" for name, ratio in ratios.items()))
    raise SystemExit(int(any(ratio > arguments.most for ratio in ratios.values())))


if __name__ == "__main__":
    main()
