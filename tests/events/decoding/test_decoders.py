"""Each kept event becomes its value, in every shape that Spark 2.3 to 4.3 and the vendors give it."""

from __future__ import annotations

import json
from contextlib import suppress

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventlog_lineage.events import listener_events
from eventlog_lineage.events.decoding.decoders import DECODERS, decode, moves_rows
from eventlog_lineage.events.decoding.line_filter import UnreadableLine, parsed
from eventlog_lineage.events.records import CatalogChange, ExternalLineage, RunCost, SchedulerTask, StreamProgress
from eventlog_lineage.plan.plan_text import PlanText
from support.event_logs import UI, line

SCAN = {
    "nodeName": "Scan parquet spark_catalog.default.t",
    "simpleString": "FileScan parquet spark_catalog.default.t[a#1]",
    "children": [],
    "metadata": {"Location": "InMemoryFileIndex(1 paths)[file:/wh/t]", "Format": "Parquet"},
    "metrics": [
        {"name": "number of output rows", "accumulatorId": 7, "metricType": "sum"},
        {"name": "scan time", "accumulatorId": 8, "metricType": "timing"},
        {"name": "size of files read", "accumulatorId": 9, "metricType": "size"},
    ],
}
NODE = listener_events.MetricsNode(
    "Scan parquet spark_catalog.default.t",
    "InMemoryFileIndex(1 paths)[file:/wh/t]",
    (("number of output rows", 7), ("size of files read", 9)),
)
PLAN = {"nodeName": "Project", "simpleString": "Project [a#1]", "children": [SCAN], "metadata": {}, "metrics": []}


def start(**fields: object) -> listener_events.ExecutionStart:
    event = decode(line(f"{UI}SQLExecutionStart", executionId=3, **fields))
    assert isinstance(event, listener_events.ExecutionStart)
    return event


def test_the_start_of_an_execution_is_read_as_spark_4_3_writes_it() -> None:
    event = start(
        rootExecutionId=2,
        description="load",
        details="at Foo.scala:1",
        physicalPlanDescription="== Physical Plan ==\nProject (2)",
        sparkPlanInfo=PLAN,
        time=1700000000000,
        modifiedConfigs={"spark.sql.ui.explainMode": "simple", "spark.my.secret": "x"},
        jobTags=["a", "b"],
        jobGroupId="g",
        queryId="7f2c",
    )
    assert event == listener_events.ExecutionStart(
        execution_id=3,
        root_execution_id=2,
        description="load",
        time=1700000000000,
        plan=PlanText("== Physical Plan ==\nProject (2)"),
        nodes=(NODE,),
        job_tags=("a", "b"),
        job_group="g",
        settings={"spark.sql.ui.explainMode": "simple"},
    )


@pytest.mark.parametrize(
    ("details", "call"),
    [
        (
            "org.apache.spark.sql.Dataset.checkpoint(Dataset.scala:690)\njava.base/x.invoke0(Native Method)",
            "checkpoint",
        ),
        ("org.apache.spark.sql.streaming.DataStreamWriter.toTable(DataStreamWriter.scala:308)\n", "toTable"),
        (
            "org.apache.spark.sql.classic.Dataset.$anonfun$collectAsArrowToPython$1$adapted(Dataset.scala:2241)\n",
            "collectAsArrowToPython",
        ),
        ('session_id: "1f"\nuser_context {\n}\nplan {\n  command {\n    checkpoint_command {\n', "checkpoint"),
        ('session_id: "1f"\nuser_context {\n}\nplan {\n  root {\n    common {\n', ""),
        ("com.example.Job.run(Job.scala:1)\n", ""),
        ("", ""),
    ],
)
def test_the_method_that_ran_an_execution_is_that_of_sparks_call_site(details: str, call: str) -> None:
    assert start(details=details, physicalPlanDescription="", sparkPlanInfo=PLAN, time=5).call == call


