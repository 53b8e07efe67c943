"""Writes of V1: to files, by table or by path; Hive's; `LOAD DATA`; through a provider, such as JDBC."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.streams import topic
from eventlog_lineage.extensions import SaveOptions, contributions, formats
from eventlog_lineage.model import INFERRED, Dataset, GapReason
from eventlog_lineage.operators import write_targets
from eventlog_lineage.operators.flow import Flow, Output, Read, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import generated, source
from eventlog_lineage.operators.source_relations import inserted_relation, saved_dataset, session_name
from eventlog_lineage.plan.grammar.escaping import has_single_bracket
from eventlog_lineage.plan.grammar.symbols import TIGHT, is_list, read


@operator("WriteFiles")
def write_files(op: Operation) -> Flow:
    """Pass on the written rows (3.4+); the command above names the target."""
    return op.raw_input


@operator("InsertIntoHadoopFsRelationCommand")
def insert_into_files(op: Operation) -> Flow:
    """Write its input to a path, which may be a catalog table's.

    `Arguments: <path>, [static partitions]?, <ifNotExists>, [partition columns]?, <buckets>?, <format>, [options],
    <mode>, <table>?, <index>?, [column names]`: empty arguments are not printed.
    """
    parts = op.node.arguments
    location = parts[0] if parts else ""
    mode_at = next((index for index, part in enumerate(parts) if part in write_targets.MODES), len(parts))
    static, partitions = _partitions(parts[1:mode_at])
    below = write_targets.without_required_sort(op, parts[:mode_at])
    if is_list(location) or has_single_bracket(location):
        op.gap(GapReason.UNKNOWN_TARGET, f"{location} is not a location")
        return replace(below, command=op.node.operator)
    columns = write_targets.listed_columns(below.outputs, write_targets.names_of(parts[mode_at:]))
    write = Write(
        target=_target(parts, mode_at, location),
        mode=write_targets.mode_of(parts[: mode_at + 1]),
        columns=write_targets.with_static_partitions(columns, static),
        location=naming.path_name(location),
        partition_columns=tuple(partitions),
        is_optional="true" in parts[1:mode_at] or write_targets.is_optional(parts[: mode_at + 1]),
    )
    return op.writes(write, below)


def _target(parts: list[str], mode_at: int, location: str) -> Dataset:
    before = [part for part in parts[1:mode_at] if not is_list(part)]
    file_format = before[-1].lower() if before else ""
    table = write_targets.table_of(parts[mode_at + 1 :])
    if table is not None:
        return Dataset(table.name, table.kind, file_format, naming.path_name(location))
    return naming.path(location, format=file_format)


def _partitions(parts: list[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """Return static partitions (`[part=7]`) and partition columns (`[part#160]`), which precede the options."""
    static: list[tuple[str, str]] = []
    columns: list[str] = []
    for index, part in enumerate(parts):
        if not is_list(part):
            continue
        if "#" in part and not columns and write_targets.attribute_list(part):
            columns = write_targets.attribute_list(part)
        elif index == 0 and "=" in part:
            static = write_targets.static_partitions(part)
    return static, columns


_STORAGE = re.compile(r"Storage\((?:.|\n)*?Location: ([^,)\n]+)")


@operator("InsertIntoHiveTable")
def insert_into_hive(op: Operation) -> Flow:
    """Write its input to a Hive table.

    `` Arguments: `cat`.`db`.`t`, <serde>, [p=Some(1)]?, <overwrite>, <ifNotExists>, [column names], [partitions]?, … ``
    """
    parts = op.node.arguments
    below = write_targets.without_required_sort(op, parts)
    table = op.known(write_targets.table_of(parts), below=below)
    flags = [part for part in parts if part in {"true", "false"}]
    listed = [part for part in parts if is_list(part)]
    static = write_targets.static_partitions(listed[0]) if len(listed) > 1 and "=" in listed[0] else []
    write = Write(
        target=Dataset(table.name, "table", "hive", table.location),
        mode="overwrite" if flags[:1] == ["true"] else "append",
        columns=write_targets.with_static_partitions(
            write_targets.columns_of(below.outputs, write_targets.names_of(parts)), static
        ),
        partition_columns=tuple(name for name, _ in static),
        is_optional=flags[1:2] == ["true"],
    )
    return op.writes(write, below)


@operator("InsertIntoHiveDirCommand", "InsertIntoDataSourceDirCommand")
def insert_into_directory(op: Operation) -> Flow:
    """Write its input to a directory (`INSERT OVERWRITE DIRECTORY`).

    `Arguments: true, Storage(Location: /x, …), true, [a, b]`; the data source command prints
    `Storage(Location: /x), parquet, true` and has its query as a logical tree.
    """
    below = op.input
    parts = op.node.arguments
    match = op.known(_STORAGE.search(op.node.text("Arguments")), below=below)
    words = [part for part in parts if part.isalnum() and part not in {"true", "false"}]
    write = Write(
        target=naming.path(match[1], format=words[0] if words else "hive"),
        mode="overwrite" if parts[-1:] == ["true"] or "true" in parts[-2:] else "append",
        columns=write_targets.columns_of(below.outputs, write_targets.names_of(parts)),
    )
    return op.writes(write, below)


_VALUE = re.compile(r"(?:^Map\(|, )([^,]+?) -> ([^,]*?)(?=, [^,]+ -> |\)$)")


@operator("LoadDataCommand")
def load_data(op: Operation) -> Flow:
    """Read a path and write a table, whose columns are those of the files by position.

    The files' own columns have no names here: a column of the table comes from the path as a whole. Partition columns
    are literals. `` Arguments: `cat`.`db`.`t`, /path, <local>, <overwrite>[, Map(dt -> 1)] ``
    """
    parts = op.node.arguments
    table, is_database_assumed = write_targets.session_table(op, parts)
    if table is None or len(parts) < 2:
        return Flow(command=op.node.operator)
    flags = [part for part in parts[2:] if part in {"true", "false"}]
    mode = "overwrite" if flags[1:2] == ["true"] else "append"
    files = naming.path(parts[1])
    columns = _columns(op, files, dict(_VALUE.findall(", ".join(parts[4:]))))
    if not columns:
        op.gap(
            GapReason.UNKNOWN_SOURCE,
            f"the columns of {table.name} that the files of {files.name} fill are not printed",
            "read the table in the same application: a query prints its columns",
        )
    write = Write(table, mode, columns, is_database_assumed=is_database_assumed)
    return op.writes(write, Flow(reads=(Read(files, (), op.node.name),)))


def _columns(op: Operation, files: Dataset, partition: dict[str, str]) -> tuple[Output, ...]:
    known = {name.lower(): value for name, value in partition.items()}
    return tuple(
        Output(
            name,
            -1,
            generated(known[name.lower()]) if name.lower() in known else source(files.name, "", confidence=INFERRED),
        )
        for name in op.plan.tables.filled
    )


_CLASS = re.compile(r"([A-Za-z]+?)(?:Relation|Source|DataSource|TableProvider)?(?:Provider)?\d*$")
_COMMON_WORDS = frozenset(
    "apache azure cloud com connector datasource default ds execution google io microsoft net org source sources spark "
    "sql v1 v2".split()
)
"""Words in the names of packages that do not name a system: `org.apache.spark.sql.redis` is `redis`."""
_FILE_FORMATS = frozenset("avro binaryfile csv json orc parquet text".split())
_LEVELS = "project projectid instanceid database databaseid keyspace dbschema schema".split()
"""Options of connectors that nothing declares which name what a table is in, from the outermost."""
_SERVERS = "kafka.bootstrap.servers"


@operator("SaveIntoDataSourceCommand")
def save_into_data_source(op: Operation) -> Flow:
    """Write its input to the dataset in the options: `path=`, `dbtable=`, `topic=`.

    `Arguments: <provider>@hash, [url=…, dbtable=J1], Append`; the query is a logical tree below it, its physical
    plan may run in a nested execution. The options' URLs are redacted.
    """
    below = op.input
    parts = op.node.arguments
    options = next((write_targets.options_of(part) for part in filter(is_list, parts) if "=" in part), {})
    saved = _of_format(options)
    printed = next(iter(parts), "")
    provider = printed.partition("@")[0]
    target = _saved_target(op, provider, options, saved)
    if target is None and _is_kafka(provider):
        target = write_targets.topic_of_rows(below.outputs, options.get(_SERVERS, ""))
    if target is None:
        op.gap(
            GapReason.UNKNOWN_TARGET,
            f"{printed} with options {', '.join(sorted(options))}",
            "the provider's options name neither a path nor a table",
        )
        return below
    mode = "append" if target.kind == "topic" else saved[1].mode or write_targets.mode_of(parts)
    replaces = any(options.get(option, "").lower() == "true" for option in contributions("storage.replacing_option"))
    write = Write(
        target,
        mode,
        _saved_columns(below, target, mode),
        partition_columns=saved[1].partition_columns,
        is_truncated=write_targets.is_truncated(below),
        is_optional=write_targets.is_optional(parts),
        replaces_schema=replaces,
    )
    return op.writes(write, below)


def _saved_columns(below: Flow, target: Dataset, mode: str) -> tuple[Output, ...] | None:
    rows = write_targets.columns_of_topic(below.outputs) if target.kind == "topic" else below.outputs
    return () if mode == "delete" else write_targets.columns_of(rows) or None


def _is_kafka(provider: str) -> bool:
    return provider.rpartition(".")[2].startswith("KafkaSourceProvider")


def _of_format(options: Mapping[str, str]) -> tuple[str, SaveOptions]:
    """Return the table format that recognizes the options, with what it reads from them; empty if none does."""
    found = ((each.name, each.storage.save_options(options)) for each in formats())
    return next(((name, saved) for name, saved in found if saved is not None), ("", SaveOptions()))


def _saved_target(
    op: Operation, provider: str, options: Mapping[str, str], saved: tuple[str, SaveOptions]
) -> Dataset | None:
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
    above = [] if "." in table else filter(None, map(options.get, _LEVELS))
    return Dataset(f"{system}:{'.'.join((*above, table))}", "other", system) if table and system else None


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
    name = match["name"] or "" if match else ""
    found = inserted_relation(op, relation) or (naming.table(name) if "." in name else None)
    target = op.known(found, "the relation prints neither its table nor a path", below)
    names = read(TIGHT, match["columns"]).names if match else []
    mode = "overwrite" if flag == "true" else "append"
    written = Write(target, mode, write_targets.columns_of(below.outputs, names), symlink=session_name(name))
    return op.writes(written, below)
