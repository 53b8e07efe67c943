"""Logs are read whole: the real ones of every codec, layout and ending, and those that something happened to."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventlog_lineage.events import listener_events
from eventlog_lineage.events.compression import Codec
from eventlog_lineage.events.read_options import ReadOptions
from eventlog_lineage.events.reading import read_log, read_part, read_stream, settle_order
from eventlog_lineage.events.records import AssembledLog, Execution
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.model import GapReason
from eventlog_lineage.plan.plan_text import NO_TEXT
from support.event_logs import ENCODERS, LOGS, UI, gzip_members, line, log_text, zstd_frames

HEAD = line("SparkListenerLogStart", Spark_Version="3.5.9")
APPLICATION = line("SparkListenerApplicationStart", App_Name="n", App_ID="a", Timestamp=1, User="u")
TASK = line("SparkListenerTaskEnd", Stage_ID=0)
APPLICATION_END = line("SparkListenerApplicationEnd", Timestamp=9)


def begun(number: int) -> bytes:
    return line(f"{UI}SQLExecutionStart", executionId=number, description="d", physicalPlanDescription="p", time=number)


def ended(number: int) -> bytes:
    return line(f"{UI}SQLExecutionEnd", executionId=number, time=number + 1, errorMessage="")


LINES = (HEAD, APPLICATION, *(one(n) for n in range(20) for one in (begun, lambda _: TASK, ended)), APPLICATION_END)


def read(path: Path) -> AssembledLog:
    (log,) = find_logs([str(path)])
    return read_log(log)


def sample(name: str) -> AssembledLog:
    return read(LOGS / name)


def write(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def statuses(log: AssembledLog) -> list[str]:
    return [execution.status for execution in log.executions]


WHOLE = ("none-3.5.9", "zstd-3.5.9", "none-3.3.4", "none-4.0.5", "none-4.3.0")


@pytest.mark.parametrize("name", WHOLE)
def test_a_log_of_every_version_tells_what_was_written_and_what_failed(name: str) -> None:
    log = sample(name)
    assert (log.state, log.error, log.gaps) == ("complete", "", ())
    assert log.application.spark_version == name.partition("-")[2]
    assert (log.application.app_name, log.application.platform) == ("reading samples", "oss")
    assert statuses(log)[:3] == ["succeeded", "succeeded", "failed"]
    first, second, third = log.executions[:3]
    assert dict(first.metrics[0].values) == {
        "number of written files": 2,
        "number of output rows": 7,
        "written output": first.metrics[0].values["written output"],
    }
    scan = next(operator for operator in second.metrics if operator.node_name.startswith("Scan parquet"))
    assert scan.values["number of output rows"] == 7
    assert scan.values["number of files read"] == 2
    assert "InMemoryFileIndex(1 paths)" in scan.location
    assert "id > 5" in third.error or "is not true" in third.error
    assert all(execution.plan.text.startswith("== Physical Plan ==") for execution in log.executions[:3])


@pytest.mark.parametrize("name", ["none-4.0.5", "none-4.3.0"])
def test_since_4_0_a_statement_that_fails_before_planning_is_told(name: str) -> None:
    failed = sample(name).executions[3]
    assert (failed.status, failed.plan) == ("failed", NO_TEXT)
    assert "there_is_no_such_table" in failed.error


@pytest.mark.parametrize("name", ["lz4-3.5.9", "snappy-3.5.9", "lzf-3.5.9"])
def test_every_codec_of_spark_is_read(name: str) -> None:
    log = sample(name)
    assert (log.state, statuses(log)) == ("complete", ["succeeded"])


@pytest.mark.parametrize("name", ["none-2.4.8", "lz4-2.4.8", "none-3.0.3"])
def test_logs_of_spark_2_4_and_3_0_hold_extended_plans(name: str) -> None:
    log = sample(name)
    assert (log.state, statuses(log)) == ("complete", ["succeeded", "succeeded"])
    assert all("== Parsed Logical Plan ==" in execution.plan.text for execution in log.executions)
    assert all(execution.root_execution_id is None for execution in log.executions)


CODECS = ("none", "zstd", "lz4", "snappy", "lzf")


@pytest.mark.parametrize("name", [*(f"killed-{codec}-3.5.9" for codec in CODECS), "killed-rolling-4.1.4"])
def test_the_log_of_a_killed_driver_gives_what_was_flushed(name: str) -> None:
    log = sample(name)
    assert (log.state, log.error, log.gaps) == ("in_progress", "", ())
    assert not log.application.complete
    assert statuses(log)[:2] == ["succeeded", "succeeded"]
    assert statuses(log)[2] == ("running" if "lz4" in name else "failed")  # Java's lz4 writes whole blocks only


def test_the_parts_of_a_rolling_log_make_one_application() -> None:
    log = sample("rolling-3.5.9")
    assert log.state == "complete"
    assert [execution.execution_id for execution in log.executions] == [0, 1, 2, 3]
    assert statuses(log) == ["succeeded", "succeeded", "succeeded", "failed"]
    assert log.executions[1].description == "x" * 1000


def test_a_compacted_log_says_what_is_gone() -> None:
    log = sample("compacted-3.5.9")
    assert log.state == "compacted"
    assert [gap.reason for gap in log.gaps] == [GapReason.COMPACTED_LOG]
    assert log.application.spark_version == "3.5.9"
    assert [execution.execution_id for execution in log.executions] == [1, 2, 3]


def test_statements_of_a_thrift_server_have_their_sql_and_plan() -> None:
    executions = sample("thrift-3.5.9").executions
    texts = {execution.sql_text for execution in executions}
    assert {
        "CREATE TABLE t AS SELECT id, id % 3 AS k, 'größe' AS s FROM range(10)",
        "CREATE VIEW v AS SELECT k, count(*) AS n FROM t GROUP BY k",
        "SELECT n FROM v WHERE k = 1",
    } <= texts
    query = executions[-1]
    assert query.sql_text == query.description == "SELECT n FROM v WHERE k = 1"
    assert "SubqueryAlias spark_catalog.default.v" in query.statement_plan.text
    assert query.user_name == "me"


def test_statements_of_a_connect_server_have_their_sql() -> None:
    log = sample("connect-4.1.4")
    texts = [execution.sql_text for execution in log.executions]
    assert texts[0] == texts[1] == "CREATE TABLE t AS SELECT id, id % 3 AS k, 'größe' AS s FROM range(10)"
    assert texts[-1] == ""
    assert all(execution.description.startswith("Spark Connect") for execution in log.executions)


@pytest.mark.parametrize("name", sorted(path.name for path in LOGS.iterdir()))
def test_no_secret_and_no_unlisted_setting_leaves_a_log(name: str) -> None:
    log = sample(name)
    assert "spark.my.password" not in log.application.settings
    assert "hunter2" not in repr(log)
    assert set(log.application.settings) <= {
        "spark.app.name",
        "spark.sql.warehouse.dir",
        "spark.sql.catalogImplementation",
        "spark.hadoop.fs.defaultFS",
        "spark.hadoop.hive.metastore.uris",
    }


def parts_of(stream: bytes) -> tuple[list[listener_events.Event], listener_events.PartEnd]:
    *events, end = read_stream(io.BytesIO(stream))
    assert isinstance(end, listener_events.PartEnd)
    return events, end


@given(st.sampled_from(tuple(Codec)), st.integers(0, 10**6), st.integers(1, 9))
def test_a_log_cut_anywhere_gives_the_executions_before_the_cut(codec: Codec, at: int, step: int) -> None:
    pieces = [log_text(*LINES[first : first + step]) for first in range(0, len(LINES), step)]
    stored = ENCODERS[codec](pieces)
    kept = stored[: at % (len(stored) + 1)]
    events, end = parts_of(kept)
    started = [event.execution_id for event in events if isinstance(event, listener_events.ExecutionStart)]
    finished = [event.execution_id for event in events if isinstance(event, listener_events.ExecutionEnd)]
    assert started == list(range(len(started)))
    assert finished == list(range(len(finished)))
    assert len(started) - len(finished) in (0, 1)
    whole = sum(len(ENCODERS[codec](pieces[:count])) <= len(kept) for count in range(1, len(pieces) + 1))
    certain = [text for text in b"".join(pieces[:whole]).splitlines() if b"SQLExecutionStart" in text]
    assert len(started) >= len(certain)
    if codec is Codec.NONE:
        assert len(started) == sum(text in kept for text in LINES if b"SQLExecutionStart" in text)
    assert not any(isinstance(event, listener_events.BadEvent) for event in events)
    assert end.damage == ""
    assert end.unreadable == ""


@given(st.binary(max_size=3000), st.booleans())
def test_random_bytes_give_a_part_end_and_no_error(noise: bytes, like_a_log: bool) -> None:
    *_, end = read_stream(io.BytesIO((b'{"Event":"SparkListenerJobStart"' if like_a_log else b"") + noise))
    assert isinstance(end, listener_events.PartEnd)


def test_lines_that_cannot_be_read_are_told_and_skipped() -> None:
    bad = begun(1)[:-20] + b'"}'
    events, end = parts_of(log_text(HEAD, bad, b"log4j: something", begun(2)))
    assert [type(event).__name__ for event in events] == ["LogStart", "BadEvent", "BadEvent", "ExecutionStart"]
    first = events[1]
    assert isinstance(first, listener_events.BadEvent)
    assert (first.part, first.line, first.offset) == (1, 2, len(HEAD) + 1)
    assert first.reason.startswith("not JSON")
    assert first.snippet == f'{{"Event":"{UI}SQLExecutionStart"'
    assert (end.bad_lines, end.lines) == (2, 4)


def test_of_many_bad_lines_the_first_twenty_are_told_one_by_one(tmp_path: Path) -> None:
    path = write(tmp_path / "local-1", log_text(HEAD, *[b"garbage"] * 1000, APPLICATION_END))
    log = read(path)
    assert (log.state, log.counts.bad_lines) == ("complete", 1000)
    (gap,) = log.gaps
    assert gap.reason is GapReason.BAD_EVENT
    assert gap.detail == "1000 lines cannot be read, the first at line 2 of part 1, offset 58: not an event: garbage"


def test_a_line_longer_than_allowed_is_a_gap_of_its_own(tmp_path: Path) -> None:
    long = line(f"{UI}SQLExecutionStart", executionId=0, physicalPlanDescription="x" * 5000)
    write(tmp_path / "local-1", log_text(HEAD, long, begun(1), APPLICATION_END))
    (log,) = find_logs([str(tmp_path)])
    read_with_limit = read_log(log, ReadOptions(longest_line=2000))
    assert [execution.execution_id for execution in read_with_limit.executions] == [1]
    assert [gap.reason for gap in read_with_limit.gaps] == [GapReason.LIMIT_EXCEEDED]
    assert [execution.execution_id for execution in read_log(log).executions] == [0, 1]


def test_only_the_last_adaptive_plan_is_given_and_before_the_end() -> None:
    def update(number: int, accumulator: int) -> bytes:
        metrics = [{"name": "number of output rows", "accumulatorId": accumulator, "metricType": "sum"}]
        info = {"nodeName": "Scan parquet t", "simpleString": "", "children": [], "metrics": metrics}
        return line(
            f"{UI}SQLAdaptiveExecutionUpdate", executionId=number, physicalPlanDescription="x", sparkPlanInfo=info
        )

    text = log_text(HEAD, begun(0), update(0, 1), begun(1), update(1, 2), update(0, 3), ended(0), update(1, 4))
    plans = [
        (type(event).__name__, event.execution_id, event.nodes[0].metrics[0][1] if event.nodes else None)
        for event in parts_of(text)[0]
        if isinstance(event, (listener_events.AdaptivePlan, listener_events.ExecutionStart))
    ]
    assert plans == [
        ("ExecutionStart", 0, None),
        ("ExecutionStart", 1, None),
        ("AdaptivePlan", 0, 3),
        ("AdaptivePlan", 1, 4),
    ]
    names = [type(event).__name__ for event in parts_of(text)[0]]
    assert names.index("AdaptivePlan") < names.index("ExecutionEnd")


def test_a_last_line_without_line_feed_counts_if_it_is_whole() -> None:
    events, end = parts_of(log_text(HEAD) + begun(0))
    assert len(events) == 2
    assert not end.is_truncated
    events, end = parts_of(log_text(HEAD) + begun(0)[:-5])
    assert len(events) == 1
    assert end.is_truncated


@pytest.mark.parametrize(
    ("content", "reason", "hint"),
    [
        (b"hello", "not an event log: it begins with b'hello'", "begins with"),
        (b"PK\x03\x04....", "a zip archive", "unpack"),
        (b"\x04\x22\x4d\x18....", "an lz4 frame", "unpack"),
        (b"PAR1....", "a Parquet file", "name event logs only"),
        (gzip_members([b"hello"]), "not an event log", "begins with"),
        (b"\x28\xb5\x2f\xfd" + b"\xff" * 30, "damaged zstd frame", "restore"),
        (b"", "the log is empty", "restore"),
    ],
)
def test_a_file_that_is_no_log_is_unreadable_with_a_reason(
    tmp_path: Path, content: bytes, reason: str, hint: str
) -> None:
    log = read(write(tmp_path / "named explicitly", content))
    assert log.state == "unreadable"
    assert reason in log.error
    (gap,) = log.gaps
    assert gap.reason is GapReason.UNREADABLE_LOG
    assert hint in gap.hint
    assert log.executions == ()


def test_a_log_that_nothing_was_flushed_to_yet_is_in_progress(tmp_path: Path) -> None:
    for content in (b"", b"\x28\xb5", b"{"):
        log = read(write(tmp_path / "application_1_0001.inprogress", content))
        assert (log.state, log.gaps) == ("in_progress", ())


def test_a_log_that_cannot_be_opened_is_unreadable(tmp_path: Path) -> None:
    path = write(tmp_path / "local-1", log_text(HEAD))
    (log,) = find_logs([str(path)])
    path.unlink()
    gone = read_log(log)
    assert gone.state == "unreadable"
    assert str(path) in gone.error


def test_a_place_that_cannot_be_listed_is_an_unreadable_log(tmp_path: Path) -> None:
    write(tmp_path / "local-1", log_text(HEAD))
    (log,) = find_logs([str(tmp_path)])
    gap = replace(read_log(log).gaps[0], reason=GapReason.UNREADABLE_LOG, detail="permission denied")
    assert read_log(replace(log, parts=(), problems=(gap,))).error == "permission denied"


def test_a_log_without_end_is_truncated(tmp_path: Path) -> None:
    log = read(write(tmp_path / "local-1", log_text(*LINES[:-1])))
    assert (log.state, log.application.complete) == ("truncated", False)
    assert "no end" in log.error


def test_damage_within_a_log_is_told_and_what_stands_before_it_read(tmp_path: Path) -> None:
    frames = zstd_frames([log_text(*LINES[:10])])
    log = read(write(tmp_path / "local-1.zstd", frames + b"\xff" * 99 + zstd_frames([log_text(*LINES[10:])])))
    assert log.state == "truncated"
    assert "damaged zstd frame" in log.error
    assert len(log.executions) == 3


def rolling(folder: Path, parts: dict[int, bytes], status: str = "appstatus_a") -> AssembledLog:
    for number, content in parts.items():
        write(folder / "eventlog_v2_a" / f"events_{number}_a", content)
    write(folder / "eventlog_v2_a" / status, b"")
    return read(folder)


def test_a_rolling_log_with_missing_parts_is_truncated(tmp_path: Path) -> None:
    log = rolling(tmp_path, {1: log_text(HEAD, begun(0)), 3: log_text(ended(0), APPLICATION_END)})
    assert (log.state, log.error) == ("truncated", "part 2 is missing")
    assert statuses(log) == ["succeeded"]


def test_one_bad_part_does_not_hide_the_others(tmp_path: Path) -> None:
    parts = {1: log_text(HEAD, begun(0)), 2: b"not a log", 3: log_text(ended(0), begun(1), APPLICATION_END)}
    log = rolling(tmp_path, parts)
    assert log.state == "truncated"
    assert log.error.startswith("part 2: not an event log")
    assert statuses(log) == ["succeeded", "unknown"]


def test_a_part_that_breaks_off_before_the_last_is_told(tmp_path: Path) -> None:
    log = rolling(tmp_path, {1: log_text(HEAD) + begun(0)[:-3], 2: log_text(APPLICATION_END)})
    assert log.state == "truncated"
    assert "part 1: it is truncated" in log.error


def test_what_a_compact_file_holds_is_told_by_its_bytes_not_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "eventlog_v2_a"
    write(folder / "events_2_a.zstd.compact", log_text(HEAD, APPLICATION))
    write(folder / "events_3_a.zstd", zstd_frames([log_text(begun(5), ended(5), APPLICATION_END)]))
    log = read(tmp_path)
    assert (log.state, statuses(log)) == ("compacted", ["succeeded"])


def databricks_part(number: int | None, *lines: bytes) -> bytes:
    fields = {} if number is None else {"Rollover_Number": number}
    return log_text(line("DBCEventLoggingListenerMetadata", Spark_Version="3.3.0", **fields), *lines)


def databricks(
    folder: Path, numbers: tuple[int | None, ...], pack: Callable[[list[bytes]], bytes] = gzip_members
) -> Path:
    first, second, third = numbers
    write(folder / "eventlog-2026-11-20--10-00.gz", pack([databricks_part(first, APPLICATION, begun(0))]))
    write(folder / "eventlog-2026-11-20--11-00.gz", pack([databricks_part(second, ended(0), begun(1))]))
    write(folder / "eventlog", databricks_part(third, ended(1), begun(2)))
    return folder


def test_a_databricks_log_is_read_part_by_part(tmp_path: Path) -> None:
    log = read(databricks(tmp_path, (0, 1, 2)))
    assert (log.state, log.application.platform, log.application.spark_version) == (
        "in_progress",
        "databricks",
        "3.3.0",
    )
    assert statuses(log) == ["succeeded", "succeeded", "running"]
    assert log.gaps == ()


@pytest.mark.parametrize(
    ("numbers", "order"),
    [((1, 0, 2), [2, 1, 3]), ((0, 1, 2), [1, 2, 3]), ((0, None, 2), [1, 2, 3]), ((0, 0, 2), [1, 2, 3])],
)
def test_rollover_numbers_settle_the_order_where_all_are_known(
    tmp_path: Path, numbers: tuple[int | None, ...], order: list[int]
) -> None:
    (log,) = find_logs([str(databricks(tmp_path, numbers))])
    settled = settle_order(log)
    assert [part.path for part in settled.parts] == [log.parts[place - 1].path for place in order]
    assert [part.index for part in settled.parts] == [1, 2, 3]


def test_a_part_is_read_alone_as_on_an_executor(tmp_path: Path) -> None:
    write(tmp_path / "eventlog_v2_a" / "events_1_a", log_text(HEAD, begun(0)))
    write(tmp_path / "eventlog_v2_a" / "events_2_a", log_text(ended(0)))
    (log,) = find_logs([str(tmp_path)])
    events = [list(read_part(part)) for part in log.parts]
    assert [type(event).__name__ for event in events[0]] == ["LogStart", "ExecutionStart", "PartEnd"]
    assert [type(event).__name__ for event in events[1]] == ["ExecutionEnd", "PartEnd"]
    end = events[1][-1]
    assert isinstance(end, listener_events.PartEnd)
    assert (end.part, end.lines) == (2, 1)


def test_a_stream_run_before_3_4_is_joined(tmp_path: Path) -> None:
    description = "n\nid = q\nrunId = r\nbatch = 4"
    start = line(f"{UI}SQLExecutionStart", executionId=0, description=description, physicalPlanDescription="p", time=1)
    log = read(write(tmp_path / "local-1", log_text(HEAD, start, APPLICATION_END)))
    execution: Execution = log.executions[0]
    assert (execution.stream_query_id, execution.stream_run_id, execution.stream_batch_id) == ("q", "r", 4)
