"""Facts of Delta tables: their snapshots and answered aggregates in plans; commits, schemas and offsets in metadata.

Delta's `Snapshot` and `DataSkippingReader` (3.x, 4.x) name the RDD of a table's state by its version;
`TahoeFileIndex.toString` prints `Delta[version=5, file:/x]`.

The plan has only the values, `LocalTableScan [n#7L]`. Internal queries of the same statement aggregate the statistics:
the number of rows, and the minimum and maximum of each column that the aggregates name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from eventlog_lineage.attribute_patterns import ID
from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.commits import Commit, json_object
from eventlog_lineage.events.sources.files import TableFolder
from eventlog_lineage.lineage.tracing.statement_trace import StatementTrace
from eventlog_lineage.observed_schemas import MetadataTypes, TableSchema
from eventlog_lineage.operators.plan_context import AnsweredTable
from eventlog_lineage.operators.write_targets import listed_query, names_of_query, table_spec
from eventlog_lineage.plan.grammar.attribute_ids import ANY_ID, CAPTURED_ID, read_attribute
from eventlog_lineage.plan.grammar.symbols import items_of, read_arguments
from eventlog_lineage.plan.grammar.types import struct_names
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.printed.operator_lines import PrintedOperator, argument_matches, matches, operators_named
from eventlog_lineage.plan.summary.plan_facts import (
    PlanFact,
    SnapshotRef,
    SnapshotRole,
    TableColumns,
    TableName,
    TableRef,
    attribute_names,
    table_columns,
)

_FORMAT = "delta"
_FIRST = "0"
"""Version of a new table."""
_STATE = re.compile(r"Delta (?:Table State(?: with Stats)?|Source Snapshot) #(\d+) - (.*?)/_delta_log")
_BASE = re.compile(r"\bDelta\[version=(\d+), ([^\]\n]*)\]")
_FEED = re.compile(r"\bDeltaCDFRelation\(SnapshotWithSchemaMode\(Snapshot\(path=(.*?)/_delta_log, version=(\d+),")
_TABLE = re.compile(
    r"\bDeltaTableV2\([\w.$]+(?:@\w+)?,(?P<location>[^,\n]+),"
    r"(?:Some\(CatalogTable\(\n(?:Catalog: (?P<catalog>.*)\n)?Database: (?P<database>.*)\nTable: (?P<table>.*)\n)?"
)
_SAVE = re.compile(
    r"\bDeltaDataSource@\w+, \[(?:[^\n]*?, )?path=(?P<location>[^,\]\n]+)[^\n]*, "
    r"(?P<mode>Append|Overwrite|ErrorIfExists)"
)
_DELETE = re.compile(r"org\.apache\.spark\.sql\.delta\.DeltaLog@\w+, (`[^\n]*?`), ")
_CLONE = re.compile(
    r"(?P<table>`[^\n]*?`), (?P<mode>\w+), CloneTableCommand \S+ `[^\n]*?`, "
    r"(?:(?P<location>(?:/|[a-z]\w*:/)[^\n,]*), )?"
)
_CONVERT = re.compile(r"`\w+`\.`(/[^`\n]*|[a-z]\w*:/[^`\n]*)`")
_DEFINING = re.compile(r"(?:Atomic)?(?:Create|Replace|Alter|Drop)Table\w*")
_DEFINED = re.compile(r"(?P<catalog>[\w$.]*\.delta\.[\w$.]+)(?:@\w+|\([\w-]+\)), (?P<table>[\w.]+)(?P<rest>[^\n]*)")
_PATH = re.compile(r"^`?((?:/|[a-z]\w*:/)[^`\n,]+)")
"""The rest of ``delta.`/data/x` `` after `delta.`."""
_INDEX = re.compile(r"\bLocation: (?:PreparedDeltaFileIndex|Tahoe\w*FileIndex) ?\[(?P<location>[^\],]+)")
_COLUMN = re.compile(r"\bColumnImpl\(([^,()]+),")
_CHANGED = re.compile(r"\bTableChange\$(?:Add|Delete|Rename)Column@")
_ADDED = re.compile(r"_|file_(?:path|name|size|block_start|block_length|modification_time)$")
"""Columns that scans add to those of the table (`FileFormat.BASE_METADATA_FIELDS`)."""
_APPEND = "AppendDataExecV1"
_INSERTS = frozenset({_APPEND, "OverwriteByExpressionExecV1"})


def scan_states(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the states of Delta tables that an internal query loads."""
    names = (_STATE.search(operator.name) for operator in operators)
    return [SnapshotRef(SnapshotRole.LOADED, _at(found[2]), found[1]) for found in names if found]


