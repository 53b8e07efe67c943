"""Events become executions: status, metrics, streams and statements joined as Spark's own interface joins them."""

from __future__ import annotations

import gc
import pickle
import tracemalloc
import weakref
from collections.abc import Iterator
from dataclasses import replace

import pytest

from eventlog_lineage.events import listener_events
from eventlog_lineage.events.assembly import Assembly, assemble
from eventlog_lineage.events.execution_builder import MetricValues
from eventlog_lineage.events.records import AssembledLog, CatalogChange, ExternalLineage, StreamProgress
from eventlog_lineage.events.sources.layouts import EventLog, Layout, LogPart
from eventlog_lineage.model import GapReason
from eventlog_lineage.plan.plan_text import NO_TEXT, PlanText
from eventlog_lineage.plan.summary.plan_summary import PlanSummary

PART = LogPart("/logs/local-1", 10, 5, 1)
LOG = EventLog("/logs/local-1", Layout.SINGLE, (PART,), "local-1")
END = (
    listener_events.ApplicationEnd(99),
    listener_events.PartEnd(1, lines=10, size=100, bytes_read=10),
)


def scan(*accumulators: int, name: str = "Scan parquet t") -> listener_events.MetricsNode:
    names = ("number of output rows", "number of files read")
    return listener_events.MetricsNode(name, "file:/t", tuple(zip(names, accumulators, strict=False)))


def start(execution_id: int, **fields: object) -> listener_events.ExecutionStart:
    event = listener_events.ExecutionStart(
        execution_id, None, "load", 10 + execution_id, PlanText("plan"), (), (), "", {}
    )
    return replace(event, **fields)  # type: ignore[arg-type]


def job(job_id: int, execution_id: int, *stages: int) -> listener_events.JobStart:
    return listener_events.JobStart(job_id, execution_id, None, stages, "", "", None)


def assembled(*events: listener_events.Event, log: EventLog = LOG) -> AssembledLog:
    return assemble((*events, *END), log)


def test_an_execution_has_start_end_and_plan() -> None:
    (execution,) = assembled(start(0, root_execution_id=0), listener_events.ExecutionEnd(0, 20, "")).executions
    assert (execution.execution_id, execution.root_execution_id) == (0, 0)
    assert (execution.started_at, execution.ended_at, execution.status, execution.error) == (10, 20, "succeeded", "")
    assert (execution.description, execution.plan) == ("load", PlanText("plan"))


def test_a_plan_is_whatever_stands_for_it() -> None:
    (execution,) = assembled(
        start(0, plan=PlanSummary("fingerprint")), listener_events.ExecutionEnd(0, 20, "")
    ).executions
    assert execution.plan == PlanSummary("fingerprint")


@pytest.mark.parametrize(
    ("end", "failed", "status", "error"),
    [
        (listener_events.ExecutionEnd(0, 20, ""), None, "succeeded", ""),
        (listener_events.ExecutionEnd(0, 20, ""), "boom", "succeeded", ""),
        (listener_events.ExecutionEnd(0, 20, "no such column"), None, "failed", "no such column"),
        (listener_events.ExecutionEnd(0, 20, None), None, "succeeded", ""),
        (listener_events.ExecutionEnd(0, 20, None), "boom", "failed", "boom"),
        (listener_events.ExecutionEnd(0, 20, None), "", "failed", "a job failed"),
        (None, "boom", "unknown", ""),
    ],
)
def test_the_status_comes_from_the_end_and_before_3_4_from_jobs(
    end: listener_events.ExecutionEnd | None, failed: str | None, status: str, error: str
) -> None:
    jobs = () if failed is None else (job(4, 0, 1), listener_events.JobFailed(4, failed))
    (execution,) = assembled(start(0), *jobs, *([end] if end else [])).executions
    assert (execution.status, execution.error) == (status, error)


def test_an_execution_without_end_runs_while_its_log_is_written() -> None:
    written = assemble([start(0), listener_events.PartEnd(1, lines=1)], replace(LOG, in_progress=True))
    assert (written.state, written.executions[0].status) == ("in_progress", "running")
    cut = assemble([start(0), listener_events.PartEnd(1, lines=1)], LOG)
    assert (cut.state, cut.executions[0].status) == ("truncated", "unknown")
    ended = assembled(start(0), log=replace(LOG, in_progress=True))
    assert (ended.state, ended.executions[0].status) == ("complete", "unknown")


