"""What the store costs of a night: `publish` alone, into a new store and into one that has the night already.

    PYTHONPATH=src python benchmarks/store_speed.py [--logs 200] [--statements 30] [--repeats 5] [--slowest 0]

The hand-over: runs of the real application of tests/sample_logs (made_logs.py), read in this process, in as many files
as a harvest of two cores leaves. Medians.
`--slowest N` lists the slowest SQL statements of the last run.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb

from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.harvest.checkpoints import Batch, NewStatement
from eventlog_lineage.harvest.extract import SplitPart, extract_split
from eventlog_lineage.harvest.row_batches import RowBatches
from eventlog_lineage.harvest.staging import Staging
from eventlog_lineage.harvest.statement_rows import add_lineage
from eventlog_lineage.store import writer
from eventlog_lineage.store.schema.creation import open_empty
from eventlog_lineage.store.writer import HarvestFacts, open_for_harvest
from made_logs import write_run
from measuring import median

SLICES = 8


def hand_over(folder: Path, logs: int, statements: int) -> None:
    """Read made-up logs into a staging folder."""
    with tempfile.TemporaryDirectory() as made:
        for number in range(logs):
            write_run(Path(made) / f"application_1700000000000_{number:06}.zstd", number, executions=statements)
        staging, batches, seen = Staging(folder), RowBatches(), set()
        found = list(find_logs([made]))
        for first in range(SLICES):
            shares = [SplitPart(log, 0, tuple(range(len(log.parts)))) for log in found[first::SLICES]]
            for record in extract_split(shares, {}):
                if isinstance(record, Batch):
                    staging.add(record.table, record.payload)
                elif isinstance(record, NewStatement) and record.statement.lineage_id not in seen:
                    seen.add(record.statement.lineage_id)
                    add_lineage(record, batches)
        for table, payload in batches.rest():
            staging.add(table, payload)
        staging.flush()


class Timed:
    """A connection whose statements are timed one by one."""

    def __init__(self, connection: Any, times: list[tuple[float, str]]) -> None:
        self._connection = connection
        self._times = times

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def __enter__(self) -> Timed:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def cursor(self) -> Timed:
        """Another connection to the same database, timed as well."""
        return Timed(self._connection.cursor(), self._times)

    def execute(self, query: str | duckdb.Statement, *parameters: Any) -> Any:
        """Run statements, each by itself; those that were parsed ahead are run as they are."""
        each_alone = isinstance(query, str) and not parameters
        for statement in duckdb.extract_statements(str(query)) if each_alone else [query]:
            begin = time.perf_counter()
            self._connection.execute(statement, *parameters)
            text = statement if isinstance(statement, str) else statement.query
            self._times.append((time.perf_counter() - begin, " ".join(text.split())))
        return self._connection


def published(store: Path, handed: Path) -> tuple[float, float]:
    """Publish a hand-over: seconds by the clock and of the processors."""
    with open_for_harvest(store) as writer:
        shutil.copytree(handed, writer.staging_dir, dirs_exist_ok=True)
        begin, used = time.perf_counter(), time.process_time()
        writer.publish(HarvestFacts(datetime(2027, 1, 1)))
        return time.perf_counter() - begin, time.process_time() - used


def runs(folder: Path, handed: Path, repeats: int) -> Iterator[list[tuple[float, float]]]:
    """The times of some nights, each into a new store and then into the same once more."""
    for number in range(repeats):
        yield [published(folder / f"store-{number}", handed) for _ in range(2)]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--logs", type=int, default=200)
    parser.add_argument("--statements", type=int, default=30)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--slowest", type=int, default=0)
    arguments = parser.parse_args()
    times: list[tuple[float, str]] = []
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "handed").mkdir()
        hand_over(folder / "handed", arguments.logs, arguments.statements)
        found = list(runs(folder, folder / "handed", arguments.repeats))
        if arguments.slowest:
            vars(writer)["open_empty"] = lambda *words: Timed(open_empty(*words), times)
            published(folder / "timed", folder / "handed")
    print(f"{arguments.logs * arguments.statements} executions of {arguments.logs} logs")
    for what, place in (("into a new store", 0), ("once more", 1)):
        clock, used = (median([each[place][kind] for each in found]) for kind in (0, 1))
        print(f"{what:20} {clock:6.2f} s, of the processors {used:6.2f} s")
    for seconds, text in sorted(times, reverse=True)[: arguments.slowest]:
        print(f"{seconds:8.3f} s  {text[:100]}")


if __name__ == "__main__":
    main()
