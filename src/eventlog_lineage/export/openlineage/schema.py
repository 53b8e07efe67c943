"""The schema facet: a dataset's columns with their types, in the agent's words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eventlog_lineage.plan.expressions.types import split_parts, struct_fields

from .facets import Json, facet

UNKNOWN = "unknown"
"""The type of a column of which no statement shows one; OpenMetadata requires a type."""

_NAMES = {"bigint": "long", "int": "integer", "smallint": "short", "tinyint": "byte"}
"""Catalog strings (`DataType.catalogString`) whose type name (`DataType.typeName`), which the agent writes, differs."""

_DEEPEST = 30


def schema_facet(columns: Sequence[tuple[str, str]], named: Iterable[str]) -> Json | None:
    """Return the schema facet of a dataset.

    Args:
        columns: (name, type) of its columns in order, nested ones dotted.
        named: Columns that edges name; those that `columns` lacks are added, of an unknown type.

    Returns:
        The facet; None for a dataset of which no column is known.
    """
    fields: list[Json] = []
    level = _Level(fields)
    for name, kind in [*columns, *((name, "") for name in named)]:
        level.add(name, kind)
    for ordinal, field in enumerate(fields, 1):
        field["ordinal_position"] = ordinal
    return facet("schema", fields=fields) if fields else None


class _Level:
    """The fields of a dataset or of a struct, found by their names; upper and lower case are one."""

    def __init__(self, fields: list[Json]) -> None:
        self._fields = fields
        self._known = {str(field["name"]).lower(): field for field in fields}
        self._below: dict[str, _Level] = {}

    def add(self, name: str, kind: str) -> None:
        """Add a column; nothing happens if it is there, because a struct's type holds its fields already.

        Args:
            name: The column, or the path of a struct's field.
            kind: Its catalog string.
        """
        parent, dot, rest = name.partition(".")
        key = (parent if dot else name).lower()
        if not dot or not rest or not parent:
            if name.lower() not in self._known:
                self._append(name.lower(), _field(name, kind))
            return
        if key not in self._known:
            self._append(key, {"name": parent, "type": "struct"})
        if key not in self._below:
            self._below[key] = _Level(_members(self._known[key]))
        self._below[key].add(rest, kind)

    def _append(self, key: str, field: Json) -> None:
        self._fields.append(field)
        self._known[key] = field


def _members(field: Json) -> list[Json]:
    """Return the fields that a dotted name goes on in: those of an array's elements, of a map's values."""
    while field["type"] in {"array", "map"} and field.get("fields"):
        field = field["fields"][-1]
    if field["type"] == UNKNOWN:
        field["type"] = "struct"
    members: list[Json] = field.setdefault("fields", [])
    return members


def _field(name: str, kind: str, depth: int = 0) -> Json:
    """Return a field with its fields (`PlanUtils.transformField` of the agent).

    Args:
        name: The column.
        kind: Its catalog string: `struct<city:string>`, `array<bigint>`.
        depth: Types nested deeper than 30 levels are not taken apart.
    """
    if depth < _DEEPEST:
        if members := struct_fields(kind):
            inner = [_field(member, member_kind, depth + 1) for member, member_kind in members]
            return {"name": name, "type": "struct", "fields": inner}
        if kind.startswith("array<") and kind.endswith(">"):
            return {"name": name, "type": "array", "fields": [_field("_element", kind[6:-1], depth + 1)]}
        if kind.startswith("map<") and kind.endswith(">"):
            key, *value = split_parts(kind[4:-1])
            if value:
                inner = [_field("key", key, depth + 1), _field("value", ",".join(value), depth + 1)]
                return {"name": name, "type": "map", "fields": inner}
    return {"name": name, "type": _NAMES.get(kind, kind) or UNKNOWN}
