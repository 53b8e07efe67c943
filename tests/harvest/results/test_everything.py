"""One folder with everything that is found in the wild, one harvest: what is readable is read, the rest is named."""

from __future__ import annotations

import gzip
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from pyspark import SparkContext

from eventlog_lineage.harvest.run import HarvestOptions, HarvestResult, harvest

pytestmark = pytest.mark.spark

TESTS = Path(__file__).resolve().parents[2]
REAL = TESTS / "events" / "logs"
UI = "org.apache.spark.sql.execution.ui.SparkListener"


def event(name: str, **fields: object) -> bytes:
    return (
        json.dumps(
            {
                "Event": name,
                **{key.replace("_", " ") if key[0].isupper() else key: value for key, value in fields.items()},
            },
            separators=(",", ":"),
        ).encode()
        + b"\n"
    )


def head(app: str) -> bytes:
    start = event("SparkListenerApplicationStart", App_Name=app, App_ID=app, Timestamp=1, User="u")
    return event("SparkListenerLogStart", Spark_Version="3.5.9") + start


def started(number: int, time: int = 2) -> bytes:
    plan = "== Physical Plan ==\nLocalTableScan [a#1]\n"
    fields = {"description": "d", "details": "", "physicalPlanDescription": plan, "sparkPlanInfo": {}, "time": time}
    return event(f"{UI}SQLExecutionStart", executionId=number, **fields)


def ended(number: int) -> bytes:
    return event(f"{UI}SQLExecutionEnd", executionId=number, time=3, errorMessage="")


END = event("SparkListenerApplicationEnd", Timestamp=4)