def test_an_end_without_start_is_an_execution_all_the_same() -> None:
    (execution,) = assembled(job(1, 7, 1), listener_events.ExecutionEnd(7, 20, "boom")).executions
    assert (execution.execution_id, execution.started_at, execution.plan) == (7, None, NO_TEXT)
    assert (execution.status, execution.error) == ("failed", "boom")


def test_jobs_alone_make_no_execution() -> None:
    assert assembled(job(1, 7, 1), listener_events.DriverMetrics(8, ((1, 2),))).executions == ()


def test_a_start_after_its_end_is_joined() -> None:
    (execution,) = assembled(listener_events.ExecutionEnd(0, 20, ""), start(0)).executions
    assert (execution.started_at, execution.ended_at, execution.plan) == (10, 20, PlanText("plan"))


def test_the_root_is_told_by_the_start_or_by_jobs() -> None:
    told = assembled(start(1, root_execution_id=0), start(2), replace(job(1, 2, 1), root_execution_id=0)).executions
    assert [execution.root_execution_id for execution in told] == [0, 0]


def test_executions_stand_in_the_order_of_their_first_events() -> None:
    events = [start(6), start(5), listener_events.ExecutionEnd(5, 1, ""), listener_events.ExecutionEnd(6, 2, "")]
    assert [execution.execution_id for execution in assembled(*events).executions] == [6, 5]


def test_the_same_start_again_is_nothing_and_another_one_is_told() -> None:
    log = assembled(start(0), start(0), listener_events.ExecutionEnd(0, 20, ""), start(0, time=77, description="other"))
    assert [execution.description for execution in log.executions] == ["load"]
    (gap,) = log.gaps
    assert gap.reason is GapReason.DISAGREEMENT
    assert "started at 10 and at 77" in gap.detail


def test_the_last_value_of_an_accumulator_counts() -> None:
    (execution,) = assembled(
        start(0, nodes=(scan(1, 2),)),
        listener_events.DriverMetrics(0, ((2, 3),)),
        job(1, 0, 10, 11),
        listener_events.StageMetrics(10, ((1, 40), (99, 5))),
        listener_events.StageMetrics(11, ((1, 100),)),
        listener_events.ExecutionEnd(0, 20, ""),
    ).executions
    (operator,) = execution.metrics
    assert (operator.node_name, operator.location) == ("Scan parquet t", "file:/t")
    assert dict(operator.values) == {"number of output rows": 100, "number of files read": 3}


def test_a_stage_that_completes_after_the_end_still_counts() -> None:
    (execution,) = assembled(
        start(0, nodes=(scan(1),)),
        job(1, 0, 10),
        listener_events.ExecutionEnd(0, 20, ""),
        listener_events.StageMetrics(10, ((1, 7), (2, 8))),
    ).executions
    assert dict(execution.metrics[0].values) == {"number of output rows": 7}


def test_scans_of_the_last_plan_come_before_those_it_forgot() -> None:
    (execution,) = assembled(
        start(0, nodes=(scan(1), scan(2, name="Scan parquet pruned"), scan(3, name="Scan never run"))),
        job(1, 0, 10),
        listener_events.StageMetrics(10, ((1, 7), (2, 0), (4, 9))),
        listener_events.AdaptivePlan(0, (scan(4, name="Scan planned anew"),)),
        listener_events.AdaptivePlan(0, (scan(1), scan(5, name="Scan planned anew"))),
        listener_events.StageMetrics(10, ((5, 11),)),
        listener_events.ExecutionEnd(0, 20, ""),
    ).executions
    told = [(operator.node_name, operator.values["number of output rows"]) for operator in execution.metrics]
    assert told == [("Scan parquet t", 7), ("Scan planned anew", 11), ("Scan parquet pruned", 0)]


