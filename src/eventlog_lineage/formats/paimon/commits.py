"""Read Paimon's snapshots and schemas: the files of `schema`, one per schema."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from eventlog_lineage.datasets.commits import Commit, MetadataTypes, json_object
from eventlog_lineage.events.sources.table_folder import TableFolder
from eventlog_lineage.observed_schemas import SchemaColumn, TableSchema

_SCHEMA = re.compile(r"^schema-(\d+)$")
_PRECISION = re.compile(r"\((\d+)(?:, *(\d+))?\)")
_NAMES = {
    "integer": "int",
    "bytes": "binary",
    "varbinary": "binary",
    "timestamp": "timestamp_ntz",
    "timestamp with local time zone": "timestamp",
}
"""Paimon's types in lower case to catalog strings, where they differ (`SparkTypeUtils`, Paimon 0.9)."""


def paimon_schemas(files: Iterable[tuple[str, bytes]]) -> Iterator[TableSchema]:
    """Yield the schemas of a table, in the order of their ids."""
    named = [(int(match[1]), content) for name, content in files if (match := _SCHEMA.match(name))]
    for number, content in sorted(named):
        schema = json_object(content)
        time = schema.get("timeMillis")
        comments: dict[str, None] = {}
        columns = tuple(SchemaColumn(name, kind) for name, kind in _TYPES.columns(schema, comments))
        yield TableSchema(str(number), time if isinstance(time, int) else None, columns, tuple(comments))


def _simple(text: str) -> str:
    """Return the catalog string of a type without parts: `DECIMAL(10, 2)`, `TIMESTAMP(6) WITH LOCAL TIME ZONE`."""
    lower = text.lower()
    if lower.startswith(("decimal", "char", "varchar")):
        return lower.replace(" ", "")
    plain = _PRECISION.sub("", lower)
    return _NAMES.get(plain, plain)


def _comment(field: Mapping[str, Any]) -> object:
    return field.get("description")


_TYPES = MetadataTypes(_simple, _comment, struct="ROW", array="ARRAY", map="MAP", suffix=" NOT NULL")


_SNAPSHOT = re.compile(r"^snapshot-(\d+)$")


def read_commits(table: TableFolder) -> Iterator[Commit | TableSchema] | None:
    """Read a table's snapshots and schemas; None for a folder without `snapshot`."""
    entries = table.entries("snapshot")
    if not entries:
        return None
    snapshots = paimon_commits((each.name, table.content(each)) for each in entries)
    return chain(snapshots, paimon_schemas((each.name, table.content(each)) for each in table.entries("schema")))


def paimon_commits(files: Iterable[tuple[str, bytes]]) -> Iterator[Commit]:
    """Yield Paimon's snapshots, from the files of `snapshot`.

    A writer that also compacts creates two snapshots: the second one is the table's state after it.
    """
    named = [(int(match[1]), content) for name, content in files if (match := _SNAPSHOT.match(name))]
    snapshots = [(number, json_object(content)) for number, content in sorted(named)]
    for (number, snapshot), (_, following) in zip(snapshots, [*snapshots[1:], (0, {})], strict=True):
        time = snapshot.get("timeMillis")
        user = snapshot.get("commitUser")
        compacted = following.get("commitKind") == "COMPACT" and following.get("commitUser") == user is not None
        if isinstance(time, int) and not compacted:
            yield Commit(str(number), time)
