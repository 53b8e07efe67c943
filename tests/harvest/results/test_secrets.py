"""Secrets planted in every place of a log reach no byte of the store and no output."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest
from pyspark import SparkContext

from eventlog_lineage.cli.main import run
from eventlog_lineage.harvest.run import HarvestOptions, harvest

pytestmark = pytest.mark.spark

SECRET = "S3cr3t"
UI = "org.apache.spark.sql.execution.ui.SparkListener"
THRIFT = "org.apache.spark.sql.hive.thriftserver.ui.SparkListenerThriftServer"
CONNECT = "org.apache.spark.sql.connect.service.SparkListenerConnect"
STREAM = "org.apache.spark.sql.streaming.StreamingQueryListener$"
URL = f"jdbc:postgresql://app:{SECRET}@db/shop?password={SECRET}"
KEYED = f"s3a://AKIAABCDEFGHIJKLMNOP:{SECRET}/{SECRET}@b/x"
KINDS = (
    f"password={SECRET} token: '{SECRET}' Bearer {SECRET}{SECRET}",
    KEYED,
    URL,
    f"jdbc:oracle:thin:app/{SECRET}@//db:1521/s",
    f"jdbc:sqlserver://db;user=u;accessToken={SECRET};x=1",
    f"jdbc:redshift:iam://h/d?AccessKeyID=AKIAABCDEFGHIJKLMNOP&SecretAccessKey={SECRET}",
    f"https://me:{SECRET}@host/x Authorization: Basic {SECRET}{SECRET}==",
    f"abfss://c@a.dfs.core.windows.net/x?sv=2020&sig={SECRET}%3D&se=2 fs.azure.account.key.a={SECRET}==",
    f"kafka.sasl.jaas.config -> x.PlainLoginModule required username='u' password='{SECRET}';",
    f"aws_secret_access_key={SECRET} AWS_SESSION_TOKEN={SECRET} ASIAABCDEFGHIJKLMNOP",
    f"s3://b/x?X-Amz-Security-Token={SECRET}&X-Amz-Signature={SECRET}",
    f"OPTIONS (url 'jdbc:x', password '{SECRET}', es.net.http.auth.pass '{SECRET}')",
    f"SharedAccessKey={SECRET}=;EntityPath=t x-api-key: {SECRET} --password {SECRET}",
)
WORDS = " ".join(KINDS)
CUSTOM = f"id-{SECRET}-9"
LITERAL = f"{SECRET}literal"

PLAN = f"""== Physical Plan ==
Execute InsertIntoHadoopFsRelationCommand (3)
+- * Filter (2)
   +- Scan parquet db.t (1)


