"""Facts of Hudi tables: the tables of commands in other plans and in descriptions of jobs; instants, Avro schemas.

Hudi's commands describe their jobs (`HoodieSparkEngineContext.setJobStatus`, 0.11+): the jobs of a commit name the
table, and jobs that delete its markers name their folder, which contains the table's location and the instant. 1.x
prints the module first; 0.x has it as the jobs' group.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.commits import Commit, json_object
from eventlog_lineage.events.records import TableCommit
from eventlog_lineage.events.sources.files import TableFolder
from eventlog_lineage.events.sources.layouts import FileEntry
from eventlog_lineage.formats.hudi.rules import INCREMENTAL, OWN, changed_table, empty_relation
from eventlog_lineage.lineage.tracing.statement_trace import StatementTrace
from eventlog_lineage.observed_schemas import Columns, MetadataTypes, TableSchema
from eventlog_lineage.operators.flow import Flow, Write
from eventlog_lineage.operators.write_targets import assigned
from eventlog_lineage.plan.grammar.symbols import hidden_items
from eventlog_lineage.plan.printed.operator_lines import (
    PrintedOperator,
    matches,
    operators_named,
    printed_relations,
    read_relation,
    table_of_scan,
)
from eventlog_lineage.plan.summary.plan_facts import (
    PlanFact,
    ScannedPath,
    SnapshotRef,
    SnapshotRole,
    TableRef,
    UnqualifiedTable,
    attribute_names,
    table_columns,
)

_NAME = re.compile(r"`[^`]+`(?:\.`[^`]+`)*")
_LOCATION = re.compile(r"\bLocation: (?P<index>Hoodie\w*FileIndex)(?:\(1 paths\))? ?\[(?P<path>[^,\]]+)\]")
_RELATIONS = ("Hudi", "org.apache.hudi.")


def scan_columns(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the columns of Hudi's tables in a plan, without Hudi's metadata columns."""
    facts: list[PlanFact] = []
    for related in printed_relations(operators):
        if related.rest.startswith(_RELATIONS):
            is_complete = not hidden_items(related.columns)
            facts += table_columns(related.table, _of_user(related.columns), is_complete=is_complete)
    for operator in operators:
        facts += _inserted_columns(operator)
        facts += table_columns(_scanned(operator), _of_user(operator.output))
    return facts


def _scanned(operator: PrintedOperator) -> str:
    """Return the table of a scan of Hudi's, or of one that prints no format; empty for other operators."""
    kind, table = table_of_scan(operator.name)
    return table if not kind or kind.startswith("Hudi") else ""


def _inserted_columns(operator: PrintedOperator) -> Iterable[PlanFact]:
    """Return all columns of a wide table that an INSERT fills: the rows have the table's names, and are not truncated.

    Source: `InsertIntoHoodieTableCommand.coerceQueryOutputColumns`, 0.12 and later.
    """
    related = read_relation(operator.arguments) if operator.name.endswith("InsertIntoHoodieTableCommand") else None
    missing = hidden_items(related.columns) if related else 0
    if not (related and operator.input and missing):
        return ()
    names, printed = list(_of_user(operator.input)), list(_of_user(related.columns))
    is_whole = len(names) == len(printed) + missing and names[: len(printed)] == printed
    return table_columns(related.table, names, is_complete=True) if is_whole else ()


