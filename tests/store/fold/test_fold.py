from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from eventlog_lineage.history.job_names import JobNameRule
from eventlog_lineage.store.integrity.checking import check_store
from eventlog_lineage.store.publish.writer import HarvestFacts, open_for_harvest
from support.stores.content import check_parquet, content, rows
from support.stores.memory import MemoryStore
from support.stores.nights import START, Night, together

ORDERS, DAILY, MART = "spark_catalog.raw.orders", "spark_catalog.sales.daily", "spark_catalog.mart.m"
TOTAL = [(f"{ORDERS}!amount", "total", "AGGREGATION")]
TOTAL_AND_TAX = [*TOTAL, (f"{ORDERS}!tax", "tax", "IDENTITY")]


def night(day: int, edges: list[tuple[str, str, str]] = TOTAL, **options: object) -> Night:
    """A night with one statement that writes the daily table."""
    made = Night(day)
    made.app()
    made.statement(edges, target=DAILY, **options)
    made.log(f"/logs/{day}")
    return made


def test_an_edge_is_one_row_over_all_runs_of_its_job(store: MemoryStore) -> None:
    for day in range(3):
        night(day, literal=f"-{day}").harvest(store)
    found = rows(
        store, "SELECT job_name, source_column, first_seen, last_seen, run_count, is_current FROM column_lineage"
    )
    minute = timedelta(minutes=1)
    last = START + timedelta(days=2) + minute
    assert found == [("nightly sales: daily InsertInto", "amount", START + minute, last, 3, True)]
    assert rows(store, "SELECT source_dataset, mode, run_count, is_current FROM table_lineage") == [
        (ORDERS, "overwrite", 3, True)
    ]


def test_a_store_begun_with_a_copy_of_a_night_has_the_rows_of_that_night(store: MemoryStore) -> None:
    """Of the tests' own stores: the second one of a night is a copy."""
    other = MemoryStore()
    for each in (store, other):
        night(0, TOTAL_AND_TAX, rows_written=5).begin(each)
    assert content(other) == content(store)
    assert rows(other, "SELECT rows_written FROM executions") == [(5,)]
    other.close()


def test_a_view_that_is_read_through_is_a_use_and_no_lineage(store: MemoryStore) -> None:
    made = night(0)
    (shape,) = {row["lineage_fingerprint"] for row in made.rows["lineage_io"]}
    use = {"dataset": "spark_catalog.raw.v", "direction": "read", "mode": "view", "columns": ["amount"]}
    made.add("lineage_io", lineage_fingerprint=shape, **use)
    made.harvest(store)
    assert rows(store, "SELECT dataset, mode FROM dataset_io WHERE direction = 'read' ORDER BY ALL") == [
        (ORDERS, ""),
        ("spark_catalog.raw.v", "view"),
    ]
    assert rows(store, "SELECT source_dataset FROM table_lineage") == [(ORDERS,)]
    assert rows(store, "SELECT source_table_full_name FROM system_access_table_lineage") == [(ORDERS,)]


def test_the_newest_run_tells_the_expression(store: MemoryStore) -> None:
    for day in (1, 0, 2):
        night(day, literal=f"-{day}").harvest(store)
    assert rows(store, "SELECT expression FROM column_lineage") == [("amount-2",)]


def test_a_lineage_that_the_store_knows_need_not_be_handed_over_again(store: MemoryStore) -> None:
    night(0).begin(store)
    night(1, new=False).harvest(store)
    assert rows(store, "SELECT run_count FROM column_lineage") == [(2,)]
    assert rows(store, "SELECT count(DISTINCT lineage_fingerprint) FROM executions") == [(1,)]


def test_a_lineage_that_comes_later_than_its_executions_is_linked(tmp_path: Path) -> None:
    night(0, new=False).harvest(tmp_path)
    assert rows(tmp_path, "SELECT lineage_fingerprint FROM executions") == [(None,)]
    night(1).harvest(tmp_path)
    assert rows(tmp_path, "SELECT run_count FROM column_lineage") == [(2,)]
    check_parquet(tmp_path)


def test_an_edge_that_the_jobs_last_run_lacks_is_not_current(store: MemoryStore) -> None:
    night(0, TOTAL_AND_TAX).begin(store)
    night(1).harvest(store)
    found = rows(store, "SELECT source_column, run_count, is_current FROM column_lineage ORDER BY 1")
    assert found == [("amount", 2, True), ("tax", 1, False)]


def test_an_older_run_that_is_harvested_late_makes_nothing_current(store: MemoryStore) -> None:
    night(1).harvest(store)
    night(0, TOTAL_AND_TAX).harvest(store)
    found = rows(store, "SELECT source_column, is_current FROM column_lineage ORDER BY 1")
    assert found == [("amount", True), ("tax", False)]


