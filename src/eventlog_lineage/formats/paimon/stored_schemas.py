"""Read the schemas of a Paimon table: the files of `schema`, one per schema."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from eventlog_lineage.datasets.commits import json_object, json_objects
from eventlog_lineage.observed_schemas import SchemaColumn, TableSchema

_SCHEMA = re.compile(r"^schema-(\d+)$")
_PRECISION = re.compile(r"\((\d+)(?:, *(\d+))?\)")
_TYPES = {
    "integer": "int",
    "bytes": "binary",
    "varbinary": "binary",
    "timestamp": "timestamp_ntz",
    "timestamp with local time zone": "timestamp",
}
"""Paimon's types in lower case to catalog strings, where they differ (`SparkTypeUtils`, Paimon 0.9)."""


def paimon_schemas(files: Iterable[tuple[str, bytes]]) -> Iterator[TableSchema]:
    """Yield the schemas of a table, in the order of their ids.

    Args:
        files: (name, content).
    """
    named = [(int(match[1]), content) for name, content in files if (match := _SCHEMA.match(name))]
    for number, content in sorted(named):
        schema = json_object(content)
        time = schema.get("timeMillis")
        comments: dict[str, None] = {}
        columns = tuple(SchemaColumn(name, kind) for name, kind in _fields(schema, comments))
        yield TableSchema(str(number), time if isinstance(time, int) else None, columns, tuple(comments))


def _fields(struct: Mapping[str, Any], comments: dict[str, None]) -> Iterator[tuple[str, str]]:
    for each in json_objects(struct.get("fields")):
        if isinstance(each.get("description"), str):
            comments[each["description"]] = None
        yield str(each.get("name", "")), _catalog_string(each.get("type"), comments)


def _catalog_string(kind: object, comments: dict[str, None]) -> str:
    """Return the catalog string of a type; empty for one that is unknown."""
    if isinstance(kind, str):
        return _simple(kind.removesuffix(" NOT NULL"))
    if not isinstance(kind, dict):
        return ""
    name = str(kind.get("type", "")).removesuffix(" NOT NULL")
    if name == "ARRAY":
        return f"array<{_catalog_string(kind.get('element'), comments)}>"
    if name == "MAP":
        return f"map<{_catalog_string(kind.get('key'), comments)},{_catalog_string(kind.get('value'), comments)}>"
    inner = (f"{field}:{text}" for field, text in _fields(kind, comments))
    return f"struct<{','.join(inner)}>" if name == "ROW" else ""


def _simple(text: str) -> str:
    """Return the catalog string of a type without parts: `DECIMAL(10, 2)`, `TIMESTAMP(6) WITH LOCAL TIME ZONE`."""
    lower = text.lower()
    if lower.startswith(("decimal", "char", "varchar")):
        return lower.replace(" ", "")
    plain = _PRECISION.sub("", lower)
    return _TYPES.get(plain, plain)
