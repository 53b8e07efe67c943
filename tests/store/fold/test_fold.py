from __future__ import annotations

from pathlib import Path

import pytest

from eventlog_lineage.history.job_names import JobNameRule
from eventlog_lineage.store.administration import check_store
from support.stores.content import check_parquet, content, rows
from support.stores.memory import MemoryStore
from support.stores.nights import Night, together

ORDERS, DAILY = "spark_catalog.raw.orders", "spark_catalog.sales.daily"
TOTAL = [(f"{ORDERS}!amount", "total", "AGGREGATION")]
TOTAL_AND_TAX = [*TOTAL, (f"{ORDERS}!tax", "tax", "IDENTITY")]


def night(day: int, edges: list[tuple[str, str, str]] = TOTAL, **options: object) -> Night:
    """A night with one statement that writes the daily table."""
    made = Night(day)
    made.app()
    made.statement(edges, target=DAILY, **options)
    made.log(f"/logs/{day}")
    return made


def test_a_store_begun_with_a_copy_of_a_night_has_the_rows_of_that_night(store: MemoryStore) -> None:
    """Of the tests' own stores: the second one of a night is a copy."""
    other = MemoryStore()
    for each in (store, other):
        night(0, TOTAL_AND_TAX, rows_written=5).begin(each)
    assert content(other) == content(store)
    assert rows(other, "SELECT rows_written FROM executions") == [(5,)]
    other.close()


def test_a_new_rule_renames_all_jobs_and_stays(tmp_path: Path) -> None:
    night(0).begin(tmp_path)
    night(1).harvest(tmp_path, rule=JobNameRule(("nightly", r"\d{4}-\d\d-\d\d")))
    night(2).harvest(tmp_path)
    assert rows(tmp_path, "SELECT DISTINCT job_name FROM executions") == [("sales: daily InsertInto",)]
    assert rows(tmp_path, "SELECT run_count FROM column_lineage") == [(3,)]
    check_parquet(tmp_path)


def test_all_runs_are_kept_for_more_days_than_there_are(tmp_path: Path) -> None:
    night(0).harvest(tmp_path, keep_days=740_000)
    assert rows(tmp_path, "SELECT count(*) FROM applications") == [(1,)]


def test_old_runs_can_be_dropped_and_the_folded_tables_remember_them(tmp_path: Path) -> None:
    night(0, TOTAL_AND_TAX).begin(tmp_path)
    together(*(night(day, literal=f"-{day}") for day in (1, 2, 3)), day=3).harvest(tmp_path)
    lineage = rows(tmp_path, "SELECT * EXCLUDE (expression) FROM column_lineage ORDER BY ALL")
    tables = rows(tmp_path, "FROM table_lineage ORDER BY ALL")
    datasets = rows(tmp_path, "FROM datasets ORDER BY ALL")
    night(4, new=False, literal="-3").harvest(tmp_path, keep_days=2)
    assert rows(tmp_path, "SELECT app_id FROM applications ORDER BY 1") == [("app-3",), ("app-4",)]
    assert rows(tmp_path, "SELECT count(*) FROM plan_nodes") == [(1,)]
    after = rows(tmp_path, "SELECT * EXCLUDE (expression) FROM column_lineage ORDER BY ALL")
    assert [row[:11] for row in after] == [row[:11] for row in lineage]
    assert rows(tmp_path, "SELECT source_column, run_count FROM column_lineage ORDER BY 1") == [
        ("amount", 5),
        ("tax", 1),
    ]
    assert rows(tmp_path, "SELECT first_seen FROM table_lineage") == [(tables[0][4],)]
    assert [row[:7] for row in rows(tmp_path, "FROM datasets ORDER BY ALL")] == [row[:7] for row in datasets]
    check_parquet(tmp_path)
    night(0).harvest(tmp_path)
    assert rows(tmp_path, "SELECT max(run_count) FROM column_lineage") == [(5,)]


def test_a_start_that_comes_to_be_known_moves_the_applications_rows(tmp_path: Path) -> None:
    early = Night()
    early.app(started_at=None)
    early.statement(TOTAL, target=DAILY)
    early.harvest(tmp_path)
    assert [path.name for path in (tmp_path / "executions").iterdir()] == ["started_on=__HIVE_DEFAULT_PARTITION__"]
    night(0).harvest(tmp_path)
    assert [path.name for path in (tmp_path / "executions").iterdir()] == ["started_on=2026-11-18"]
    check_parquet(tmp_path)


