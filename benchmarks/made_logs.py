"""Event logs made in any size from a real one: the nights of a warehouse, for measuring.

The real log is tests/sample_logs/nightly-sales-3-5.zstd, 121 statements of Spark 3.5. A copy of it is another run of
the same application: other application id, other attribute ids, the same plans. Task events are `extract_speed`'s.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import zstandard

from extract_speed import TASKS, task

SAMPLE = Path(__file__).resolve().parent.parent / "tests" / "sample_logs" / "nightly-sales-3-5.zstd"
APP_ID = b"local-1795253896885"

_PLAN = re.compile(rb'"physicalPlanDescription":"(?:[^"\\]|\\.)*"')
_ATTRIBUTE = re.compile(rb"#(\d+)")
_EXECUTION = re.compile(rb'"(executionId|rootExecutionId)":(\d+)')
_STATEMENT = re.compile(rb'\{"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecution(?:Start|End)"')


@cache
def sample_lines() -> tuple[bytes, ...]:
    """The lines of the real log, with their line feeds."""
    reader = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(SAMPLE.read_bytes()), read_across_frames=True)
    return tuple(reader.read().splitlines(keepends=True))


def run_lines(number: int, executions: int | None = None) -> Iterator[bytes]:
    """The lines of another run of the real application.

    Args:
        number: The run's; it varies the application's id and the attributes' ids.
        executions: The application ends before this statement; None for all of them.
    """
    app_id = b"application_1700000000000_%06d" % number

    def shifted(plan: re.Match[bytes]) -> bytes:
        return _ATTRIBUTE.sub(lambda match: b"#%d" % (int(match[1]) + number), plan[0])

    for line in sample_lines():
        found = _EXECUTION.search(line, 0, 200) if executions is not None else None
        if found is not None and executions is not None and int(found[2]) >= executions:
            break
        yield _PLAN.sub(shifted, line).replace(APP_ID, app_id)
    else:
        return
    yield sample_lines()[-1]


@cache
def task_lines() -> bytes:
    """The lines of 2,000 tasks."""
    return b"".join(task(stage, stage * TASKS + number) for stage in range(10) for number in range(TASKS))


def write_run(path: Path, number: int, size: int = 0, executions: int | None = None, compressed: bool = True) -> int:
    """Write a run's log.

    Args:
        path: The file.
        number: See `run_lines`.
        size: Bytes of text that it should have at least; task events fill it up.
        executions: See `run_lines`.
        compressed: With zstd; else plain text.

    Returns:
        Its bytes of text.
    """
    *lines, last = run_lines(number, executions)
    text = b"".join(lines)
    while len(text) < size:
        tasks = task_lines()
        text += tasks if len(text) + len(tasks) <= size else tasks[: tasks.find(b"\n", size - len(text)) + 1]
    text += last
    path.write_bytes(zstandard.compress(text, 1) if compressed else text)
    return len(text)


def statement_lines(first: int, count: int) -> Iterator[bytes]:
    """The Start and End lines of as many statements as wanted, their ids counted from `first`; the plans are short."""
    starts = [line for line in sample_lines() if _STATEMENT.match(line) and b"SQLExecutionStart" in line[:90]]
    short = sorted(starts, key=len)[:20]
    finals = [line for line in sample_lines() if b"SQLExecutionEnd" in line[:90]]
    ends = {match[2]: line for line in finals if (match := _EXECUTION.search(line))}
    pairs = [(start, ends[match[2]]) for start in short if (match := _EXECUTION.search(start))]
    for number in range(first, first + count):
        start, end = pairs[number % len(pairs)]
        here = b'"\\1":%d' % number
        yield _EXECUTION.sub(here, start, 2)
        yield _EXECUTION.sub(here, end, 1)


def write_statements(path: Path, number: int, count: int, tasks: int = 0) -> int:
    """Write a log of many statements.

    Args:
        path: The file; compressed with zstd, a frame per flush as Spark makes them.
        number: The application's.
        count: How many statements.
        tasks: Bytes of task events that it should have at least, spread between the statements.

    Returns:
        Its bytes of text.
    """
    compressor = zstandard.ZstdCompressor(level=1)
    head = [line for line in sample_lines()[:8] if b"SQLExecution" not in line[:90]]
    app_id = b"application_1700000000000_%06d" % number
    frame = compressor.compress(task_lines()) if tasks else b""
    text = filled = 0
    with path.open("wb") as log:
        for place, line in enumerate([*head, *statement_lines(0, count), sample_lines()[-1]]):
            made = line.replace(APP_ID, app_id)
            log.write(compressor.compress(made))
            text += len(made)
            while filled * 2 * count < place * tasks:
                log.write(frame)
                filled += len(task_lines())
    return text + filled