@pytest.mark.parametrize("mode", ["Complete", "Update", "Append"])
def test_an_aggregation_outputs_all_groups_if_its_state_is_saved_completely(mode: str) -> None:
    text = f"StateStoreSave [k#1], state info [ checkpoint = file:/c, ver = 0], {mode}, 0, 0, 2"
    saved = {"nodeName": "StateStoreSave", "simpleString": text, "children": [], "metadata": {}, "metrics": []}
    info = {"nodeName": "Project", "simpleString": "Project", "children": [saved], "metadata": {}, "metrics": []}
    event = start(physicalPlanDescription="", sparkPlanInfo=info, time=5)
    assert event.is_complete == (mode == "Complete")


def test_an_operator_whose_name_is_no_text_saves_no_state() -> None:
    info = {"nodeName": ["StateStoreSave"], "simpleString": "StateStoreSave, Complete, 0"}
    assert not start(physicalPlanDescription="", sparkPlanInfo=info, time=5).is_complete


def test_the_start_of_an_execution_is_read_as_spark_2_3_writes_it() -> None:
    without_metadata = {key: value for key, value in SCAN.items() if key != "metadata"}
    event = start(physicalPlanDescription="== Parsed", sparkPlanInfo=without_metadata, time=5)
    assert event.nodes[0].location == ""
    assert (event.root_execution_id, event.job_tags, event.job_group, event.settings) == (None, (), "", {})


def test_a_plan_too_deep_for_json_keeps_its_text() -> None:
    deep = b'{"nodeName":"P","children":[' * 600 + b"]}" * 600
    text = line(f"{UI}SQLExecutionStart", executionId=3, description="d", physicalPlanDescription="text", time=9)
    text = text.replace(b',"time":9', b',"sparkPlanInfo":' + deep + b',"time":9')
    event = decode(text)
    assert isinstance(event, listener_events.ExecutionStart)
    assert (event.plan, event.time, event.nodes) == (PlanText("text"), 9, ())


def test_json_too_deep_elsewhere_is_unreadable_with_a_reason() -> None:
    with pytest.raises(UnreadableLine, match="nested deeper"):
        decode(b'{"Event":"SparkListenerLogStart","Spark Version":' + b"[" * 2000 + b"]" * 2000 + b"}")


def test_a_plan_is_walked_without_recursion() -> None:
    text = line(f"{UI}SQLExecutionStart", executionId=3, physicalPlanDescription="", sparkPlanInfo=SCAN, time=1)
    inner = orjson.dumps(SCAN)
    deep = b'{"nodeName":"Project","children":[' * 400 + inner + b'],"metrics":[]}' * 400
    event = decode(text.replace(inner, deep))
    assert isinstance(event, listener_events.ExecutionStart)
    assert event.nodes == (NODE,)
    assert event.plan.text.count("\n") == 402


@pytest.mark.parametrize(
    ("fields", "error"),
    [({"time": 7}, None), ({"time": 7, "errorMessage": None}, None), ({"time": 7, "errorMessage": ""}, "")],
)
def test_the_end_of_an_execution_tells_success_since_3_4(fields: dict[str, object], error: str | None) -> None:
    assert decode(line(f"{UI}SQLExecutionEnd", executionId=3, **fields)) == listener_events.ExecutionEnd(3, 7, error)


def test_long_errors_are_cut() -> None:
    event = decode(line(f"{UI}SQLExecutionEnd", executionId=3, time=7, errorMessage="x" * 9000))
    assert isinstance(event, listener_events.ExecutionEnd)
    assert len(event.error or "") == 4000


def test_of_an_adaptive_plan_only_its_operators_are_read() -> None:
    text = line(
        f"{UI}SQLAdaptiveExecutionUpdate",
        executionId=3,
        physicalPlanDescription='"sparkPlanInfo":{',
        sparkPlanInfo=PLAN,
    )
    assert decode(text) == listener_events.AdaptivePlan(3, (NODE,))


def test_values_that_the_driver_sets_twice_in_one_event_are_added_up() -> None:
    text = line(f"{UI}DriverAccumUpdates", executionId=3, accumUpdates=[[7, 1], [8, 5], [7, 2], ["x", 1], [9], None])
    assert decode(text) == listener_events.DriverMetrics(3, ((7, 3), (8, 5)))


def job_start(**fields: object) -> listener_events.Event | None:
    return decode(line("SparkListenerJobStart", Job_ID=4, Submission_Time=1, **fields))


