"""Of a text's lines exactly the kept events' come out, wherever the chunks are cut."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from eventlog_lineage.events.decoding.decoders import DECODERS
from eventlog_lineage.events.decoding.line_filter import KeptLines, Line, LineState

START = b'{"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart","executionId":1}'
JOB = b'{"Event":"SparkListenerJobStart","Job ID":0}'
TASK = b'{"Event":"SparkListenerTaskEnd","Stage ID":0}'
OTHER = b'{"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStartX","executionId":1}'
LONG = JOB[:-1] + b"," + b"x" * 3000 + b"}"
texts = st.lists(st.sampled_from([START, JOB, TASK, OTHER, LONG, b"", b"garbage", b'{"Event":"', b"{}"]), max_size=12)


def lines_of(chunks: Iterable[bytes], longest: int = 10**6) -> tuple[list[Line], KeptLines]:
    lines = KeptLines(chunks, DECODERS, longest)
    return list(lines), lines


def cut(text: bytes, places: Iterable[int]) -> list[bytes]:
    bounds = sorted({0, len(text), *(place % (len(text) + 1) for place in places)})
    return [text[first:last] for first, last in pairwise(bounds)]


def test_only_kept_events_are_given_with_their_place() -> None:
    given_lines, lines = lines_of([START + b"\n" + TASK + b"\n" + JOB + b"\n"])
    assert given_lines == [Line(1, 0, START), Line(3, len(START) + len(TASK) + 2, JOB)]
    assert lines.lines == 3
    assert lines.size == len(START + TASK + JOB) + 3
    assert not lines.is_truncated


@given(texts, st.lists(st.integers(0, 10**5), max_size=8), st.booleans())
@example([LONG, LONG], list(range(0, 7000, 97)), False)
def test_chunks_cut_anywhere_give_the_same_lines(parts: list[bytes], places: list[int], ended: bool) -> None:
    text = b"\n".join(parts) + (b"\n" if ended else b"")
    for longest in (10**6, 1024):
        at_once, one = lines_of([text], longest)
        in_pieces, other = lines_of(cut(text, places), longest)
        assert at_once == in_pieces
        assert (one.lines, one.size, one.is_truncated) == (other.lines, other.size, other.is_truncated)


@given(texts)
def test_whole_kept_lines_are_those_that_a_plain_split_finds(parts: list[bytes]) -> None:
    text = b"\n".join([*parts, b""])
    expected = [part for part in parts if part in (START, JOB, LONG)]
    assert [line.text for line in lines_of([text])[0] if line.state is LineState.WHOLE] == expected


@given(st.binary(max_size=600), st.lists(st.integers(0, 600), max_size=4))
def test_random_bytes_are_foreign_or_nothing(noise: bytes, places: list[int]) -> None:
    given_lines, lines = lines_of(cut(noise, places))
    assert lines.size == len(noise)
    assert lines.lines == noise.count(b"\n") + (noise != b"" and not noise.endswith(b"\n"))
    assert all(line.state is LineState.FOREIGN for line in given_lines)


def test_a_line_that_is_too_long_is_told_without_being_held() -> None:
    def chunks() -> Iterable[bytes]:
        yield JOB[:-1]
        for _ in range(1000):
            yield b"x" * 10_000
        yield b"}\n" + START + b"\n"

    given_lines, lines = lines_of(chunks(), longest=5000)
    assert [line.state for line in given_lines] == [LineState.TOO_LONG, LineState.WHOLE]
    assert given_lines[0].text.startswith(JOB[:-1])
    assert len(given_lines[0].text) == 200
    assert lines.size > 10_000_000


def test_a_line_of_exactly_the_longest_length_is_given() -> None:
    exact = JOB[:-1] + b"x" * (2000 - len(JOB)) + b"}"
    assert lines_of([exact + b"\n"], 2000)[0][0].state is LineState.WHOLE
    assert lines_of([exact[:100], exact[100:] + b"\n"], 2000)[0][0].state is LineState.WHOLE
    assert lines_of([exact + b"x\n"], 2000)[0][0].state is LineState.TOO_LONG


def test_a_dropped_event_that_is_long_is_not_held() -> None:
    given_lines, lines = lines_of([TASK[:-1], *[b"y" * 5000] * 50, b"\n", JOB + b"\n"], longest=2000)
    assert [line.text for line in given_lines] == [JOB]
    assert lines.lines == 2


def test_a_last_line_without_line_feed_is_given_as_cut() -> None:
    given_lines, lines = lines_of([TASK + b"\n" + START])
    assert given_lines == [Line(2, len(TASK) + 1, START, LineState.CUT)]
    assert not lines.is_truncated


@pytest.mark.parametrize("end", [TASK[:-10], b'{"Eve'])
def test_a_text_that_ends_in_an_event_that_is_not_given_breaks_off(end: bytes) -> None:
    given_lines, lines = lines_of([JOB + b"\n" + end])
    assert [line.text for line in given_lines] == [JOB]
    assert lines.is_truncated


def test_a_line_that_is_no_event_is_told_as_foreign() -> None:
    given_lines, _ = lines_of([JOB + b"\nException in thread main\n\n" + JOB + b"\n"])
    assert [(line.state, line.number) for line in given_lines] == [
        (LineState.WHOLE, 1),
        (LineState.FOREIGN, 2),
        (LineState.WHOLE, 4),
    ]


def test_an_event_that_is_dropped_by_its_first_bytes_cannot_be_kept() -> None:
    with pytest.raises(ValueError, match="always dropped"):
        KeptLines([], [b"SparkListenerTaskEndOfMine"])


def test_a_longest_line_shorter_than_an_events_name_is_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        KeptLines([], [b"SparkListenerJobStart"], longest=100)
