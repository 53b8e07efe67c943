"""Events that other tools wrote as JSON: with spaces, as an array, on several lines."""

from __future__ import annotations

import json
import time
from io import BytesIO

import pytest

from eventlog_lineage.events.decoding.decoders import DECODERS
from eventlog_lineage.events.decoding.line_filter import KeptLines, event_lines, has_events, head_of
from eventlog_lineage.events.listener_events import ApplicationStart, BadEvent, LogStart, PartEnd
from eventlog_lineage.events.reading import read_stream

EVENTS = [
    {"Event": "SparkListenerLogStart", "Spark Version": "4.3.0"},
    {"Event": "SparkListenerTaskEnd", "Stage ID": 1, "Reason": 'a "quote", a \\ and { brackets [ in a text }'},
    {
        "Event": "SparkListenerApplicationStart",
        "App Name": "nightly ☃",
        "App ID": "local-1",
        "Timestamp": 1,
        "User": "etl",
    },
]
LINES = b"".join(json.dumps(each, separators=(",", ":"), ensure_ascii=False).encode() + b"\n" for each in EVENTS)
WRITTEN = {
    "spaces": "\n".join(map(json.dumps, EVENTS)).encode() + b"\n",
    "byte order mark": b"\xef\xbb\xbf" + LINES,
    "empty lines": b"\n \r\n" + LINES.replace(b"\n", b"\n\n"),
    "sorted keys": "\n".join(json.dumps(each, sort_keys=True) for each in EVENTS).encode(),
    "sorted keys, compact": b"".join(
        json.dumps(each, separators=(",", ":"), sort_keys=True).encode() + b"\n" for each in EVENTS
    ),
    "array": json.dumps(EVENTS).encode(),
    "pretty": "\n".join(json.dumps(each, indent=2) for each in EVENTS).encode() + b"\n",
    "pretty array": json.dumps(EVENTS, indent=4).encode() + b"\n",
    "concatenated": LINES.replace(b"\n", b""),
    "separated by spaces": LINES.replace(b"\n", b" "),
    "lines end with carriage returns": LINES.replace(b"\n", b"\r"),
    "lines end with commas": LINES.replace(b"\n", b",\n"),
    "array of a line each": b"[" + LINES.strip().replace(b"\n", b"\n,") + b"\n]\n",
    "record separators": b"".join(b"\x1e" + line + b"\n" for line in LINES.splitlines()),
    "keys in reverse": "\n".join(json.dumps(dict(reversed(each.items()))) for each in EVENTS).encode(),
    "escaped": LINES.replace(b"quote", rb"\u0071uote").replace("☃".encode(), rb"\u2603"),
    "carriage returns": b"\xef\xbb\xbf" + LINES.replace(b"\n", b"\r\n"),
}


@pytest.mark.parametrize("text", WRITTEN.values(), ids=WRITTEN)
def test_each_form_is_read_as_spark_would_write_it(text: bytes) -> None:
    events = list(read_stream(BytesIO(text)))
    assert [type(each) for each in events] == [LogStart, ApplicationStart, PartEnd]
    assert isinstance(events[1], ApplicationStart)
    assert events[1].app_name == "nightly ☃"
    assert isinstance(events[2], PartEnd)
    assert (events[2].bad_lines, events[2].lines, events[2].is_truncated) == (0, 3, False)


@pytest.mark.parametrize("text", WRITTEN.values(), ids=WRITTEN)
@pytest.mark.parametrize("size", [1, 7, 64])
def test_the_text_can_be_split_anywhere(text: bytes, size: int) -> None:
    chunks = [text[at : at + size] for at in range(0, len(text), size)]
    lines = b"".join(event_lines(chunks, 10_000)).splitlines()
    assert [json.loads(line) for line in lines] == EVENTS
    assert all(line.startswith(b'{"Event":"') for line in lines)


@pytest.mark.slow
def test_an_event_of_many_chunks_takes_linear_time() -> None:
    text = json.dumps(EVENTS[2] | {"User": ['a "name"'] * 150_000}).encode()
    chunks = [text[at : at + 16_384] for at in range(0, len(text), 16_384)]
    started = time.process_time()
    assert len(b"".join(event_lines(chunks, 100_000_000)).splitlines()) == 1
    assert time.process_time() - started < 6


def test_what_is_no_event_is_a_bad_line() -> None:
    text = b" " + LINES + b"garbage\n" + b'{"no":\n "event"}\n'
    bad = [each for each in read_stream(BytesIO(text)) if isinstance(each, BadEvent)]
    assert [(each.line, each.reason) for each in bad] == [(4, "not an event"), (5, "not an event")]


@pytest.mark.parametrize("size", [50, 1 << 20])
def test_keys_may_be_sorted_from_any_line_on(size: int) -> None:
    """Spark's own lines for 100 kB, then one whose event is the last of its keys, then garbage."""
    third = EVENTS[2]
    start = json.dumps({"App Args": "x" * 100_000, **third}, sort_keys=True, separators=(",", ":")).encode()
    text = LINES.splitlines(keepends=True)[0] * 2000 + start + b'\n{"no": 1}\n{"broken": \n' + start + b"\n" + start
    chunks = (text[at : at + size] for at in range(0, len(text), size))
    lines = list(KeptLines(chunks, DECODERS, 1 << 20))
    assert [each.state.name for each in lines[-5:]] == ["WHOLE", "FOREIGN", "FOREIGN", "WHOLE", "WHOLE"]
    assert [each.number for each in lines[-5:]] == [2001, 2002, 2003, 2004, 2005]
    assert json.loads(lines[-1].text) == json.loads(start)
    torn = KeptLines([text[:-5]], DECODERS, 1 << 20)
    assert [each.number for each in torn][-1] == 2004
    assert torn.is_truncated


def test_a_text_that_ends_within_an_event_is_truncated() -> None:
    events = list(read_stream(BytesIO(WRITTEN["array"][:-20])))
    assert isinstance(events[-1], PartEnd)
    assert events[-1].is_truncated


@pytest.mark.parametrize("text", [b"", b"[1, 2]", b'{"a": 1}', b"Event log of yesterday", b'<html>"Event": "x"'])
def test_other_texts_have_no_events(text: bytes) -> None:
    assert not has_events(text)


def test_the_head_of_a_text_is_long_enough_to_find_an_event() -> None:
    text = WRITTEN["pretty array"]
    assert has_events(head_of(iter([text[:3], text[3:9], text[9:]])))
    line = LINES.index(b"\n") + 1
    assert head_of(iter([LINES[:30], LINES[30:line], LINES[line:]])) == LINES[:line]
