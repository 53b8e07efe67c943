"""Hostile logs: bounded time and memory, and a gap that says what was left out."""

from __future__ import annotations

import gzip
import io
import time
from collections.abc import Callable, Iterator

import pyarrow
import pytest
import zstandard

from eventlog_lineage.events import compression
from eventlog_lineage.events.assembly import assemble
from eventlog_lineage.events.compression import Codec
from eventlog_lineage.events.listener_events import PartEnd
from eventlog_lineage.events.read_options import ReadOptions
from eventlog_lineage.events.reading import read_stream
from eventlog_lineage.events.records import AssembledLog
from eventlog_lineage.events.sources.layouts import EventLog, Layout, LogPart
from eventlog_lineage.model import GapReason
from support.event_logs import ENCODERS, UI, line, log_text

LOG = EventLog("log", Layout.SINGLE, (LogPart("log", 1, 1, 1),))
START = line("SparkListenerLogStart", Spark_Version="3.5.9")
APPLICATION = line("SparkListenerApplicationStart", App_Name="a", App_ID="i", Timestamp=1)
END = line("SparkListenerApplicationEnd", Timestamp=2)


def read(content: bytes, how: ReadOptions) -> AssembledLog:
    return assemble(read_stream(io.BytesIO(content), 1, how), LOG)


def reasons(log: AssembledLog) -> list[GapReason]:
    return [gap.reason for gap in log.gaps]


def execution(plan: str, number: int = 0) -> bytes:
    fields = {"description": "d", "physicalPlanDescription": plan, "sparkPlanInfo": {}, "time": 1}
    return line(f"{UI}SQLExecutionStart", executionId=number, **fields)


@pytest.fixture
def little_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "_FREE", 1 << 20)


@pytest.mark.usefixtures("little_is_free")
@pytest.mark.parametrize(
    ("compress", "spaces"),
    [(zstandard.ZstdCompressor(level=1).compress, 200_000_000), (gzip.compress, 50_000_000)],
    ids=["zstd", "gzip"],
)
def test_a_decompression_bomb_is_left_where_no_log_would_go_on(compress: Callable[[bytes], bytes], spaces: int) -> None:
    bomb = compress(log_text(START, APPLICATION) + b" " * spaces)
    started = time.process_time()
    log = read(bomb, ReadOptions(expansion=100))
    assert time.process_time() - started < 5
    assert GapReason.LIMIT_EXCEEDED in reasons(log)
    assert (log.state, log.application.app_id) == ("truncated", "i")
    assert log.counts.size < 1 << 25
    assert "stored bytes contain more than" in log.error


@pytest.mark.usefixtures("little_is_free")
@pytest.mark.parametrize("codec", sorted(ENCODERS))
def test_a_log_is_no_bomb(codec: Codec) -> None:
    lines = [execution("p" * 2000, number) for number in range(2000)]
    text = log_text(START, APPLICATION, *lines, END)
    pieces = [text[at : at + 32_000] for at in range(0, len(text), 32_000)]
    log = read(ENCODERS[codec](pieces), ReadOptions())
    assert (log.state, len(log.executions), log.gaps) == ("complete", 2000, ())


def test_a_line_beyond_the_limit_is_left_out_and_told() -> None:
    log = read(log_text(START, execution("x" * 3000), execution("short", 1), END), ReadOptions(longest_line=2000))
    assert [each.plan.text for each in log.executions] == ["short"]
    assert reasons(log) == [GapReason.LIMIT_EXCEEDED]


def test_a_plan_beyond_the_limit_is_left_out_and_told() -> None:
    log = read(log_text(START, execution("x" * 3000), execution("short", 1), END), ReadOptions(longest_plan=2000))
    assert [each.plan.text for each in log.executions] == ["", "short"]
    assert reasons(log) == [GapReason.LIMIT_EXCEEDED]


def test_a_log_of_line_feeds_costs_next_to_nothing() -> None:
    text = log_text(START, APPLICATION) + b"\n" * 60_000_000 + log_text(execution("p"), END)
    packed = gzip.compress(text, 1)
    started = time.process_time()
    log = read(packed, ReadOptions(expansion=10_000))
    assert time.process_time() - started < 2
    assert len(log.executions) == 1
    assert log.counts.lines == text.count(b"\n")


@pytest.mark.slow
def test_a_log_of_short_lines_ends_with_its_budget() -> None:
    packed = gzip.compress(log_text(START, APPLICATION) + b"x\n" * 30_000_000, 1)
    started = time.process_time()
    assert read(packed, ReadOptions(expansion=10_000, max_seconds=1)).state == "unreadable"
    assert time.process_time() - started < 4


PADDED = {
    "gzip": (gzip.compress(b""), bytes(1 << 16)),
    "zstd": (zstandard.compress(b""), (b"\x50\x2a\x4d\x18" + bytes(4)) * 8000),  # skippable frames
    "lz4": (b"", (b"LZ4Block\x10" + bytes(12)) * 4000),
    "snappy": (b"", (b"\x82SNAPPY\x00" + bytes(8)) * 4000),
    "lzf": (b"", b"ZV\x00\x00\x00" * 10000),
}