def created_columns(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the columns of the tables that statements create with rows, in the order of the rows.

    Arguments: `spark_catalog`.`stage`.`scores`, Overwrite
    """
    facts: list[PlanFact] = []
    for operator in operators_named("CreateHoodieTableAsSelectCommand", operators):
        if name := _NAME.match(operator.arguments):
            columns = _of_user(operator.input)
            facts += table_columns(naming.table_name(name[0]), columns, is_complete=not hidden_items(operator.input))
    return facts


def streamed_tables(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the tables that incremental scans read, as in micro-batches."""
    found = (each["path"] for each in matches(_LOCATION, operators) if each["index"] == INCREMENTAL)
    return [SnapshotRef(SnapshotRole.STREAMED, TableRef(naming.path_name(path), format="hudi")) for path in found]


def scanned_paths(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the paths that scans without a table's name read."""
    found = matches(_LOCATION, [each for each in operators if not _scanned(each)])
    return [ScannedPath(path) for path in dict.fromkeys(naming.path_name(each["path"]) for each in found)]


def empty_tables(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the tables without commits, of which a plan prints an object."""
    objects = (empty_relation(operator.name) for operator in operators)
    return [UnqualifiedTable(name) for name in dict.fromkeys(filter(None, objects))]


def _of_user(columns: str) -> Iterator[str]:
    return (name for name in attribute_names(columns) if not name.startswith(OWN))


_COMMITTING = re.compile(r"^(?:SparkRDDWriteClient:)?Committing stats: (?P<table>\S+)$")
_MARKERS = re.compile(
    r"^(?:FSUtils:)?Parallel listing paths (?P<location>[^\n]+?)/\.hoodie/(?:metadata/\.hoodie/)?"
    r"\.temp/(?P<instant>\d{17}|\d{14})/"
)
_METADATA = "_metadata"
"""Suffix of a table's metadata table, whose creation has the same description in 0.x."""


def commit_of(known: TableCommit | None, description: str) -> TableCommit | None:
    """Return the commit of an execution after another job.

    The first commit counts: later ones in the same execution are maintenance. Markers that are deleted before it are
    those of an earlier writer that failed, or of the metadata table's creation.
    """
    match = _COMMITTING.match(description)
    if known is None or (match and known.table == f"{match['table']}{_METADATA}"):
        return TableCommit(match["table"]) if match else None
    if not known.location and (match := _MARKERS.match(description)):
        return replace(known, location=match["location"], instant=match["instant"])
    return known


_KEY = b"\x0cschema"
"""The key `schema` of a commit's metadata as Avro writes it (1.x): its length, doubled, and its letters."""
_AVRO = b"Obj\x01"
_LENGTH_BYTES = 5
_SIMPLE = {
    **{name: name for name in ("boolean", "int", "float", "double", "string")},
    "long": "bigint",
    "bytes": "binary",
    "fixed": "binary",
    "enum": "string",
}
_LOGICAL = {
    "date": "date",
    "timestamp-micros": "timestamp",
    "timestamp-millis": "timestamp",
    "local-timestamp-micros": "timestamp_ntz",
    "local-timestamp-millis": "timestamp_ntz",
    "uuid": "string",
}


def hudi_schema(instant: str, committed_at: int, content: bytes) -> TableSchema | None:
    """Return the schema in the metadata of a commit; None if it has none.

    Args:
        committed_at: Epoch milliseconds.
        content: The file in the timeline: Avro (1.x) or JSON (0.x).
    """
    schema = json_object(_of_avro(content) if content.startswith(_AVRO) else _of_json(content))
    found = _TYPES.schema(instant, committed_at, schema)
    columns = tuple(each for each in found.columns if not each.name.startswith(OWN))
    return replace(found, columns=columns) if columns else None


def _of_avro(content: bytes) -> bytes:
    """Return the schema in an Avro file, which Hudi does not compress; empty if it has none."""
    start = content.rfind(_KEY) + len(_KEY)
    if start < len(_KEY):
        return b""
    length, shift = 0, 0
    for byte in content[start : start + _LENGTH_BYTES]:
        start += 1
        length |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:  # the last byte of the number
            break
    return content[start : start + length // 2]


def _of_json(content: bytes) -> bytes:
    metadata = json_object(content).get("extraMetadata")
    schema = metadata.get("schema") if isinstance(metadata, dict) else None
    return schema.encode() if isinstance(schema, str) else b""


def _simple(text: str) -> str:
    return _SIMPLE.get(text, text if text.startswith("decimal(") or text in _LOGICAL.values() else "")


def _plain(kind: object) -> object:
    """Return an Avro type without its union with null; the catalog string of a logical type."""
    if isinstance(kind, list):
        kinds = [each for each in kind if each != "null"]
        return _plain(kinds[0]) if len(kinds) == 1 else None
    if not isinstance(kind, dict):
        return kind
    logical = kind.get("logicalType")
    if logical == "decimal":
        return f"decimal({kind.get('precision')},{kind.get('scale', 0)})"
    if isinstance(logical, str) and logical in _LOGICAL:
        return _LOGICAL[logical]
    return kind if kind.get("type") in ("record", "array", "map") else _plain(kind.get("type"))


_TYPES = MetadataTypes(_simple, ("doc",), "record", element="items", key="", value="values", plain=_plain)


_COMMIT = re.compile(r"(\d+)(?:_\d+)?\.(?:commit|deltacommit|replacecommit)")
"""A completed instant; 1.x also prints the time of its completion."""


def read_commits(table: TableFolder) -> Iterator[Commit | TableSchema] | None:
    """Read a table's instants and schemas; None for a folder without a timeline (1.x has it in a subfolder)."""
    entries = table.entries(".hoodie/timeline") or table.entries(".hoodie")
    return _commits(table, entries) if entries else None


def _commits(table: TableFolder, entries: Iterable[FileEntry]) -> Iterator[Commit | TableSchema]:
    """Yield the instants, and after each that changes the columns the schema that its metadata contains."""
    columns: Columns = ()
    for entry in sorted(entries, key=lambda each: each.name):
        for commit in hudi_commits([(entry.name, entry.modified_at)]):
            yield commit
            schema = hudi_schema(commit.snapshot_id, commit.committed_at, table.content(entry))
            if schema is not None and schema.columns != columns:
                columns = schema.columns
                yield schema


def hudi_commits(files: Iterable[tuple[str, int | None]]) -> Iterator[Commit]:
    """Yield Hudi's instants, from the names in its timeline and the times at which the files were written.

    Args:
        files: (name, epoch milliseconds of the last change).
    """
    for name, modified_at in files:
        match = _COMMIT.fullmatch(name)
        if match and modified_at is not None:
            yield Commit(match[1], modified_at)


MODES = {"UpdateHoodieTableCommand": "update", "DeleteHoodieTableCommand": "delete"}
"""The commands, with the modes of their writes."""

_SAVES = "SaveIntoDataSourceCommand"


def add_saved_changes(trace: StatementTrace) -> StatementTrace:
    """Add the write of Hudi's UPDATE or DELETE from the execution that saves the rows."""
    return trace.with_root(changed(trace.flows)) if trace.root.command in MODES else trace


def changed(flows: Sequence[Flow]) -> Flow:
    """Return the command's flow with the saved write.

    The rows are those of the table's relation, with its conditions; columns that are saved unchanged are not assigned
    (`UpdateHoodieTableCommand.run`, 0.11 to 0.15).

    Args:
        flows: The flows of the statement's executions, the command's first.

    Returns:
        The command's flow unchanged, if it has a write, or if nothing is saved.
    """
    root = flows[0]
    saved = next((flow for flow in flows[1:] if flow.command == _SAVES and flow.write is not None), Flow())
    if root.write is not None or saved.write is None:
        return root
    target = changed_table(saved) or saved.write.target
    mode = MODES[root.command]
    values = [each for each in saved.written if not each.name.startswith(OWN)]
    columns = assigned(values, target.name) if mode == "update" else ()
    write = Write(target, mode, columns, location=saved.write.target.location, node_name=root.command)
    return Flow(conditions=saved.conditions, reads=saved.reads, write=write, command=root.command, gaps=saved.gaps)