def test_a_job_is_tied_to_its_execution_and_stream() -> None:
    event = job_start(
        Stage_Infos=[{"Stage ID": 9, "Stage Name": '"Stage IDs":[7]', "RDD Info": [], "Parent IDs": []}],
        Stage_IDs=[9, 8],
        Properties={
            "spark.sql.execution.id": "3",
            "spark.sql.execution.root.id": "2",
            "spark.jobGroup.id": "g",
            "sql.streaming.queryId": "q",
            "streaming.sql.batchId": "12",
            "spark.my.password": "x",
        },
    )
    assert event == listener_events.JobStart(4, 3, 2, (9, 8), "g", "q", 12)


def test_a_job_names_the_scans_whose_rows_its_rdds_hold() -> None:
    names = ("Scan parquet spark_catalog.db.t", "BatchScan db.b", "WholeStageCodegen (1)", "BatchScan db.b")
    scopes = [{"RDD ID": 1, "Scope": json.dumps({"id": "5", "name": name}, separators=(",", ":"))} for name in names]
    event = job_start(
        Stage_Infos=[{"Stage ID": 9, "RDD Info": scopes}],
        Stage_IDs=[9],
        Properties={"spark.sql.execution.id": "3", "spark.job.description": "Scan nothing"},
    )
    assert isinstance(event, listener_events.JobStart)
    assert event.facts.scans == ("Scan parquet spark_catalog.db.t", "BatchScan db.b")


def test_a_job_without_execution_says_nothing() -> None:
    assert job_start(Stage_Infos=[], Stage_IDs=[1], Properties={"spark.app.name": "x"}) is None
    assert job_start(Stage_Infos=[], Stage_IDs=[1]) is None


def test_a_job_whose_fields_are_in_another_order_is_read_all_the_same() -> None:
    text = b'{"Event":"SparkListenerJobStart","Properties":{"spark.sql.execution.id":"3"},"Job ID":4}'
    assert decode(text) == listener_events.JobStart(4, 3, None, (), "", "", None)


def test_only_failed_jobs_are_told() -> None:
    assert decode(line("SparkListenerJobEnd", Job_ID=4, Job_Result={"Result": "JobSucceeded"})) is None
    failure = {"Result": "JobFailed", "Exception": {"Message": "boom", "Stack Trace": []}}
    assert decode(line("SparkListenerJobEnd", Job_ID=4, Job_Result=failure)) == listener_events.JobFailed(4, "boom")


def test_of_a_stage_sql_metrics_and_its_cost_are_read() -> None:
    info = {
        "Stage ID": 9,
        "Details": '"Accumulables":[',
        "Accumulables": [
            {"ID": 7, "Name": "number of output rows", "Value": "10", "Metadata": "sql"},
            {"ID": 8, "Name": "internal.metrics.resultSize", "Value": 99},
            {"ID": 11, "Name": "internal.metrics.executorRunTime", "Value": 99},
            {"ID": 12, "Name": "internal.metrics.shuffle.read.localBytesRead", "Value": 5},
            {"ID": 13, "Name": "internal.metrics.shuffle.read.remoteBytesRead", "Value": "6"},
            {"ID": 17, "Name": "internal.metrics.output.recordsWritten", "Value": 4},
            {"ID": 14, "Name": "internal.metrics.diskBytesSpilled", "Value": -1},
            {"ID": 15, "Name": "internal.metrics.updatedBlockStatuses", "Value": [{"Block ID": "rdd_1_2"}]},
            {"ID": 16, "Name": ["internal.metrics.input.bytesRead"], "Value": 7},
            {"ID": 9, "Name": "data size", "Value": "not a number", "Metadata": "sql"},
            {"ID": 10, "Name": "spill size", "Value": 3, "Metadata": "sql"},
        ],
        "Resource Profile Id": 0,
    }
    expected = listener_events.StageMetrics(
        9, ((7, 10), (10, 3)), RunCost(99, shuffle_read_bytes=11, records_written=4)
    )
    assert decode(line("SparkListenerStageCompleted", Stage_Info=info)) == expected
    assert decode(line("SparkListenerStageCompleted", Stage_Info=info) + b"\r") == expected
    reordered = {"Accumulables": info["Accumulables"], "Stage ID": 9}
    assert decode(line("SparkListenerStageCompleted", Stage_Info=reordered)) == expected
    sql_only = {"Stage ID": 9, "Accumulables": info["Accumulables"][:1]}  # type: ignore[index]
    assert decode(line("SparkListenerStageCompleted", Stage_Info=sql_only)) == listener_events.StageMetrics(
        9, ((7, 10),)
    )
    assert decode(line("SparkListenerStageCompleted", Stage_Info={"Stage ID": 9, "Accumulables": []})) is None


