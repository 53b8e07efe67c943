"""The schemas in the files of a Paimon table."""

from __future__ import annotations

import json
from typing import Any

import pytest

from eventlog_lineage.formats.paimon.facts import paimon_schemas
from eventlog_lineage.observed_schemas import SchemaColumn, TableSchema


def test_each_schema_is_a_file_with_its_time() -> None:
    field = {"id": 0, "name": "id", "type": "BIGINT NOT NULL", "description": "key"}
    content = json.dumps({"id": 2, "fields": [field], "timeMillis": 1000}).encode()
    files = [("schema-10", b"{broken"), ("schema-2", content), ("LATEST", b"2")]
    assert list(paimon_schemas(files)) == [
        TableSchema("2", 1000, (SchemaColumn("id", "bigint"),), ("key",)),
        TableSchema("10", None, ()),
    ]


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("DECIMAL(10, 2)", "decimal(10,2)"),
        ("VARCHAR(9) NOT NULL", "varchar(9)"),
        ("TIMESTAMP(6) WITH LOCAL TIME ZONE", "timestamp"),
        ("TIMESTAMP(3)", "timestamp_ntz"),
        ("BYTES", "binary"),
        ({"type": "ARRAY", "element": "INT"}, "array<int>"),
        ({"type": "MAP", "key": "STRING", "value": "DOUBLE"}, "map<string,double>"),
        ({"type": "ROW", "fields": [{"name": "a", "type": "STRING"}]}, "struct<a:string>"),
        (7, ""),
    ],
)
def test_types_are_sparks(stored: Any, shown: str) -> None:
    content = json.dumps({"fields": [{"name": "c", "type": stored}]}).encode()
    (schema,) = paimon_schemas([("schema-0", content)])
    assert schema.columns == (SchemaColumn("c", shown),)
