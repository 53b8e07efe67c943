"""Read the schemas of a Hudi table: Avro schemas in the metadata of its commits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from eventlog_lineage.datasets.commits import json_object, json_objects
from eventlog_lineage.observed_schemas import SchemaColumn, TableSchema

from .rules import OWN

_KEY = b"\x0cschema"
"""The key `schema` of a commit's metadata as Avro writes it (1.x): its length, doubled, and its letters."""
_AVRO = b"Obj\x01"
_LENGTH_BYTES = 5
_SIMPLE = {
    **{name: name for name in ("boolean", "int", "float", "double", "string")},
    "long": "bigint",
    "bytes": "binary",
    "fixed": "binary",
    "enum": "string",
}
_LOGICAL = {
    "date": "date",
    "timestamp-micros": "timestamp",
    "timestamp-millis": "timestamp",
    "local-timestamp-micros": "timestamp_ntz",
    "local-timestamp-millis": "timestamp_ntz",
    "uuid": "string",
}


def hudi_schema(instant: str, committed_at: int, content: bytes) -> TableSchema | None:
    """Return the schema in the metadata of a commit; None if it has none.

    Args:
        instant: The commit.
        committed_at: Epoch milliseconds.
        content: The file in the timeline: Avro (1.x) or JSON (0.x).
    """
    schema = json_object(_of_avro(content) if content.startswith(_AVRO) else _of_json(content))
    comments: dict[str, None] = {}
    listed = tuple(SchemaColumn(name, kind) for name, kind in _fields(schema, comments) if not name.startswith(OWN))
    return TableSchema(instant, committed_at, listed, tuple(comments)) if listed else None


def _of_avro(content: bytes) -> bytes:
    """Return the schema in an Avro file, which Hudi does not compress; empty if it has none."""
    start = content.rfind(_KEY) + len(_KEY)
    if start < len(_KEY):
        return b""
    length, shift = 0, 0
    for byte in content[start : start + _LENGTH_BYTES]:
        start += 1
        length |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:  # the last byte of the number
            break
    return content[start : start + length // 2]


def _of_json(content: bytes) -> bytes:
    metadata = json_object(content).get("extraMetadata")
    schema = metadata.get("schema") if isinstance(metadata, dict) else None
    return schema.encode() if isinstance(schema, str) else b""


def _fields(record: Mapping[str, Any], comments: dict[str, None]) -> Iterator[tuple[str, str]]:
    """Yield name and catalog string of the fields of a record.

    Args:
        record: The Avro record.
        comments: The comments so far; updated.
    """
    for field in json_objects(record.get("fields")):
        if isinstance(comment := field.get("doc"), str):
            comments[comment] = None
        yield str(field.get("name", "")), _catalog_string(field.get("type"), comments)


def _catalog_string(kind: object, comments: dict[str, None]) -> str:
    """Return the catalog string of an Avro type; empty for one that is unknown.

    Args:
        kind: The Avro type.
        comments: The comments so far; updated.
    """
    if isinstance(kind, list):  # a union with null is a type that may be NULL
        kinds = [each for each in kind if each != "null"]
        return _catalog_string(kinds[0], comments) if len(kinds) == 1 else ""
    if isinstance(kind, str):
        return _SIMPLE.get(kind, "")
    if not isinstance(kind, dict):
        return ""
    logical = kind.get("logicalType")
    if logical == "decimal":
        return f"decimal({kind.get('precision')},{kind.get('scale', 0)})"
    if isinstance(logical, str) and logical in _LOGICAL:
        return _LOGICAL[logical]
    name = kind.get("type")
    if name == "record":
        return f"struct<{','.join(f'{field}:{text}' for field, text in _fields(kind, comments))}>"
    if name == "array":
        return f"array<{_catalog_string(kind.get('items'), comments)}>"
    if name == "map":
        return f"map<string,{_catalog_string(kind.get('values'), comments)}>"
    return _catalog_string(name, comments)