def damaged(folder: Path) -> dict[str, tuple[str, str]]:
    """Writes logs with every damage; gives name to state and to a gap's reason (empty for none)."""
    whole = next((REAL / "zstd-3.5.9").glob("local-*")).read_bytes()
    logs: dict[str, tuple[bytes, str, str]] = {
        "app-1-0001": (head("app-1-0001") + started(0) + ended(0) + END, "complete", ""),
        "app-1-0002": (head("app-1-0002") + started(0) + ended(0), "truncated", "truncated_log"),
        "app-1-0003": (
            head("app-1-0003") + b"garbage\n" + started(0) + ended(0) + END,
            "complete",
            "bad_event",
        ),
        "app-1-0004": (b"", "unreadable", "unreadable_log"),
        "app-1-0005": (head("app-1-0005") + started(0) + END, "complete", ""),
        "app-1-0006": (head("app-1-0006") + ended(7) + END, "complete", ""),
        "app-1-0007": (head("app-1-0007") + started(0) + ended(0) + started(0, 9) + END, "complete", "disagreement"),
        "app-1-0008": (head("app-1-0008") + started(0)[:-40], "truncated", "truncated_log"),
        "app-1-0009.zstd": (b"\x28\xb5\x2f\xfd" + b"\xff" * 40, "unreadable", "unreadable_log"),
        "app-1-0010": (b"this is only a text\n", "unreadable", "unreadable_log"),
        "app-1-0011.inprogress": (head("app-1-0011") + started(0), "in_progress", ""),
        "ünï cödé 12.lz4": (head("app-1-0012") + started(0) + ended(0) + END, "complete", ""),
    }
    # of an application whose whole log is there, too: the store tells of that one, the log's own row of its cut
    logs["app-1-0013.zstd"] = (whole[: len(whole) // 2], "truncated", "")
    for name, (content, _, _) in logs.items():
        (folder / name).write_bytes(content)
    return {
        **{str(folder / name): (state, reason) for name, (_, state, reason) in logs.items()},
        **odd_names(folder),
    }


def odd_names(folder: Path) -> dict[str, tuple[str, str]]:
    """Writes a log whose name is not UTF-8, and names that cannot be looked at or read."""
    whole = head("app-3-0001") + started(0) + ended(0) + END
    (folder / os.fsdecode(b"app-3-0001\xff")).write_bytes(whole)
    (folder / "app-3-0002").symlink_to(folder / "app-3-0002")  # stat fails with ELOOP
    (folder / "app-3-0003").symlink_to("/proc/self/mem")  # reading fails with EIO
    return {
        str(folder / r"app-3-0001\xff"): ("complete", ""),
        str(folder / "app-3-0002"): ("unreadable", "unreadable_log"),
        str(folder / "app-3-0003"): ("unreadable", "unreadable_log"),
    }


def layouts(folder: Path) -> dict[str, tuple[str, str]]:
    """Writes a log in each layout that is more than a file."""
    databricks = folder / "0611-cluster" / "eventlog" / "1_2_3"
    databricks.mkdir(parents=True)
    metadata = "DBCEventLoggingListenerMetadata"
    first = event(metadata, Spark_Version="3.4.1", Timestamp=1, Rollover_Number=0, **{"SparkContext Id": 5})
    second = event(metadata, Spark_Version="3.4.1", Timestamp=2, Rollover_Number=1, **{"SparkContext Id": 5})
    start = event("SparkListenerApplicationStart", App_Name="d", App_ID="dbr", Timestamp=1, User="u")
    (databricks / "eventlog-2026-11-20--01-00.gz").write_bytes(gzip.compress(first + start + started(0)))
    (databricks / "eventlog").write_bytes(second + ended(0) + started(1) + ended(1) + END)

    def rolling(app: str, numbers: tuple[int, ...], *, attempt: str = "", compact: str = "") -> str:
        log = folder / f"eventlog_v2_{app}"
        log.mkdir()
        (log / f"appstatus_{app}").touch()
        (log / f".appstatus_{app}.crc").touch()
        for number in numbers:
            other = attempt if number == numbers[-1] and attempt else app
            body = (head(app) if number == 1 else b"") + started(number) + ended(number)
            body += END if number == numbers[-1] else b""
            (log / f"events_{number}_{other}{compact if number == numbers[0] else ''}").write_bytes(body)
        return str(log)

    return {
        str(databricks): ("complete", ""),
        rolling("app-2-0001", (1, 2)): ("complete", ""),
        rolling("app-2-0002", (1, 3)): ("truncated", "missing_parts"),
        rolling("app-2-0003", (3, 4), compact=".compact"): ("compacted", "compacted_log"),
        rolling("app-2-0004", (1, 2), attempt="app-2-0004_2"): ("complete", ""),
    }


def no_logs(folder: Path) -> None:
    """Writes what lies beside logs and is none: it is passed over in silence."""
    (folder / "empty folder").mkdir()
    (folder / "eventlog_v2_nothing").mkdir()
    for name in (
        ".DS_Store",
        "driver.stdout",
        "log4j-active.txt",
        "README.md",
        "part-0.parquet",
        "notes.txt",
        "_SUCCESS",
    ):
        (folder / name).write_bytes(b"no log")


@pytest.fixture(scope="module")
def everything(spark: SparkContext, tmp_path_factory: pytest.TempPathFactory) -> Everything:
    """The harvest's result; what each log should be; what it is; the reasons of its gaps, by application; the store."""
    folder = tmp_path_factory.mktemp("everything")
    shutil.copytree(REAL, folder / "real")
    wanted = {**damaged(folder), **layouts(folder)}
    no_logs(folder)
    store = tmp_path_factory.mktemp("everything_store") / "lineage"
    result = harvest([str(folder)], store, HarvestOptions())
    with duckdb.connect(str(store / "lineage.duckdb"), read_only=True) as connection:
        states = dict(connection.execute("SELECT log_path, state FROM harvested_logs").fetchall())
        rows = connection.execute(
            "SELECT log_path, reason FROM gaps JOIN harvested_logs USING (app_id, attempt_id)"
        ).fetchall()
    reasons: dict[str, set[str]] = {}
    for path, reason in rows:
        reasons.setdefault(path, set()).add(reason)
    return result, wanted, states, reasons, store


Everything = tuple[HarvestResult, dict[str, tuple[str, str]], dict[str, str], dict[str, set[str]], Path]


def test_every_log_has_its_state_and_its_gap(everything: Everything) -> None:
    _, wanted, states, reasons, _ = everything
    assert {path: states.get(path) for path in wanted} == {path: state for path, (state, _) in wanted.items()}
    assert [path for path, (_, reason) in wanted.items() if reason and reason not in reasons.get(path, set())] == []


def test_every_real_sample_is_read(everything: Everything) -> None:
    _, wanted, states, _, _ = everything
    real = {path: state for path, state in states.items() if path not in wanted}
    assert len(real) == len(list(REAL.iterdir()))
    assert "unreadable" not in real.values()


def test_only_what_gave_nothing_at_all_is_unreadable(everything: Everything) -> None:
    result, wanted, _, _, _ = everything
    nothing = {path for path, (state, _) in wanted.items() if state == "unreadable"}
    assert {path for path, _ in result.unreadable} == nothing
    assert result.summary.facts.logs_failed == len(nothing)


def test_a_thrift_servers_statement_has_the_view_that_it_reads(everything: Everything) -> None:
    store = everything[4]
    with duckdb.connect(str(store / "lineage.duckdb"), read_only=True) as connection:
        found = connection.execute("SELECT dataset, columns FROM dataset_io WHERE mode = 'view'").fetchall()
    assert found == [("spark_catalog.default.v", ["k", "n"])]


def test_no_codec_and_no_layout_is_unknown(everything: Everything) -> None:
    reasons: Callable[[str], bool] = {reason for found in everything[3].values() for reason in found}.__contains__
    assert not reasons("internal_error")
    assert not reasons("unparsed_plan")
