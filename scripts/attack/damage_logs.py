"""Damage logs in many ways; no log may cost another one a row, and nothing may be an error of the program.

    python scripts/attack/damage_logs.py [--logs 1000] [--seed 1]

Takes small logs of real Sparks in all codecs, damages each in one way (bits flipped, cut, bytes repeated, removed,
swapped or replaced by noise, parts of another log put in), and reads twenty of them and an undamaged one as a task of
the harvest does. Every log must have its row in `harvested_logs`, the undamaged one the rows that it has alone, and
no gap may be an `internal_error`. Prints the states of the damaged logs, and exits with 1 if something is wrong.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from attack import ROOT, exit_code, options
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.harvest.checkpoints import Batch
from eventlog_lineage.harvest.extract import SplitPart, extract_split
from eventlog_lineage.harvest.row_batches import unpack

SEEDS = sorted(
    path
    for path in (ROOT / "tests" / "events" / "logs").glob("*/*")
    if path.is_file() and 0 < path.stat().st_size < 150_000 and path.suffix not in (".truth", ".json", ".md")
)
TOGETHER = 20
Rows = dict[str, list[tuple[object, ...]]]


def flip(content: bytearray, rnd: random.Random) -> None:
    """Flip some bits."""
    for _ in range(rnd.choice((1, 3, 100))):
        content[rnd.randrange(len(content))] ^= 1 << rnd.randrange(8)


def cut(content: bytearray, rnd: random.Random) -> None:
    """Remove the end."""
    del content[rnd.randrange(len(content)) :]


def behead(content: bytearray, rnd: random.Random) -> None:
    """Remove the beginning."""
    del content[: rnd.randrange(len(content))]


def repeat(content: bytearray, rnd: random.Random) -> None:
    """Repeat a piece."""
    start, end = _piece(content, rnd)
    content[start:start] = content[start:end] * rnd.choice((1, 2, 50))


def remove(content: bytearray, rnd: random.Random) -> None:
    """Remove a piece."""
    start, end = _piece(content, rnd)
    del content[start:end]


def swap(content: bytearray, rnd: random.Random) -> None:
    """Move a piece elsewhere."""
    start, end = _piece(content, rnd)
    piece = content[start:end]
    del content[start:end]
    at = rnd.randrange(len(content) + 1)
    content[at:at] = piece


def noise(content: bytearray, rnd: random.Random) -> None:
    """Replace a piece by noise, zeros or the separators of JSON."""
    start, end = _piece(content, rnd)
    content[start:end] = rnd.choice(
        (rnd.randbytes(end - start), bytes(end - start), b"\n" * (end - start), b'{"' * (end - start))
    )


def graft(content: bytearray, rnd: random.Random) -> None:
    """Put a piece of another log in."""
    other = bytearray(rnd.choice(SEEDS).read_bytes())
    start, end = _piece(other, rnd)
    at = rnd.randrange(len(content) + 1)
    content[at:at] = other[start:end]


WAYS: Sequence[Callable[[bytearray, random.Random], None]] = (flip, cut, behead, repeat, remove, swap, noise, graft)


def _piece(content: bytearray, rnd: random.Random) -> tuple[int, int]:
    start = rnd.randrange(len(content))
    return start, min(len(content), start + rnd.choice((1, 16, 300, 5_000)))


def read(paths: Sequence[Path]) -> Rows:
    """Read logs as one task of a harvest does; return the rows of each log, by its path."""
    logs = list(find_logs([str(path) for path in paths]))
    parts = [SplitPart(log, number, tuple(range(len(log.parts)))) for number, log in enumerate(logs)]
    by_application: dict[object, list[tuple[object, ...]]] = {}
    paths_of: dict[object, list[str]] = {}
    for record in extract_split(parts, {}):
        if isinstance(record, Batch):
            for row in unpack(record.payload).to_pylist():
                key = row.get("app_id")
                by_application.setdefault(key, []).append((record.table, *map(repr, row.values())))
                if record.table == "harvested_logs":
                    paths_of.setdefault(key, []).append(row["log_path"])
    return {path: by_application[key] for key, found in paths_of.items() for path in found}


def attack(count: int, seed: int) -> Iterator[str]:
    """Damage and read so many logs; give what goes wrong."""
    rnd = random.Random(seed)
    whole = next(path for path in SEEDS if path.parent.name == "none-3.0.3")
    (alone,) = read([whole]).values()
    states: Counter[str] = Counter()
    damaged: Counter[str] = Counter()
    for begun in range(0, count, TOGETHER):
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for number in range(begun, min(begun + TOGETHER, count)):
                way, source = rnd.choice(WAYS), rnd.choice([path for path in SEEDS if path != whole])
                content = bytearray(source.read_bytes())
                way(content, rnd)
                path = Path(folder, f"{number:05}-{source.name}")
                path.write_bytes(content)
                paths.append(path)
                damaged[way.__name__] += 1
            try:
                found = read([whole, *paths])
            except Exception as error:
                yield f"logs {begun} to {begun + TOGETHER}: {type(error).__name__}: {error}"
                continue
        missing = {str(path) for path in paths} - found.keys()
        if missing:
            yield f"logs without a row: {sorted(missing)}"
        if set(alone) - set(found[str(whole)]):
            yield f"logs {begun} to {begun + TOGETHER}: the undamaged log loses rows"
        for path, rows in found.items():
            for table, *values in rows:
                if table == "gaps" and "'internal_error'" in values:
                    yield f"an internal error: {values}"
                if table == "harvested_logs" and repr(path) in values and path != str(whole):
                    states[next(value.strip("'") for value in values if value.strip("'") in STATES)] += 1
    print(f"{count} damaged logs: {dict(sorted(damaged.items()))}")
    print(f"their states: {dict(sorted(states.items()))}")


STATES = ("complete", "in_progress", "truncated", "compacted", "unreadable")


def main() -> int:
    """Print what was damaged and what went wrong."""
    given = options(__doc__, logs=1000, seed=1)
    return exit_code(attack(given.logs, given.seed), "nothing lost, no error")


if __name__ == "__main__":
    sys.exit(main())