def test_an_application_is_read_with_and_without_attempt() -> None:
    text = line("SparkListenerApplicationStart", App_Name="n", App_ID="a", Timestamp=1, User="u")
    assert decode(text) == listener_events.ApplicationStart("a", "", "n", "u", 1)
    text = line("SparkListenerApplicationStart", App_Name="n", App_ID="a", Timestamp=1, User="u", App_Attempt_ID="2")
    assert decode(text) == listener_events.ApplicationStart("a", "2", "n", "u", 1)
    assert decode(line("SparkListenerApplicationEnd", Timestamp=2)) == listener_events.ApplicationEnd(2)
    assert decode(line("SparkListenerLogStart", Spark_Version="3.5.9")) == listener_events.LogStart("3.5.9")


def test_the_first_line_of_a_databricks_part_is_read() -> None:
    fields = {"Spark Version": "3.1.2", "Timestamp": 1, "Rollover Number": 4, "SparkContext Id": 8123456789012345678}
    text = orjson.dumps({"Event": "DBCEventLoggingListenerMetadata", **fields})
    assert decode(text) == listener_events.LogStart("3.1.2", "databricks", 4)


def test_of_the_environment_only_allowed_settings_are_kept() -> None:
    event = decode(
        line(
            "SparkListenerEnvironmentUpdate",
            JVM_Information={"Java Home": "/opt"},
            Spark_Properties={"spark.my.password": "x", "spark.sql.defaultCatalog": "lake", "spark.glue.JOB_NAME": "j"},
            Hadoop_Properties={"fs.defaultFS": "hdfs://nn:8020", "fs.s3a.secret.key": "x"},
            System_Properties={"user.name": "me"},
            Classpath_Entries={},
        )
    )
    settings = {"spark.sql.defaultCatalog": "lake", "spark.hadoop.fs.defaultFS": "hdfs://nn:8020"}
    assert event == listener_events.Environment(settings, "glue", "", scheduler=SchedulerTask("glue", "j"))


def test_of_the_environment_hadoops_properties_are_taken_from_hadoops_own_map() -> None:
    event = decode(
        line(
            "SparkListenerEnvironmentUpdate",
            Spark_Properties={"spark.app.name": 'a "fs.defaultFS":"s" b'},
            Hadoop_Properties={"x": '{"fs.defaultFS":"hdfs://no"}', "hive.metastore.uris": 'thrift://a"b\\c:9083'},
            System_Properties={"fs.defaultFS": "hdfs://no"},
        )
    )
    settings = {
        "spark.app.name": 'a "fs.defaultFS":"s" b',
        "spark.hadoop.hive.metastore.uris": 'thrift://a"b\\c:9083',
    }
    assert event == listener_events.Environment(settings, "", "")


def test_an_environment_that_the_log_ends_in_is_no_event() -> None:
    whole = line(
        "SparkListenerEnvironmentUpdate",
        Spark_Properties={"spark.app.name": "a"},
        Hadoop_Properties={"fs.defaultFS": "hdfs://nn"},
        System_Properties={"user.name": "me"},
    )
    with pytest.raises(UnreadableLine):
        decode(whole[:-10])


@pytest.mark.parametrize("first", ["Hadoop Properties", "System Properties"])
def test_of_the_environment_the_maps_may_stand_in_any_order(first: str) -> None:
    """Spark 2.4 has no properties of Hadoop's."""
    fields = {first: {"fs.defaultFS": "hdfs://nn"}, "Spark Properties": {"spark.app.name": "a"}}
    event = decode(orjson.dumps({"Event": "SparkListenerEnvironmentUpdate", **fields}))
    hadoop = {"spark.hadoop.fs.defaultFS": "hdfs://nn"} if first == "Hadoop Properties" else {}
    assert event == listener_events.Environment({**hadoop, "spark.app.name": "a"}, "", "")


