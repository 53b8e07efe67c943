"""What runs of jobs make of one another: jobs that have nothing to do with each other, in the same three harvests."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from support.stores.content import rows
from support.stores.jobs import application, edges, run, source, target
from support.stores.memory import MemoryStore
from support.stores.nights import START, Night, together


def run_with_metrics(job: str, *metrics: tuple[str, str, int], execution: int = 1) -> Night:
    """A run with metrics: dataset, direction and rows."""
    made = run(job)
    for dataset, direction, count in metrics:
        facts = {"execution_id": execution, "dataset": dataset, "direction": direction, "rows": count}
        made.add("io_metrics", app_id=f"{job}-0", attempt_id="", **facts)
    return made


def reading_through_a_view() -> Night:
    made = run("viewed")
    (shape,) = {row["lineage_fingerprint"] for row in made.rows["lineage_io"]}
    use = {"dataset": "spark_catalog.raw.v", "direction": "read", "mode": "view", "columns": ["amount"]}
    made.add("lineage_io", lineage_fingerprint=shape, **use)
    return made


def querying() -> Night:
    made = application("querying")
    made.statement(edges("querying"), app="querying-0")
    return made


def with_a_bad_event() -> Night:
    made = run("kept")
    facts = {"execution_id": 1, "reason": "bad_event", "operator": "", "detail": "", "hint": ""}
    made.add("gaps", app_id="kept-0", attempt_id="", **facts)
    return made


def copies_of_a_log() -> Night:
    made = Night()
    for complete in (False, True, False):
        made.app("copied-0", "copied", complete=complete, user_name="etl" if complete else "other")
        facts = {"status": "succeeded" if complete else "running", "new": complete, "app": "copied-0"}
        made.statement(edges("copied"), target=target("copied"), **facts)  # type: ignore[arg-type]
    made.statement(edges("copied"), target=target("other"), app="copied-0", execution=2)
    return made


def an_older_state_of_a_log() -> Night:
    made = application("older", complete=False, ended_at=None, user_name="other")
    made.statement(edges("older"), target=target("older"), app="older-0", status="running")
    return made


def with_a_child() -> Night:
    made = run_with_metrics("parent", (target("parent"), "write", 5))
    child = {"app_id": "parent-0", "attempt_id": "", "execution_id": 2}
    made.rows["executions"].append(child | {"root_execution_id": 1, "status": "succeeded"})
    made.add("io_metrics", **child, dataset=target("parent"), direction="write", rows=5)
    return made


def with_two_targets() -> Night:
    made = run_with_metrics("divided", ("", "write", 5), (source("divided"), "read", 5))
    fingerprint = made.rows["lineage_io"][0]["lineage_fingerprint"]
    made.add("lineage_io", lineage_fingerprint=fingerprint, dataset="mart.other", direction="write", mode="append")
    return made


def maintaining() -> Night:
    made = application("maintained")
    made.statement(reads=[target("maintained")], target=target("maintained"), app="maintained-0", mode="maintenance")
    return made


def with_a_gap(day: int) -> Night:
    made = run("unknown", day)
    shape = made.rows["lineages"][0]["lineage_fingerprint"]
    facts = {"reason": "unknown_operator", "operator": "X", "detail": "", "hint": "h"}
    made.add("lineage_gaps", lineage_fingerprint=shape, **facts)
    return made


def with_equal_statements() -> Night:
    made = application("numbered")
    for columns, execution, literal in ((["amount"], 5, ""), (["amount", "tax"], 2, ""), (["amount"], 9, "-other")):
        facts = {"target": target("numbered"), "app": "numbered-0", "execution": execution, "literal": literal}
        made.statement(edges("numbered", columns), **facts)  # type: ignore[arg-type]
    made.statement(edges("numbered"), app="numbered-0", execution=10)
    return made


UNFINISHED = ("failed", "running", "unknown")
BOTH = ("amount", "tax")


@pytest.fixture(scope="module")
def history() -> Iterator[MemoryStore]:
    """The store after three harvests."""
    store = MemoryStore()
    together(
        *(run(job) for job in ("known", "older", "finished")),
        run("nightly", literal="-0"),
        run("newest", 1, literal="-1"),
        run("lacking", 0, BOTH),
        run("late", 1),
        run_with_metrics("growing", (target("growing"), "write", 5)),
        run_with_metrics("named", ("", "write", 5), ("file:///tmp/somewhere", "write", 5)),
        *(reading_through_a_view(), querying(), with_a_bad_event(), copies_of_a_log(), with_a_child()),
        *(with_two_targets(), maintaining(), with_a_gap(0), with_equal_statements()),
        day=1,
    ).harvest(store)
    together(
        run("nightly", 1, literal="-1"),
        run("newest", 0, literal="-0"),
        run("known", 1, new=False),
        run("lacking", 1),
        run("late", 0, BOTH),
        *(run("finished", day, BOTH, status=status) for day, status in enumerate(UNFINISHED, 1)),
        run_with_metrics("growing", (target("growing"), "write", 9)),
        *(application("kept"), an_older_state_of_a_log(), with_a_gap(1)),
        day=3,
    ).harvest(store)
    together(
        run("nightly", 2, literal="-2"),
        run("newest", 2, literal="-2"),
        run_with_metrics("growing", (target("growing"), "write", 7)),
        day=4,
    ).harvest(store)
    yield store
    store.close()


def edges_of(history: MemoryStore, job: str, columns: str) -> list[tuple[object, ...]]:
    """Columns of the edges onto a job's table."""
    query = f"SELECT {columns} FROM column_lineage WHERE target_dataset = ? ORDER BY source_column"
    return rows(history, query, target(job))