def test_a_re_print_of_the_same_plan_moves_nothing_again() -> None:
    first, second = assembled(
        start(0, nodes=(scan(1),)),
        job(1, 0, 10),
        listener_events.StageMetrics(10, ((1, 7),)),
        listener_events.ExecutionEnd(0, 20, ""),
        start(1, nodes=(scan(1),)),
        listener_events.ExecutionEnd(1, 21, ""),
    ).executions
    assert first.metrics
    assert second.metrics == ()


def test_sizes_that_spark_never_set_are_left_out() -> None:
    (execution,) = assembled(
        start(0, nodes=(scan(1, 2),)),
        listener_events.DriverMetrics(0, ((1, -1), (2, 2**70))),
        listener_events.ExecutionEnd(0, 20, ""),
    ).executions
    assert execution.metrics == ()


def test_executions_are_closed_while_the_log_goes_on() -> None:
    def events() -> Iterator[listener_events.Event]:
        for number in range(500):
            yield start(number, nodes=(scan(2 * number, 2 * number + 1),))
            yield job(number, number, number)
            yield listener_events.StageMetrics(number, ((2 * number, number), (2 * number + 1, 1)))
            yield listener_events.ExecutionEnd(number, 20, "")
        yield start(3)
        yield start(4, time=1000)
        yield listener_events.ExecutionEnd(3, 30, "late")
        yield listener_events.JobFailed(3, "late")
        yield listener_events.StageMetrics(3, ((6, 77),))
        yield from END

    log = assemble(events(), LOG)
    assert [execution.execution_id for execution in log.executions] == list(range(500))
    assert all(execution.status == "succeeded" for execution in log.executions)
    assert [execution.metrics[0].values["number of output rows"] for execution in log.executions] == list(range(500))
    assert [gap.reason for gap in log.gaps] == [GapReason.DISAGREEMENT]


@pytest.mark.slow
def test_memory_is_a_few_hundred_bytes_per_operator() -> None:
    def events() -> Iterator[listener_events.Event]:
        for number in range(4000):
            nodes = tuple(scan(number * 40 + i, number * 40 + i + 1, name=f"Scan parquet t{i}") for i in (0, 2))
            yield start(number, plan=f"{number % 9:032x}", nodes=nodes, description=f"night {number}")
            yield job(number, number, number)
            yield listener_events.StageMetrics(number, tuple((number * 40 + i, 10**9 + i) for i in range(40)))
            yield listener_events.ExecutionEnd(number, 20, "")
        yield from END

    tracemalloc.start()
    log = assemble(events(), LOG)
    size, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(log.executions) == 4000
    assert size < 4000 * 1500
    assert peak < size + 4_000_000


def test_stages_that_many_jobs_of_an_execution_wait_for_are_held_once() -> None:
    def events() -> Iterator[listener_events.Event]:
        yield start(0)
        for number in range(200):
            yield job(number, 0, *range(1000, 3000))
        yield from END

    tracemalloc.start()
    assemble(events(), LOG)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2_000_000


BATCH = "name\nid = 1f0e\nrunId = 2a3b\nbatch = 12"


@pytest.mark.parametrize(
    ("description", "ids"),
    [
        (BATCH, ("1f0e", "2a3b", 12)),
        (f"Delta: {BATCH}: Compute snapshot", ("1f0e", "2a3b", 12)),
        (BATCH.replace("12", "init"), ("1f0e", "2a3b", None)),
        ("\n" + BATCH.removeprefix("name\n"), ("1f0e", "2a3b", 12)),
        ("id = 1", ("", "", None)),
        ("load", ("", "", None)),
    ],
)
def test_a_micro_batch_is_told_by_its_description(description: str, ids: tuple[str, str, int | None]) -> None:
    (execution,) = assembled(start(0, description=description)).executions
    assert (execution.stream_query_id, execution.stream_run_id, execution.stream_batch_id) == ids


def test_an_assembly_is_released_without_a_search_for_cycles() -> None:
    """Otherwise a worker keeps the executions of logs that it has finished, until Python's collector runs."""
    gc.collect()
    gc.disable()
    try:
        assembly = Assembly(LOG)
        assembly.add(start(1))
        assembly.add(job(1, 1, 1))
        assembly.result()
        released = weakref.ref(assembly)
        del assembly
        assert released() is None
    finally:
        gc.enable()


