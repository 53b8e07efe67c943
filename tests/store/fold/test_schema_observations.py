"""What is selected of a dataset's observations makes the history that all of them make."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from eventlog_lineage.history.columns import SchemaHistory, TimedObservation
from eventlog_lineage.history.evolution import evolve
from eventlog_lineage.history.job_names import JobNameRule
from eventlog_lineage.observed_schemas import StoredObservation, from_stored, read_columns
from eventlog_lineage.store.fold.steps import Fold, sql_step

TABLE = "spark_catalog.db.t"

COLUMNS = "STRUCT(name VARCHAR, data_type VARCHAR, derivation VARCHAR)[]"

LISTS = (
    ("overwrite", "all", "x:int y:int"),
    ("overwrite", "all", "x:int y:int@other"),
    ("overwrite", "all", "x y"),
    ("overwrite", "all", "y:int x:int"),
    ("overwrite", "all", "x:int y:string"),
    ("overwrite", "all", "x:int y:int z:int"),
    ("create", "all", "x:int y:int s:struct<a:int,b:int>"),
    ("create", "all", "x:int y:int s:struct<a:int>"),
    ("relation", "all", "x y"),
    ("relation", "all", "x y s"),
    ("append", "all", "x:int y"),
    ("append", "some", "x:int"),
    ("append", "some", "x:int z:int"),
    ("read", "some", "x:int y:int"),
    ("read", "some", "y:string"),
    ("read", "some", "w:int"),
    ("read", "some", "s:struct<a:int>"),
    ("read", "some", "x:int s:struct<a:int,b:int>"),
    ("read", "some", "s"),
    ("create", "none", ""),
    ("drop", "dropped", ""),
)
"""What statements show: evidence, extent and columns as `name:type@derivation`."""


@dataclass(frozen=True)
class Seen:
    """A statement of a job at a time shows one of `LISTS`."""

    minute: int
    shown: int
    job: str


@st.composite
def nights(draw: st.DrawFn) -> list[Seen]:
    """Some nights of some jobs, most of which show the same each night; sometimes one shows something else."""
    jobs = draw(st.lists(st.integers(0, len(LISTS) - 1), min_size=1, max_size=4))
    made = []
    for night in range(draw(st.integers(2, 6))):
        for number, usual in enumerate(jobs):
            other = draw(st.sampled_from([None, None, None, None, *range(len(LISTS))]))
            made.append(Seen(night * 10 + number, usual if other is None else other, f"job {number % 3}"))
    return made


class Selection:
    """A connection with the relations that the step reads."""

    def __init__(self) -> None:
        self.connection = duckdb.connect()
        self.connection.execute("SET threads = 1")
        self.connection.execute(
            'CREATE TABLE lineage_schemas (lineage_id VARCHAR, "position" INTEGER, ordered BOOLEAN,'
            f" columns {COLUMNS});"
            'CREATE TABLE named_schemas (lineage_id VARCHAR, "position" INTEGER, dataset VARCHAR, content VARCHAR,'
            " is_repeatable BOOLEAN, is_complete BOOLEAN, is_read BOOLEAN, is_hashed BOOLEAN, is_creation BOOLEAN);"
            "CREATE TABLE open_runs (lineage_id VARCHAR, job_name VARCHAR, first_seen TIMESTAMP, ended_at TIMESTAMP,"
            " app_id VARCHAR, attempt_id VARCHAR, execution_id BIGINT, description VARCHAR, succeeded BOOLEAN);"
            "CREATE TABLE open_executions (app_id VARCHAR, attempt_id VARCHAR, execution_id BIGINT);"
            "CREATE TABLE rebuilt_datasets (dataset VARCHAR);"
            'CREATE TABLE schema_observations (lineage_id VARCHAR, "position" INTEGER, job_name VARCHAR,'
            " seen_at TIMESTAMP, app_id VARCHAR, attempt_id VARCHAR, execution_id BIGINT, description VARCHAR);"
            "CREATE TABLE selected_observations (dataset VARCHAR, lineage_id VARCHAR, position INTEGER, app_id VARCHAR,"
            " attempt_id VARCHAR, execution_id BIGINT, is_conflicting BOOLEAN, content VARCHAR, is_repeatable BOOLEAN,"
            " is_complete BOOLEAN, job_name VARCHAR, seen_at TIMESTAMP, description VARCHAR);"
            "CREATE TABLE changed_observations (dataset VARCHAR, content VARCHAR, is_repeatable BOOLEAN,"
            ' is_complete BOOLEAN, lineage_id VARCHAR, "position" INTEGER, job_name VARCHAR, seen_at TIMESTAMP,'
            " app_id VARCHAR, attempt_id VARCHAR, execution_id BIGINT, description VARCHAR, is_new BOOLEAN)"
        )
        for number, (evidence, extent, columns) in enumerate(LISTS):
            row = [f"id-{number}", extent == "all", parsed(columns)]
            self.connection.execute("INSERT INTO lineage_schemas VALUES (?, 0, ?, ?)", row)
            creation = evidence == "create" and extent == "none"
            named = [f"id-{number}", TABLE, f"c{number}", extent in {"all", "some"}, extent == "all", creation]
            self.connection.execute("INSERT INTO named_schemas VALUES (?, 0, ?, ?, ?, ?, false, false, ?)", named)

    def select(self, seen: Sequence[Seen]) -> tuple[list[Seen], bool]:
        """Return what is selected of observations, in order, and whether some of them disagree."""
        self.connection.execute("DELETE FROM changed_observations")
        self.connection.executemany(
            "INSERT INTO changed_observations VALUES (?, ?, ?, ?, ?, 0, ?, ?, 'app', '', ?, '', true)",
            list(map(changed_observation, seen)),
        )
        STEP.run(Fold(self.connection, Path(), JobNameRule(), is_first=True))
        rows = self.connection.execute(
            "SELECT execution_id, content, job_name, is_conflicting FROM reselected_observations ORDER BY execution_id"
        ).fetchall()
        return [Seen(minute, int(content[1:]), job) for minute, content, job, _ in rows], any(row[3] for row in rows)


STEP = sql_step("fold/schema_observations", values=lambda _: [{"runs": "open_runs", "executions": "open_executions"}])


def changed_observation(seen: Seen) -> list[object]:
    """Return the row of an observation, without its position."""
    extent = LISTS[seen.shown][1]
    told = [TABLE, f"c{seen.shown}", extent in {"all", "some"}, extent == "all", f"id-{seen.shown}"]
    return [*told, seen.job, at(seen.minute), seen.minute]


def at(minute: int) -> datetime:
    return datetime(2027, 1, 1) + timedelta(minutes=minute)


def parsed(columns: str) -> list[dict[str, str]]:
    """Return the columns of one of `LISTS`."""
    found = []
    for column in columns.split():
        named, _, derivation = column.partition("@")
        name, _, kind = named.partition(":")
        found.append({"name": name, "data_type": kind, "derivation": derivation})
    return found


def history(seen: Sequence[Seen]) -> SchemaHistory:
    """Return the history that observations make."""
    observations = []
    for each in seen:
        evidence, extent, columns = LISTS[each.shown]
        stored = StoredObservation(TABLE, evidence, extent, read_columns(parsed(columns)), extent == "all", (), "")
        run = ("app", "", each.minute)
        observations.append(TimedObservation(at(each.minute), run, each.job, from_stored(stored), key=each.minute))
    return evolve(observations)


@pytest.fixture(scope="module")
def selection() -> Selection:
    return Selection()


SETTINGS = settings(
    max_examples=int(os.environ.get("HYPOTHESIS_SEARCH", "25")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


@SETTINGS
@given(seen=nights())
def test_the_selected_observations_make_the_history_of_all(selection: Selection, seen: list[Seen]) -> None:
    selected, _ = selection.select(seen)
    expected, found = history(seen), history(selected)
    assert found.versions == expected.versions
    assert found.changes == expected.changes


@SETTINGS
@given(seen=nights(), nights_before=st.integers(1, 5))
def test_later_observations_are_selected_as_if_none_had_been_left_out(
    selection: Selection, seen: list[Seen], nights_before: int
) -> None:
    earlier = [each for each in seen if each.minute < nights_before * 10]
    kept, conflicting = selection.select(earlier)
    at_once, conflicting_at_once = selection.select(seen)
    if conflicting_at_once and not conflicting:
        return  # then a dataset is selected from all again
    assert selection.select([*kept, *seen[len(earlier) :]])[0] == at_once


def test_a_table_that_is_written_and_read_each_night_keeps_the_first_and_the_last_night(selection: Selection) -> None:
    seen = [Seen(night * 10 + number, shown, "job") for night in range(9) for number, shown in enumerate((0, 8, 13))]
    selected, _ = selection.select(seen)
    assert [each.minute for each in selected] == [0, 1, 2, 80, 81, 82]