CATALOG = "org.apache.spark.sql.catalyst.catalog."


@pytest.mark.parametrize(
    ("name", "fields", "change"),
    [
        ("CreateTableEvent", {}, CatalogChange("d", "t", "")),
        ("DropTableEvent", {}, CatalogChange("d", "t", "")),
        ("RenameTableEvent", {"newName": "u"}, CatalogChange("d", "t", "u")),
        ("AlterTableEvent", {"kind": "dataSchema"}, CatalogChange("d", "t", "")),
    ],
)
def test_catalog_events_are_changes(name: str, fields: dict[str, str], change: CatalogChange) -> None:
    assert decode(line(CATALOG + name, database="d", name="t", **fields)) == change


def test_events_before_a_catalog_change_are_not_kept() -> None:
    with pytest.raises(UnreadableLine, match="not kept"):
        decode(line(CATALOG + "DropTablePreEvent", database="d", name="t"))


STREAMING = "org.apache.spark.sql.streaming.StreamingQueryListener$"


def test_a_micro_batchs_progress_is_read() -> None:
    progress = {
        "id": "q",
        "runId": "r",
        "name": None,
        "timestamp": "2026-11-21T05:16:18.490Z",
        "batchId": 4,
        "sources": [
            {
                "description": "KafkaV2[Subscribe[t]]",
                "startOffset": None,
                "endOffset": '{"t":{"0":9}}',
                "numInputRows": 9,
            },
            {"description": "FileStreamSource[file:/in]", "startOffset": {"logOffset": 0}, "endOffset": "x"},
        ],
        "sink": {"description": "FileSink[/out]", "numOutputRows": -1},
    }
    assert decode(line(f"{STREAMING}QueryProgressEvent", progress=progress)) == StreamProgress(
        "q",
        "r",
        "",
        4,
        "2026-11-21T05:16:18.490Z",
        (
            ("KafkaV2[Subscribe[t]]", None, '{"t":{"0":9}}', 9),
            ("FileStreamSource[file:/in]", '{"logOffset":0}', "x", None),
        ),
        "FileSink[/out]",
        None,
    )


def connect(text: str) -> str:
    name = "org.apache.spark.sql.connect.service.SparkListenerConnectOperationStarted"
    event = decode(line(name, jobTag="tag", operationId="o", userName="u", statementText=text))
    assert isinstance(event, listener_events.Statement)
    assert (event.key, event.operation_id, event.user_name) == ("tag", "o", "u")
    return event.sql_text


def test_the_sql_of_a_connect_statement_is_found_in_its_protobuf_text() -> None:
    query = r"""SELECT \"q\", \'gr\303\266\303\237e\', \\n\n"""
    nested = f'sql_command {{\n  input {{\n    sql {{\n      query: "{query}"\n    }}\n  }}\n}}\n'
    assert connect(nested) == "SELECT \"q\", 'größe', \\n\n"
    assert connect('sql_command {\n  sql: "SELECT 1"\n}') == "SELECT 1"
    assert connect('sql_command { input { sql { query: "SELECT cut of') == "SELECT cut of"
    assert connect('write_operation { input { read { named_table { unparsed_identifier: "t" } } } }') == ""


def test_statements_of_the_thrift_server_are_read() -> None:
    name = "org.apache.spark.sql.hive.thriftserver.ui.SparkListenerThriftServerOperation"
    text = line(f"{name}Start", id="o", sessionId="s", statement="SELECT 1", groupId="g", startTime=1, userName="u")
    assert decode(text) == listener_events.Statement("g", "o", "SELECT 1", "u")
    plan = line(f"{name}Parsed", id="o", executionPlan="== Parsed Logical Plan ==")
    assert decode(plan) == listener_events.ParsedStatement("o", PlanText("== Parsed Logical Plan =="))