def test_applications_without_a_start_keep_their_rows_until_they_are_harvested_again(tmp_path: Path) -> None:
    undated = Night()
    undated.app("undated", started_at=None)
    undated.statement(TOTAL, target=DAILY, app="undated")
    undated.harvest(tmp_path)
    night(1).harvest(tmp_path)
    days = (
        "SELECT app_id, nullif(started_on::VARCHAR, '__HIVE_DEFAULT_PARTITION__') "
        "FROM read_parquet('{}/executions/*/*.parquet', hive_partitioning = true) ORDER BY 1"
    )
    expected = [("app-1", "2026-11-19"), ("undated", None)]
    assert rows(tmp_path, days.format(tmp_path)) == expected
    undated.statement(TOTAL, target=DAILY, app="undated", execution=2, new=False)
    undated.harvest(tmp_path)
    assert rows(tmp_path, "SELECT app_id, count(*) FROM executions GROUP BY 1 ORDER BY 1") == [
        ("app-1", 1),
        ("undated", 2),
    ]
    check_parquet(tmp_path)


def test_a_summary_counts_what_was_found(store: MemoryStore) -> None:
    summary = night(0, TOTAL_AND_TAX).harvest(store)
    assert (summary.harvest_id, summary.executions, summary.edges, summary.gaps, summary.changed) == (1, 1, 2, 0, True)
    assert rows(store, "SELECT harvest_id, executions, edges, gaps FROM harvests") == [(1, 1, 2, 0)]
    assert rows(store, "SELECT log_path, harvest_id, state FROM harvested_logs") == [("/logs/0", 1, "complete")]


def test_edges_are_written_in_the_order_of_their_targets_however_many_are_sorted_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Night()
    made.app()
    for number in range(9):
        edges = [(f"{ORDERS}!c{place}", f"x{place}", "IDENTITY") for place in range(number + 1)]
        made.statement(edges, target=f"spark_catalog.mart.t{number * 7 % 9}", execution=number)
        made.statement(edges, target=f"spark_catalog.mart.t{number * 7 % 9}", execution=100 + number, literal="-b")
    made.harvest(tmp_path / "at_once")
    monkeypatch.setattr("eventlog_lineage.store.fold.steps._EDGES_AT_ONCE", 4)
    made.harvest(tmp_path / "in_parts")
    assert content(tmp_path / "in_parts") == content(tmp_path / "at_once")
    check_parquet(tmp_path / "in_parts")
    order = "SELECT target_dataset, target_ordinal, job_name FROM column_lineage"
    found = rows(tmp_path / "in_parts", order)
    assert found == rows(tmp_path / "at_once", order)
    assert found == sorted(found)
    assert len({target for target, _, _ in found}) == 9


def test_a_store_is_the_same_whether_few_or_many_rows_are_folded_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Night()
    made.app()
    made.app("app-other", name="loads 2026-11-20")
    for number in range(6):
        app = "app-other" if number % 2 else ""
        made.statement([(f"{ORDERS}!c{number}", "x", "IDENTITY")], target=DAILY, app=app, execution=number)
        made.statement(app=app, execution=number + 10, new=False, lineage_id=None, plan_fingerprint=None)
    expected = made.harvest(tmp_path / "few")
    monkeypatch.setattr("eventlog_lineage.store.writer._SMALL", 0)
    monkeypatch.setattr("eventlog_lineage.store.writer._MANY", 1)
    monkeypatch.setattr("eventlog_lineage.store.versions.parquet._EXECUTIONS_AT_ONCE", 2)
    summary = made.harvest(tmp_path / "many")
    assert (summary.executions, summary.edges, summary.gaps) == (expected.executions, expected.edges, expected.gaps)
    assert (summary.executions, summary.edges) == (12, 6)
    assert content(tmp_path / "many") == content(tmp_path / "few")
    assert check_store(tmp_path / "many").flaws == ()
    names = "count(DISTINCT job_name) FILTER (lineage_id IS NOT NULL)"
    found = rows(tmp_path / "many", f"SELECT count(*), count(lineage_id), {names} FROM executions")
    assert found == [(12, 6, 6)]
