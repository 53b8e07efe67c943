from __future__ import annotations

import re
import time
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventlog_lineage.errors import UsageError
from eventlog_lineage.history.job_names import (
    DEFAULT_PATTERNS,
    PART_LIMIT,
    JobNameRule,
    job_namer,
    own_words,
    read_rule,
)

NAME = job_namer(JobNameRule())
CALL_SITE = "save at NativeMethodAccessorImpl.java:0"


@pytest.mark.parametrize(
    "app_name",
    [
        "nightly sales",
        "nightly sales 2026-11-20",
        "nightly sales 20261120",
        "nightly sales 2026_11_20_013000",
        "nightly sales 2026-11-20T01:30:00.123Z",
        "nightly sales 2026-11-20 01:30:00+01:00",
        "nightly sales 20.11.2026",
        "nightly sales 11/20/2026",
        "nightly sales 20-Nov-2026",
        "nightly sales 20Nov2026",
        "nightly sales (Nov 20, 2026)",
        "nightly sales 20261120T013000Z",
        "nightly sales 202611200130",
        "nightly sales 2026-W47",
        "nightly sales 2026-11",
        "nightly sales Q4 2026",
        "nightly sales Nov 2026",
        "nightly sales 01:30",
        "nightly sales year=2026/month=11/day=20",
        "nightly sales 1795253154900",
        "nightly sales attempt 2",
        "nightly sales run-17",
        "nightly sales #4",
        "nightly sales (4)",
        "nightly sales 3 of 10",
        "nightly sales 12",
        "nightly sales 7f9c24e8-3b12-4fe1-9a7e-0123456789ab",
        "nightly sales 7f9c24e83b124fe19a7e0123456789ab",
        "nightly sales 1a2b3c4d5e",
        "nightly sales application_1700000000000_0042",
        "nightly sales application_1700000000000_0042_01",
        "nightly sales app-20261120013000-0007",
        "nightly sales local-1795253154900",
        "nightly sales 0827-123456-abcd123",
        "nightly sales 10.0.0.7",
        "nightly sales ip-10-0-0-7.eu-west-1.compute.internal",
        "scheduled__2026-11-20T00:00:00+00:00 nightly sales",
        "manual__2026-11-20T04:11:22.334455+00:00 nightly sales",
        "  nightly   sales  ",
    ],
)
def test_what_varies_from_night_to_night_is_no_part_of_the_name(app_name: str) -> None:
    assert NAME(app_name, CALL_SITE, "spark_catalog.s.orders", "Insert", "") == "nightly sales: orders Insert"


@pytest.mark.parametrize(
    "app_name",
    [
        "tpcds-q64",
        "model-v2",
        "s3 copy",
        "january sales",
        "May I come in",
        "deadbeef facade",
        "step 2: load",
        "sha256",
        "customer_360",
    ],
)
def test_what_tells_jobs_apart_stays(app_name: str) -> None:
    assert NAME(app_name, "", "", "", "") == f"{app_name}: query"


@pytest.mark.parametrize("app_name", ["", "local-1795253154900", "2026-11-20", "application_1700000000000_0042"])
def test_an_application_that_is_all_ids_still_has_a_name(app_name: str) -> None:
    assert NAME(app_name, "load", "", "", "") == "application: load"


@pytest.mark.parametrize(
    "description",
    [
        CALL_SITE,
        "collect at <console>:26",
        "count at /home/me/my jobs/job.py:17",
        "$anonfun$withThreadLocalCaptured$1 at FutureTask.java:264",
        "$anonfun$call$1 at <unknown>:0",
        "Spark Connect - root { common { plan_id: 3 } }",
        "id = 3f1\nrunId = 4a2\nbatch = 7",
        "\nid = 3f1\nrunId = 4a2\nbatch = init",
        "",
    ],
)
def test_what_spark_writes_into_descriptions_is_not_the_statements_own(description: str) -> None:
    assert own_words(description) == ""


def test_a_micro_batch_has_its_querys_name() -> None:
    assert own_words("clicks<br/>id = 3f1<br/>runId = 4a2<br/>batch = 7") == "clicks"
    assert NAME("app", "clicks\nid = 3f1\nrunId = 4a2\nbatch = 7", "", "", "") == "app: clicks"


def test_a_statements_own_description_comes_before_its_target() -> None:
    assert NAME("app", "Load orders, 2026-11-20", "spark_catalog.s.orders", "Insert", "") == "app: Load orders"


def test_a_description_that_is_all_date_leaves_the_name_to_the_target() -> None:
    assert NAME("app", "2026-11-20", "spark_catalog.s.orders", "Insert", "") == "app: orders Insert"


