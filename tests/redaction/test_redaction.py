"""What is a secret, and what only looks like one."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventlog_lineage.errors import UsageError
from eventlog_lineage.events.decoding.decoders import decode
from eventlog_lineage.events.listener_events import ExecutionStart
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.redaction import PLAIN, Redaction, without_secrets
from eventlog_lineage.redaction.words import Kind, kinds_of

SECRETS = {
    "jdbc:postgresql://user:S3cr3t@host/db": "jdbc:postgresql://***@host/db",
    "jdbc:sqlserver://h:1433;user=u;password=S3cr3t;encrypt=true": "jdbc:sqlserver://h:1433;user=u;password=***;encrypt=true",
    "jdbc:oracle:thin:scott/S3cr3t@//h:1521/s": "jdbc:oracle:thin:***@//h:1521/s",
    "Map(url -> jdbc:mysql://h/d?user=a&password=S3cr3t, token -> S3cr3t)": (
        "Map(url -> jdbc:mysql://h/d?user=a&password=***, token -> ***)"
    ),
    "[password=S3c)r,3t, dbtable=t]": "[password=***, dbtable=t]",
    "s3a://AKIAABCDEFGHIJKLMNOP:S3/cr+3t@bucket/x": "s3a://***@bucket/x",
    "OPTIONS (password 'S3cr3t', url 'x')": "OPTIONS (password ***, url 'x')",
    '{"client_secret": "S3cr3t", "a": 1}': '{"client_secret": ***, "a": 1}',
    "Authorization: Bearer S3cr3tS3cr3t": "Authorization: Bearer ***",
    "fs.azure.account.key.acct.dfs.core.windows.net=S3cr3t==": "fs.azure.account.key.acct.dfs.core.windows.net=***",
    "abfss://c@a.dfs.core.windows.net/x?sv=1&sig=S3cr3t%2F&se=2": "abfss://c@a.dfs.core.windows.net/x?sv=1&sig=***&se=2",
    "SET spark.hadoop.fs.s3a.secret.key=S3cr3t": "SET spark.hadoop.fs.s3a.secret.key=***",
    "file:/data/AKIAABCDEFGHIJKLMNOP/x": "file:/data/***/x",
    "dapi0123456789abcdef0123456789abcdef": "***",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjftJeZ4CVP": "***",
    "Authorization: Basic dXNlcjpTM2NyM3Q=": "Authorization: Basic ***",
    "x-api-key: S3cr3t, a": "x-api-key: ***, a",
    "user=a password=S3cr3t took=3": "user=a password=*** took=3",
    "SELECT a, password = moss b FROM t": "SELECT a, password = *** FROM t",
    "UPDATE t SET pwd = moss b, c = 1 WHERE d = 2": "UPDATE t SET pwd = ***, c = 1 WHERE d = 2",
    "INFO x failed, password: moss lane for etl": "INFO x failed, password: *** for etl",
    "PGPASSWORD=moss psql -h db -U etl": "PGPASSWORD=*** psql -h db -U etl",
    "CREATE USER u IDENTIFIED BY 'S3cr3t'": "CREATE USER u IDENTIFIED BY ***",
    "spark-submit job.py --password S3cr3t --date 2026-11-20": "spark-submit job.py --password *** --date 2026-11-20",
    "kafka.sasl.jaas.config -> x.PlainLoginModule required username='u' password='S3cr3t';": (
        "kafka.sasl.jaas.config -> x.PlainLoginModule required username='u' password=***;"
    ),
    "s3://b/x?X-Amz-Security-Token=S3cr3t&X-Amz-Signature=S3cr3t&X-Amz-Credential=ASIAABCDEFGHIJKLMNOP%2F2026": (
        "s3://b/x?X-Amz-Security-Token=***&X-Amz-Signature=***&X-Amz-Credential=***%2F2026"
    ),
    "Endpoint=sb://x/;SharedAccessKeyName=a;SharedAccessKey=S3cr3t=;EntityPath=t": (
        "Endpoint=sb://x/;SharedAccessKeyName=a;SharedAccessKey=***;EntityPath=t"
    ),
    "mongodb+srv://u:S3cr3t@h/db": "mongodb+srv://***@h/db",
    "CREDENTIALS ('aws_access_key_id'='S3cr3t', 'aws_secret_access_key'='S3cr3t')": (
        "CREDENTIALS ('aws_access_key_id'=***, 'aws_secret_access_key'=***)"
    ),
    "x -----BEGIN RSA PRIVATE KEY-----\nS3cr3t\n-----END RSA PRIVATE KEY----- y": "x *** y",
}

HARMLESS = [
    "struct<token:string,password:string>",
    " |-- password: string (nullable = true)",
    "(password#12 = x)",
    "HashAggregate(keys=[token#1], functions=[sum(secret#2)])",
    "url -> *********(redacted), x",
    "hdfs://nn:8020/user@x/y",
    "http://h:80/a@b",
    "SELECT token, password FROM t WHERE x > 1",
    "author='x'",
    "Basic statistics of --passengers, IDENTIFIED BY their seat",
    "Keys [1]: [customer_key#1L]",
]


@pytest.mark.parametrize(("text", "redacted"), SECRETS.items())
def test_a_secret_is_masked_and_what_stands_around_it_is_kept(text: str, redacted: str) -> None:
    assert PLAIN.text(text) == redacted


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_looks_like_a_secret_is_kept(text: str) -> None:
    assert PLAIN.text(text) == text


def test_a_users_pattern_adds_to_what_is_known() -> None:
    redaction = Redaction((r"\b\d{3}-\d{2}-\d{4}\b",))
    assert redaction.text("ssn 078-05-1120, password=x") == "ssn ***, password=***"


@pytest.mark.parametrize("pattern", ["(", "x*"])
def test_a_pattern_that_cannot_be_meant_is_refused(pattern: str) -> None:
    with pytest.raises(UsageError):
        Redaction((pattern,))


def test_all_texts_of_an_event_are_redacted_and_its_numbers_kept() -> None:
    settings = {"a": "pwd=x", "password": "x"}
    event = ExecutionStart(1, None, "password=x", 2, PlanText("token=x"), (), ("secret=x",), "g", settings)
    assert PLAIN.value(event) == ExecutionStart(
        1, None, "password=***", 2, PlanText("token=***"), (), ("secret=***",), "g", {"a": "pwd=***", "password": "***"}
    )


def test_an_execution_has_no_literal_that_its_statement_shows_to_be_a_secret() -> None:
    line = {
        "Event": "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart",
        "executionId": 1,
        "description": "SELECT exists(tokens, t -> t = 'S3cr3t') AS f FROM (SELECT arr AS tokens FROM u)",
        "physicalPlanDescription": "== Physical Plan ==\nProject [exists(arr#5, lambdafunction((lambda t#6 = S3cr3t), "
        "lambda t#6, false)) AS f#7]\n",
        "time": 2,
    }
    decoded = decode(json.dumps(line, separators=(",", ":")).encode())
    assert isinstance(decoded, ExecutionStart)
    assert isinstance(decoded.plan, PlanText)
    assert "lambda t#6 = ***" in decoded.plan.text
    assert "S3cr3t" not in repr(PLAIN.value(decoded))


def test_a_value_without_secrets_stays_the_very_same() -> None:
    event = ExecutionStart(1, None, "load", 2, PlanText("plan"), (), ("a",), "g", {})
    assert PLAIN.value(event) is event


@given(st.text(alphabet="passwordtokensecretkeysig=:/@'\" ,()->.#1\n*"))
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    assert PLAIN.text(PLAIN.text(text)) == PLAIN.text(text)


@pytest.mark.parametrize("piece", ["password", "a:", "://", "://a:b", "s3://a:b", "eyJ", "token=(", "token '", "sig"])
def test_time_grows_with_the_text_only(piece: str) -> None:
    seconds = []
    for times in (25_000, 100_000):
        started = time.process_time()
        PLAIN.text(piece * times)
        seconds.append(time.process_time() - started)
    assert seconds[1] < 6 * seconds[0] + 0.1, seconds


@pytest.mark.parametrize("name", ["application_1700000000000_0001_1", "app-20261120010203-0007", "local-1700000000000"])
def test_an_applications_id_is_not_searched_and_the_rest_of_its_logs_path_is(name: str) -> None:
    assert kinds_of(f"hdfs://nn:8020/logs/{name}.zstd") == (Kind.NOTHING, [])
    token = "ghp_" + "aB3dE5fG7h" * 3 + "aB3dE5"
    assert PLAIN.text(f"/logs/{token}/{name}") == f"/logs/***/{name}"


@pytest.mark.parametrize("value", ["x7Qzx7Qz", "x7Qz)x7Qz]x7Qz}x7Qz", "x7Qz, (x7Qz"])
@pytest.mark.parametrize("head", ["SetCommand (", "Arguments: ("])
def test_the_value_of_a_set_command_ends_with_its_line(head: str, value: str) -> None:
    assert without_secrets(f"{head}etl.api.key,Some({value}))\nOutput: []") == f"{head}etl.api.key,***)\nOutput: []"


def test_a_plan_keeps_its_lines_where_a_variables_default_is_masked() -> None:
    line = "CreateVariable default(cast(shop.a3 as string), sql=''shop.a3''), false\n+- ResolvedIdentifier x, `u`.t"
    plan = f"== Parsed Logical Plan ==\n{line}\n\n== Analyzed Logical Plan ==\n{line}\n"
    masked = without_secrets(plan)
    assert "a3" not in masked
    assert [each[:3] for each in masked.splitlines()] == [each[:3] for each in plan.splitlines()]


def test_a_literal_with_a_comma_is_masked_before_it_too() -> None:
    printed = "(2) Project\nOutput [2]: [id#1, x7Qz, y7Qz AS token#2]\nInput [1]: [id#1]\n"
    assert without_secrets(printed) == printed.replace("x7Qz, y7Qz", "***, ***")


@pytest.mark.parametrize("head", ["Pivot token#2: string", "'Pivot token#2", "Pivot [id#1], token#2: string"])
def test_the_values_of_a_pivot_on_a_sensitive_column_are_masked(head: str) -> None:
    below = "[count(1)]\n+- Relation t[id#1,token#2] parquet\n"
    assert without_secrets(f"{head}, [x7Qzx7Qz, y8Qzy8Qz], {below}") == f"{head}, [***, ***], {below}"


def test_the_fields_of_a_record_are_masked() -> None:
    printed = "-RECORD 0---------\n id       | 1\n password | {}\n"
    assert without_secrets(printed.format("x7Qzx7Qz")) == printed.format("***")


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("SELECT field(password, 'Passw0rd!', 'b') FROM u", "SELECT field(password, ***, ***) FROM u"),
        ("Filter likeany(password#3, Liverpool#08%, %Passw0rd!)", "Filter likeany(password#3, ***, ***)"),
        ("SELECT m['passw0rd'] = 'Passw0rd!' FROM u", "SELECT m['passw0rd'] = *** FROM u"),
    ],
)
def test_a_password_that_is_like_a_name_or_an_attribute_is_masked(text: str, masked: str) -> None:
    assert without_secrets(text) == masked


@pytest.mark.parametrize("text", ["Project [Contains(token#3, )) AS odd#4]", "Filter NOT (token#3 = ,)"])
def test_a_sensitive_column_that_is_compared_with_a_comma_or_a_bracket_can_be_read(text: str) -> None:
    assert without_secrets(text) == text
