"""Makes a large event log out of a small one: its events again and again, under new execution ids, among task events.

Usage: `python scripts/make_large_log.py LARGE [--gigabytes 2] [--sample tests/sample_logs/nightly-sales-3-5.zstd]`.
LARGE is written as plain text, or as Spark writes zstd (a frame per flush) if its name ends in `.zstd`.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import zstandard

from eventlog_lineage.events.compression import Decoding

SAMPLE = Path(__file__).resolve().parent.parent / "tests" / "sample_logs" / "nightly-sales-3-5.zstd"
_IDS = re.compile(rb'("(?:executionId|rootExecutionId|Job ID|Stage ID|spark\.sql\.execution(?:\.root)?\.id)":"?)(\d+)')
_FRAME = 1 << 20
_TASKS_PER_EVENT = 12


def main() -> None:
    """Write the log."""
    parser = argparse.ArgumentParser()
    parser.add_argument("large", type=Path)
    parser.add_argument("--gigabytes", type=float, default=2.0, help="of text")
    parser.add_argument("--sample", type=Path, default=SAMPLE)
    options = parser.parse_args()
    with options.large.open("wb") as out:
        executions = write(out, options.sample, int(options.gigabytes * 1e9), packed=options.large.suffix == ".zstd")
    print(f"{options.large}: {options.large.stat().st_size} bytes, {executions} SQL executions")


def write(out: BinaryIO, sample: Path, size: int, *, packed: bool) -> int:
    """Write a log of some size; gives the number of its SQL executions."""
    with sample.open("rb") as stream:
        lines = b"".join(Decoding(stream)).splitlines(keepends=True)
    head = [
        line for line in lines[:40] if line.startswith((b'{"Event":"SparkListenerLog', b'{"Event":"SparkListenerApp'))
    ]
    ends = [line for line in lines if line.startswith(b'{"Event":"SparkListenerApplicationEnd')]
    tasks = [line for line in lines if b"TaskEnd" in line[:40]]
    body = [line for line in lines if line not in set(head + ends) and b"SparkListenerTask" not in line[:30]]
    compressor = zstandard.ZstdCompressor(level=1)
    executions = written = 0
    for piece in _pieces(head, body, tasks, ends, size):
        executions += piece.count(b"SparkListenerSQLExecutionStart")
        written += len(piece)
        out.write(compressor.compress(piece) if packed else piece)
    return executions


def _pieces(head: list[bytes], body: list[bytes], tasks: list[bytes], ends: list[bytes], size: int) -> Iterator[bytes]:
    """The log's text in pieces of about a frame."""
    held, length, written, turn = list(head), 0, 0, 0
    while written < size:
        for place, line in enumerate(body):
            moved = _IDS.sub(lambda match: match[1] + str(int(match[2]) + turn * 1000).encode(), line)  # noqa: B023
            held += [moved, *(tasks[(place + number) % len(tasks)] for number in range(_TASKS_PER_EVENT))]
            length += len(moved) + _TASKS_PER_EVENT * len(tasks[0])
            if length >= _FRAME:
                yield b"".join(held)
                written += length
                held, length = [], 0
            if written >= size:
                break
        turn += 1
    yield b"".join((*held, *ends))


if __name__ == "__main__":
    main()
