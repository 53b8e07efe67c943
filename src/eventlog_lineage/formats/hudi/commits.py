"""Read Hudi's instants and Avro schemas, and the executions that save the rows of an UPDATE or DELETE (up to 0.x)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from eventlog_lineage.datasets.commits import Commit, json_object, json_objects
from eventlog_lineage.events.sources.table_folder import FileEntry, TableFolder
from eventlog_lineage.lineage.tracing.statement_trace import StatementTrace
from eventlog_lineage.observed_schemas import Columns, SchemaColumn, TableSchema
from eventlog_lineage.operators.assigned_columns import assigned
from eventlog_lineage.operators.flow import Flow, Write

from .rules import OWN, changed_table

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
    comments: dict[str, None] = {}
    listed = tuple(SchemaColumn(name, kind) for name, kind in _fields(schema, comments) if not name.startswith(OWN))
    return TableSchema(instant, committed_at, listed, tuple(comments)) if listed else None


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


def _fields(record: Mapping[str, Any], comments: dict[str, None]) -> Iterator[tuple[str, str]]:
    """Yield name and catalog string of the fields of a record.

    Args:
        comments: The comments so far; updated.
    """
    for field in json_objects(record.get("fields")):
        if isinstance(comment := field.get("doc"), str):
            comments[comment] = None
        yield str(field.get("name", "")), _catalog_string(field.get("type"), comments)


def _catalog_string(kind: object, comments: dict[str, None]) -> str:
    """Return the catalog string of an Avro type; empty for one that is unknown.

    Args:
        comments: The comments so far; updated.
    """
    if isinstance(kind, list):  # a union with null is a type that may be NULL
        kinds = [each for each in kind if each != "null"]
        return _catalog_string(kinds[0], comments) if len(kinds) == 1 else ""
    if isinstance(kind, str):
        return _SIMPLE.get(kind, "")
    if not isinstance(kind, dict):
        return ""
    logical = kind.get("logicalType")
    if logical == "decimal":
        return f"decimal({kind.get('precision')},{kind.get('scale', 0)})"
    if isinstance(logical, str) and logical in _LOGICAL:
        return _LOGICAL[logical]
    name = kind.get("type")
    if name == "record":
        return f"struct<{','.join(f'{field}:{text}' for field, text in _fields(kind, comments))}>"
    if name == "array":
        return f"array<{_catalog_string(kind.get('items'), comments)}>"
    if name == "map":
        return f"map<string,{_catalog_string(kind.get('values'), comments)}>"
    return _catalog_string(name, comments)


_COMMIT = re.compile(r"^(\d+)_(\d+)\.(?:commit|deltacommit|replacecommit)$")
_OLD_COMMIT = re.compile(r"^(\d+)\.(?:commit|deltacommit|replacecommit)$")


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
        match = _COMMIT.match(name) or _OLD_COMMIT.match(name)
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
