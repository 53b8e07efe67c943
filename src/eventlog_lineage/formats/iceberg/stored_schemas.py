"""Read the schemas in Iceberg's metadata files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from eventlog_lineage.datasets.commits import json_objects
from eventlog_lineage.datasets.metadata_types import MetadataTypes
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