class Endless(io.RawIOBase):
    """A file without an end."""

    def __init__(self, begin: bytes, period: bytes) -> None:
        self.rest, self.period = begin, period

    def read(self, size: int = -1) -> bytes:
        """Return as many bytes as are asked for."""
        while len(self.rest) < size:
            self.rest += self.period
        piece, self.rest = self.rest[:size], self.rest[size:]
        return piece


@pytest.mark.usefixtures("bounded")
@pytest.mark.parametrize("codec", PADDED)
def test_a_log_that_stores_bytes_without_text_ends_with_its_budget(codec: str) -> None:
    *_, end = read_stream(Endless(*PADDED[codec]), options=ReadOptions(max_seconds=0.2))  # type: ignore[arg-type]
    assert isinstance(end, PartEnd)
    assert "of CPU time" in end.over_budget


def test_a_log_that_is_fed_slowly_ends_with_its_budget_of_wall_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(100_000))
    monkeypatch.setattr("eventlog_lineage.events.read_options.time.monotonic", lambda: next(clock))
    text = log_text(START, APPLICATION, *(execution("p", number) for number in range(500)), END)
    log = read(text, ReadOptions(max_seconds=1))
    assert (log.state, log.error) == ("unreadable", "reading the log takes more than 10 s")


def test_a_snappy_block_is_bounded_before_it_is_decoded() -> None:
    block = pyarrow.compress(bytes(1 << 26), "snappy", asbytes=True)
    header = ENCODERS[Codec.SNAPPY]([])[:16]
    for packed in (header + len(block).to_bytes(4, "big") + block, header + (1 << 26).to_bytes(4, "big")):
        *_, end = read_stream(io.BytesIO(packed))
        assert isinstance(end, PartEnd)
        assert f"a snappy block of {1 << 26} bytes; the limit is {1 << 25}" in end.unreadable


def test_a_log_over_its_budget_of_cpu_time_is_unreadable_and_gives_nothing() -> None:
    log = read(log_text(START, APPLICATION, execution("p"), END), ReadOptions(max_seconds=-1))
    assert (log.state, log.executions) == ("unreadable", ())
    assert log.error == "reading the log takes more than -1 s of CPU time"
    assert log.gaps[0].hint == "raise --max-seconds-per-log if the log is genuine"


def test_a_log_that_runs_over_its_budget_in_the_middle_gives_nothing_either(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(100_000))
    monkeypatch.setattr("eventlog_lineage.events.read_options.time.process_time", lambda: next(clock))
    text = log_text(START, APPLICATION, *(execution("p", number) for number in range(100)), END)
    log = read(text, ReadOptions(max_seconds=5))
    assert (log.state, log.executions) == ("unreadable", ())


def test_names_and_ids_are_cut_at_a_thousand_characters() -> None:
    start = line("SparkListenerApplicationStart", App_Name="n" * 60_000, App_ID="i" * 60_000, User="u" * 60_000)
    application = read(log_text(START, start, END), ReadOptions()).application
    assert {len(application.app_name), len(application.app_id), len(application.user_name)} == {1000}


def test_json_nested_100_000_deep_is_a_bad_line() -> None:
    deep = b'{"Event":"' + UI.encode() + b'SQLExecutionEnd","x":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    log = read(log_text(START, deep, execution("p"), END), ReadOptions())
    assert len(log.executions) == 1
    assert "nested deeper than 1024 levels" in log.gaps[0].detail


def test_a_plan_tree_nested_100_000_deep_costs_its_metrics_only() -> None:
    tree = b'{"nodeName":"P","simpleString":"P","children":[' * 100_000 + b"]}" * 100_000
    deep = execution("== Physical Plan ==\nx").replace(b'"sparkPlanInfo":{}', b'"sparkPlanInfo":' + tree)
    log = read(log_text(START, deep, END), ReadOptions())
    assert [each.plan.text for each in log.executions] == ["== Physical Plan ==\nx"]


def test_a_line_that_never_ends_holds_no_more_than_the_longest_line() -> None:
    class Endless(io.RawIOBase):
        """A line of 300 MB, made as it is read."""

        left = 300_000_000

        def readable(self) -> bool:
            """It can be read."""
            return True

        def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
            """Give more of the line."""
            size = min(len(buffer), self.left)
            buffer[:size] = b"x" * size
            self.left -= size
            return size

    def parts() -> Iterator[io.RawIOBase]:
        yield io.BytesIO(log_text(START) + execution("y" * 200)[:-100])  # type: ignore[misc]
        yield Endless()

    class Joined(io.RawIOBase):
        """One stream after the other."""

        def __init__(self) -> None:
            self.streams = parts()
            self.stream = next(self.streams)

        def readable(self) -> bool:
            """It can be read."""
            return True

        def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
            """Give more of the current stream, or of the next one."""
            size = self.stream.readinto(buffer) or 0  # type: ignore[attr-defined]
            if not size and (following := next(self.streams, None)) is not None:
                self.stream = following
                return self.readinto(buffer)
            return size

    events = list(read_stream(io.BufferedReader(Joined()), 1, ReadOptions(longest_line=1_000_000)))
    log = assemble(events, LOG)
    assert log.counts.size > 300_000_000
    assert GapReason.LIMIT_EXCEEDED in reasons(log)