def test_a_micro_batch_is_told_by_its_jobs() -> None:
    (execution,) = assembled(start(0), listener_events.JobStart(1, 0, None, (), "2a3b", "1f0e", 3)).executions
    assert (execution.stream_query_id, execution.stream_run_id, execution.stream_batch_id) == ("1f0e", "2a3b", 3)


def test_the_progress_of_streams_is_kept() -> None:
    progress = StreamProgress("q", "r", "n", 0, "2026-11-21T05:16:18.490Z", (("s", None, "1", 5),), "FileSink[/x]", 5)
    assert assembled(progress).progress == (progress,)


def test_connect_statements_are_found_by_job_tag() -> None:
    statement = listener_events.Statement("tag", "o", "SELECT 1", "me")
    (execution,) = assembled(statement, start(0, job_tags=("other", "tag"))).executions
    assert execution.sql_text == "SELECT 1"


def test_thrift_statements_are_found_by_job_group_or_text_with_their_plan() -> None:
    sql = "INSERT INTO t SELECT 1"
    events = (
        listener_events.Statement("group", "o", sql, "me"),
        start(0, description=sql),
        listener_events.ExecutionEnd(0, 20, ""),
        listener_events.ParsedStatement("o", PlanText("== Parsed Logical Plan ==")),
        start(1, description="redacted"),
        listener_events.JobStart(1, 1, None, (), "group", "", None),
        start(2, job_group="group"),
        start(3, description="something else"),
    )
    told = [(execution.sql_text, execution.statement_plan) for execution in assembled(*events).executions]
    assert told == [(sql, PlanText("== Parsed Logical Plan =="))] * 3 + [("", ())]


def test_a_server_of_many_statements_keeps_the_newest() -> None:
    events = [listener_events.Statement(f"g{i}", f"o{i}", f"SELECT {i}", "me") for i in range(6000)]
    plan = listener_events.ParsedStatement("o0", PlanText("gone"))
    log = assembled(*events, plan, start(0, job_group="g0"), start(1, job_group="g5999"))
    assert [execution.sql_text for execution in log.executions] == ["", "SELECT 5999"]


def test_an_execution_knows_what_changed_in_the_catalog_while_it_ran() -> None:
    made, renamed = CatalogChange("d", "t", ""), CatalogChange("d", "a`b", "c")
    log = assembled(made, start(0), made, start(1), renamed, listener_events.ExecutionEnd(1, 60, ""), made)
    assert [each.changed for each in log.executions] == [
        ("`d`.`t`", "`d`.`a``b`", "`d`.`c`"),
        ("`d`.`a``b`", "`d`.`c`"),
    ]


def answer(table: str, at: int, error: str = "") -> ExternalLineage:
    return ExternalLineage(("a",), (table,), (), error, at)


def answered(*events: listener_events.Event) -> list[tuple[str, int, bool]]:
    """The tables of the answers, the executions that they are about, and whether that is certain."""
    told = assembled(*events).external_lineages
    return [(each.output_tables[0], each.execution_id, each.certain) for each in told]


def test_an_answer_is_about_the_execution_that_ended_before_it() -> None:
    """As Kyuubi's plugin wrote them: the inner execution ends, and is answered, first."""
    ends = [
        listener_events.ExecutionEnd(10, 100, ""),
        answer("inner", 102),
        listener_events.ExecutionEnd(9, 110, ""),
        answer("outer", 111),
    ]
    assert answered(start(9), start(10), *ends) == [("inner", 10, True), ("outer", 9, True)]


def test_answers_that_come_late_keep_the_order_of_the_ends() -> None:
    ends = [listener_events.ExecutionEnd(number, 100 + number, "") for number in range(3)]
    late = [answer(f"t{number}", 110 + number) for number in range(3)]
    assert answered(*ends[:2], late[0], ends[2], *late[1:]) == [("t0", 0, True), ("t1", 1, True), ("t2", 2, True)]


def test_an_execution_without_an_answer_makes_those_beside_it_uncertain() -> None:
    ends = [listener_events.ExecutionEnd(0, 100, ""), listener_events.ExecutionEnd(1, 105, "")]
    assert answered(*ends, answer("t", 106)) == [("t", 1, False)]


