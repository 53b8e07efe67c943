"""The cost of an execution is what its tasks report, from the totals of its stages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest
import zstandard

from eventlog_lineage.events import listener_events
from eventlog_lineage.events.assembly import assemble
from eventlog_lineage.events.listener_events import StageMetrics
from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.records import AssembledLog, RunCost
from eventlog_lineage.events.sources.discovery import find_logs, open_part
from eventlog_lineage.events.sources.layouts import EventLog, Layout, LogPart
from eventlog_lineage.plan.plan_text import PlanText
from support.event_logs import LOGS

SAMPLES = Path(__file__).resolve().parents[1] / "sample_logs"
WITH_TASKS = (
    LOGS / "zstd-3.5.9",
    LOGS / "rolling-3.5.9",
    SAMPLES / "nightly-sales-3-3",
    SAMPLES / "nightly-sales-3-5.zstd",
    SAMPLES / "eventlog_v2_nightly-sales-4-0",
    SAMPLES / "eventlog_v2_nightly-sales-4-3",
)
"""Logs that have their task events."""


def of_tasks(path: Path) -> dict[int, RunCost]:
    """Add up the task metrics of each execution's stages, which the program never reads.

    Tasks that end after their stage has failed are in no total.
    """
    owners: dict[int, int] = {}
    costs: dict[int, RunCost] = defaultdict(RunCost)
    for text in lines(path):
        event = orjson.loads(text)
        if event["Event"] == "SparkListenerJobStart":
            execution = event["Properties"].get("spark.sql.execution.id")
            for stage in event["Stage IDs"] if execution is not None else ():
                owners.setdefault(stage, int(execution))
        if event["Event"] == "SparkListenerStageCompleted":
            owners.pop(event["Stage Info"]["Stage ID"], None)
        if event["Event"] == "SparkListenerTaskEnd" and event["Stage ID"] in owners:
            owner = owners[event["Stage ID"]]
            costs[owner] = costs[owner].plus(of_task(event.get("Task Metrics") or {}))
    return dict(costs)


def lines(path: Path) -> Iterator[bytes]:
    (log,) = find_logs([str(path)])
    for part in log.parts:
        with open_part(part) as file:
            packed = file.read()
        decoder = zstandard.ZstdDecompressor()
        plain = decoder.stream_reader(packed, read_across_frames=True).read() if packed[:1] == b"(" else packed
        yield from plain.splitlines()


def of_task(metrics: Mapping[str, Any]) -> RunCost:
    read = metrics.get("Shuffle Read Metrics", {})
    return RunCost(
        executor_run_ms=metrics.get("Executor Run Time", 0),
        executor_cpu_ns=metrics.get("Executor CPU Time", 0),
        input_bytes=metrics.get("Input Metrics", {}).get("Bytes Read", 0),
        shuffle_read_bytes=read.get("Remote Bytes Read", 0) + read.get("Local Bytes Read", 0),
        shuffle_write_bytes=metrics.get("Shuffle Write Metrics", {}).get("Shuffle Bytes Written", 0),
        memory_spilled_bytes=metrics.get("Memory Bytes Spilled", 0),
        disk_spilled_bytes=metrics.get("Disk Bytes Spilled", 0),
        records_written=metrics.get("Output Metrics", {}).get("Records Written", 0),
    )


@pytest.mark.parametrize("path", WITH_TASKS, ids=lambda path: path.name)
def test_the_cost_of_an_execution_is_the_sum_over_its_tasks(path: Path) -> None:
    (log,) = find_logs([str(path)])
    found = {each.execution_id: each.cost for each in read_log(log).executions if each.cost is not None}
    assert found == of_tasks(path)
    assert sum(cost.executor_run_ms for cost in found.values()) > 0


PART = LogPart("/logs/local-1", 10, 5, 1)
LOG = EventLog("/logs/local-1", Layout.SINGLE, (PART,), "local-1")
TEN = RunCost(executor_run_ms=10, disk_spilled_bytes=3)


def started(execution_id: int) -> listener_events.ExecutionStart:
    return listener_events.ExecutionStart(execution_id, None, "load", 1, PlanText("plan"), (), (), "", {})


def job(job_id: int, execution_id: int, *stages: int) -> listener_events.JobStart:
    return listener_events.JobStart(job_id, execution_id, None, stages, "", "", None)


def costs(*events: listener_events.Event) -> list[RunCost | None]:
    log: AssembledLog = assemble((*events, listener_events.ApplicationEnd(9), listener_events.PartEnd(1, lines=9)), LOG)
    return [execution.cost for execution in log.executions]


def test_every_attempt_of_a_stage_costs() -> None:
    twice = [StageMetrics(5, (), TEN), StageMetrics(5, (), replace(TEN, input_bytes=7))]
    assert costs(started(0), job(1, 0, 5), *twice) == [RunCost(20, input_bytes=7, disk_spilled_bytes=6)]


def test_a_stage_that_two_executions_wait_for_costs_once() -> None:
    events = [started(0), started(1), job(1, 0, 5), job(2, 1, 5, 6)]
    assert costs(*events, StageMetrics(5, (), TEN), StageMetrics(6, (), TEN)) == [TEN, TEN]


def test_a_stage_that_completes_after_the_end_costs_as_well() -> None:
    end = listener_events.ExecutionEnd(0, 20, "")
    assert costs(started(0), job(1, 0, 5), end, StageMetrics(5, (), TEN)) == [TEN]


def test_without_task_metrics_the_cost_is_unknown() -> None:
    assert costs(started(0), job(1, 0, 5), StageMetrics(5, ((1, 2),), None)) == [None]
    assert costs(started(0)) == [None]


def test_a_sum_stays_within_64_bits_whatever_a_log_prints() -> None:
    huge = RunCost().plus(RunCost(2**63 - 1, 2**63 - 1))
    assert costs(started(0), job(1, 0, 5), *[StageMetrics(5, (), huge)] * 3) == [RunCost(2**53, 2**53)]
