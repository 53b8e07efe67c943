"""Read Delta's commits and schemas (`metaData` actions: Spark's JSON of a `StructType`), and versions in offsets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from eventlog_lineage.datasets.commits import Commit, MetadataTypes, json_object
from eventlog_lineage.events.sources.table_folder import TableFolder
from eventlog_lineage.observed_schemas import SchemaColumn, TableSchema

_NAMES = {"long": "bigint", "integer": "int", "short": "smallint", "byte": "tinyint", "null": "void"}
"""`DataType.typeName` to `DataType.catalogString`, where they differ (Spark 2.4 to 4.3)."""

_NOTHING: Mapping[str, Any] = {}


def delta_schema(version: str, changed_at: int, action: Mapping[str, Any]) -> TableSchema:
    """Return the schema that a version has.

    Args:
        changed_at: Epoch milliseconds of its commit.
        action: The content of its `metaData` action.
    """
    text = action.get("schemaString")
    comments: dict[str, None] = {}
    struct = json_object(text.encode()) if isinstance(text, str) else _NOTHING
    columns = tuple(SchemaColumn(name, kind) for name, kind in _TYPES.columns(struct, comments))
    return TableSchema(version, changed_at, columns, tuple(comments))


def _simple(text: str) -> str:
    return _NAMES.get(text, text)


def _comment(field: Mapping[str, Any]) -> object:
    metadata = field.get("metadata")
    return metadata.get("comment") if isinstance(metadata, dict) else None


_TYPES = MetadataTypes(_simple, _comment, element="elementType", key="keyType", value="valueType")


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
            if isinstance(metadata, dict) and metadata.get("schemaString"):
                yield delta_schema(str(int(match[1])), time, metadata)


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
