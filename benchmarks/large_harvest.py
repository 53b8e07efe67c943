"""What the driver needs for one harvest of 10,000,000 executions: time and memory of the store's work, by step.

    PYTHONPATH=src python benchmarks/large_harvest.py [--copies 413] [--folder FOLDER] [--most 1000] [--slowest 10]

The rows of one night (24,200 executions, made_logs.py, read without Spark) are handed to a new store so many times,
with other application ids and times. A process of its own publishes them. Prints the steps that took longest, with the
memory's peak in each of them; fails above --most megabytes. The tasks of a harvest leave the same files.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import duckdb

from eventlog_lineage.store import writer
from eventlog_lineage.store.fold import pipeline
from eventlog_lineage.store.fold.steps import Fold, Step

_LOGS, _STATEMENTS = 200, 121
_AT_ONCE = 50

_LONG = 1.0
"""Seconds of a step that is shown at once."""


def multiply(handed: Path, folder: Path, copies: int, milliseconds: int = 0) -> None:
    """Write the rows of a night several times, with other application ids.

    Args:
        handed: The rows, `<table>/*.parquet`.
        folder: Where the copies go.
        copies: How many.
        milliseconds: By how much each copy is later than the one before it.
    """
    with duckdb.connect() as connection:
        for table in sorted(path for path in handed.iterdir() if path.is_dir()):
            (folder / table.name).mkdir(parents=True)
            rows = f"read_parquet('{table}/*.parquet', union_by_name = true)"
            described = connection.execute(f"DESCRIBE FROM {rows}").fetchall()
            ids = [f'"{name}" || \'-\' || k AS "{name}"' for name, *_ in described if name in {"app_id", "log_path"}]
            times = [
                f'"{name}" + INTERVAL (k * {milliseconds}) MILLISECOND AS "{name}"'
                for name, kind, *_ in described
                if kind.startswith("TIMESTAMP")
            ]
            query = f"SELECT * EXCLUDE (k) REPLACE ({', '.join((*ids, *times))}) FROM {rows}, range"
            for first in range(0, copies, _AT_ONCE) if ids else (0,):
                part = f"{query}({first}, {min(first + _AT_ONCE, copies)}) r(k)" if ids else f"FROM {rows}"
                connection.execute(
                    f"COPY ({part}) TO '{folder / table.name}/part-{first}.parquet' (FORMAT parquet, COMPRESSION zstd)"
                )


def memory(kind: str) -> int:
    """Return megabytes of this process: VmHWM is the peak since `forget_peak`."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith(kind))


def forget_peak() -> None:
    """Begin the peak of this process's memory again."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def publish(store: Path, rows: Path, slowest: int) -> int:
    """Publish the rows; print the slowest steps, and return the peak of memory in megabytes."""
    found: list[tuple[float, float, int, str]] = []

    def timed(step: Step) -> Step:
        def run(fold: Fold) -> None:
            measured(step.name, lambda: step.run(fold))

        return replace(step, action=run)

    def measured(name: str, work: Callable[[], None]) -> None:
        forget_peak()
        begin, used = time.perf_counter(), time.process_time()
        try:
            work()
        finally:
            found.append((time.process_time() - used, time.perf_counter() - begin, memory("VmHWM"), name))
            if time.perf_counter() - begin > _LONG:
                print(f"{name}: {time.perf_counter() - begin:.1f} s, {memory('VmHWM')} MB", file=sys.stderr, flush=True)

    def exporting(name: str) -> None:
        export = getattr(writer, name)
        setattr(writer, name, lambda *given, **named: measured(name, lambda: export(*given, **named)))

    exporting("export_days")
    exporting("export_tables")
    pipeline.MERGE_STEPS = tuple(map(timed, pipeline.MERGE_STEPS))
    pipeline.FOLD_STEPS = tuple(map(timed, pipeline.FOLD_STEPS))
    begin, used = time.perf_counter(), time.process_time()
    try:
        with writer.open_for_harvest(store) as opened:
            for table in rows.iterdir():
                table.rename(opened.staging_dir / table.name)
            summary = opened.publish(writer.HarvestFacts(datetime(2027, 1, 1)))
        print(f"{summary.executions} executions, {time.perf_counter() - begin:.0f} s by the clock,", end=" ")
        print(f"{time.process_time() - used:.0f} s of the processors")
    finally:
        for cpu, clock, peak, name in sorted(found, reverse=True)[:slowest]:
            print(f"  {name:32} {clock:7.1f} s {cpu:7.1f} s of the processors {peak:5} MB")
    return max(memory("VmHWM"), *(peak for _, _, peak, _ in found))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--copies", type=int, default=413)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--most", type=int, default=1000)
    parser.add_argument("--slowest", type=int, default=10)
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        store, rows = map(Path, arguments.one)
        peak = publish(store, rows, arguments.slowest)
        print(f"driver {peak} MB")
        raise SystemExit(int(peak > arguments.most))
    from store_speed import hand_over  # noqa: PLC0415 - the store's process needs none of it

    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        handed, rows = Path(folder, "handed"), Path(folder, "rows")
        handed.mkdir()
        hand_over(handed, _LOGS, _STATEMENTS)
        multiply(handed, rows, arguments.copies, milliseconds=100)
        call = [sys.executable, __file__, "--one", f"{folder}/store", str(rows)]
        options = ["--most", str(arguments.most), "--slowest", str(arguments.slowest)]
        raise SystemExit(subprocess.run([*call, *options], check=False).returncode)


if __name__ == "__main__":
    main()
