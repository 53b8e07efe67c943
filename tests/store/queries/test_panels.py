"""The panels' queries run over the Parquet files as well as in the database, and answer their questions."""

from __future__ import annotations

import random
import re
from datetime import datetime, timedelta
from operator import itemgetter
from pathlib import Path
from typing import Any

import duckdb
import pytest

from eventlog_lineage.store.panels import PANELS, Panel, find_panel
from eventlog_lineage.store.schema.relations import create_table, sql_text
from eventlog_lineage.store.schema.tables import PUBLIC_TABLES
from support.stores import shop
from support.stores.memory import MemoryStore
from support.stores.nights import Night
from support.stores.rows import rows
from support.stores.shop import CUSTOMERS, DAILY, LOYAL, ORDERS


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("shop")
    shop.open_shop(made)
    return made


def answer(store: Path | MemoryStore, name: str) -> list[tuple[Any, ...]]:
    return rows(store, next(panel.query for panel in PANELS if panel.name == name))


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel.name)
def test_a_panel_says_the_same_over_parquet(store: Path, panel: Panel) -> None:
    with duckdb.connect() as connection:
        for table in PUBLIC_TABLES:
            files = f"{store}/{table.name}/**/*.parquet"
            connection.execute(f"CREATE VIEW {table.name} AS FROM read_parquet('{files}', hive_partitioning = true)")
        assert connection.execute(panel.query).fetchall() == rows(store, panel.query)


def test_no_column_of_a_panel_needs_quotes(store: Path) -> None:
    """Superset and Grafana write names without quotes."""
    reserved = {
        word
        for (word,) in rows(store, "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category = 'reserved'")
    }
    for panel in PANELS:
        names = {name for name, *_ in rows(store, f"DESCRIBE {panel.query}")}
        assert {name for name in names if name in reserved or not re.fullmatch("[a-z_]+", name)} == set()
        duckdb.sql("SELECT " + ", ".join(f"1 AS {name}" for name in sorted(names)))


def test_every_panel_has_an_answer_for_an_empty_store(new_store: MemoryStore) -> None:
    Night().begin(new_store)
    for panel in PANELS:
        assert [row for row in rows(new_store, panel.query) if row[0] != "harvests"] == []


def test_nights_counts_statements_by_day_and_status(store: Path) -> None:
    found = [
        (str(day), applications, statements, failed)
        for day, applications, statements, _, failed, *_ in answer(store, "nights")
    ]
    assert found == [("2026-11-20", 1, 4, 1), ("2026-11-19", 1, 4, 0), ("2026-11-18", 1, 4, 0)]


def test_failures_lists_jobs_whose_last_write_failed(store: Path) -> None:
    found = [(job, dataset, last) for _, job, dataset, _, _, last, *_ in answer(store, "failures")]
    assert found == [("nightly-sales: loyal customers", LOYAL, datetime(2026, 11, 19, 1, 7))]


def test_failures_counts_who_waits(new_store: MemoryStore) -> None:
    night = Night()
    night.app()
    night.statement([("a!x", "x", "IDENTITY")], target="b", execution=1, status="failed", description="make b")
    night.statement([("b!x", "x", "IDENTITY")], target="c", execution=2, description="make c")
    night.statement([("c!x", "x", "IDENTITY")], target="d", execution=3, description="make d")
    night.harvest(new_store)
    (row,) = answer(new_store, "failures")
    assert (row[2], row[6], row[8]) == ("b", 1, 2)


def test_late_compares_the_age_with_the_usual_gap(store: Path) -> None:
    found = {row[0]: row[2] for row in answer(store, "late")}
    assert found == {ORDERS: 86_400, DAILY: 86_400}


def test_a_harvest_without_new_logs_makes_nothing_late(new_store: MemoryStore) -> None:
    for day in range(4):
        night = Night(day)
        night.app()
        night.statement([("a!x", "x", "IDENTITY")], target="b", execution=1)
        if day < 2:
            night.statement([("a!x", "x", "IDENTITY")], target="c", execution=2)
        night.harvest(new_store)
    before = answer(new_store, "late")
    assert [(row[0], row[4]) for row in before] == [("b", 0.0)]
    quiet = Night(9)
    quiet.harvest(new_store)
    assert answer(new_store, "late") == before


def test_do_not_break_follows_values_through_all_hops(store: Path) -> None:
    found = {(dataset, column): counts for dataset, column, *counts, _ in answer(store, "do_not_break")}
    assert found[shop.LANDING, "amount"] == [3, 3, 3]
    assert found[ORDERS, "customer_id"] == [0, 1, 1]


def test_do_not_break_does_not_count_a_column_that_is_made_of_itself(new_store: MemoryStore) -> None:
    night = Night()
    night.app()
    night.statement([("a!x", "x", "IDENTITY"), ("b!y", "x", "TRANSFORMATION")], target="a", execution=1)
    night.harvest(new_store)
    found = {(dataset, column): counts for dataset, column, *counts, _ in answer(new_store, "do_not_break")}
    assert found == {("a", "x"): [0, 0, 1], ("b", "y"): [1, 1, 1]}


