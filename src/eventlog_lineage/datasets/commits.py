"""Snapshots in the metadata of tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson


@dataclass(frozen=True, slots=True)
class Commit:
    """A snapshot of a table, from its metadata.

    Attributes:
        snapshot_id: The format's id or version number.
        committed_at: Epoch milliseconds.
        app_id: The Spark application that created it; empty if the format does not store it.
        query_id: The streaming query that created it; empty otherwise.
        batch_id: Its micro-batch; None otherwise.
        is_commit: Whether the snapshot was created at `committed_at`; otherwise it became current then, by a rollback.
        is_current: Whether it is the table's state from then on; a commit to a branch is not.
        files: The number of data files of the snapshot; None if unknown.
        size: Bytes of all its files; None if unknown.
    """

    snapshot_id: str
    committed_at: int
    app_id: str = ""
    query_id: str = ""
    batch_id: int | None = None
    is_commit: bool = True
    is_current: bool = True
    files: int | None = None
    size: int | None = None


def json_object(content: bytes) -> dict[str, Any]:
    """Return the JSON object in a metadata file; an empty one for other content."""
    try:
        parsed = orjson.loads(content) if content.strip() else {}
    except orjson.JSONDecodeError:
        return {}
    return parsed if isinstance(parsed, dict) else {}


def json_objects(value: object) -> list[dict[str, Any]]:
    """Return the objects in a list of a metadata file; none for another value."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


# -- read the columns in a table's own metadata: JSON of structs, arrays and maps, in the notation of a format


@dataclass(frozen=True, slots=True)
class MetadataTypes:
    """How a format writes types.

    Attributes:
        simple: (type without parts) -> its catalog string.
        comment: (field of a struct) -> its comment; another value than a string for none.
        struct: The name of structs, whose fields are in `fields`.
        array: The name of arrays.
        element: The key of an array's element.
        map: The name of maps.
        key: The key of a map's keys.
        value: The key of a map's values.
        suffix: Text after the names of types that may not be NULL.
    """

    simple: Callable[[str], str]
    comment: Callable[[Mapping[str, Any]], object]
    struct: str = "struct"
    array: str = "array"
    element: str = "element"
    map: str = "map"
    key: str = "key"
    value: str = "value"
    suffix: str = ""

    def columns(self, struct: Mapping[str, Any], comments: dict[str, None]) -> Iterator[tuple[str, str]]:
        """Yield name and catalog string of the fields of a struct.

        Args:
            comments: Gets the comments of the fields, and of those within them.
        """
        for field in json_objects(struct.get("fields")):
            comment = self.comment(field)
            if isinstance(comment, str):
                comments[comment] = None
            yield str(field.get("name", "")), self._catalog_string(field.get("type"), comments)

    def _catalog_string(self, kind: object, comments: dict[str, None]) -> str:
        """Return the catalog string of a type; empty for one that is unknown.

        Args:
            comments: The comments so far; updated.
        """
        if isinstance(kind, str):
            return self.simple(kind.removesuffix(self.suffix))
        if not isinstance(kind, dict):
            return ""
        name = str(kind.get("type", "")).removesuffix(self.suffix)
        if name == self.array:
            return f"array<{self._catalog_string(kind.get(self.element), comments)}>"
        if name == self.map:
            parts = (self._catalog_string(kind.get(each), comments) for each in (self.key, self.value))
            return f"map<{','.join(parts)}>"
        inner = (f"{field}:{text}" for field, text in self.columns(kind, comments))
        return f"struct<{','.join(inner)}>" if name == self.struct else ""
