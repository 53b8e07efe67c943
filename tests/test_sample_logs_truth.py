"""The hand-written truth is well-formed and speaks of the very statements that the sample logs hold.

Nothing here uses the package: the logs are read with zstandard, json and a few patterns.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import zstandard

from support.sample_logs_truth import Statement, TrueEdge, load_truth

if TYPE_CHECKING:
    from collections.abc import Iterator

LOGS = Path(__file__).parent / "sample_logs"
TRUTHS = ("warehouse.truth", "hourly.truth")

SCAN = re.compile(
    r"\(\d+\) Scan (?:csv|json|parquet|orc|hive) (?P<table>[\w.]*)[^\n]*\n"
    r"Output(?: \[\d+\])?: \[(?P<output>[^\]]*)\](?P<rest>(?:\n[^\n]+)*)"
)
ROOT_PATH = re.compile(r"FileIndex \[([^,\]]+)")
TABLE_PATH = re.compile(r"file:///tmp/sample_warehouse/warehouse/(\w+)\.db/(\w+)(?:/.*)?")


@dataclass
class Execution:
    """The SQL executions of one job description, taken together."""

    plans: list[str] = field(default_factory=list)
    ids: list[int] = field(default_factory=list)
    ended: dict[int, str] = field(default_factory=dict)


def decoded(path: Path) -> bytes:
    """The text of one file of a log; zstd frame by frame, as far as it goes."""
    rest = path.read_bytes()
    if not rest.startswith(b"\x28\xb5\x2f\xfd"):
        return rest
    parts = []
    while rest:
        frame = zstandard.ZstdDecompressor().decompressobj()
        parts.append(frame.decompress(rest))
        rest = frame.unused_data if frame.eof else b""
    return b"".join(parts)


def sql_events(log: str) -> Iterator[dict[str, Any]]:
    path = LOGS / log
    files = sorted(path.glob("events_*")) if path.is_dir() else [path]
    for line in b"".join(map(decoded, files)).splitlines():
        if line.startswith(b'{"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecution'):
            yield json.loads(line)


@cache
def executions(log: str) -> dict[str, Execution]:
    """The executions of a log by job description; those without one carry a call site, as in `sql at …`."""
    found: dict[str, Execution] = defaultdict(Execution)
    by_id: dict[int, Execution] = {}
    for event in sql_events(log):
        number = event["executionId"]
        if event["Event"].endswith("Start"):
            execution = by_id[number] = found[event["description"]]
            execution.plans.append(event["physicalPlanDescription"])
            execution.ids.append(number)
        else:
            by_id[number].ended[number] = event.get("errorMessage") or ""
    return dict(found)


def scanned(plan: str) -> set[tuple[str, str]]:
    """Dataset and top-level column of all that the plan's scans put out; a table's path counts as the table."""
    columns = set()
    for match in SCAN.finditer(plan):
        dataset = match["table"]
        if not dataset:
            path = ROOT_PATH.search(match["rest"])
            assert path is not None, match[0]
            dataset = "file://" + path[1].removeprefix("file:")
            table = TABLE_PATH.fullmatch(dataset)
            dataset = f"{table[1]}.{table[2]}" if table else dataset
        if dataset.count(".") == 1 and not dataset.startswith("file:"):
            dataset = f"spark_catalog.{dataset}"
        columns |= {(dataset, item.split("#")[0]) for item in match["output"].split(", ") if item}
    return columns


def truth() -> list[Statement]:
    return [statement for name in TRUTHS for statement in load_truth(LOGS / name)]


CASES = [
    pytest.param(log, statement, id=f"{log}: {statement.description}")
    for statement in truth()
    for log in statement.logs
    if statement.kind != "helper"
]
HELD = sorted({log for statement in truth() for log in statement.logs})


def test_every_committed_log_has_a_truth_and_every_truth_a_log() -> None:
    committed = {path.name for path in LOGS.iterdir() if path.suffix not in {".truth", ".md"}}
    assert committed == set(HELD)


@pytest.mark.parametrize("log", HELD)
def test_the_truth_names_exactly_the_statements_of_the_log(log: str) -> None:
    assert set(executions(log)) == {statement.description for statement in truth() if log in statement.logs}


@pytest.mark.parametrize(("log", "statement"), CASES)
def test_a_status_of_the_truth_is_the_status_in_the_log(log: str, statement: Statement) -> None:
    execution = executions(log)[statement.description]
    missing = [number for number in execution.ids if number not in execution.ended]
    assert bool(missing) == (statement.status == "running")
    if log != "nightly-sales-3-3":  # errorMessage exists since Spark 3.4
        assert any(execution.ended.values()) == (statement.status == "failed")


@pytest.mark.parametrize(("log", "statement"), CASES)
def test_the_columns_of_a_target_are_those_the_plan_prints(log: str, statement: Statement) -> None:
    plans = executions(log)[statement.description].plans
    written = f"[{', '.join(statement.columns)}]"
    one_by_one = all(any(re.search(rf"\b{column}#\d", plan) for plan in plans) for column in statement.columns)
    lists_columns = any(written in plan for plan in plans)
    prints_no_list = statement.kind == "read" or any("CreateViewCommand" in plan for plan in plans) or log[-3:] == "3-3"
    assert lists_columns or (prints_no_list and one_by_one)


@pytest.mark.parametrize(("log", "statement"), CASES)
def test_the_target_of_a_write_is_in_the_plan(log: str, statement: Statement) -> None:
    if statement.target is None:
        return
    plans = executions(log)[statement.description].plans
    if statement.target.startswith("file://"):
        assert any(statement.target.removeprefix("file://") in plan for plan in plans)
        return
    _, database, table = statement.target.split(".")
    spellings = (
        f"`{database}`.`{table}`",
        f"Database: {database}\nTable: {table}\n",
        f"Database: {database}, TableName: {table}",
    )
    assert any(spelling in plan for plan in plans for spelling in spellings)


@pytest.mark.parametrize(("log", "statement"), CASES)
def test_the_scans_of_a_statement_read_the_truths_datasets_and_columns(log: str, statement: Statement) -> None:
    plans = executions(log)[statement.description].plans
    if any("CreateViewCommand" in plan for plan in plans):
        return
    read = set().union(*map(scanned, plans))
    named = {(e.source_dataset, e.source_column.split(".")[0]) for e in statement.edges if e.source_column}
    assert named <= read
    assert statement.sources == {dataset for dataset, _ in read}


def test_the_plain_log_is_plain_and_whole() -> None:
    text = (LOGS / "nightly-sales-3-3").read_bytes()
    assert text.startswith(b'{"Event":"SparkListenerLogStart","Spark Version":"3.3.')
    assert text.splitlines()[-1].startswith(b'{"Event":"SparkListenerApplicationEnd"')


def test_the_compressed_log_is_of_many_frames() -> None:
    assert (LOGS / "nightly-sales-3-5.zstd").read_bytes().count(b"\x28\xb5\x2f\xfd") > 100


def test_the_rolling_log_has_several_parts_and_is_finished() -> None:
    names = {path.name for path in (LOGS / "eventlog_v2_nightly-sales-4-3").iterdir() if not path.name.startswith(".")}
    assert {f"events_{number}_nightly-sales-4-3.zstd" for number in (1, 2, 3)} < names
    assert "appstatus_nightly-sales-4-3" in names


def test_the_killed_drivers_log_ends_in_the_middle_of_a_line() -> None:
    text = decoded(LOGS / "hourly-clicks-4-0.zstd.inprogress")
    last = text.splitlines()[-1]
    assert not text.endswith(b"\n")
    with pytest.raises(json.JSONDecodeError):
        json.loads(last)


@pytest.mark.parametrize(
    ("log", "description", "shown"),
    [
        ("nightly-sales-3-5.zstd", "mart: product_revenue", "InMemoryRelation"),
        ("nightly-sales-4-3", "export: paid_lines", "InMemoryRelation"),
        ("nightly-sales-3-5.zstd", "mart: recent_status", "Scan In-memory table recent_orders"),
        ("nightly-sales-3-5.zstd", "mart: product_labels", "BatchEvalPython"),
        ("nightly-sales-4-3", "mart: product_labels", "ArrowEvalPython"),
        ("nightly-sales-3-3", "mart: net_prices", "ArrowEvalPython"),
        ("nightly-sales-3-3", "mart: basket_scores", "MapInPandas"),
        ("nightly-sales-3-5.zstd", "mart: median_price", "AggregateInPandas"),
        ("nightly-sales-4-0", "mart: neighbours", "ReusedExchange"),
        ("nightly-sales-3-5.zstd", "mart: saturday_sales", "dynamicpruning"),
        ("nightly-sales-3-5.zstd", "mart: customer_360", "SortMergeJoin FullOuter"),
        ("nightly-sales-3-5.zstd", "mart: repeat_buyers", "LeftSemi"),
        ("nightly-sales-3-3", "mart: lapsed_customers", "LeftAnti"),
        ("nightly-sales-3-3", "mart: priced_lines", "BroadcastNestedLoopJoin"),
        ("nightly-sales-3-3", "mart: sales_rollup", "Expand"),
        ("nightly-sales-3-3", "stage: returns", "InsertIntoHiveTable"),
        ("nightly-sales-3-3", "export: top_customers", "TakeOrderedAndProject"),
        ("nightly-sales-4-3", "mart: customer_orders", "SaveAsV1TableCommand"),
    ],
)
def test_the_plans_show_what_the_statements_were_written_for(log: str, description: str, shown: str) -> None:
    (name,) = (held for held in HELD if log in held)
    assert any(shown in plan for plan in executions(name)[description].plans)


HEADER = "log 1 = a\ndataset s.t = spark_catalog.s.t\ndataset s.t.u = spark_catalog.s.t.u\n"


def test_a_source_is_split_at_the_longest_declared_dataset(tmp_path: Path) -> None:
    file = tmp_path / "x.truth"
    file.write_text(HEADER + "# a: b\nread\nx <- s.t.u.v.w DIRECT AGGREGATION masked opaque -- why\n")
    (statement,) = load_truth(file)
    edge = TrueEdge("spark_catalog.s.t.u", "v.w", "x", "DIRECT", "AGGREGATION", masked=True, opaque=True)
    assert statement == Statement("a: b", ("a",), "read", "", None, "succeeded", (edge,), ())
    assert statement.columns == ("x",)
    assert statement.sources == {"spark_catalog.s.t.u"}


@pytest.mark.parametrize(
    ("block", "complaint"),
    [
        ("read\nx <- s.z.v DIRECT IDENTITY", "no dataset is declared"),
        ("read\nx <- s.t.v DIRECT FILTER", "no kind of edge"),
        ("read\nx <- s.t.v", "no kind of edge"),
        ("read\nx <- s.t.v INDIRECT FILTER", "belongs to the whole target"),
        ("read\n* <- s.t.v INDIRECT WINDOW", "belongs to one column"),
        ("read\n* <- -", "is for a column"),
        ("read\nx <- s.t.v DIRECT IDENTITY\nx <- -", "both with and without"),
        ("read\nx <- s.t.v DIRECT IDENTITY\nx <- s.t.v DIRECT IDENTITY", "twice"),
        ("read\nx <- s.t.v DIRECT IDENTITY\nstatus failed", "expected an edge"),
        ("write upsert s.t\nx <- -", "expected `write MODE DATASET`"),
        ("read\nwrite append s.t", "not understood"),
        ("status lost", "not understood"),
        ("in 2\nread", "'2'"),
        ("read", "a helper has no edges"),
        ("helper\nx <- -", "a helper has no edges"),
        ("x <- -", "neither write, read nor helper"),
        ("read\nx <- -\n# a\nread", "a second block"),
        ("read\nx <- -\nlog 2 = b", "before the first statement"),
    ],
)
def test_a_malformed_truth_is_refused(tmp_path: Path, block: str, complaint: str) -> None:
    file = tmp_path / "x.truth"
    file.write_text(f"{HEADER}# a\n{block}\n")
    with pytest.raises(ValueError, match=re.escape(complaint)):
        load_truth(file)
