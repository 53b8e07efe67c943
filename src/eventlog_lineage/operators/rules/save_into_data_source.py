"""Writes through a V1 provider, such as JDBC or Delta by path, and INSERT INTO its tables."""

from __future__ import annotations

import re
from collections.abc import Mapping

from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.streams import topic
from eventlog_lineage.extensions import SaveOptions, contributions, formats
from eventlog_lineage.model import Dataset, GapReason
from eventlog_lineage.operators.flow import Flow, Output, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.source_relations import inserted_relation, saved_dataset
from eventlog_lineage.operators.write_targets import (
    columns_of,
    columns_of_topic,
    is_truncated,
    mode_of,
    options_of,
    table_of,
    topic_of_rows,
)
from eventlog_lineage.plan.grammar.symbols import TIGHT, is_list, read

_CLASS = re.compile(r"([A-Za-z]+?)(?:Relation|Source|DataSource|TableProvider)?(?:Provider)?\d*$")
_COMMON_WORDS = frozenset(
    "apache azure cloud com connector datasource default ds execution google io microsoft net org source sources spark "
    "sql v1 v2".split()
)
"""Words in the names of packages that do not name a system: `org.apache.spark.sql.redis` is `redis`."""
_FILE_FORMATS = frozenset("avro binaryfile csv json orc parquet text".split())
_KAFKA = "KafkaSourceProvider"
_SERVERS = "kafka.bootstrap.servers"


@operator("SaveIntoDataSourceCommand")
def save_into_data_source(op: Operation) -> Flow:
    """Write its input to the dataset in the options: `path=`, `dbtable=`, `topic=`.

    `Arguments: <provider>@hash, [url=…, dbtable=J1], Append`; the query is a logical tree below it, its physical
    plan may run in a nested execution. The options' URLs are redacted.
    """
    below = op.input
    parts = op.node.arguments
    options = next((options_of(part) for part in filter(is_list, parts) if "=" in part), {})
    saved = _of_format(options)
    printed = next(iter(parts), "")
    provider = printed.partition("@")[0]
    target = _target(op, provider, options, saved)
    if target is None and _is_kafka(provider):
        target = topic_of_rows(below.outputs, options.get(_SERVERS, ""))
    if target is None:
        op.gap(
            GapReason.UNKNOWN_TARGET,
            f"{printed} with options {', '.join(sorted(options))}",
            "the provider's options name neither a path nor a table",
        )
        return below
    mode = "append" if target.kind == "topic" else saved[1].mode or mode_of(parts)
    replaces = any(options.get(option, "").lower() == "true" for option in contributions("storage.replacing_option"))
    write = Write(
        target,
        mode,
        _columns(below, target, mode),
        partition_columns=saved[1].partition_columns,
        is_truncated=is_truncated(below),
        replaces_schema=replaces,
    )
    return op.writes(write, below)


def _columns(below: Flow, target: Dataset, mode: str) -> tuple[Output, ...] | None:
    rows = columns_of_topic(below.outputs) if target.kind == "topic" else below.outputs
    return () if mode == "delete" else columns_of(rows) or None


def _is_kafka(provider: str) -> bool:
    return provider.rpartition(".")[2].startswith(_KAFKA)


def _of_format(options: Mapping[str, str]) -> tuple[str, SaveOptions]:
    """Return the table format that recognizes the options, with what it reads from them; empty if none does."""
    found = ((each.name, each.storage.save_options(options)) for each in formats())
    return next(((name, saved) for name, saved in found if saved is not None), ("", SaveOptions()))


def _target(op: Operation, provider: str, options: Mapping[str, str], saved: tuple[str, SaveOptions]) -> Dataset | None:
    """Return the dataset that a provider's options name; a `path` is a folder only for providers of files.

    Args:
        saved: The table format that recognizes them, and what it reads from them.
    """
    if "topic" in options and _is_kafka(provider):
        return topic(options["topic"], options.get(_SERVERS, ""))
    if not saved[0]:
        target, is_declared = saved_dataset(op, provider, options)
        if is_declared:
            return target
    return _path_or_table(provider, options, saved)


def _path_or_table(provider: str, options: Mapping[str, str], saved: tuple[str, SaveOptions]) -> Dataset | None:
    path, system = options.get("path", ""), saved[0] or system_of(provider)
    if path and (saved[0] or system in _FILE_FORMATS or naming.is_location(path)):
        return naming.path(path, format=system)
    table = options.get("dbtable") or options.get("table") or saved[1].table or path
    return Dataset(f"{system}:{table}", "other", system) if table and system else None


def system_of(provider: str) -> str:
    """Return the system that a provider's class is named after; empty if neither class nor package names one.

    >>> system_of("org.apache.spark.sql.redis.DefaultSource"), system_of("org.apache.hudi.Spark35Hudi")
    ('redis', 'sparkhudi')
    >>> system_of("net.snowflake.spark.snowflake.DefaultSource"), system_of("iceberg")
    ('snowflake', 'iceberg')
    """
    *package, name = provider.lower().split("."), provider.rpartition(".")[2]
    match = _CLASS.match(re.sub(r"\d", "", name))
    words = [*package[0][:-1], match[1].lower() if match else name.lower()]
    return next((word for word in reversed(words) if word not in _COMMON_WORDS), "")


_RELATION = re.compile(r"^Relation ?(?:(?P<name>\S+) ?)?\[(?P<columns>[^\]]*)\] ", re.DOTALL)


@operator("InsertIntoDataSourceCommand")
def insert_into_data_source(op: Operation) -> Flow:
    """Write its input to the table that its relation reads.

    `Arguments: Relation [day#838,revenue#839] JDBCRelation(sales.daily) [numPartitions=1], false`; a save of the
    provider follows as a nested execution.
    """
    below = op.input
    text = op.node.text("Arguments")
    match = _RELATION.match(text)
    relation, flag = text[match.end() if match else 0 :], text.rpartition(", ")[2]
    if match and flag in {"true", "false"}:
        relation = relation.removesuffix(f", {flag}")
    found = inserted_relation(op, relation) or table_of([match["name"] or ""] if match else [])
    target = op.known(found, "the relation prints neither its table nor a path", below)
    names = read(TIGHT, match["columns"]).names if match else []
    mode = "overwrite" if flag == "true" else "append"
    return op.writes(Write(target, mode, columns_of(below.outputs, names)), below)
