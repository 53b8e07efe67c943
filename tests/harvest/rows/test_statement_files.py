"""The task of a small night that ends last traces the new statements of all tasks, if they are few."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest

from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.harvest.extract import Batch, NewStatement, Progress, Record, extract_split
from eventlog_lineage.harvest.input_splits import SplitPart
from eventlog_lineage.harvest.rows.statement_files import AllTraced, StatementFiles
from support.stores.samples import ROLLING

ROWS = Batch("lineages", b"rows")


@pytest.fixture(scope="module")
def found() -> list[NewStatement]:
    """The new statements of a log."""
    (log,) = find_logs([str(ROLLING)])
    records = extract_split([SplitPart(log, 0, tuple(range(len(log.parts))))], {})
    return [record for record in records if isinstance(record, NewStatement)]


@pytest.fixture
def files(tmp_path: Path) -> StatementFiles:
    return StatementFiles(str(tmp_path), tasks=2, buckets=3, few_bytes=1 << 20)


def names(statements: Iterable[NewStatement]) -> list[str]:
    return sorted(each.statement.lineage_id for each in statements)


Tracer = Callable[[Iterable[NewStatement]], Iterator[Record]]


@pytest.fixture
def traced() -> list[NewStatement]:
    """What `tracer` was given."""
    return []


@pytest.fixture
def tracer(traced: list[NewStatement]) -> Tracer:
    def trace(new: Iterable[NewStatement]) -> Iterator[Record]:
        traced.extend(new)
        yield ROWS

    return trace


def test_the_task_that_ends_last_traces_what_all_have_found(
    files: StatementFiles, found: list[NewStatement], tracer: Tracer, traced: list[NewStatement]
) -> None:
    first = list(files.take([*found[:2], Progress(1, 5)], tracer))
    assert (first, traced) == ([Progress(1, 5)], [])

    last = list(files.take([Progress(1, 7), *found[1:]], tracer))
    assert last == [Progress(1, 7), ROWS, AllTraced()]
    assert names(traced) == names([*found[:2], *found[1:]])
    assert len(found) > 3


@pytest.mark.parametrize("repetition", range(20))
def test_of_tasks_that_end_at_once_one_traces_all(
    found: list[NewStatement], tmp_path: Path, tracer: Tracer, traced: list[NewStatement], repetition: int
) -> None:
    files = StatementFiles(str(tmp_path), tasks=8, buckets=3, few_bytes=1 << 20)
    with ThreadPoolExecutor(8) as pool:
        ended = list(pool.map(lambda _: list(files.take(found, tracer)), range(8)))
    assert sorted(map(len, ended)) == [0] * 7 + [2]
    assert names(traced) == names(found * 8)


def test_many_statements_wait_for_a_later_job_each_in_one_bucket(
    files: StatementFiles, found: list[NewStatement], tracer: Tracer, traced: list[NewStatement]
) -> None:
    small = replace(files, few_bytes=10)
    assert list(small.take(found, tracer)) == list(small.take(found[:1], tracer)) == traced == []
    buckets = [names(small.read(bucket)) for bucket in range(3)]
    assert sorted(chain(*buckets)) == names([*found, found[0]])
    assert sum(len(set(bucket)) for bucket in buckets) == len(found)


def test_a_task_that_spark_repeats_traces_nothing(
    files: StatementFiles, found: list[NewStatement], tracer: Tracer, traced: list[NewStatement]
) -> None:
    """If the results of the task that traced are lost, a later job traces."""
    for _ in range(3):
        last = list(files.take(found, tracer))
    assert (last, len(traced)) == ([], 2 * len(found))
    assert names(chain(*map(files.read, range(3)))) == names(found * 3)


def test_what_a_task_leaves_that_fails_is_not_read(
    files: StatementFiles, found: list[NewStatement], tracer: Tracer
) -> None:
    def failing() -> Iterator[Record]:
        yield from found
        raise RuntimeError("the log is damaged")

    with pytest.raises(RuntimeError, match="damaged"):
        list(files.take(failing(), tracer))
    assert list(files.read()) == []
    assert len(list(Path(files.folder).iterdir())) > 0
