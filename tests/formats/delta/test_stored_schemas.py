"""The schemas in Delta's `metaData` actions."""

from __future__ import annotations

import json

from eventlog_lineage.datasets.commits import Commit
from eventlog_lineage.formats.delta.facts import delta_commits
from eventlog_lineage.observed_schemas import SchemaColumn, TableSchema

FIELDS = [
    {"name": "id", "type": "long", "nullable": False, "metadata": {"comment": "the key"}},
    {"name": "price", "type": "decimal(10,2)", "nullable": True, "metadata": {}},
    {
        "name": "lines",
        "type": {
            "type": "array",
            "elementType": {
                "type": "struct",
                "fields": [{"name": "n", "type": "short", "nullable": True, "metadata": {"comment": "number"}}],
            },
            "containsNull": True,
        },
        "nullable": True,
        "metadata": {},
    },
    {"name": "m", "type": {"type": "map", "keyType": "string", "valueType": "byte"}, "metadata": {}},
]


def test_a_commit_with_a_schema_is_followed_by_it() -> None:
    text = json.dumps({"type": "struct", "fields": FIELDS})
    actions = ({"commitInfo": {"timestamp": 1000}}, {"metaData": {"schemaString": text}})
    found = list(delta_commits([("00000000000000000003.json", "\n".join(map(json.dumps, actions)).encode())]))
    listed = (
        SchemaColumn("id", "bigint"),
        SchemaColumn("price", "decimal(10,2)"),
        SchemaColumn("lines", "array<struct<n:smallint>>"),
        SchemaColumn("m", "map<string,tinyint>"),
    )
    assert found == [Commit("3", 1000), TableSchema("3", 1000, listed, ("the key", "number"))]