(1) Scan parquet db.t
Output [1]: [a#1]
Batched: true
Location: InMemoryFileIndex [s3a://AKIAABCDEFGHIJKLMNOP:{SECRET}@bucket/token={SECRET}/t]
ReadSchema: struct<a:string>

(2) Filter [codegen id : 1]
Input [1]: [a#1]
Condition : (a#1 = {CUSTOM}) AND NOT (a#1 = {LITERAL})

(3) Execute InsertIntoHadoopFsRelationCommand
Input [1]: [a#1]
Arguments: s3a://b/out?sig={SECRET}, false, Parquet, [path=s3a://b/out, access.key={SECRET}, url={URL}], Append, [a]
"""


def events() -> Iterator[dict[str, object]]:
    yield {"Event": "SparkListenerLogStart", "Spark Version": "3.5.9"}
    yield {
        "Event": "SparkListenerApplicationStart",
        "App Name": f"load {WORDS}",
        "App ID": "local-1",
        "Timestamp": 1,
        "User": f"me token={SECRET}",
    }
    properties = {
        "spark.app.name": f"x {WORDS}",
        "spark.hadoop.fs.s3a.secret.key": SECRET,
        "spark.my.password": SECRET,
        "spark.sql.catalog.c": "org.C",
        "spark.sql.catalog.c.uri": f"thrift://u:{SECRET}@h:1/x?token={SECRET}",
        "spark.sql.warehouse.dir": f"s3a://AKIAABCDEFGHIJKLMNOP:{SECRET}@b/w",
    }
    maps = {"Spark Properties": properties, "System Properties": {"a": SECRET}, "Hadoop Properties": {"b": SECRET}}
    yield {"Event": "SparkListenerEnvironmentUpdate", "JVM Information": {"c": SECRET}, **maps}
    yield {
        "Event": f"{THRIFT}OperationStart",
        "id": "op",
        "sessionId": "s",
        "statement": f"SELECT '{LITERAL}' /* {WORDS} */",
        "groupId": "g",
        "startTime": 2,
        "userName": f"u password={SECRET}",
    }
    yield {"Event": f"{THRIFT}OperationParsed", "id": "op", "executionPlan": PLAN}
    yield {
        "Event": f"{CONNECT}OperationStarted",
        "jobTag": "tag",
        "operationId": "o",
        "eventTime": 2,
        "sessionId": "s",
        "userId": "u",
        "userName": f"u token={SECRET}",
        "statementText": f'sql: "SELECT 1 -- {WORDS}"',
        "sparkSessionTags": [],
        "extraTags": {},
    }
    scan = {
        "nodeName": f"Scan parquet s3a://k:{SECRET}@b",
        "simpleString": f"FileScan parquet {WORDS}",
        "children": [],
        "metadata": {"Location": f"InMemoryFileIndex[s3a://k:{SECRET}@b/x]"},
        "metrics": [{"name": "number of output rows", "accumulatorId": 7, "metricType": "sum"}],
    }
    for number, text in enumerate((PLAN, "", PLAN.replace("Scan", "Scam"))):
        yield {
            "Event": f"{UI}SQLExecutionStart",
            "executionId": number,
            "description": f"SELECT '{LITERAL}', 4711 FROM t WHERE x = '{CUSTOM}' -- {WORDS}",
            "details": WORDS,
            "physicalPlanDescription": text,
            "sparkPlanInfo": scan,
            "time": 3 + number,
            "modifiedConfigs": {"spark.my.token": SECRET, "spark.sql.warehouse.dir": f"s3a://k:{SECRET}@b/w"},
            "jobTags": [f"token={SECRET}"],
            "jobGroupId": f"token={SECRET}",
        }
        yield {
            "Event": "SparkListenerJobStart",
            "Job ID": number,
            "Stage IDs": [number],
            "Properties": {"spark.sql.execution.id": str(number), "spark.jobGroup.id": f"token={SECRET}"},
        }
        yield {
            "Event": "SparkListenerStageCompleted",
            "Stage Info": {"Stage ID": number, "Accumulables": [{"ID": 7, "Value": "5", "Metadata": "sql"}]},
        }
        failed = {"Result": "JobFailed", "Exception": {"Message": WORDS, "Stack Trace": []}}
        yield {"Event": "SparkListenerJobEnd", "Job ID": number, "Job Result": failed}
        yield {
            "Event": f"{UI}SQLExecutionEnd",
            "executionId": number,
            "time": 9,
            "errorMessage": f"cannot connect: {WORDS}\n\tat x.y({SECRET}.scala)" if number else "",
        }
    ids = {"id": "i", "runId": "r", "name": f"q token={SECRET}"}
    yield {"Event": f"{STREAM}QueryStartedEvent", **ids, "timestamp": "2026-11-20T00:00:00.000Z"}
    offset = {"a": f"password={SECRET}"}
    source = {"description": f"KafkaV2[Subscribe[t]] {WORDS}", "startOffset": offset, "endOffset": offset}
    progress = {
        **ids,
        "timestamp": "2026-11-20T00:00:00.000Z",
        "batchId": 0,
        "sources": [{**source, "numInputRows": 1}],
        "sink": {"description": f"FileSink[s3a://k:{SECRET}@b/x]", "numOutputRows": 1},
    }
    yield {"Event": f"{STREAM}QueryProgressEvent", "progress": progress}
    yield {"Event": f"{STREAM}QueryTerminatedEvent", "id": "i", "runId": "r", "exception": WORDS}
    table = {"database": "db", "name": f"t?password={SECRET}", "newName": f"n?password={SECRET}"}
    yield {"Event": "org.apache.spark.sql.catalyst.catalog.RenameTableEvent", **table}
    yield {
        "Event": "org.apache.kyuubi.plugin.lineage.dispatcher.OperationLineageSparkEvent",
        "executionId": 0,
        "eventTime": 4,
        "lineage": {
            "inputTables": [f"x.db.t?password={SECRET}"],
            "outputTables": [f"y token={SECRET}"],
            "columnLineage": [{"column": f"token={SECRET}", "originalColumns": [f"password={SECRET}"]}],
        },
        "exception": None,
    }
    yield {"Event": "SparkListenerApplicationEnd", "Timestamp": 10}


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs") / f"token={SECRET}"
    folder.mkdir()
    # a trace of a stack would be an error's own text: Spark writes it there, and nobody can tell what it holds
    lines = [json.dumps(event, separators=(",", ":")) for event in events()]
    lines.insert(5, f"{{not json password={SECRET} {URL}")
    (folder / "local-1").write_text("\n".join(lines) + "\n")
    (folder / "local-2").write_text(f"password={SECRET}, not a log at all\n")
    return folder


@pytest.fixture(scope="module")
def store(spark: SparkContext, logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("store") / "lineage"
    options = HarvestOptions(redact=(r"id-\w+-\d", r"at x\.y\(.*\)"), mask_literals=True)
    result = harvest([str(logs)], folder, options)
    assert SECRET not in repr(result)
    assert result.summary.executions == 3
    return folder


def test_no_table_holds_a_secret(store: Path) -> None:
    with duckdb.connect(str(store / "lineage.duckdb"), read_only=True) as connection:
        names = connection.execute("SELECT table_schema, table_name FROM information_schema.tables").fetchall()
        found = {name: repr(connection.execute(f'SELECT * FROM {name[0]}."{name[1]}"').fetchall()) for name in names}
    assert {name for name, rows in found.items() if SECRET in rows} == set()
    assert "***" in "".join(found.values())


def test_no_file_of_the_store_holds_a_secret(store: Path) -> None:
    for path in (path for path in store.rglob("*") if path.is_file()):
        assert SECRET.encode() not in path.read_bytes(), path
        if path.suffix == ".parquet":
            assert SECRET not in repr(pq.read_table(path).to_pylist()), path


@pytest.mark.parametrize(
    "arguments",
    [
        ("explain", "{logs}/local-1", "--redact", r"id-\w+-\d", "--redact", r"at x\.y\(.*\)", "--mask-literals"),
        ("explain", "{logs}/local-1", "--format", "json", "--redact", r"id-\w+-\d", "--mask-literals"),
        ("explain", "{logs}/local-2"),
        ("explain", f"s3a://AKIAABCDEFGHIJKLMNOP:{SECRET}@bucket/x"),
        ("harvest", f"https://user:{SECRET}@history", "--store", "{logs}/../none"),
        ("harvest", "{logs}", "--store", "{logs}/../printed", "--redact", r"id-\w+-\d", "--json"),
        ("harvest", "{logs}", "--store", "{logs}/../failed", "--redact", r"id-\w+-\d", "--strict"),
        ("gaps", "--store", "{store}", "--format", "json"),
        ("sql", "SELECT * FROM executions", "--store", "{store}"),
    ],
    ids=lambda arguments: " ".join(arguments[:2])[:30],
)
def test_no_output_holds_a_secret(
    arguments: tuple[str, ...], store: Path, logs: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    run([word.replace("{logs}", str(logs)).replace("{store}", str(store)) for word in arguments])
    printed = capfd.readouterr()
    assert printed.out + printed.err
    assert SECRET not in (printed.out + printed.err).replace(str(logs), "")
