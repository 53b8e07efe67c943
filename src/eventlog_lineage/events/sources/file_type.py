"""Recognize event logs by the first bytes of their text."""

from __future__ import annotations

import re
from typing import BinaryIO

from eventlog_lineage.events.codecs.compression import Decoding
from eventlog_lineage.events.cpu_budget import CpuBudget
from eventlog_lineage.events.decoding.line_filter import EVENT_LINE
from eventlog_lineage.events.decoding.other_json import has_events, head_of

_SECONDS = 5
_OPENLINEAGE = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"(?:eventTime|eventType)"\s*:')

_OTHER_MAGIC = (
    (b"PK\x03\x04", "a zip archive", "unpack it: the History Server's downloads hold the log inside"),
    (b"\x04\x22\x4d\x18", "an lz4 frame, which Spark does not write", "unpack it with lz4"),
    (b"\xff\x06\x00\x00sNaPpY", "framed snappy, which Spark does not write", "unpack it"),
    (b"BZh", "bzip2, which Spark does not write", "unpack it with bunzip2"),
    (b"\xfd7zXZ", "xz, which Spark does not write", "unpack it with unxz"),
    (b"PAR1", "a Parquet file", "name event logs only"),
)


def is_openlineage(head: bytes) -> bool:
    """Return whether a text begins with an OpenLineage event."""
    return _OPENLINEAGE.match(head) is not None


def begins_like_a_log(stream: BinaryIO) -> bool:
    """Return whether a file's text begins with an event, of Spark or of OpenLineage. One chunk is read.

    Args:
        stream: The bytes as stored, at their start.

    Raises:
        LogError: The storage fails, or much is stored before the first text.
    """
    budget = CpuBudget(_SECONDS)
    head = head_of(iter(Decoding(stream, on_read=budget.check)))
    return head.startswith(EVENT_LINE) or has_events(head) or is_openlineage(head)


def reason_not_a_log(head: bytes) -> tuple[str, str]:
    """Return the reason why a text is not an event log, from its first bytes, and a hint."""
    for magic, what, hint in _OTHER_MAGIC:
        if head.startswith(magic):
            return f"not an event log but {what}", hint
    return f"not an event log: it begins with {head[:40]!r}", "an event log begins with " + EVENT_LINE.decode()
