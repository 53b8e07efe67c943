"""What a streaming query reads and writes, from the words of its progress events."""

from __future__ import annotations

import re
from collections.abc import Iterable

import orjson

from eventlog_lineage.extensions import formats
from eventlog_lineage.model import Dataset

from . import naming

_BRACKETS = re.compile(r"^([\w.$]+?)\[(.*?)\]?$", re.DOTALL)
_KAFKA = re.compile(r"^(Subscribe|SubscribePattern|Assign)\[(.*?)\]?$", re.DOTALL)
_ASSIGNED = re.compile(r"-\d+$")
_FILES = frozenset({"FileStreamSource", "FileSink"})
_CLASS = re.compile(r"(?:^|\.)([\w$]+)@[0-9a-f]+$")
_TABLE = re.compile(r"^[\w-]+(?:\.[\w-]+){1,}$")
_GENERATED = re.compile(r"^(?:Rate\w*|MemoryStream\w*|TextSocket\w*|ContinuousMemoryStream\w*)\b")
_NOWHERE = re.compile(
    r"ForeachBatchSink|ForeachWriter|ForeachWrite|ConsoleTable|ConsoleSink|NoopTable|NoOpSink|noop-table"
)

UNNAMED = "unknown"
KAFKA_SINK = "KafkaTable"
"""The class that a stream into Kafka prints (`KafkaSourceProvider.KafkaTable`, 2.4+): neither topic nor servers."""


def stream_source(description: str, offsets: Iterable[str | None] = ()) -> tuple[Dataset, ...] | None:
    """The datasets behind a source of a streaming query.

    Args:
        description: `progress.sources.description`: `FileStreamSource[file:/x]`, `KafkaV2[Subscribe[a, b]]` …
        offsets: The source's offsets, as far as known: Kafka's name the topics of a pattern.

    Returns:
        Several for a source of several topics; None for a connector that prints its class only.
    """
    match = _BRACKETS.match(description)
    if match and (match[1] in _FILES or class_format(match[1])):
        return (naming.path(match[2], format=class_format(match[1])),)
    if match and match[1].startswith("Kafka"):
        return _topics(match[2], offsets)
    if _GENERATED.match(description):
        word = re.split(r"[\[@]", description)[0]
        return (Dataset(re.sub(r"(?:Stream|MicroBatch)?(?:V\d)?(?:Source|MicroBatch)?$", "", word).lower(), "stream"),)
    return None


def _topics(text: str, offsets: Iterable[str | None]) -> tuple[Dataset, ...]:
    match = _KAFKA.match(text)
    kind, words = (match[1], [word.strip() for word in match[2].split(",")]) if match else ("", [])
    names = {name for offset in offsets for name in _offset_topics(offset)}
    if kind == "Subscribe":
        names = set(words)
    elif kind == "Assign":
        names = {_ASSIGNED.sub("", word) for word in words}
    return tuple(topic(name) for name in sorted(names)) or (topic(UNNAMED),)


def topic(name: str, servers: str = "") -> Dataset:
    """A Kafka topic; most logs do not name the servers."""
    return Dataset(f"kafka://{servers or UNNAMED}/{name}", "topic", "kafka")


def _offset_topics(offset: str | None) -> list[str]:
    try:
        parsed = orjson.loads(offset) if offset else None
    except orjson.JSONDecodeError:
        return []
    return [str(name) for name, parts in parsed.items() if isinstance(parts, dict)] if isinstance(parsed, dict) else []


def stream_sink(description: str, query_name: str) -> Dataset | None:
    """The dataset that a streaming query writes.

    Args:
        description: `progress.sink.description`: `FileSink[file:/x]`, `DeltaSink[…]`, a table's name …
        query_name: The query's name, which a memory sink's table bears.

    Returns:
        None for a sink that keeps nothing (console, foreachBatch) or that prints its class only.
    """
    match = _BRACKETS.match(description)
    if match and (match[1] in _FILES or class_format(match[1])):
        return naming.path(match[2], format=class_format(match[1]))
    if description.startswith("MemorySink"):
        return Dataset(query_name, "temp_view", "memory") if query_name else None
    if _TABLE.match(description) and not keeps_nothing(description):
        return naming.table(description)
    return None


def keeps_nothing(description: str) -> bool:
    """Is it a sink that stores nothing itself: console, noop, foreach, foreachBatch?"""
    return _NOWHERE.search(description) is not None


def class_of(description: str) -> str:
    """The class of a connector that prints nothing else: `PaimonSink` of `org.apache.paimon.….PaimonSink@1f`.

    Of a class within another (`KafkaSourceProvider$KafkaTable@1f`) the inner one's name.
    """
    match = _CLASS.search(description)
    return match[1].rstrip("$").rpartition("$")[2] if match else ""


def class_format(name: str) -> str:
    """The table format that a source or sink of a class is of; empty for others."""
    return next((each.name for each in formats() if name in each.stream_classes), "")
