"""Read Iceberg's snapshots and the schemas in its metadata files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from eventlog_lineage.datasets.commits import Commit, MetadataTypes, json_object, json_objects
from eventlog_lineage.events.sources.table_folder import TableFolder
from eventlog_lineage.observed_schemas import SchemaColumn, TableSchema

_NAMES = {
    "long": "bigint",
    "time": "bigint",
    "timestamp": "timestamp_ntz",
    "timestamptz": "timestamp",
    "timestamp_ns": "timestamp_ntz",
    "timestamptz_ns": "timestamp",
    "uuid": "string",
    "unknown": "void",
}
"""Iceberg's types to catalog strings, where they differ (`TypeToSparkType`, Iceberg 1.12)."""

_DECIMAL = re.compile(r"^decimal\((\d+), *(\d+)\)$")


def iceberg_schemas(metadata: Mapping[str, Any]) -> Iterator[TableSchema]:
    """Yield the schemas of a table in the order of their ids; the file has no times of them.

    A change that brings an earlier schema back has that schema's id.

    Args:
        metadata: The content of a metadata file; one of format version 1 has `schema` alone, or both.
    """
    for each in sorted(json_objects(metadata.get("schemas")), key=_number):
        comments: dict[str, None] = {}
        columns = tuple(SchemaColumn(name, kind) for name, kind in _TYPES.columns(each, comments))
        yield TableSchema(str(_number(each)), None, columns, tuple(comments))


def _number(schema: Mapping[str, Any]) -> int:
    number = schema.get("schema-id")
    return number if isinstance(number, int) else 0


def _simple(text: str) -> str:
    decimal = _DECIMAL.match(text)
    fixed = "binary" if text.startswith("fixed[") else text
    return f"decimal({decimal[1]},{decimal[2]})" if decimal else _NAMES.get(text, fixed)


def _comment(field: Mapping[str, Any]) -> object:
    return field.get("doc")


_TYPES = MetadataTypes(_simple, _comment, array="list")


_METADATA = re.compile(r"^(?:v?(\d+)(?:-[0-9a-f-]+)?)(?:\.gz)?\.metadata\.json$")


def read_commits(table: TableFolder) -> Iterator[Commit | TableSchema] | None:
    """Read a table's snapshots and schemas from its newest metadata file; None for a folder without `metadata`."""
    entries = table.entries("metadata")
    if not entries:
        return None
    newest = newest_metadata(each.name for each in entries)
    return (commit for each in entries if each.name == newest for commit in iceberg_commits(table.content(each)))


def newest_metadata(names: Iterable[str]) -> str | None:
    """Return the newest of Iceberg's metadata files: `v12.metadata.json`, `00012-<uuid>.metadata.json`."""
    found = [(int(match[1]), name) for name in names if (match := _METADATA.match(name))]
    return max(found)[1] if found else None


def iceberg_commits(content: bytes) -> Iterator[Commit | TableSchema]:
    """Yield the snapshots and schemas in a metadata file; summaries contain the application and a stream's epoch.

    `snapshot-log` lists the current snapshots of the main branch with their times: commits, rollbacks and
    fast-forwards, but no commits to other branches. It is optional; without it, each snapshot is current from its
    commit on.
    """
    metadata = json_object(content)
    log = metadata.get("snapshot-log") or ()
    for snapshot in metadata.get("snapshots") or ():
        summary = snapshot.get("summary") or {}
        epoch = str(summary.get("spark.sql.streaming.epochId", ""))
        yield Commit(
            str(snapshot.get("snapshot-id")),
            int(snapshot.get("timestamp-ms", 0)),
            str(summary.get("spark.app.id", "")),
            str(summary.get("spark.sql.streaming.queryId", "")),
            int(epoch) if epoch.isdigit() else None,
            is_current=not log,
            files=_count(summary.get("total-data-files")),
            size=_count(summary.get("total-files-size")),
        )
    for entry in log:
        yield Commit(str(entry.get("snapshot-id")), int(entry.get("timestamp-ms", 0)), is_commit=False)
    yield from iceberg_schemas(metadata)


def _count(text: object) -> int | None:
    return int(text) if isinstance(text, str) and text.isdigit() else None