def test_only_succeeded_runs_count_but_every_execution_has_its_lineage(store: MemoryStore) -> None:
    statuses = ("failed", "running", "unknown")
    night(0).begin(store)
    together(*(night(day, TOTAL_AND_TAX, status=status) for day, status in enumerate(statuses, 1))).harvest(store)
    found = rows(store, "SELECT source_column, run_count, is_current FROM column_lineage")
    assert found == [("amount", 1, True)]
    told = rows(store, "SELECT status, source_column FROM execution_column_lineage ORDER BY ALL")
    assert told == sorted([("succeeded", "amount"), *((each, name) for each in statuses for name in ("amount", "tax"))])


def test_a_query_has_its_lineage_per_execution_and_no_target(store: MemoryStore) -> None:
    made = Night()
    made.app()
    made.statement(TOTAL)
    made.harvest(store)
    found = rows(store, "SELECT target_dataset, target_column FROM execution_column_lineage")
    assert found == [(None, "total")]
    assert rows(store, "FROM column_lineage") == []


def test_a_log_that_has_grown_completes_what_was_there(tmp_path: Path) -> None:
    first = Night()
    first.app(complete=False, ended_at=None)
    first.statement(TOTAL, target=DAILY, status="running", rows_written=None)
    first.harvest(tmp_path)
    grown = Night()
    grown.app(user_name="")
    grown.statement(TOTAL, target=DAILY, new=False, rows_written=7, description="")
    grown.statement(TOTAL, target=MART, execution=2)
    grown.harvest(tmp_path)
    found = rows(tmp_path, "SELECT execution_id, status, duration_ms, rows_written FROM executions ORDER BY 1")
    assert found == [(1, "succeeded", 30_000, 7), (2, "succeeded", 30_000, None)]
    assert rows(tmp_path, "SELECT description FROM executions WHERE execution_id = 1")[0][0].startswith("save at")
    assert rows(tmp_path, "SELECT user_name, complete FROM applications") == [("etl", True)]
    check_parquet(tmp_path)


def test_a_hand_over_without_rows_that_the_store_has_loses_none(store: MemoryStore) -> None:
    first = Night()
    first.app()
    first.statement(TOTAL, target=DAILY)
    first.add(
        "gaps", app_id="app-0", attempt_id="", execution_id=1, reason="bad_event", operator="", detail="", hint=""
    )
    first.harvest(store)
    again = Night()
    again.app()
    again.harvest(store)
    assert rows(store, "SELECT count(*) FROM executions") == [(1,)]
    assert rows(store, "SELECT reason FROM gaps") == [("bad_event",)]


def test_of_two_copies_of_a_log_in_one_harvest_the_one_that_knows_more_counts(store: MemoryStore) -> None:
    made = Night()
    for complete in (False, True, False):
        made.app(complete=complete, user_name="etl" if complete else "other")
        made.statement(TOTAL, target=DAILY, status="succeeded" if complete else "running", new=complete)
    made.statement(TOTAL, target=MART, execution=2, new=False)
    made.harvest(store)
    assert rows(store, "SELECT user_name, complete FROM applications") == [("etl", True)]
    found = rows(store, "SELECT execution_id, status FROM executions ORDER BY 1")
    assert found == [(1, "succeeded"), (2, "succeeded")]


def test_an_older_state_of_a_log_takes_nothing_back(store: MemoryStore) -> None:
    night(0).begin(store)
    older = Night()
    older.app(complete=False, ended_at=None, user_name="other")
    older.statement(TOTAL, target=DAILY, status="running")
    older.harvest(store)
    assert rows(store, "SELECT status, ended_at IS NULL FROM executions") == [("succeeded", False)]
    assert rows(store, "SELECT user_name, complete FROM applications") == [("etl", True)]


def test_the_same_harvest_again_changes_nothing(tmp_path: Path) -> None:
    made = night(0, TOTAL_AND_TAX)
    made.place(ORDERS, "file:///wh/orders")
    made.add("io_metrics", app_id="app-0", attempt_id="", execution_id=1, dataset=ORDERS, direction="read", rows=3)
    made.add("gaps", app_id="app-0", attempt_id="", execution_id=1, reason="bad_event", operator="", detail="", hint="")
    made.harvest(tmp_path)
    before = content(tmp_path)
    made.harvest(tmp_path)
    assert content(tmp_path) == before
    check_parquet(tmp_path)
    assert rows(tmp_path, "SELECT count(*) FROM harvests") == [(2,)]


def test_a_harvest_of_nothing_changes_nothing(tmp_path: Path) -> None:
    night(0).begin(tmp_path)
    before = content(tmp_path)
    summary = Night(1).harvest(tmp_path)
    assert not summary.changed
    assert content(tmp_path) == before
    check_parquet(tmp_path)