def test_kyuubis_lineage_is_read() -> None:
    lineage = {
        "inputTables": ["spark_catalog.default.a"],
        "outputTables": ["spark_catalog.default.b"],
        "columnLineage": [{"column": "spark_catalog.default.b.k", "originalColumns": ["spark_catalog.default.a.k"]}],
    }
    name = "org.apache.kyuubi.plugin.lineage.dispatcher.OperationLineageSparkEvent"
    assert decode(line(name, executionId=15, eventTime=1, lineage=lineage, exception=None)) == ExternalLineage(
        ("spark_catalog.default.a",),
        ("spark_catalog.default.b",),
        (("spark_catalog.default.b.k", ("spark_catalog.default.a.k",)),),
        "",
        reported_at=1,
    )
    failed = decode(line(name, executionId=15, lineage=None, exception={"message": "x"}))
    assert failed == ExternalLineage((), (), (), '{"message":"x"}')


def test_bytes_that_are_no_utf_8_are_replaced() -> None:
    assert parsed(b'{"a":"gr\xf6\xdfe"}') == {"a": "gr��e"}


def test_half_a_surrogate_pair_is_replaced() -> None:
    assert parsed(rb'{"a":"\ud83d\ude00 \ud83d \\ud83d \udc00"}') == {"a": "😀 � \\ud83d �"}


KEYS = (
    *("executionId", "sparkPlanInfo", "time", "progress", "accumUpdates", "metrics", "children", "nodeName", "batchId"),
    *("errorMessage", "modifiedConfigs", "lineage", "sources", "sink", "columnLineage", "physicalPlanDescription"),
    *("Job ID", "Stage Info", "Stage IDs", "Stage ID", "Properties", "Accumulables", "Spark Properties", "Job Result"),
)
leaves = st.sampled_from([None, True, 0, -1, 1.5, "", "7", "x", [], {}, [[]], [[1, 2]], [None], {"a": 1}])
json_values = leaves | st.dictionaries(st.sampled_from(KEYS), leaves, max_size=3) | st.lists(leaves, max_size=3)


@given(st.sampled_from(sorted(DECODERS)), st.dictionaries(st.sampled_from(KEYS), json_values, max_size=6))
def test_unexpected_fields_never_raise_anything_but_unreadable(name: bytes, fields: dict[str, object]) -> None:
    text = orjson.dumps({"Event": name.decode(), **fields})
    for one in (text, text[: len(text) // 2], text.replace(b"}", b',"Metadata":"sql","spark.sql.execution.id":"1"}')):
        with suppress(UnreadableLine):
            decode(one)


@pytest.mark.parametrize(
    ("name", "moves"),
    [
        ("Scan parquet spark_catalog.default.t", True),
        ("Scan csv ", True),
        ("BatchScan", True),
        ("BatchScan cat.ns.t", True),
        ("GpuScan parquet t", True),
        ("PhotonScan parquet t", True),
        ("CometScan [native_iceberg_compat] parquet t", True),
        ("FileSourceScanExecTransformer parquet t", True),
        ("NativeParquetScan t", True),
        ("MicroBatchScan", True),
        ("HiveTableScan", True),
        ("Scan JDBCRelation(T) [numPartitions=1] ", True),
        ("Execute InsertIntoHadoopFsRelationCommand", True),
        ("Execute GpuInsertIntoHadoopFsRelationCommand", True),
        ("WriteFiles", True),
        ("AppendData cat.db.t", True),
        ("OverwriteByExpression", True),
        ("AtomicReplaceTableAsSelect", True),
        ("MergeRows", True),
        ("NativeParquetSink", True),
        ("VeloxColumnarWriteFiles", True),
        ("Scan", False),
        ("Scan ExistingRDD Delta Table State #0 - file:/t/_delta_log", False),
        ("Scan OneRowRelation", False),
        ("Scan In-memory table t", False),
        ("InMemoryTableScan", False),
        ("GpuInMemoryTableScan", False),
        ("LocalTableScan", False),
        ("PhotonShuffleExchangeSink", False),
        ("HashAggregate", False),
        ("Project", False),
        ("", False),
    ],
)
def test_scans_and_writes_are_told_by_their_names(name: str, moves: bool) -> None:
    assert moves_rows(name) == moves