@pytest.mark.parametrize(
    "target", ["s3://lake/out/2026-11-20", "s3://lake/out", "s3://lake/out/20261120/1795253154900"]
)
def test_a_paths_word_is_the_last_part_that_does_not_vary(target: str) -> None:
    assert NAME("app", CALL_SITE, target, "Insert", "") == "app: out Insert"


def test_a_whole_sql_text_is_one_line_and_cut() -> None:
    text = "INSERT OVERWRITE TABLE sales.daily\n  SELECT " + ", ".join(f"column_{c}x" for c in range(99))
    name = NAME("app", text, "", "", "")
    assert name.startswith("app: INSERT OVERWRITE TABLE sales.daily SELECT column_0x, ")
    assert len(name) <= len("app: ") + PART_LIMIT
    assert name.endswith("…")


def test_a_rule_of_ones_own_replaces_the_built_in_one() -> None:
    name = job_namer(read_rule("# teams\n-team[a-z]+$\n"))
    assert name("sales 2026-11-20-teamx", "load", "", "", "") == "sales 2026-11-20: load"


def test_a_rule_can_add_to_the_built_in_one() -> None:
    rule = read_rule("-team[a-z]+$\n@default\n")
    assert rule.patterns == ("-team[a-z]+$", *DEFAULT_PATTERNS)
    assert job_namer(rule)("sales-2026-11-20-teamx", "load", "", "", "") == "sales: load"


def test_a_pattern_can_keep_a_part_of_what_it_matches() -> None:
    assert JobNameRule((r"v(?P<keep>\d+)\.\d+",)).strip("model v2.31") == "model 2"


@pytest.mark.parametrize("text", ["", "# nothing\n\n", "(unclosed"])
def test_a_rule_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="rule"):
        read_rule(text)


@given(st.text(max_size=60))
def test_any_name_is_stripped_to_one_short_line(text: str) -> None:
    stripped = JobNameRule().strip(text)
    assert len(stripped) <= PART_LIMIT
    assert not re.search(r"[\r\n]", stripped)


@given(st.datetimes(min_value=datetime(1950, 1, 1), max_value=datetime(2099, 1, 1)))
def test_any_day_and_time_in_the_usual_spellings_goes(moment: datetime) -> None:
    for spelling in ("%Y-%m-%d", "%Y%m%d", "%Y_%m_%d", "%d.%m.%Y", "%Y-%m-%dT%H:%M:%S", "%Y%m%d%H%M%S", "%d %b %Y"):
        assert JobNameRule().strip(f"load_{moment.strftime(spelling)}") == "load"


@pytest.mark.parametrize(
    "piece", ["2026-", "1 ", "a1", "_", "1.", "run 1 ", "(", "jan", "0123456789abcdef-", " \t", "=1"]
)
def test_naming_takes_time_in_proportion_to_the_length_of_names(piece: str) -> None:
    def seconds(length: int) -> float:
        rule, name = JobNameRule(), (piece * length)[:length]
        started = time.process_time()
        rule.strip(name)
        own_words(name)
        return time.process_time() - started

    assert seconds(1_000_000) < 0.5  # cut before anything that grows faster


@pytest.mark.parametrize(
    ("target", "command", "mode", "name"),
    [
        ("spark_catalog.raw.orders", "InsertIntoHadoopFsRelationCommand", "overwrite", "load orders"),
        ("spark_catalog.raw.orders", "AppendData", "append", "load orders"),
        ("spark_catalog.raw.orders", "CreateDataSourceTableAsSelectCommand", "create", "load orders"),
        ("spark_catalog.raw.orders", "CreateDataSourceTableCommand", "create", "load orders (create)"),
        ("spark_catalog.raw.orders", "DropTableCommand", "drop", "load orders (drop)"),
        ("spark_catalog.raw.orders", "ReplaceData", "delete", "load orders (delete)"),
        ("spark_catalog.raw.lines", "AppendData", "append", "load orders: lines"),
        ("spark_catalog.raw.lines", "TruncateTable", "truncate", "load orders: lines (truncate)"),
        ("s3://lake/exports/orders", "InsertIntoHadoopFsRelationCommand", "overwrite", "load orders"),
        ("", "query", "", "load orders"),
        ("", "CreateNamespace", "", "load orders"),
    ],
)
def test_statements_under_one_description_are_named_by_target_and_effect(
    target: str, command: str, mode: str, name: str
) -> None:
    assert NAME("nightly", "load orders", target, command, mode) == f"nightly: {name}"


@pytest.mark.parametrize(("description", "mode"), [("drop orders", "drop"), ("DROP TABLE raw.orders", "drop")])
def test_a_description_that_names_target_and_effect_is_the_whole_name(description: str, mode: str) -> None:
    assert NAME("nightly", description, "spark_catalog.raw.orders", "DropTable", mode).endswith(description)
