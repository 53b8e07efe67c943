"""Micro-batches: which executions are one, where it writes, and what `foreachBatch` runs."""

from __future__ import annotations

import pytest

from eventlog_lineage.catalog.application_facts import NO_SETTINGS, ExecutionSummary
from eventlog_lineage.catalog.stream_tables import locate_streams
from eventlog_lineage.events.records import StreamProgress
from eventlog_lineage.lineage.grouping.statement_groups import group_executions
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.lineage.statement import Statement
from eventlog_lineage.lineage.trace_statement import trace
from eventlog_lineage.model import GapReason
from eventlog_lineage.plan.plan_text import PlanText

READING = """== Physical Plan ==
* Project (2)
+- MicroBatchScan (1)


(1) MicroBatchScan
Output [2]: [key#1, value#2]
class org.apache.spark.sql.kafka010.KafkaSourceProvider$KafkaScan

(2) Project [codegen id : 1]
Output [2]: [cast(key#1 as string) AS id#3, value#2]
Input [2]: [key#1, value#2]

"""
EMPTY = """== Physical Plan ==
* Union (3)
:- MicroBatchScan (1)
+- LocalTableScan (2)


(1) MicroBatchScan
Output [1]: [value#2]
class org.apache.spark.sql.kafka010.KafkaSourceProvider$KafkaScan

(2) LocalTableScan
Output [1]: [value#5]
Arguments: <empty>, [value#5]

(3) Union

"""
WRITING = """== Physical Plan ==
Execute InsertIntoHadoopFsRelationCommand (3)
+- * Project (2)
   +- * Scan ExistingRDD (1)


(1) Scan ExistingRDD [codegen id : 1]
Output [2]: [id#11, value#12]
Arguments: [id#11, value#12], MapPartitionsRDD[3] at start, ExistingRDD, UnknownPartitioning(0)

(2) Project [codegen id : 1]
Output [1]: [upper(id#11) AS word#13]
Input [2]: [id#11, value#12]

(3) Execute InsertIntoHadoopFsRelationCommand
Input [1]: [word#13]
Arguments: file:/out, false, Parquet, [path=/out], Append, [word]

"""


def progress(sink: str, *sources: str) -> StreamProgress:
    read = tuple((source, None, '{"clicks":{"0":3}}', 3) for source in sources)
    return StreamProgress("q", "r", "counts", 7, "2026-11-21T00:00:00Z", read, sink, 3)


def run(number: int, plan: str, begin: int, end: int, root: int | None = None) -> ExecutionSummary:
    return ExecutionSummary(number, root, "batch = 7", begin, end, PlanText(plan).summary, "r", 7)


def traced(runs: list[tuple[ExecutionSummary, str]], told: StreamProgress) -> list[tuple[Statement, StatementLineage]]:
    texts = {each.summary.fingerprint: PlanText(text) for each, text in runs}
    groups = group_executions([each for each, _ in runs], NO_SETTINGS, locate_streams([told]))
    return [(group, trace(group, texts)) for group in groups]


def edges(lineage: StatementLineage) -> list[tuple[str | None, str | None, str | None]]:
    return [(edge.source_dataset, edge.source_column, edge.target_column) for edge in lineage.edges]


def test_a_batch_writes_to_the_sink_that_its_progress_names() -> None:
    told = progress("FileSink[file:/out]", "KafkaV2[Subscribe[clicks]]")
    ((_, lineage),) = traced([(run(1, READING, 0, 9, 1), READING)], told)
    assert lineage.target is not None
    assert (lineage.target.name, lineage.mode) == ("file:///out", "append")
    assert edges(lineage) == [
        ("kafka://unknown/clicks", "key", "id"),
        ("kafka://unknown/clicks", "value", "value"),
    ]


def test_a_source_without_new_rows_stays_a_source() -> None:
    told = progress("FileSink[file:/out]", "KafkaV2[Subscribe[clicks]]", "KafkaV2[Subscribe[orders]]")
    ((_, lineage),) = traced([(run(1, EMPTY, 0, 9, 1), EMPTY)], told)
    assert edges(lineage) == [
        ("kafka://unknown/clicks", "value", "value"),
        ("kafka://unknown/orders", "value", "value"),
    ]


def test_a_column_of_several_topics_comes_from_each() -> None:
    told = progress("FileSink[file:/out]", "KafkaV2[Subscribe[clicks, orders]]")
    ((_, lineage),) = traced([(run(1, READING, 0, 9, 1), READING)], told)
    assert {source for source, _, column in edges(lineage) if column == "value"} == {
        "kafka://unknown/clicks",
        "kafka://unknown/orders",
    }


def test_what_a_function_writes_comes_from_the_batch_by_the_names_of_its_columns() -> None:
    told = progress("ForeachBatchSink", "KafkaV2[Subscribe[clicks]]")
    runs = [(run(1, READING, 0, 9, 1), READING), (run(2, WRITING, 2, 8, 1), WRITING)]
    (batch, reading), (inner, writing) = traced(runs, told)
    assert reading.target is None
    assert (batch.members, inner.members) == ((1,), (2,))
    assert edges(writing) == [("kafka://unknown/clicks", "key", "word")]


def test_a_function_that_sets_another_description_still_runs_in_its_batch() -> None:
    told = progress("ForeachBatchSink", "KafkaV2[Subscribe[clicks]]")
    renamed = ExecutionSummary(2, 1, "nightly load", 2, 8, PlanText(WRITING).summary)
    (batch, _), (inner, writing) = traced([(run(1, READING, 0, 9, 1), READING), (renamed, WRITING)], told)
    assert (batch.members, inner.members) == ((1,), (2,))
    assert edges(writing) == [("kafka://unknown/clicks", "key", "word")]