def test_personal_data_follows_copies_under_other_names_and_stops_at_a_mask(new_store: MemoryStore) -> None:
    night = Night()
    night.app()
    night.statement([("raw!email", "contact", "IDENTITY"), ("raw!id", "id", "IDENTITY")], target="staged", execution=1)
    night.statement([("staged!contact", "address", "IDENTITY")], target="letters", execution=2)
    shape = night.statement(
        [("staged!contact", "hash", "TRANSFORMATION", "sha2(contact)")], target="hashed", execution=3
    )
    for edge in night.rows["lineage_edges"]:
        edge["masking"] = edge["lineage_fingerprint"] == shape
    night.harvest(new_store)
    found = {(dataset, column, source) for dataset, column, _, source, *_ in answer(new_store, "personal_data")}
    assert found == {("staged", "contact", "email"), ("letters", "address", "email")}


def test_changes_names_dependants_and_readers_that_failed_next(store: Path) -> None:
    found = [
        (change, column, nature, dependants, failed)
        for _, kind, dataset, column, change, nature, _, _, dependants, failed, *_ in answer(store, "changes")
        if dataset == DAILY and kind == "schema" and change == "type_changed"
    ]
    assert found == [("type_changed", "revenue", "narrowing", 1, ["nightly-sales: loyal customers"])]


@pytest.mark.parametrize("number", range(10))
def test_changes_finds_the_next_run_of_each_reader(number: int) -> None:
    """A run at the very moment of a change is not the next one."""
    chance = random.Random(number)
    start = datetime(2026, 11, 20)
    runs = [
        (
            execution,
            chance.choice(["a", "b", "c"]),
            start + timedelta(seconds=second),
            chance.choice(["failed", "succeeded"]),
        )
        for execution, second in enumerate(chance.sample(range(60), 15))
    ]
    reads = [(execution, chance.choice(["x", "y"])) for execution, *_ in runs]
    changed = {(start + timedelta(seconds=chance.randrange(60)), chance.choice(["x", "y"])) for _ in range(8)}
    changed |= {(begun, "x") for _, _, begun, _ in runs[:3]}
    expected = {}
    for moment, dataset in changed:
        jobs = {job for execution, job, *_ in runs if (execution, dataset) in reads}
        following = {
            job: min((run for run in runs if run[1] == job and run[2] > moment), key=itemgetter(2), default=None)
            for job in jobs
        }
        failed = sorted(job for job, run in following.items() if run and run[3] == "failed")
        expected[moment, dataset] = failed or None
    with duckdb.connect() as connection:
        for table in PUBLIC_TABLES:
            connection.execute(create_table(table))
        connection.executemany(
            "INSERT INTO executions BY NAME SELECT 'app' AS app_id, '' AS attempt_id, ? AS execution_id, "
            "execution_id AS root_execution_id, ? AS job_name, ? AS started_at, ? AS status",
            runs,
        )
        connection.executemany(
            "INSERT INTO dataset_io BY NAME "
            "SELECT 'app' AS app_id, '' AS attempt_id, ? AS execution_id, ? AS dataset, 'read' AS direction",
            reads,
        )
        connection.executemany(
            "INSERT INTO schema_changes BY NAME SELECT ? AS changed_at, ? AS dataset, 'column_added' AS change",
            list(changed),
        )
        found = connection.execute(find_panel("changes").query).fetchall()
    assert {(row[0], row[2]): row[9] for row in found} == expected


def test_removable_lists_what_nobody_reads(store: Path) -> None:
    found = {(kind, dataset, column) for kind, dataset, column, *_ in answer(store, "removable")}
    assert ("dataset", LOYAL, None) in found
    assert ("column", DAILY, "day") in found
    assert not {dataset for kind, dataset, _ in found if kind == "dataset"} & {ORDERS, DAILY, CUSTOMERS}


def test_cost_sums_up_jobs_and_datasets(store: Path) -> None:
    found = {(kind, name): (runs, seconds) for kind, name, runs, seconds, *_ in answer(store, "cost")}
    assert found["job", "nightly-sales: stage orders"] == (3, 90.0)
    assert found["dataset", ORDERS] == (3, 90.0)


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel.name)
def test_a_panel_that_lists_datasets_has_their_systems(store: Path, panel: Panel) -> None:
    """Superset and Grafana show all columns of a panel."""
    known = dict(rows(store, 'SELECT dataset, "system" FROM datasets'))
    columns = [name for name, *_ in rows(store, f"DESCRIBE {panel.query}")]
    named = next((name for name in ("dataset", "name") if name in columns), "")
    assert ("system" in columns) == bool(named)
    found = {row[columns.index(named)]: row[columns.index("system")] for row in rows(store, panel.query) if named}
    assert found == {name: known.get(name) for name in found}


def test_trust_counts_confidence_gaps_and_logs(store: Path) -> None:
    found = {(topic, item): count for topic, item, count, *_ in answer(store, "trust")}
    assert found["gaps", "truncated_fields"] == 3
    assert found["logs", "complete"] == 3
    assert found["harvests", "harvests"] == 3
    assert found["edges", "exact"] > 0


def test_what_is_removable_and_what_is_unused_count_the_same_declared_reads() -> None:
    texts = (find_panel("removable").query, sql_text("queries/unused"))
    found = [re.search(r"^declared(?:_reads)? AS \(\n.*?^\)", text, re.MULTILINE | re.DOTALL) for text in texts]
    assert len({match[0].partition("(")[2] for match in found if match}) == 1
    assert all(found)
