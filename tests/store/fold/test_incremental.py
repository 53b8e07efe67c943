"""A night folds what is new; the tables are those that folding all runs at once makes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from eventlog_lineage.history.job_names import JobNameRule
from eventlog_lineage.store.fold.pipeline import fold_tables, merge
from eventlog_lineage.store.fold.steps import Fold, make_open_tables
from eventlog_lineage.store.schema.creation import open_empty
from eventlog_lineage.store.schema.database import beside, tune_for_few_rows
from eventlog_lineage.store.schema.internal_tables import STORED_TABLES
from support.stores.nights import START, Night

TABLES = [f"spark_catalog.db.{name}" for name in "ab"]
PLACES = ["file:///wh/one", "file:///wh/two"]

AGGREGATES = ("selected_observations", "observed_until", "schema_digests")
"""What a night continues; without it everything is made from the stored runs and their series."""

EDGE = st.tuples(
    st.sampled_from([f"{name}!x" for name in (*TABLES, *PLACES)]),
    st.sampled_from(["x", "y"]),
    st.sampled_from(["IDENTITY", "FILTER"]),
)

SHOWN = st.tuples(
    st.sampled_from([*TABLES, *PLACES]),
    st.sampled_from(["overwrite", "append", "read", "create", "drop"]),
    st.sampled_from(
        [("x:int",), ("x:int", "y:int"), ("x:",), ("x:string",), ("x:int", "s:struct<a:int>"), ("x:int", "s:"), ()]
    ),
)


@st.composite
def hand_overs(draw: st.DrawFn) -> list[Night]:
    """Some harvests; days repeat and come in any order, and a run may be handed over again when it has ended."""
    made = []
    for _ in range(draw(st.integers(2, 5))):
        night = Night(draw(st.integers(0, 3)))
        app = night.app(app_id=f"app-{night.day}-{draw(st.integers(0, 1))}", name=draw(st.sampled_from(["one", "two"])))
        for execution in range(draw(st.integers(1, 3))):
            shape = night.statement(
                draw(st.lists(EDGE, min_size=1, max_size=2, unique_by=lambda edge: edge[:2])),
                target=draw(st.sampled_from([*TABLES, PLACES[0]])),
                app=app,
                execution=execution,
                minute=night.day * 10 + execution,
                status=draw(st.sampled_from(["succeeded", "succeeded", "running", "failed"])),
            )
            for dataset, evidence, columns in draw(st.lists(SHOWN, max_size=2, unique_by=lambda shown: shown[0])):
                extent = "dropped" if evidence == "drop" else "some" if evidence in {"append", "read"} else "all"
                extent = "none" if evidence == "create" and not columns else extent
                night.show(shape, dataset, *columns, evidence=evidence, extent=extent)
        for table in draw(st.lists(st.sampled_from(TABLES), max_size=1)):
            night.place(table, draw(st.sampled_from(PLACES)))
        made.append(night)
    return made


class Folded:
    """A database that hand-overs are folded into, one after another."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.count = 0
        self.connection = open_empty(folder / "lineage.duckdb", folder)
        make_open_tables(self.connection)
        tune_for_few_rows(self.connection)

    def fold(self, night: Night | None, **options: Any) -> dict[str, list[str]]:
        """Fold a hand-over, or none; give the rows of all tables."""
        self.count += 1
        staging = self.folder / f"staging-{self.count}"
        staging.mkdir()
        if night:
            night.write(staging)
        first = self.count == 1
        again = first or night is None  # a fold without rows has steps of its own, unless jobs get new names
        with beside(self.connection) as connection:  # its temporary relations end with it
            fold = Fold(connection, staging, JobNameRule(), rename_jobs=again, is_first=first, **options)
            merge(fold)
            fold_tables(fold)
            return {
                table.name: sorted(map(repr, connection.execute(f"FROM {table.name}").fetchall()))
                for table in STORED_TABLES
                if table.name != "trace_edges"
            }

    def forget(self) -> None:
        """Empty what the next fold would continue."""
        for table in AGGREGATES:
            self.connection.execute(f"DELETE FROM {table}")


@settings(
    max_examples=100 if "HYPOTHESIS_SEARCH" in os.environ else 4,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(made=hand_overs())
def test_nights_folded_one_by_one_make_the_tables_of_all_runs_folded_at_once(
    tmp_path_factory: pytest.TempPathFactory, made: Sequence[Night]
) -> None:
    folded = Folded(tmp_path_factory.mktemp("folded"))
    for night in made:
        by_night = folded.fold(night)
    folded.forget()
    at_once = folded.fold(None)
    for table, rows in by_night.items():
        assert rows == at_once[table], table


def test_a_later_run_continues_its_series_and_reads_no_other_run(tmp_path: Path) -> None:
    folded = Folded(tmp_path)
    for day in range(3):
        night = Night(day)
        night.app(app_id=f"app-{day}", name="one")
        night.statement([(f"{TABLES[0]}!x", "x", "IDENTITY")], target=TABLES[1], app=f"app-{day}")
        rows = folded.fold(night)
    (series,) = rows["run_series"]
    assert ", 3, 'app-0', ''" in series
    folded.connection.execute("DELETE FROM open_executions")
    night = Night(3)
    night.app(app_id="app-3", name="one")
    night.statement([(f"{TABLES[0]}!x", "x", "IDENTITY")], target=TABLES[1], app="app-3")
    (series,) = folded.fold(night)["run_series"]
    assert ", 4, 'app-0', ''" in series


def test_a_late_run_of_another_lineage_divides_a_series(tmp_path: Path) -> None:
    folded = Folded(tmp_path)
    for day, column in ((0, "x"), (2, "x"), (1, "y")):
        night = Night(day)
        night.app(app_id=f"app-{day}", name="one")
        night.statement([(f"{TABLES[0]}!{column}", "x", "IDENTITY")], target=TABLES[1], app=f"app-{day}")
        rows = folded.fold(night)
    assert len(rows["run_series"]) == 3
    assert len(rows["lineage_changes"]) == 6, "an edge added, one removed, another expression: there and back"


def test_dropped_runs_stay_in_their_series(tmp_path: Path) -> None:
    folded = Folded(tmp_path)
    for day in (0, 40):
        night = Night(day)
        night.app(app_id=f"app-{day}", name="one")
        night.statement([(f"{TABLES[0]}!x", "x", "IDENTITY")], target=TABLES[1], app=f"app-{day}")
        rows = folded.fold(night, keep_from=START + timedelta(days=20) if day else None)
    (series,) = rows["run_series"]
    assert ", 2, 'app-0', ''" in series


def test_a_table_that_is_created_again_and_again_is_selected_once_until_it_is_dropped(tmp_path: Path) -> None:
    folded = Folded(tmp_path)
    kept = []
    for day, evidence in enumerate(["create", "create", "drop", "create", "create"]):
        night = Night(day)
        night.app(app_id=f"app-{day}", name="one")
        shape = night.statement(target=TABLES[0], mode=evidence, app=f"app-{day}", command=evidence)
        night.show(shape, TABLES[0], evidence=evidence, extent="none" if evidence == "create" else "dropped")
        kept.append(len(folded.fold(night)["selected_observations"]))
    assert kept == [1, 1, 2, 3, 3]
