"""Read the schemas in Delta's `metaData` actions: Spark's JSON of a `StructType`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from eventlog_lineage.datasets.commits import json_object, json_objects
from eventlog_lineage.observed_schemas import SchemaColumn, TableSchema

_TYPES = {"long": "bigint", "integer": "int", "short": "smallint", "byte": "tinyint", "null": "void"}
"""`DataType.typeName` to `DataType.catalogString`, where they differ (Spark 2.4 to 4.3)."""

_NOTHING: Mapping[str, Any] = {}


def delta_schema(version: str, changed_at: int, action: Mapping[str, Any]) -> TableSchema:
    """Return the schema that a version has.

    Args:
        version: The version.
        changed_at: Epoch milliseconds of its commit.
        action: The content of its `metaData` action.
    """
    text = action.get("schemaString")
    fields = _fields(json_object(text.encode()) if isinstance(text, str) else _NOTHING)
    columns = tuple(SchemaColumn(str(each.get("name", "")), _catalog_string(each.get("type"))) for each in fields)
    return TableSchema(version, changed_at, columns, tuple(dict.fromkeys(_comments(fields))))


def _fields(struct: Mapping[str, Any]) -> list[dict[str, Any]]:
    return json_objects(struct.get("fields"))


def _catalog_string(kind: object) -> str:
    """Return the catalog string of a type; empty for one that is unknown."""
    if isinstance(kind, str):
        return _TYPES.get(kind, kind)
    if not isinstance(kind, dict):
        return ""
    if kind.get("type") == "array":
        return f"array<{_catalog_string(kind.get('elementType'))}>"
    if kind.get("type") == "map":
        return f"map<{_catalog_string(kind.get('keyType'))},{_catalog_string(kind.get('valueType'))}>"
    inner = (f"{each.get('name', '')}:{_catalog_string(each.get('type'))}" for each in _fields(kind))
    return f"struct<{','.join(inner)}>" if kind.get("type") == "struct" else ""


def _comments(fields: list[dict[str, Any]]) -> Iterator[str]:
    for each in fields:
        metadata, kind = each.get("metadata"), each.get("type")
        if isinstance(metadata, dict) and isinstance(metadata.get("comment"), str):
            yield metadata["comment"]
        while isinstance(kind, dict) and "fields" not in kind:
            kind = kind.get("elementType") or kind.get("valueType")
        if isinstance(kind, dict):
            yield from _comments(_fields(kind))
