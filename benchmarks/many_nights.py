"""What equal nights cost, one after another: time, bytes written and memory of the store's work, by stage.

    PYTHONPATH=src python benchmarks/many_nights.py [--nights 60] [--logs 200] [--statements 121] [--pairs 5]

One night's logs (made_logs.py) are read once, without Spark. Each night hands the same rows to the store, as a harvest
does: with other application ids, a day later, and with the lineages only in the first night. A night is a process of
its own, as cron starts one. Bytes are those of all write calls; memory is the process's peak. Prints some nights, and
the ratio of the last night to night 3. The machine may become slower in the minutes between them: afterwards
both are repeated in turn, on copies of the store as it was before each. Fails where a ratio of these is above --most.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb

from eventlog_lineage.store.writer import HarvestFacts, open_for_harvest

FIRST = datetime(2027, 1, 1)
"""The day of the first night."""

_OF_LINEAGES = (
    "lineages",
    "lineage_edges",
    "lineage_io",
    "lineage_schemas",
    "lineage_gaps",
    "plan_nodes",
    "shown_datasets",
)
"""Tables that a harvest hands over for combinations of plans that the store does not know."""

_BASE = 3
"""The night that the last one is compared with: the first ones bring the lineages and the second day."""


_LISTED = 1_400
"""Known logs that a night lists: a History Server keeps those of seven days (`spark.history.fs.cleaner.maxAge`)."""


def hand_over_night(handed: Path, staging: Path, night: int) -> None:
    """Write the rows of the first night as those of another night.

    Args:
        handed: The first night's rows, `<table>/*.parquet`.
        staging: Where the rows of this night go.
        night: From 1.
    """
    with duckdb.connect() as connection:
        for folder in sorted(path for path in handed.iterdir() if path.is_dir()):
            if night > 1 and folder.name in _OF_LINEAGES:
                continue
            files = f"{folder}/*.parquet"
            described = connection.execute(f"DESCRIBE FROM read_parquet('{files}', union_by_name = true)").fetchall()
            changed = [_changed(name, kind, night) for name, kind, *_ in described]
            replaced = f" REPLACE ({', '.join(filter(None, changed))})" if any(changed) else ""
            (staging / folder.name).mkdir()
            connection.execute(
                f"COPY (SELECT *{replaced} FROM read_parquet('{files}', union_by_name = true)) "
                f"TO '{staging / folder.name}/part-0.parquet' (FORMAT parquet)"
            )


def _changed(name: str, kind: str, night: int) -> str:
    """Return the expression for a column that differs from night to night; empty for others."""
    if name in {"app_id", "log_path"}:
        return f'"{name}" || \'-{night}\' AS "{name}"'
    if kind.startswith("TIMESTAMP"):
        return f'"{name}" + INTERVAL {night - 1} DAY AS "{name}"'
    return ""


def bytes_written() -> int:
    """Return the bytes of all write calls of this process so far."""
    lines = Path("/proc/self/io").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("wchar"))


def measured_night(store: Path, handed: Path, night: int) -> dict[str, Any]:
    """Harvest a night; give seconds and bytes by stage, and the peak of memory before and during it."""
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder)
        hand_over_night(handed, rows, night)
        return _measured(store, rows, FIRST + timedelta(days=night, hours=12), listed_paths(store))


def listed_paths(store: Path) -> list[str]:
    """Return the paths of the logs that a night lists and that earlier nights harvested."""
    if not (store / ".current").exists():
        return []
    query = f"SELECT log_path FROM harvested_logs ORDER BY harvest_id DESC LIMIT {_LISTED}"
    with duckdb.connect(f"{store}/.current/lineage.duckdb", read_only=True) as connection:
        return [path for (path,) in connection.execute(query).fetchall()]


def _measured(store: Path, rows: Path, at: datetime, listed: list[str]) -> dict[str, Any]:
    used = time.process_time()
    marks = [("open", time.perf_counter(), bytes_written())]

    def mark(stage: str) -> None:
        marks.append((stage, time.perf_counter(), bytes_written()))

    with open_for_harvest(store) as writer:
        known = [writer.known_logs(listed), *map(list, (writer.known_lineages(), writer.known_places()))]
        for table in rows.iterdir():
            table.rename(writer.staging_dir / table.name)
        summary = writer.publish(HarvestFacts(at), on_step=mark)
        mark("close")
    mark("end")
    return {
        "stages": {name: (end - begin, after - before) for (name, begin, before), (_, end, after) in pairwise(marks)},
        "processors": time.process_time() - used,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "executions": summary.executions,
        "known": list(map(len, known)),
    }


def print_night(night: int, found: dict[str, Any]) -> None:
    """Print a line for a night."""
    stages = found["stages"]
    seconds, written = (sum(stage[kind] for stage in stages.values()) for kind in (0, 1))
    parts = "  ".join(f"{name} {took:.2f} s {size / 1e6:.1f} MB" for name, (took, size) in stages.items())
    print(
        f"night {night:3}  {seconds:6.2f} s {found['processors']:6.2f} s of the processors {written / 1e6:6.1f} MB"
        f" {found['memory']:5} MB of memory   {parts}",
        flush=True,
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nights", type=int, default=60)
    parser.add_argument("--logs", type=int, default=200)
    parser.add_argument("--statements", type=int, default=121)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--most", type=float, default=1.15)
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        store, handed, number = arguments.one
        print(json.dumps(measured_night(Path(store), Path(handed), int(number))))
        return
    from store_speed import hand_over  # noqa: PLC0415 - the nights' processes need none of it

    with tempfile.TemporaryDirectory() as folder:
        store, handed = Path(folder, "store"), Path(folder, "handed")
        handed.mkdir()
        hand_over(handed, arguments.logs, arguments.statements)
        nights: dict[int, dict[str, Any]] = {}
        for night in range(1, arguments.nights + 1):
            if night in {_BASE, arguments.nights}:
                copy_store(store, kept_before(store, night))
            nights[night] = night_apart(store, handed, night)
            if night <= _BASE + 1 or night % 10 == 0 or night == arguments.nights:
                print_night(night, nights[night])
        last = arguments.nights
        early, late = ([nights[night] for night in range(first, first + 3)] for first in (_BASE, last - 2))
        compared(f"night {last} to night {_BASE}", early, late, arguments.most)
        pairs = [[repeated(store, handed, night) for night in (_BASE, last)] for _ in range(arguments.pairs)]
        early, late = ([pair[place] for pair in pairs] for place in (0, 1))
        above = compared("the same in turn", early, late, arguments.most)
    raise SystemExit(above)


def night_apart(store: Path, handed: Path, night: int) -> dict[str, Any]:
    """Harvest a night in a process of its own; give what `measured_night` gives."""
    call = [sys.executable, __file__, "--one", str(store), str(handed), str(night)]
    found: dict[str, Any] = json.loads(subprocess.run(call, check=True, stdout=subprocess.PIPE, text=True).stdout)
    return found


def kept_before(store: Path, night: int) -> Path:
    """Return where the store is kept as it was before a night."""
    return store.with_name(f"before-{night}")


def copy_store(source: Path, target: Path) -> None:
    """Copy a store with its hard links: what a night removes or moves depends on which versions share a file."""
    subprocess.run(["cp", "-a", str(source), str(target)], check=True)


def repeated(store: Path, handed: Path, night: int) -> dict[str, Any]:
    """Harvest a night again into the store as it was before it, in the same place: a moved store is repaired first."""
    shutil.rmtree(store)
    copy_store(kept_before(store, night), store)
    os.sync()
    return night_apart(store, handed, night)


def compared(what: str, early: list[dict[str, Any]], late: list[dict[str, Any]], most: float) -> int:
    """Print the ratios of late nights to early ones, of medians; give 1 if one is above the limit."""
    before, after = middle(early), middle(late)
    ratios = {name: after[name] / before[name] for name in before}
    print(f"{what}: " + ", ".join(f"{name} {ratio:.2f}" for name, ratio in ratios.items()))
    return int(any(ratio > most for ratio in ratios.values()))


def middle(nights: list[dict[str, Any]]) -> dict[str, float]:
    """Return the medians of some nights."""
    totals = [[sum(stage[kind] for stage in night["stages"].values()) for night in nights] for kind in (0, 1)]
    others = [[night[name] for night in nights] for name in ("processors", "memory")]
    names = ("time", "bytes written", "time of the processors", "memory")
    return {name: statistics.median(values) for name, values in zip(names, (*totals, *others), strict=True)}


if __name__ == "__main__":
    main()