def test_a_child_execution_bears_its_roots_name_and_its_metrics_count_for_the_statement(store: MemoryStore) -> None:
    made = Night()
    made.app()
    made.statement(TOTAL, target=DAILY)
    made.rows["executions"].append(
        {"app_id": "app-0", "attempt_id": "", "execution_id": 2, "root_execution_id": 1, "status": "succeeded"}
    )
    for execution in (1, 2):
        made.add(
            "io_metrics",
            app_id="app-0",
            attempt_id="",
            execution_id=execution,
            dataset=DAILY,
            direction="write",
            rows=5,
        )
    made.harvest(store)
    assert rows(store, "SELECT DISTINCT job_name FROM executions") == [("nightly sales: daily InsertInto",)]
    assert rows(store, "SELECT dataset, direction, mode, columns, rows FROM dataset_io ORDER BY 1") == [
        (ORDERS, "read", "", ["amount"], None),
        (DAILY, "write", "overwrite", ["total"], 10),
    ]


def test_a_writes_metrics_are_the_targets_whatever_they_call_it(store: MemoryStore) -> None:
    made = night(0)
    for dataset in ("", "file:///tmp/somewhere"):
        made.add(
            "io_metrics", app_id="app-0", attempt_id="", execution_id=1, dataset=dataset, direction="write", rows=5
        )
    made.harvest(store)
    assert rows(store, "SELECT direction, dataset, rows FROM dataset_io ORDER BY 1") == [
        ("read", ORDERS, None),
        ("write", DAILY, 10),
    ]


def test_nobody_can_tell_which_of_two_targets_the_rows_went_to(store: MemoryStore) -> None:
    made = night(0)
    fingerprint = made.rows["lineage_io"][0]["lineage_fingerprint"]
    made.add("lineage_io", lineage_fingerprint=fingerprint, dataset="mart.other", direction="write", mode="append")
    for dataset, direction in (("", "write"), (ORDERS, "read")):
        made.add(
            "io_metrics",
            app_id="app-0",
            attempt_id="",
            execution_id=1,
            dataset=dataset,
            direction=direction,
            rows=5,
        )
    made.harvest(store)
    assert rows(store, "SELECT direction, dataset, rows FROM dataset_io ORDER BY 1, 2") == [
        ("read", ORDERS, 5),
        ("write", "mart.other", None),
        ("write", DAILY, None),
    ]
    assert rows(store, "SELECT target_dataset FROM table_lineage ORDER BY 1") == [("mart.other",), (DAILY,)]


def test_what_is_traced_again_replaces_what_an_older_program_told(tmp_path: Path) -> None:
    night(0).begin(tmp_path)
    again = night(0)
    again.rows["lineage_edges"][0]["expression"] = "better"
    again.rows["lineage_io"][0]["columns"] = ["amount", "tax"]
    again.harvest(tmp_path)
    assert rows(tmp_path, "SELECT expression FROM column_lineage") == [("better",)]
    check_parquet(tmp_path)


def test_metrics_of_a_log_that_has_grown_only_grow(store: MemoryStore) -> None:
    for count in (5, 9, 7):
        made = night(0)
        made.add(
            "io_metrics", app_id="app-0", attempt_id="", execution_id=1, dataset=DAILY, direction="write", rows=count
        )
        made.harvest(store)
    assert rows(store, "SELECT rows FROM dataset_io WHERE direction = 'write'") == [(9,)]


def test_maintenance_is_no_lineage_between_tables(store: MemoryStore) -> None:
    made = Night()
    made.app()
    made.statement(reads=[DAILY], target=DAILY, mode="maintenance")
    made.harvest(store)
    assert rows(store, "FROM table_lineage") == []
    assert rows(store, "SELECT mode FROM dataset_io WHERE direction = 'write'") == [("maintenance",)]


def test_the_gaps_of_a_lineage_belong_to_each_of_its_executions(store: MemoryStore) -> None:
    for day in range(2):
        made = night(day)
        shape = made.rows["lineages"][0]["lineage_fingerprint"]
        made.add(
            "lineage_gaps", lineage_fingerprint=shape, reason="unknown_operator", operator="X", detail="", hint="h"
        )
        made.harvest(store)
    assert rows(store, "SELECT app_id, execution_id, reason FROM gaps ORDER BY 1") == [
        ("app-0", 1, "unknown_operator"),
        ("app-1", 1, "unknown_operator"),
    ]


