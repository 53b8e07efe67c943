"""Read the schemas in Iceberg's metadata files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from eventlog_lineage.datasets.commits import json_objects
from eventlog_lineage.observed_schemas import SchemaColumn, TableSchema

_TYPES = {
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
        columns = tuple(SchemaColumn(name, kind) for name, kind in _fields(each, comments))
        yield TableSchema(str(_number(each)), None, columns, tuple(comments))


def _number(schema: Mapping[str, Any]) -> int:
    number = schema.get("schema-id")
    return number if isinstance(number, int) else 0


def _fields(struct: Mapping[str, Any], comments: dict[str, None]) -> Iterator[tuple[str, str]]:
    for each in json_objects(struct.get("fields")):
        if isinstance(each.get("doc"), str):
            comments[each["doc"]] = None
        yield str(each.get("name", "")), _catalog_string(each.get("type"), comments)


def _catalog_string(kind: object, comments: dict[str, None]) -> str:
    """Return the catalog string of a type; empty for one that is unknown."""
    if isinstance(kind, str):
        decimal = _DECIMAL.match(kind)
        fixed = "binary" if kind.startswith("fixed[") else kind
        return f"decimal({decimal[1]},{decimal[2]})" if decimal else _TYPES.get(kind, fixed)
    if not isinstance(kind, dict):
        return ""
    if kind.get("type") == "list":
        return f"array<{_catalog_string(kind.get('element'), comments)}>"
    if kind.get("type") == "map":
        return f"map<{_catalog_string(kind.get('key'), comments)},{_catalog_string(kind.get('value'), comments)}>"
    inner = (f"{name}:{text}" for name, text in _fields(kind, comments))
    return f"struct<{','.join(inner)}>" if kind.get("type") == "struct" else ""
