"""Read the schemas in Delta's `metaData` actions: Spark's JSON of a `StructType`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from eventlog_lineage.datasets.commits import json_object
from eventlog_lineage.datasets.metadata_types import MetadataTypes
from eventlog_lineage.observed_schemas import SchemaColumn, TableSchema

_NAMES = {"long": "bigint", "integer": "int", "short": "smallint", "byte": "tinyint", "null": "void"}
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
