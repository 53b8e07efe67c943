"""Read the sources and sinks of streaming queries from their progress events."""

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
_GLOBS = re.compile(r"(?<=[^/:])(?:/[^/]*[*?\[{][^/]*)+/?\Z")
"""The patterns at the end of a path, `orders/*/*.json`: the files of all folders are one dataset."""
_INNER_BRACES = re.compile(r"\{([^{}]*)\}")
_MOST_ALTERNATIVES = 100
_CLASS = re.compile(r"(?:^|\.)([\w$]+)@[0-9a-f]+$")
_TABLE = re.compile(r"^[\w-]+(?:\.[\w-]+){2,}$")
_GENERATED = re.compile(r"^(?:Rate\w*|MemoryStream\w*|TextSocket\w*|ContinuousMemoryStream\w*)\b")
_NOWHERE = re.compile(
    r"ForeachBatchSink|ForeachWriter|ForeachWrite|ConsoleTable|ConsoleSink|NoopTable|NoOpSink|noop-table"
)

UNNAMED = "unknown"
KAFKA_SINK = "KafkaTable"
"""The class of a stream's Kafka sink (`KafkaSourceProvider.KafkaTable`, 2.4+), which prints no topic or servers."""


def stream_source(description: str, offsets: Iterable[str | None] = ()) -> tuple[Dataset, ...] | None:
    """Return the datasets of a source of a streaming query.

    Args:
        description: `progress.sources.description`: `FileStreamSource[file:/x]`, `KafkaV2[Subscribe[a, b]]` …
        offsets: The source's offsets, if known: Kafka's contain the topics of a pattern.

    Returns:
        The datasets, several for several topics; None for a connector that prints only its class.

    >>> [each.name for each in stream_source("KafkaV2[Subscribe[orders]]")]
    ['kafka://unknown/orders']
    >>> [each.name for each in stream_source("FileStreamSource[file:/landing/orders/2026-*/*.json]")]
    ['file:///landing/orders']
    >>> [each.name for each in stream_source("FileStreamSource[s3a://lake/{orders,returns}/*.json]")]
    ['s3://lake/orders', 's3://lake/returns']
    """
    match = _BRACKETS.match(description)
    if match and (match[1] in _FILES or class_format(match[1])):
        paths = map(_without_globs, alternatives(match[2])) if match[1] in _FILES else [match[2]]
        return tuple(dict.fromkeys(naming.path(path, format=class_format(match[1])) for path in paths))
    if match and match[1].startswith("Kafka"):
        return _topics(match[2], offsets)
    if _GENERATED.match(description):
        word = re.split(r"[\[@]", description)[0]
        return (Dataset(re.sub(r"(?:Stream|MicroBatch)?(?:V\d)?(?:Source|MicroBatch)?$", "", word).lower(), "stream"),)
    return None


def alternatives(path: str) -> list[str]:
    """Return the paths of a pattern with braces (`GlobExpander`), at most 100; a path with unbalanced ones is itself.

    >>> alternatives("/lake/{a,b{1,2}}/x"), alternatives("/lake/{a")
    (['/lake/a/x', '/lake/b1/x', '/lake/b2/x'], ['/lake/{a'])
    """
    found: list[str] = []
    waiting = [path]
    while waiting and len(found) + len(waiting) <= _MOST_ALTERNATIVES:
        each = waiting.pop(0)
        braces = _INNER_BRACES.search(each)
        if braces is None:
            found.append(each)
        else:
            waiting[:0] = [each[: braces.start()] + part + each[braces.end() :] for part in braces[1].split(",")]
    return [path] if waiting else list(dict.fromkeys(found))


def _without_globs(path: str) -> str:
    return _GLOBS.sub("", path)


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
    """Return the dataset of a Kafka topic.

    Args:
        servers: Its servers, of which the first names it; empty if unknown, as in most logs.

    >>> topic("orders", "broker:9092, other:9092").name
    'kafka://broker:9092/orders'
    """
    return Dataset(f"kafka://{servers.partition(',')[0].strip() or UNNAMED}/{name}", "topic", "kafka")


def topic_of_unknown_server(name: str) -> str:
    """Return the topic of a dataset whose server no log prints; empty for other datasets.

    >>> topic_of_unknown_server("kafka://unknown/orders")
    'orders'
    """
    beginning = topic("").name
    return name.removeprefix(beginning) if name.startswith(beginning) else ""


def _offset_topics(offset: str | None) -> list[str]:
    try:
        parsed = orjson.loads(offset) if offset else None
    except orjson.JSONDecodeError:
        return []
    return [str(name) for name, parts in parsed.items() if isinstance(parts, dict)] if isinstance(parsed, dict) else []


def stream_sink(description: str, query_name: str) -> Dataset | None:
    """Return the dataset that a streaming query writes.

    Args:
        description: `progress.sink.description`: `FileSink[file:/x]`, `DeltaSink[…]`, a table's name …
        query_name: The query's name, which is that of a memory sink's table.

    Returns:
        The dataset; None for a sink that keeps nothing (console, foreachBatch) or that prints only its class.
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
    """Return whether a sink stores nothing: console, noop, foreach, foreachBatch.

    >>> keeps_nothing("org.apache.spark.sql.execution.streaming.ConsoleTable$@1f")
    True
    """
    return _NOWHERE.search(description) is not None


def class_of(description: str) -> str:
    """Return the class of a connector that prints only its class; of nested classes, the inner one.

    >>> class_of("org.apache.paimon.spark.PaimonSink@1f"), class_of("a.KafkaSourceProvider$KafkaTable@1f")
    ('PaimonSink', 'KafkaTable')
    """
    match = _CLASS.search(description)
    return match[1].rstrip("$").rpartition("$")[2] if match else ""


def class_format(name: str) -> str:
    """Return the table format of a source's or sink's class; empty for other classes."""
    return next((each.name for each in formats() if name in each.streams.classes), "")


# -- read the snapshots of tables in offsets of streaming sources


def snapshot_of(offset: str | None) -> str:
    """Return the newest snapshot that a source has read at an offset; empty for other sources and before the first one.

    >>> snapshot_of('{"snapshot_id":42,"position":0}')
    '42'
    """
    try:
        parsed = orjson.loads(offset) if offset else None
        if isinstance(parsed, str):
            parsed = orjson.loads(parsed)  # a source may log JSON within a string, as Delta's does up to 3.x
    except orjson.JSONDecodeError:
        return ""
    if not isinstance(parsed, dict):
        return ""
    found = (each.streams.offset_version(parsed) for each in formats())
    return next((version for version in found if version is not None), "")
