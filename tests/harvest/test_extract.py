"""One log that the program fails on costs no other log anything; without Spark."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventlog_lineage.events.assembly import assemble
from eventlog_lineage.events.records import ExternalLineage
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.events.sources.layouts import EventLog
from eventlog_lineage.harvest import extract, log_rows, statement_rows
from eventlog_lineage.harvest.checkpoints import Batch, NewStatement
from eventlog_lineage.harvest.extract import Collector, SplitPart, assemble_distributed, extract_split, read_parts
from eventlog_lineage.harvest.row_batches import pack, unpack
from eventlog_lineage.harvest.statement_rows import summarized_events, unpack_text
from eventlog_lineage.plan import plan_text
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.store.schema.declaration import SEPARATOR
from eventlog_lineage.store.schema.tables import APPLICATIONS

UI = "org.apache.spark.sql.execution.ui.SparkListener"


def write_log(folder: Path, name: str, *, plan: str = "== Physical Plan ==\\nLocalTableScan [a#1]") -> None:
    (folder / f"local-{name}").write_text(
        '{"Event":"SparkListenerLogStart","Spark Version":"3.5.9"}\n'
        f'{{"Event":"SparkListenerApplicationStart","App Name":"{name}","App ID":"local-{name}","Timestamp":1}}\n'
        f'{{"Event":"{UI}SQLExecutionStart","executionId":0,"description":"d","details":"",'
        f'"physicalPlanDescription":"{plan}","sparkPlanInfo":{{}},"time":2}}\n'
        f'{{"Event":"{UI}SQLExecutionEnd","executionId":0,"time":3,"errorMessage":""}}\n'
        '{"Event":"SparkListenerApplicationEnd","Timestamp":4}\n'
    )


@pytest.fixture
def logs(tmp_path: Path) -> list[EventLog]:
    write_log(tmp_path, "1")
    write_log(tmp_path, "2", plan="== Physical Plan ==\\nEVIL")
    write_log(tmp_path, "3")
    return list(find_logs([str(tmp_path)]))


def shares(logs: list[EventLog]) -> list[SplitPart]:
    return [SplitPart(log, number, tuple(range(len(log.parts)))) for number, log in enumerate(logs)]


def rows(records: Iterator[object], table: str) -> list[dict[str, object]]:
    batches = [record for record in records if isinstance(record, Batch) and record.table == table]
    return [row for batch in batches for row in unpack(batch.payload).to_pylist()]


def app_id(row: dict[str, object]) -> str:
    return str(row["app_id"]).partition(SEPARATOR)[0]


def harvested(logs: list[EventLog]) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]], int]:
    """State and error of each log, the gaps, and how many executions there are."""
    records = list(extract_split(shares(logs), {}))
    states = [(app_id(row), row["state"], row["error"]) for row in rows(iter(records), "harvested_logs")]
    gaps = [(app_id(row), row["reason"]) for row in rows(iter(records), "gaps")]
    return sorted(states, key=str), gaps, len(rows(iter(records), "executions"))


def fails_on_evil(summarize_plan: object) -> object:
    def failing(plan: PlanText, *facts: object) -> object:
        if "EVIL" in plan.text:
            raise RuntimeError("what a plan")
        return summarize_plan(plan, *facts)  # type: ignore[operator]

    return failing


def test_an_error_while_a_part_is_read_ends_that_part_only(
    logs: list[EventLog], monkeypatch: pytest.MonkeyPatch
) -> None:
    statement_rows.shared_summaries.cache_clear()
    monkeypatch.setattr(plan_text, "summarize_plan", fails_on_evil(plan_text.summarize_plan))
    states, gaps, executions = harvested(logs)
    assert [state[:2] for state in states] == [
        ("local-1", "complete"),
        ("local-2", "truncated"),
        ("local-3", "complete"),
    ]
    assert "internal error: RuntimeError: what a plan (test_extract.py:" in str(states[1][2])
    assert ("local-2", "internal_error") in gaps
    assert executions == 2


def test_a_log_that_is_renamed_between_listing_and_reading_is_complete_and_leaves_no_gap(tmp_path: Path) -> None:
    write_log(tmp_path, "1.inprogress")
    listed = list(find_logs([str(tmp_path)]))
    (tmp_path / "local-1.inprogress").rename(tmp_path / "local-1")
    states, gaps, executions = harvested(listed)
    assert [(state, error) for _, state, error in states] == [("complete", None)]
    assert (gaps, executions) == ([], 1)


@pytest.mark.parametrize(
    ("module", "step"),
    [
        (extract, "statements_of"),
        (log_rows, "execution_rows"),
        (log_rows, "gap_rows"),
        (extract, "catalog_settings_of"),
    ],
)
def test_an_error_while_a_log_is_put_together_leaves_no_row_of_it_but_its_own(
    logs: list[EventLog], monkeypatch: pytest.MonkeyPatch, module: ModuleType, step: str
) -> None:
    calls = iter(range(9))
    before = getattr(module, step)

    def failing(*arguments: object) -> object:
        if next(calls) == 1:
            raise KeyError("no such thing")
        return before(*arguments)

    monkeypatch.setattr(module, step, failing)
    states, gaps, executions = harvested(logs)
    assert [state[:2] for state in states] == [
        ("local-1", "complete"),
        ("local-2", "unreadable"),
        ("local-3", "complete"),
    ]
    assert gaps == [("local-2", "internal_error")]
    assert executions == 2


def test_a_log_of_spread_parts_that_fails_leaves_the_others(
    logs: list[EventLog], monkeypatch: pytest.MonkeyPatch
) -> None:
    events = list(read_parts(shares(logs)))
    calls = iter(range(9))
    before = extract.statements_of
    monkeypatch.setattr(extract, "statements_of", lambda *given: before(*given) if next(calls) else 1 / 0)
    records = list(assemble_distributed(iter(events), dict(enumerate(shares(logs))), {}))
    assert [row["state"] for row in rows(iter(records), "harvested_logs")] == ["unreadable", "complete", "complete"]


def test_a_shape_is_given_once_with_the_texts_of_its_plans(logs: list[EventLog]) -> None:
    given = [each for each in extract_split(shares([logs[2], logs[0]]), {}) if isinstance(each, NewStatement)]
    assert [(each.rank, [unpack_text(text) for text in each.texts.values()]) for each in given] == [
        ((2, 0, 0), ["== Physical Plan ==\nLocalTableScan [a#1]"])
    ]


@pytest.mark.parametrize(("start", "is_traced"), [(0, False), (1, False), (2, False), (3, True)])
def test_an_earlier_run_of_a_known_lineage_is_traced_again(logs: list[EventLog], start: int, is_traced: bool) -> None:
    (new,) = (each for each in extract_split(shares([logs[0]]), {}) if isinstance(each, NewStatement))
    known = {new.statement.lineage_id: start}
    found = [each for each in extract_split(shares([logs[2]]), known) if isinstance(each, NewStatement)]
    assert [each.traced_at for each in found] == ([2] if is_traced else [])


def test_a_shape_that_another_tool_speaks_of_is_another_one(logs: list[EventLog]) -> None:
    collector = Collector({})
    answer = ExternalLineage(("spark_catalog.a.b",), (), (), "", execution_id=0)
    given = []
    for number, log in enumerate((logs[0], logs[2], logs[2])):
        read = assemble((event for event, _ in summarized_events(log.parts[0])), log)
        told = replace(read, external_lineages=(answer,) if number else ())
        given += [each for each in collector.take(told, log, number, 0) if isinstance(each, NewStatement)]
    assert [(each.rank, each.statement.external) for each in given] == [((2, 0, 0), ()), ((2, 1, 0), (answer,))]
    assert len({each.statement.lineage_id for each in given}) == 2


def test_texts_beyond_what_is_held_are_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statement_rows, "_MOST_HELD", 10)
    texts = statement_rows.PlanTexts()
    said = {"a": "short", "b": "longer\ud800 ä", "c": "the longest of all", "d": "tiny"}
    for name, text in said.items():
        texts.add(name, text)
        texts.add(name, "another text of the same plan")
    assert {name: unpack_text(texts.packed(name) or b"") for name in said} == said
    assert texts.packed("e") is None
    texts.close()


@given(st.one_of(st.none(), st.integers()))
def test_any_time_fits_into_a_batch(time: int | None) -> None:
    row = APPLICATIONS.row(
        app_id="a",
        attempt_id="",
        app_name="n",
        user_name="u",
        spark_version="v",
        platform="oss",
        engine="",
        agents="",
        code_version=None,
        origin="spark",
        started_at=time,
        ended_at=time,
        complete=True,
        log_path="p",
    )
    (kept,) = unpack(pack(APPLICATIONS, [row])).to_pylist()
    assert kept["started_at"] is None or time is not None