def test_an_answer_to_a_failure_is_not_given_to_a_success() -> None:
    ends = [listener_events.ExecutionEnd(0, 100, "it broke"), listener_events.ExecutionEnd(1, 105, "")]
    assert answered(*ends, answer("t", 106, "it broke")) == [("t", 0, False)]


def test_old_ends_without_an_answer_leave_later_answers_certain() -> None:
    ends = [listener_events.ExecutionEnd(0, 100, ""), listener_events.ExecutionEnd(1, 9_000, "")]
    assert answered(*ends, answer("t", 9_001)) == [("t", 1, True)]


def test_an_answer_before_all_ends_is_left_out() -> None:
    assert answered(answer("t", 5), listener_events.ExecutionEnd(0, 100, "")) == []


def test_the_application_is_what_its_events_say() -> None:
    log = assembled(
        listener_events.LogStart("3.3.0-amzn-0"),
        listener_events.ApplicationStart("application_1_0001", "2", "nightly", "etl", 5),
        listener_events.Environment({"spark.sql.defaultCatalog": "lake"}, "", "rapids"),
        listener_events.Environment({"spark.app.name": "x"}, "", ""),
    )
    application = log.application
    assert (application.app_id, application.attempt_id, application.app_name) == ("application_1_0001", "2", "nightly")
    assert (application.user_name, application.spark_version) == ("etl", "3.3.0-amzn-0")
    assert (application.platform, application.engine) == ("emr", "rapids")
    assert (application.started_at, application.ended_at, application.complete) == (5, 99, True)
    assert application.settings == {"spark.sql.defaultCatalog": "lake", "spark.app.name": "x"}
    assert application.log_path == "/logs/local-1"


def test_an_application_without_header_is_named_after_its_log() -> None:
    rolling = replace(LOG, path="/logs/eventlog_v2_a_1", layout=Layout.ROLLING, app_id="a", attempt_id="1")
    application = assembled(log=rolling).application
    assert (application.app_id, application.attempt_id, application.platform) == ("a", "1", "oss")
    assert assembled(log=replace(LOG, path="/logs/mine.zstd", app_id="")).application.app_id == "mine"


def test_a_databricks_log_is_one_by_its_layout_or_its_parts() -> None:
    assert assembled(log=replace(LOG, layout=Layout.DATABRICKS)).application.platform == "databricks"
    application = assembled(listener_events.LogStart("3.3.0", "databricks", 0)).application
    assert (application.platform, application.spark_version) == ("databricks", "3.3.0")


def test_counts_are_added_up_over_parts() -> None:
    counts = assemble([*END, replace(END[1], part=2)], LOG).counts
    assert (counts.lines, counts.size) == (20, 200)


def test_metric_values_are_a_mapping() -> None:
    values = MetricValues(("rows", "bytes"), (1, 2))
    assert values == {"rows": 1, "bytes": 2}
    assert values == MetricValues(("rows", "bytes"), [1, 2])
    assert (values["bytes"], values.get("files"), len(values), list(values)) == (2, None, 2, ["rows", "bytes"])
    assert hash(values) == hash(MetricValues(("rows", "bytes"), (1, 2)))
    assert repr(values) == "{'rows': 1, 'bytes': 2}"


def test_events_and_logs_cross_process_boundaries() -> None:
    log = assembled(start(0, nodes=(scan(1),)), job(1, 0, 10), listener_events.StageMetrics(10, ((1, 7),)))
    assert pickle.loads(pickle.dumps(log)) == log
    assert pickle.loads(pickle.dumps(END)) == END


@pytest.mark.parametrize(
    ("version", "reasons"),
    [
        ("1.6.1", [GapReason.UNSUPPORTED_VERSION]),
        ("2.3.4", [GapReason.UNSUPPORTED_VERSION]),
        ("2.4.8", []),
        ("3.3.0-amzn-0", []),
        ("", []),
    ],
)
def test_a_version_that_is_not_supported_is_reported_once(version: str, reasons: list[GapReason]) -> None:
    log = assembled(listener_events.LogStart(version), start(0), start(1))
    assert [gap.reason for gap in log.gaps] == reasons
