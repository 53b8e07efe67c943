"""The schemas in Iceberg's metadata files."""

from __future__ import annotations

from typing import Any

import pytest

from eventlog_lineage.formats.iceberg.facts import iceberg_schemas
from eventlog_lineage.observed_schemas import SchemaColumn, TableSchema


def test_schemas_come_in_the_order_of_their_ids_and_without_times() -> None:
    first = {"schema-id": 0, "fields": [{"id": 1, "name": "id", "type": "long", "doc": "key"}]}
    second = {"schema-id": 1, "fields": [*first["fields"], {"id": 2, "name": "d", "type": "date"}]}  # type: ignore[misc]
    key = SchemaColumn("id", "bigint")
    assert list(iceberg_schemas({"schemas": [second, first]})) == [
        TableSchema("0", None, (key,), ("key",)),
        TableSchema("1", None, (key, SchemaColumn("d", "date")), ("key",)),
    ]
    assert list(iceberg_schemas({})) == []


@pytest.mark.parametrize("schemas", [7, {"fields": 1}, [None, "x"], "text"])
def test_damaged_metadata_has_no_schemas(schemas: object) -> None:
    assert list(iceberg_schemas({"schemas": schemas})) == []


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("decimal(12, 3)", "decimal(12,3)"),
        ("timestamptz", "timestamp"),
        ("timestamp", "timestamp_ntz"),
        ("fixed[16]", "binary"),
        ("uuid", "string"),
        ({"type": "list", "element": "int"}, "array<int>"),
        ({"type": "map", "key": "string", "value": {"type": "list", "element": "long"}}, "map<string,array<bigint>>"),
        ({"type": "struct", "fields": [{"name": "a", "type": "double"}]}, "struct<a:double>"),
        (None, ""),
    ],
)
def test_types_are_sparks(stored: Any, shown: str) -> None:
    (schema,) = iceberg_schemas({"schemas": [{"fields": [{"name": "c", "type": stored}]}]})
    assert schema.columns == (SchemaColumn("c", shown),)