def scan_tables(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the snapshots of Delta tables that a plan reads, changes and creates."""
    facts: list[PlanFact] = [
        SnapshotRef(SnapshotRole.BASE, _at(found[2]), found[1]) for found in matches(_BASE, operators)
    ]
    facts += [SnapshotRef(SnapshotRole.READ, _at(found[1]), found[2]) for found in matches(_FEED, operators)]
    for found in matches(_TABLE, operators):
        table = _at(found["location"])
        facts.append(SnapshotRef(SnapshotRole.NAMED, table))
        if found["table"]:
            words = (found["catalog"] or naming.SESSION_CATALOG, found["database"], found["table"])
            facts.append(TableName(table.location, ".".join(words)))
    return [*facts, *_repeated(operators), *_writes(operators)]


def scan_columns(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the columns of Delta tables that a plan lists: clones print no column, and their source no name."""
    return [fact for operator in operators for fact in _listed_columns(operator, operators)]


def _listed_columns(operator: PrintedOperator, operators: Sequence[PrintedOperator]) -> Iterable[PlanFact]:
    if read := _INDEX.search(operator.printed):
        read_names = (name for name in attribute_names(operator.output) if not _ADDED.match(name))
        return table_columns(_at(read["location"]).location, read_names)
    if (defined := _definition_of(operator)) is not None:
        return _defined_columns(operator, defined)
    if operator.name in _INSERTS and (table := _TABLE.search(operator.arguments)):
        listed = _names_of_query(operator.arguments)
        # An append may have some of the columns only (`INSERT INTO t (a, b)`).
        return table_columns(naming.path_name(table["location"]), listed, is_complete=operator.name != _APPEND)
    if operator.name == "LogicalRelation":
        return _updated(operator, operators)
    return _merged(operator) if operator.name.startswith("MergeIntoCommand") else ()


def _definition_of(operator: PrintedOperator) -> re.Match[str] | None:
    """Return what a command that defines a table prints of it; None for other operators."""
    return _DEFINED.match(operator.arguments) if _DEFINING.fullmatch(operator.name) else None


def _defined_columns(operator: PrintedOperator, defined: re.Match[str]) -> list[PlanFact]:
    listed = _COLUMN.findall(defined["rest"]) or _names_of_query(operator.arguments)
    changed = [TableColumns(defined["table"], ())] if _CHANGED.search(defined["rest"]) else []
    return [*changed, *table_columns(defined["table"], listed, is_complete=True)]


def _merged(command: PrintedOperator) -> Iterable[PlanFact]:
    """Return all columns of the table that a MERGE changes: those of the schema that it prints last."""
    base = _BASE.search(command.arguments)
    if base is None:
        return ()
    parts = reversed(read_arguments(command.arguments))
    schema = next((each for each in parts if each.startswith("StructType(")), "")
    location = naming.path_name(base[2]) if "/" in base[2] and not base[2].startswith("...") else ""
    return table_columns(location, struct_names(schema), is_complete=True)


def _updated(relation: PrintedOperator, operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return all columns of the table that an UPDATE changes: those of its only relation."""
    base = next(argument_matches(_BASE, operators_named("UpdateCommand", operators)), None)
    parts = read_arguments(relation.arguments)
    if base is None or len(parts) < 3:
        return []
    named = [read_attribute(item) for item in items_of(parts[1])]
    table = ".".join(naming.split_name(parts[2])) if base[2].startswith("...") else naming.path_name(base[2])
    return [] if None in named else table_columns(table, [name for name, _ in filter(None, named)], is_complete=True)


def _repeated(operators: Sequence[PrintedOperator]) -> Iterator[PlanFact]:
    """Yield the tables that a multi-insert writes several times: each of its inserts is a commit."""
    inserts = argument_matches(_TABLE, (each for each in operators if each.name in _INSERTS))
    for location, times in Counter(found["location"] for found in inserts).items():
        if times > 1:
            yield SnapshotRef(SnapshotRole.REPEATED, _at(location), str(times))


def _names_of_query(text: str) -> tuple[str, ...]:
    parts = read_arguments(text)
    return () if listed_query(parts).missing else names_of_query(parts)


def _writes(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    deleted = (
        TableRef(name=naming.table_name(found[1]), by_location=True) for found in argument_matches(_DELETE, operators)
    )
    return [
        *chain.from_iterable(map(_saves, operators)),
        *chain.from_iterable(map(_copies, operators)),
        *(SnapshotRef(SnapshotRole.WRITTEN, table) for table in deleted),
        *chain.from_iterable(map(_definitions, operators)),
    ]


def _saves(operator: PrintedOperator) -> Iterator[SnapshotRef]:
    """Yield the tables that `df.write.save` writes; mode `errorifexists` creates the first version."""
    for found in _SAVE.finditer(operator.arguments):
        is_new = found["mode"] == "ErrorIfExists"
        role = SnapshotRole.CREATED if is_new else SnapshotRole.WRITTEN
        yield SnapshotRef(role, _at(found["location"]), _FIRST if is_new else "")


def _copies(operator: PrintedOperator) -> Iterator[PlanFact]:
    """Yield the facts of a clone and of a conversion, which name the table that they make."""
    if operator.name == "CreateDeltaTableCommand" and (cloned := _CLONE.match(operator.arguments)):
        table = TableRef(name=naming.table_name(cloned["table"]), by_location=True)
        role = SnapshotRole.CREATED if cloned["mode"] == "ErrorIfExists" else SnapshotRole.WRITTEN
        yield SnapshotRef(role, _at(cloned["location"]) if cloned["location"] else table, _FIRST)
    elif operator.name == "ConvertToDeltaCommand" and (converted := _CONVERT.match(operator.arguments)):
        yield SnapshotRef(SnapshotRole.CREATED, _at(converted[1]), _FIRST)


def _definitions(operator: PrintedOperator) -> Iterator[SnapshotRef]:
    """Yield the table that a command certainly creates."""
    found = _definition_of(operator)
    if found is not None and not _may_exist(operator.name, found):
        yield _definition(operator.name, found)


def _may_exist(command: str, found: re.Match[str]) -> bool:
    """Return whether a command is `CREATE TABLE IF NOT EXISTS`, its last argument, or names a location.

    Existing tables get no version. Without a query, `CREATE TABLE … LOCATION` accepts the table of a location.
    """
    if "Create" in command and found["rest"].rstrip().endswith(", true"):
        return True
    spec = table_spec(found["rest"])
    return command == "CreateTable" and bool(spec.location or _PATH.match(found["rest"]))


def _definition(command: str, found: re.Match[str]) -> SnapshotRef:
    """Return the fact of a table's DDL, which creates a version."""
    spec = table_spec(found["rest"])
    if spec.format == _FORMAT and spec.location:
        table = _at(spec.location)
    elif path := _PATH.match(found["rest"]):
        table = _at(path[1])
    else:
        table = TableRef(name=found["table"].lower(), catalog=found["catalog"], by_location=True)
    if "Drop" in command:
        return SnapshotRef(SnapshotRole.DROPPED, table)
    if "Create" in command and spec.format == _FORMAT:
        return SnapshotRef(SnapshotRole.CREATED, table, _FIRST)
    return SnapshotRef(SnapshotRole.WRITTEN, table)


def _at(location: str) -> TableRef:
    """Return the table at a location; without location if that is truncated (`... /table`, `TahoeFileIndex`)."""
    is_truncated = location.startswith("...") or not location.strip()
    return TableRef("" if is_truncated else naming.path_name(location), format=_FORMAT)


_LOADED_STATE = re.compile(r"Scan ExistingRDD Delta Table State with Stats #\d+ - (.*?)/_delta_log")
_EXTREME = re.compile(rf"(?:min|max)(?:Values)?\.[^\n]*? AS (?:min|max)\.([^\n]+?){ID}(?=[,\]])")
"""`stats#5.maxValues.id AS max.id#9L`; of a partition's values `… AS max.day#9`."""
_AGGREGATE = re.compile(r"\b(?:min|max|count)\(")
_ALIAS = re.compile(rf" AS [^,#\n]+{CAPTURED_ID}(?=[,\]])")
_LONGEST = 2_000
"""Longest expression, in characters."""


def add_answered_tables(trace: StatementTrace) -> StatementTrace:
    """Add the tables whose statistics answer the statement's aggregates, and the aggregates that its texts name."""
    tables: dict[str, dict[str, None]] = {}
    for text in trace.own_texts:
        if text.is_internal_query and (found := _LOADED_STATE.search(text.text)):
            columns = _EXTREME.findall(text.text)
            if columns or "numLogicalRecords#" in text.text:
                tables.setdefault(naming.path_name(found[1]), {}).update(dict.fromkeys(columns))
    if not tables:
        return trace
    answered = tuple(AnsweredTable(naming.path(uri, format="delta"), tuple(names)) for uri, names in tables.items())
    return replace(trace, tables=replace(trace.tables, answered=answered, aggregates=_aggregates(trace.own_texts)))


def _aggregates(texts: Sequence[PlanText]) -> tuple[tuple[int, str], ...]:
    """Return (attribute id, expression) of the aggregates that a command's line names.

    `Project [max(id)#3L AS n#5L]` or `Aggregate [max(id#2L) AS n#5L]`.
    """
    found: dict[int, str] = {}
    for text in (each.text for each in texts if not each.is_internal_query):
        for alias in _ALIAS.finditer(text) if _AGGREGATE.search(text) else ():
            expression = _expression(text, alias.start())
            if _AGGREGATE.search(expression):
                found.setdefault(int(alias[1]), ANY_ID.sub("", expression))
    return tuple(found.items())


def _expression(text: str, end: int) -> str:
    depth = 0
    for index in range(end - 1, max(end - _LONGEST, 0), -1):
        letter = text[index]
        if letter in ")]":
            depth += 1
        elif letter in "([":
            if not depth:
                return text[index + 1 : end]
            depth -= 1
        elif letter == "\n" or (letter == "," and not depth):
            return text[index + 1 : end].strip()
    return ""


_NAMES = {"long": "bigint", "integer": "int", "short": "smallint", "byte": "tinyint", "null": "void"}
"""`DataType.typeName` to `DataType.catalogString`, where they differ (Spark 2.4 to 4.3)."""


def _simple(text: str) -> str:
    return _NAMES.get(text, text)


_TYPES = MetadataTypes(_simple, ("metadata", "comment"), element="elementType", key="keyType", value="valueType")


_COMMIT = re.compile(r"^(\d{20})\.json$")
_ENDS = frozenset({2**63 - 1, 2**63 - 101})
"""`DeltaSourceOffset.END_INDEX`, and its value in 3.x: the complete version was read."""


def read_commits(table: TableFolder) -> Iterator[Commit | TableSchema] | None:
    """Read a table's commits and schemas; None for a folder without a `_delta_log`."""
    entries = table.entries("_delta_log")
    if not entries:
        return None
    return delta_commits((each.name, table.content(each)) for each in entries if each.name.endswith(".json"))


def delta_commits(files: Iterable[tuple[str, bytes]]) -> Iterator[Commit | TableSchema]:
    """Yield Delta's commits, from the files of `_delta_log`: `commitInfo` has the time, `txn` a stream's batch.

    A commit with a `metaData` action is followed by the schema in it.
    """
    for name, content in files:
        match = _COMMIT.match(name)
        if match is None:
            continue
        actions: dict[str, Any] = {}
        for line in reversed(content.splitlines()):  # the first action of each kind counts
            actions |= json_object(line)
        info, stream = actions.get("commitInfo", {}), actions.get("txn", {})
        time = info.get("inCommitTimestamp") or info.get("timestamp")
        if isinstance(time, int):
            batch = stream.get("version")
            yield Commit(
                str(int(match[1])),
                time,
                query_id=str(stream.get("appId", "")),
                batch_id=batch if isinstance(batch, int) else None,
            )
            metadata = actions.get("metaData")
            schema = metadata.get("schemaString") if isinstance(metadata, dict) else None
            if schema:
                struct = json_object(schema.encode()) if isinstance(schema, str) else {}
                yield _TYPES.schema(str(int(match[1])), time, struct)


def offset_version(offset: Mapping[str, Any]) -> str | None:
    """Return the newest version that a source has read at an offset; None for offsets of other sources.

    An offset has a version and the index of the next file within it; a negative index is the version's beginning
    (`DeltaSourceOffset`).
    """
    if "reservoirVersion" not in offset:
        return None
    version, index = offset["reservoirVersion"], offset.get("index")
    if not isinstance(version, int) or not isinstance(index, int):
        return ""
    initial = offset.get("isStartingVersion") or offset.get("isInitialSnapshot")
    newest = version if index >= 0 or index in _ENDS or initial else version - 1
    return str(newest) if newest >= 0 else ""