def uses_of(history: MemoryStore, job: str, columns: str) -> list[tuple[object, ...]]:
    """Columns of what the runs of a job read and wrote."""
    return rows(history, f"SELECT {columns} FROM dataset_io WHERE app_id LIKE ? ORDER BY ALL", f"{job}-%")


def executions_of(history: MemoryStore, job: str, columns: str) -> list[tuple[object, ...]]:
    """Columns of the executions of a job."""
    query = f"SELECT {columns} FROM executions WHERE app_id LIKE ? ORDER BY app_id, execution_id"
    return rows(history, query, f"{job}-%")


def test_an_edge_is_one_row_over_all_runs_of_its_job(history: MemoryStore) -> None:
    minute = timedelta(minutes=1)
    last = START + timedelta(days=2) + minute
    found = edges_of(history, "nightly", "job_name, source_column, first_seen, last_seen, run_count, is_current")
    assert found == [("nightly: nightly InsertInto", "amount", START + minute, last, 3, True)]
    query = "SELECT source_dataset, mode, run_count, is_current FROM table_lineage WHERE target_dataset = ?"
    assert rows(history, query, target("nightly")) == [(source("nightly"), "overwrite", 3, True)]


def test_a_view_that_is_read_through_is_a_use_and_no_lineage(history: MemoryStore) -> None:
    assert uses_of(history, "viewed", "direction, dataset, mode")[:2] == [
        ("read", "spark_catalog.raw.v", "view"),
        ("read", source("viewed"), ""),
    ]
    query = "SELECT source_dataset FROM table_lineage WHERE target_dataset = ?"
    assert rows(history, query, target("viewed")) == [(source("viewed"),)]
    query = "SELECT source_table_full_name FROM system_access_table_lineage WHERE target_table_full_name = ?"
    assert rows(history, query, target("viewed")) == [(source("viewed"),)]


def test_the_first_run_tells_the_expression(history: MemoryStore) -> None:
    assert edges_of(history, "newest", "expression") == [("amount-0",)]


def test_a_lineage_that_the_store_knows_need_not_be_handed_over_again(history: MemoryStore) -> None:
    assert edges_of(history, "known", "run_count") == [(2,)]
    (first, second) = executions_of(history, "known", "lineage_fingerprint")
    assert first == second != (None,)


def test_an_edge_that_the_jobs_last_run_lacks_is_not_current(history: MemoryStore) -> None:
    found = edges_of(history, "lacking", "source_column, run_count, is_current")
    assert found == [("amount", 2, True), ("tax", 1, False)]


def test_an_older_run_that_is_harvested_late_makes_nothing_current(history: MemoryStore) -> None:
    assert edges_of(history, "late", "source_column, is_current") == [("amount", True), ("tax", False)]


