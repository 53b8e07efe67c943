"""Read the columns in a table's own metadata: JSON of structs, arrays and maps, in the notation of a format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .commits import json_objects


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
            struct: The struct.
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
            kind: The type.
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
