"""The schemas in the metadata of Hudi's commits."""

from __future__ import annotations

import json

import pytest

from eventlog_lineage.formats.hudi.facts import hudi_schema
from eventlog_lineage.observed_schemas import SchemaColumn, TableSchema

SCHEMA = json.dumps(
    {
        "type": "record",
        "name": "orders_record",
        "fields": [
            {"name": "_hoodie_commit_time", "type": ["null", "string"]},
            {"name": "id", "type": "long", "doc": "the key"},
            {"name": "at", "type": ["null", {"type": "long", "logicalType": "timestamp-micros"}]},
            {
                "name": "price",
                "type": ["null", {"type": "fixed", "size": 5, "logicalType": "decimal", "precision": 10}],
            },
            {"name": "tags", "type": ["null", {"type": "array", "items": ["null", "string"]}]},
            {"name": "sizes", "type": {"type": "map", "values": "int"}},
            {"name": "ship", "type": ["null", {"type": "record", "fields": [{"name": "city", "type": "string"}]}]},
            {"name": "again", "type": ["null", "hoodie.orders.ship"]},
        ],
    }
)
COLUMNS = {
    "id": "bigint",
    "at": "timestamp",
    "price": "decimal(10,0)",
    "tags": "array<string>",
    "sizes": "map<string,int>",
    "ship": "struct<city:string>",
    "again": "",
}


def avro(schema: str) -> bytes:
    """Return an Avro file with a schema among its strings, each after its doubled length."""
    content = schema.encode()
    number, length = len(content) * 2, b""
    while number > 0x7F:
        length += bytes([number & 0x7F | 0x80])
        number >>= 7
    return b"Obj\x01\x04\x16avro.schema\x04{}\x00" + b"\x0cschema" + length + bytes([number]) + content + b"\x00\x02"


@pytest.mark.parametrize("content", [avro(SCHEMA), json.dumps({"extraMetadata": {"schema": SCHEMA}}).encode()])
def test_a_commit_has_the_columns_of_its_table(content: bytes) -> None:
    columns = tuple(SchemaColumn(name, kind) for name, kind in COLUMNS.items())
    assert hudi_schema("20261121120626213", 1000, content) == TableSchema(
        "20261121120626213", 1000, columns, ("the key",)
    )


@pytest.mark.parametrize("content", [b"", b"{}", b"Obj\x01", b"Obj\x01\x0cschema", avro("no JSON"), avro("[]")])
def test_a_commit_without_a_schema_has_none(content: bytes) -> None:
    assert hudi_schema("20261121120626213", 1000, content) is None