def test_a_log_that_has_its_end_now_is_not_cut_any_more(tmp_path: Path) -> None:
    cut = Night()
    cut.app(complete=False)
    cut.add("gaps", app_id="app-0", attempt_id="", reason="truncated_log", operator="", detail="", hint="")
    cut.harvest(tmp_path)
    assert rows(tmp_path, "SELECT reason FROM gaps") == [("truncated_log",)]
    night(0).harvest(tmp_path)
    assert rows(tmp_path, "SELECT reason FROM gaps") == []
    check_parquet(tmp_path)


def test_equal_statements_of_one_application_are_numbered_as_they_came(store: MemoryStore) -> None:
    made = Night()
    made.app()
    made.statement(TOTAL, target=DAILY, execution=5)
    made.statement(TOTAL_AND_TAX, target=DAILY, execution=2)
    made.statement(TOTAL, target=DAILY, execution=9, literal="-other")
    made.statement(TOTAL, execution=10)
    made.harvest(store)
    base = "nightly sales: daily InsertInto"
    assert rows(store, "SELECT execution_id, job_name FROM executions ORDER BY 1") == [
        (2, base),
        (5, f"{base} #2"),
        (9, f"{base} #2"),
        (10, "nightly sales: query"),
    ]


def test_a_new_rule_renames_all_jobs_and_stays(tmp_path: Path) -> None:
    night(0).begin(tmp_path)
    night(1).harvest(tmp_path, rule=JobNameRule(("nightly", r"\d{4}-\d\d-\d\d")))
    night(2).harvest(tmp_path)
    assert rows(tmp_path, "SELECT DISTINCT job_name FROM executions") == [("sales: daily InsertInto",)]
    assert rows(tmp_path, "SELECT run_count FROM column_lineage") == [(3,)]
    check_parquet(tmp_path)


def test_old_runs_can_be_dropped_and_the_folded_tables_remember_them(tmp_path: Path) -> None:
    night(0, TOTAL_AND_TAX).begin(tmp_path)
    for day in (1, 2, 3):
        night(day, literal=f"-{day}").harvest(tmp_path)
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


def test_times_with_a_zone_are_taken_as_utc(tmp_path: Path) -> None:
    with open_for_harvest(tmp_path) as writer:
        folder = writer.staging_dir / "applications"
        folder.mkdir()
        times = pa.array([START], pa.timestamp("us", tz="UTC"))
        pq.write_table(pa.table({"app_id": ["a"], "started_at": times}), folder / "x.parquet")
        writer.publish(HarvestFacts(START))
    assert rows(tmp_path, "SELECT app_id, attempt_id, started_at FROM applications") == [("a", "", START)]


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
    monkeypatch.setattr("eventlog_lineage.store.fold.pipeline._EDGES_AT_ONCE", 4)
    made.harvest(tmp_path / "in_parts")
    assert content(tmp_path / "in_parts") == content(tmp_path / "at_once")
    check_parquet(tmp_path / "in_parts")
    order = "SELECT target_dataset, target_ordinal, job_name FROM column_lineage"
    found = rows(tmp_path / "in_parts", order)
    assert found == rows(tmp_path / "at_once", order)
    assert found == sorted(found)
    assert len({target for target, _, _ in found}) == 9


def test_a_store_is_the_same_however_many_executions_are_folded_and_written_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Night()
    made.app()
    made.app("app-other", name="loads 2026-11-20")
    for number in range(6):
        app = "app-other" if number % 2 else ""
        made.statement([(f"{ORDERS}!c{number}", "x", "IDENTITY")], target=DAILY, app=app, execution=number)
        made.statement(app=app, execution=number + 10, new=False, lineage_id=None, plan_fingerprint=None)
    expected = made.harvest(tmp_path / "at_once")
    monkeypatch.setattr("eventlog_lineage.store.fold.slices._STATEMENTS_AT_ONCE", 2)
    monkeypatch.setattr("eventlog_lineage.store.publish.next_version._SMALL", 0)
    monkeypatch.setattr("eventlog_lineage.store.fold.slices._RUNS_AT_ONCE", 1)
    monkeypatch.setattr("eventlog_lineage.store.publish.parquet._EXECUTIONS_AT_ONCE", 2)
    summary = made.harvest(tmp_path / "in_parts")
    assert (summary.executions, summary.edges, summary.gaps) == (expected.executions, expected.edges, expected.gaps)
    assert (summary.executions, summary.edges) == (12, 6)
    assert content(tmp_path / "in_parts") == content(tmp_path / "at_once")
    assert check_store(tmp_path / "in_parts").flaws == ()
    names = "count(DISTINCT job_name) FILTER (lineage_id IS NOT NULL)"
    found = rows(tmp_path / "in_parts", f"SELECT count(*), count(lineage_id), {names} FROM executions")
    assert found == [(12, 6, 6)]
