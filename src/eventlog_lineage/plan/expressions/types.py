"""Parse catalog strings of types: `struct<id:bigint,addr:struct<city:string>>` to columns.

Source: `StructType.catalogString` (ReadSchema), which quotes no name.
"""

from __future__ import annotations

import re

_MARK = re.compile(r"[<>(),]")
_DEEPEST = 50
"""Fields nested deeper are reported as one column."""


def struct_fields(text: str) -> list[tuple[str, str]]:
    """Return the fields of a struct's catalog string.

    Args:
        text: `struct<a:int,b:array<string>>`.

    Returns:
        (name, type) of each field; empty for a text that is not a struct.

    >>> struct_fields("struct<a:int,b:array<string>>")
    [('a', 'int'), ('b', 'array<string>')]
    """
    if not (text.startswith("struct<") and text.endswith(">")):
        return []
    fields: list[tuple[str, str]] = []
    name: list[str] = []
    for piece in split_parts(text[7:-1]):
        head, colon, kind = piece.partition(":")
        name.append(head)
        if colon:
            fields.append((",".join(name), kind))
            name = []  # otherwise the name contains a comma
    return fields


def leaf_columns(name: str, kind: str, depth: int = 0) -> list[str]:
    """Return the columns of a field: the field itself, or the nested fields of a struct, dotted.

    Arrays and maps are treated as their elements: `items.sku` is a column of `items:array<struct<sku:string>>`.

    Args:
        name: The field's name.
        kind: Its type.
        depth: The depth of its nesting.

    >>> leaf_columns("items", "array<struct<sku:string,qty:int>>")
    ['items.sku', 'items.qty']
    """
    inner = struct_fields(element_type(kind)) if depth < _DEEPEST and "struct<" in kind else []
    if not inner:
        return [name]
    return [leaf for child, type_text in inner for leaf in leaf_columns(f"{name}.{child}", type_text, depth + 1)]


def element_type(kind: str) -> str:
    """Return the type of an array's elements or a map's values, at any depth; other types unchanged.

    >>> element_type("array<map<string,int>>")
    'int'
    """
    for _ in range(_DEEPEST):
        if kind.startswith("array<") and kind.endswith(">"):
            kind = kind[6:-1]
        elif kind.startswith("map<") and kind.endswith(">"):
            key, *value = split_parts(kind[4:-1])
            if not value:
                return kind
            kind = kind[len(key) + 5 : -1]
        else:
            break
    return kind


def split_parts(text: str) -> list[str]:
    """Return the parts of a text between the commas outside brackets.

    >>> split_parts("a:int,b:map<string,int>")
    ['a:int', 'b:map<string,int>']
    """
    pieces: list[str] = []
    depth = 0
    start = 0
    for match in _MARK.finditer(text):
        char = match[0]
        if char in "<(":
            depth += 1
        elif char in ">)":
            depth -= 1
        elif depth == 0:
            pieces.append(text[start : match.start()])
            start = match.end()
    pieces.append(text[start:])
    return pieces
