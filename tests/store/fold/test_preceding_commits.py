"""The snapshot that a read must have read, compared with a plain reading of the commits around it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

import duckdb
import pytest

from eventlog_lineage.store.schema.relations import sql_text

START = datetime(2026, 11, 20)


@dataclass(frozen=True)
class Commit:
    snapshot: str
    at: int
    is_commit: bool
    is_current: bool
    files: int | None
    bytes: int | None


@dataclass(frozen=True)
class Read:
    execution: int
    started: int | None
    ended: int | None
    files: int | None
    bytes: int | None
    made: frozenset[str]
    """The snapshots that the statement itself committed."""


def preceding(read: Read, commits: list[Commit]) -> str | None:
    """Return the snapshot that the read must have read, one commit after the other."""
    if read.started is None or read.ended is None:
        return None
    current = max((each for each in commits if each.is_current and each.at < read.started), key=at, default=None)
    later = min((each for each in commits if each.is_current and each.at >= read.started), key=at, default=None)
    if current is None or (later and later.at <= read.ended and later.snapshot not in read.made):
        return None
    possible = [
        each
        for each in commits
        if each.is_commit
        and each.at < read.started
        and not (read.files is not None and each.files is not None and read.files > each.files)
        and not (read.bytes is not None and each.bytes is not None and read.bytes > each.bytes)
    ]
    if not any(each.snapshot == current.snapshot for each in possible):
        return None
    is_whole = read.files is not None and (current.files, current.bytes) == (read.files, read.bytes)
    return current.snapshot if len(possible) == 1 or (is_whole and read.bytes is not None) else None


def at(commit: Commit) -> int:
    return commit.at


def some_commits(chance: random.Random) -> list[Commit]:
    sizes = [None, 1, 2]
    return [
        Commit(f"s{at}", at, chance.random() < 0.9, chance.random() < 0.9, chance.choice(sizes), chance.choice(sizes))
        for at in chance.sample(range(30), chance.randint(0, 6))
    ]


def some_reads(chance: random.Random, commits: list[Commit]) -> Iterator[Read]:
    for execution in range(20):
        started = chance.choice([None, *range(30)])
        ended = None if started is None or chance.random() < 0.1 else started + chance.randint(0, 6)
        made = frozenset(each.snapshot for each in commits if chance.random() < 0.2)
        yield Read(execution, started, ended, chance.choice([None, 1, 2]), chance.choice([None, 1, 2]), made)


def time(second: int | None) -> datetime | None:
    return None if second is None else START + timedelta(seconds=second)


@pytest.mark.parametrize("number", range(20))
def test_a_read_has_the_snapshot_that_the_commits_around_it_leave(number: int) -> None:
    chance = random.Random(number)
    datasets = {name: some_commits(chance) for name in ("orders", "lines")}
    expected = set()
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE named_commits (dataset VARCHAR, snapshot_id VARCHAR, committed_at TIMESTAMP, "
            "is_commit BOOLEAN, is_current BOOLEAN, files BIGINT, bytes BIGINT);"
            "CREATE TABLE matched_commits (app_id VARCHAR, attempt_id VARCHAR, execution_id BIGINT, dataset VARCHAR, "
            "snapshot_id VARCHAR);"
            "CREATE TABLE dataset_io (app_id VARCHAR, attempt_id VARCHAR, execution_id BIGINT, dataset VARCHAR, "
            "direction VARCHAR, snapshot_id VARCHAR, bytes BIGINT, files BIGINT);"
            "CREATE TABLE executions (app_id VARCHAR, attempt_id VARCHAR, execution_id BIGINT, started_at TIMESTAMP, "
            "ended_at TIMESTAMP, status VARCHAR)"
        )
        for dataset, commits in datasets.items():
            for each in commits:
                values = [dataset, each.snapshot, time(each.at), each.is_commit, each.is_current]
                connection.execute(
                    "INSERT INTO named_commits VALUES (?, ?, ?, ?, ?, ?, ?)", [*values, each.files, each.bytes]
                )
            for read in some_reads(chance, commits):
                statement = [dataset, "", read.execution]
                connection.execute(
                    "INSERT INTO executions VALUES (?, ?, ?, ?, ?, 'succeeded')",
                    [*statement, time(read.started), time(read.ended)],
                )
                connection.execute(
                    "INSERT INTO dataset_io VALUES (?, ?, ?, ?, 'read', NULL, ?, ?)",
                    [*statement, dataset, read.bytes, read.files],
                )
                for snapshot in read.made:
                    connection.execute(
                        "INSERT INTO matched_commits VALUES (?, ?, ?, ?, ?)", [*statement, dataset, snapshot]
                    )
                if snapshot := preceding(read, commits):
                    expected.add((dataset, read.execution, snapshot))
        connection.execute(sql_text("merge/preceding_commits"))
        found = connection.execute("SELECT dataset, execution_id, snapshot_id FROM preceding_commits").fetchall()
    assert set(found) == expected
    assert len(found) == len(expected)