def test_only_succeeded_runs_count_but_every_execution_has_its_lineage(history: MemoryStore) -> None:
    assert edges_of(history, "finished", "source_column, run_count, is_current") == [("amount", 1, True)]
    query = "SELECT status, source_column FROM execution_column_lineage WHERE target_dataset = ? ORDER BY ALL"
    expected = [("succeeded", "amount"), *((status, column) for status in UNFINISHED for column in BOTH)]
    assert rows(history, query, target("finished")) == sorted(expected)


def test_a_query_has_its_lineage_per_execution_and_no_target(history: MemoryStore) -> None:
    query = "SELECT target_dataset, target_column FROM execution_column_lineage WHERE app_id = 'querying-0'"
    assert rows(history, query) == [(None, "total")]
    assert rows(history, "FROM column_lineage WHERE source_dataset = ?", source("querying")) == []


def test_a_hand_over_without_rows_that_the_store_has_loses_none(history: MemoryStore) -> None:
    assert executions_of(history, "kept", "execution_id") == [(1,)]
    assert rows(history, "SELECT reason FROM gaps WHERE app_id = 'kept-0'") == [("bad_event",)]


def test_of_two_copies_of_a_log_in_one_harvest_the_one_that_knows_more_counts(history: MemoryStore) -> None:
    query = "SELECT user_name, complete FROM applications WHERE app_id = 'copied-0'"
    assert rows(history, query) == [("etl", True)]
    assert executions_of(history, "copied", "execution_id, status") == [(1, "succeeded"), (2, "succeeded")]


def test_an_older_state_of_a_log_takes_nothing_back(history: MemoryStore) -> None:
    assert executions_of(history, "older", "status, ended_at IS NULL") == [("succeeded", False)]
    query = "SELECT user_name, complete FROM applications WHERE app_id = 'older-0'"
    assert rows(history, query) == [("etl", True)]


def test_a_child_execution_bears_its_roots_name_and_its_metrics_count_for_the_statement(history: MemoryStore) -> None:
    assert executions_of(history, "parent", "job_name") == [("parent: parent InsertInto",)] * 2
    assert uses_of(history, "parent", "dataset, direction, mode, columns, rows") == [
        (source("parent"), "read", "", ["amount"], None),
        (target("parent"), "write", "overwrite", ["total"], 10),
    ]


def test_a_writes_metrics_are_the_targets_whatever_they_call_it(history: MemoryStore) -> None:
    assert uses_of(history, "named", "direction, dataset, rows") == [
        ("read", source("named"), None),
        ("write", target("named"), 10),
    ]


def test_nobody_can_tell_which_of_two_targets_the_rows_went_to(history: MemoryStore) -> None:
    assert uses_of(history, "divided", "direction, dataset, rows") == [
        ("read", source("divided"), 5),
        ("write", "mart.other", None),
        ("write", target("divided"), None),
    ]
    query = "SELECT target_dataset FROM table_lineage WHERE source_dataset = ? ORDER BY 1"
    assert rows(history, query, source("divided")) == [("mart.other",), (target("divided"),)]


def test_metrics_of_a_log_that_has_grown_only_grow(history: MemoryStore) -> None:
    assert uses_of(history, "growing", "direction, rows") == [("read", None), ("write", 9)]


def test_maintenance_is_no_lineage_between_tables(history: MemoryStore) -> None:
    assert rows(history, "FROM table_lineage WHERE target_dataset = ?", target("maintained")) == []
    assert uses_of(history, "maintained", "direction, mode")[-1:] == [("write", "maintenance")]


def test_the_gaps_of_a_lineage_belong_to_each_of_its_executions(history: MemoryStore) -> None:
    query = "SELECT app_id, execution_id, reason FROM gaps WHERE reason = 'unknown_operator' ORDER BY 1"
    assert rows(history, query) == [("unknown-0", 1, "unknown_operator"), ("unknown-1", 1, "unknown_operator")]


def test_equal_statements_of_one_application_are_numbered_as_they_came(history: MemoryStore) -> None:
    base = "numbered: numbered InsertInto"
    assert executions_of(history, "numbered", "execution_id, job_name") == [
        (2, base),
        (5, f"{base} #2"),
        (9, f"{base} #2"),
        (10, "numbered: query"),
    ]


def test_no_time_of_these_runs_is_later_than_their_harvest(history: MemoryStore) -> None:
    """Otherwise the store would trust none of them."""
    assert rows(history, "FROM gaps WHERE reason = 'later_than_harvest'") == []