def client(number: int, begin: int, end: int) -> tuple[ExecutionSummary, str]:
    summary = PlanText(WRITING).summary
    return ExecutionSummary(number, number, "Spark Connect", begin, end, summary, operation="o2"), WRITING


@pytest.mark.parametrize(
    ("begin", "end", "sources"),
    [(2, 8, [("kafka://unknown/clicks", "key", "word")]), (12, 18, [(None, None, "word")])],
    ids=["during the batch", "after it"],
)
def test_a_connect_clients_statement_that_reads_rows_during_a_batch_reads_the_batch(
    begin: int, end: int, sources: list[tuple[str | None, str | None, str | None]]
) -> None:
    told = progress("ForeachBatchSink", "KafkaV2[Subscribe[clicks]]")
    runs = [(run(1, READING, 0, 9, 1)._replace(operation="o1"), READING), client(2, begin, end)]
    _, (statement, writing) = traced(runs, told)
    assert statement.members == (2,)
    assert edges(writing) == sources
    assert bool(writing.gaps) == (sources[0][0] is None)


def test_rows_of_an_earlier_checkpoint_are_not_the_batchs() -> None:
    told = progress("ForeachBatchSink", "KafkaV2[Subscribe[clicks]]")
    made = ExecutionSummary(1, 1, "", 0, 1, PlanText(WRITING).summary, call="checkpoint", operation="o0")
    reading = run(2, READING, 2, 19, 2)._replace(operation="o1")
    _, _, (_, writing) = traced([(made, WRITING), (reading, READING), client(3, 4, 8)], told)
    assert edges(writing) != [("kafka://unknown/clicks", "key", "word")]


def test_a_statement_within_two_batches_reads_the_one_whose_attributes_it_has() -> None:
    told = progress("ForeachBatchSink", "KafkaV2[Subscribe[clicks]]")
    other = READING.replace("value#2", "value#12")
    runs = [
        (run(1, READING, 0, 9, 1), READING),
        (run(2, other, 1, 9, 2)._replace(stream_batch_id=8), other),
        client(3, 4, 8),
    ]
    _, _, (statement, writing) = traced(runs, told)
    assert statement.context.batch is not None
    assert edges(writing) == [("kafka://unknown/clicks", "key", "word")]


KAFKA = "org.apache.spark.sql.kafka010.KafkaSourceProvider$KafkaTable@5b4c8e9a"
TOPICS = READING.replace("cast(key#1 as string) AS id#3, value#2", "{} AS topic#3, value#2")


def test_a_topic_that_nothing_names_is_a_gap_and_no_dataset_of_that_name() -> None:
    told = progress(KAFKA, "KafkaV2[Subscribe[clicks]]")
    ((_, lineage),) = traced([(run(1, READING, 0, 9, 1), READING)], told)
    assert lineage.target is None
    assert [(gap.reason, gap.operator) for gap in lineage.gaps] == [(GapReason.UNKNOWN_TARGET, "KafkaTable")]
    assert "explainMode=extended" in lineage.gaps[0].hint


def test_a_topic_that_every_row_names_is_the_target() -> None:
    told = progress(KAFKA, "KafkaV2[Subscribe[clicks]]")
    plan = TOPICS.format("other")
    ((_, lineage),) = traced([(run(1, plan, 0, 9, 1), plan)], told)
    assert lineage.target is not None
    assert lineage.target.name == "kafka://unknown/other"
    assert edges(lineage) == [("kafka://unknown/clicks", "value", "value")]


def test_topics_that_differ_from_row_to_row_are_a_gap() -> None:
    told = progress(KAFKA, "KafkaV2[Subscribe[clicks]]")
    plan = TOPICS.format("cast(key#1 as string)")
    ((_, lineage),) = traced([(run(1, plan, 0, 9, 1), plan)], told)
    assert lineage.target is None
    assert [gap.reason for gap in lineage.gaps] == [GapReason.UNKNOWN_TARGET]


def test_batches_that_print_the_same_plan_are_statements_of_their_own() -> None:
    told = progress("org.apache.spark.sql.execution.streaming.ConsoleTable$@13d07631", "KafkaV2[Subscribe[clicks]]")
    writing = READING.replace("* Project (2)\n+- Micro", "WriteToDataSourceV2 (2)\n+- Micro")
    first = run(1, writing, 0, 9)
    second = ExecutionSummary(2, None, "batch = 8", 10, 19, first.summary, "r", 8)
    groups = group_executions([first, second], NO_SETTINGS, locate_streams([told]))
    assert [group.members for group in groups] == [(1,), (2,)]


def test_a_query_that_outputs_all_groups_each_time_overwrites_its_sink() -> None:
    told = progress("FileSink[file:/out]", "KafkaV2[Subscribe[clicks]]")
    batch = run(1, READING, 0, 9, 1)._replace(is_complete=True)
    ((_, lineage),) = traced([(batch, READING)], told)
    assert lineage.mode == "overwrite"


def test_a_sink_that_prints_its_class_only_is_a_gap() -> None:
    told = progress("org.apache.paimon.spark.sources.PaimonSink@1f2e3d4c", "KafkaV2[Subscribe[clicks]]")
    ((_, lineage),) = traced([(run(1, READING, 0, 9, 1), READING)], told)
    assert [(str(gap.reason), gap.operator) for gap in lineage.gaps] == [("unknown_target", "PaimonSink")]
