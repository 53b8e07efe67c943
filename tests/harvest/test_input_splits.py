"""A night's work is spread evenly, however it is spread over logs."""

from __future__ import annotations

from collections import Counter

import pytest

from eventlog_lineage.events.sources.layouts import EventLog, Layout, LogPart
from eventlog_lineage.harvest.extract import InputSplits, split_logs

MIB = 1 << 20


def log(name: str, *sizes: int) -> EventLog:
    parts = tuple(LogPart(f"/logs/{name}/events_{n}_{name}", size, 0, n) for n, size in enumerate(sizes, 1))
    return EventLog(f"/logs/{name}", Layout.ROLLING if len(sizes) > 1 else Layout.SINGLE, parts)


def loads(sliced: InputSplits) -> list[int]:
    return [sum(share.bytes for share in each) for each in (*sliced.distributed, *sliced.whole)]


def test_every_part_is_read_once() -> None:
    logs = [log("huge", *[128 * MIB] * 40), *(log(f"small-{n}", n * MIB) for n in range(1, 60)), log("two", 9, 9)]
    sliced = split_logs(logs, 8)
    read = Counter(
        (share.number, part) for each in (*sliced.distributed, *sliced.whole) for share in each for part in share.parts
    )
    assert read == Counter((number, part) for number, each in enumerate(logs) for part in range(len(each.parts)))


@pytest.mark.parametrize("cores", [2, 8, 30])
def test_the_parts_of_a_huge_log_are_read_by_all_cores_at_once(cores: int) -> None:
    logs = [log("huge", *[128 * MIB] * 120), *(log(f"small-{n}", MIB) for n in range(100))]
    sliced = split_logs(logs, cores)
    assert len(sliced.distributed) >= cores
    assert max(loads(sliced)) <= sum(loads(sliced)) / cores * 1.2


@pytest.mark.parametrize("cores", [1, 2, 8])
def test_the_slices_that_are_read_last_are_small(cores: int) -> None:
    sliced = split_logs([log(f"night-{n}", 3 * MIB) for n in range(40 * cores)], cores)
    assert len(sliced.whole) == 2 * cores
    first, last = loads(sliced)[0], loads(sliced)[-1]
    assert last <= first / 3
    assert first <= sum(loads(sliced)) / cores * 0.8


def test_a_small_log_stays_in_one_task() -> None:
    sliced = split_logs([log("huge", *[128 * MIB] * 10), log("small", MIB, MIB, MIB)], 2)
    assert [share.number for each in sliced.whole for share in each] == [1]
    assert {share.number for each in sliced.distributed for share in each} == {0}
