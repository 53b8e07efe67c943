"""Parse types: catalog strings, `struct<id:bigint,addr:struct<city:string>>`, and Catalyst's, `DecimalType(10,2)`.

Source: `StructType.catalogString` (ReadSchema), `DataType.toString` and `StructField.toString` (2.4 to 4.3); none
quotes a name.
"""

from __future__ import annotations

import re

_DELIMITER = re.compile(r"[<>(),]")
_COLUMN = re.compile(r"^(?: \|)?-- (.+): [\w(),]+ \(nullable = (?:true|false)\)$", re.MULTILINE)
"""A column of a table's schema; fields of structs are indented (`StructType.treeString`)."""
_DEEPEST = 50
"""Fields nested deeper are reported as one column."""


def struct_fields(text: str) -> list[tuple[str, str]]:
    """Return the fields of a struct's catalog string; a VARIANT of which a scan reads paths is a `variant`.

    Returns:
        (name, type) of each field; empty for a text that is not a struct.

    >>> struct_fields("struct<a:int,b:array<string>>")
    [('a', 'int'), ('b', 'array<string>')]
    >>> struct_fields("struct<v:struct<0:int,1:variant>>")
    [('v', 'variant')]
    """
    return [(name, with_variants(kind)) for name, kind in printed_fields(text)]


def is_variant(kind: str) -> bool:
    """Return whether a printed type is a VARIANT, or the paths of one that a scan reads.

    `PushVariantIntoScan` (4.0 to 4.3) replaces a VARIANT by a struct of the requested paths, which it numbers.

    Args:
        kind: The type as `ReadSchema` prints it.

    >>> is_variant("struct<0:int,1:variant>"), is_variant("struct<a:int>")
    (True, False)
    """
    if not kind.startswith("struct<0:"):
        return kind == "variant"
    return [name for name, _ in printed_fields(kind)] == [str(index) for index in range(len(printed_fields(kind)))]


def with_variants(kind: str) -> str:
    """Return a type with the VARIANTs of which a scan reads paths as `variant`, at any depth.

    >>> with_variants("struct<v:struct<0:variant>,n:int>")
    'struct<v:variant,n:int>'
    """
    if "struct<0:" not in kind:
        return kind
    if is_variant(kind):
        return "variant"
    if kind.startswith("struct<"):
        return f"struct<{','.join(f'{name}:{with_variants(inner)}' for name, inner in printed_fields(kind))}>"
    for container in ("array<", "map<"):
        if kind.startswith(container) and kind.endswith(">"):
            return f"{container}{','.join(map(with_variants, split_parts(kind[len(container) : -1])))}>"
    return kind


def printed_fields(text: str) -> list[tuple[str, str]]:
    """Return the fields of a struct's catalog string, with the types as printed.

    >>> printed_fields("struct<a:int,b:struct<0:int>>")
    [('a', 'int'), ('b', 'struct<0:int>')]
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


def truncated_field(text: str) -> list[tuple[str, str]]:
    """Return the last field of a truncated struct's catalog string, if it is an array of structs.

    Args:
        text: `struct<id:int,items:array<struct<sku:string,...`, a `ReadSchema` of extended text.

    Returns:
        (name, truncated type) of the field; empty for other texts.

    >>> truncated_field("struct<id:int,items:array<struct<sku:string,...")
    [('items', 'array<struct<sku:string,...')]
    >>> truncated_field("struct<id:int,qty:i...")
    []
    """
    if not (text.startswith("struct<") and text.endswith("...")):
        return []
    name, _, kind = split_parts(text[len("struct<") :])[-1].partition(":")
    return [(name, kind)] if kind.startswith("array<struct<") else []


def truncated_fields(kind: str) -> list[str]:
    """Return the names of the complete fields in the truncated type of an array of structs.

    Extended text truncates a `ReadSchema` after 100 characters (`spark.sql.maxMetadataStringLength`, 3.1 to 4.3).

    >>> truncated_fields("array<struct<sku:string,price:decimal(9,2),quan...")
    ['sku', 'price']
    >>> truncated_fields("array<struct<sku:st...")
    ['sku']
    >>> truncated_fields("array<struct<sku:string>>")
    []
    """
    if not kind.endswith("..."):
        return []
    while kind.startswith("array<"):
        kind = kind[len("array<") :]
    if not kind.startswith("struct<"):
        return []
    parts = [part.partition(":") for part in split_parts(kind[len("struct<") :])]
    return [name for name, colon, _ in parts if colon]


def split_parts(text: str) -> list[str]:
    """Return the parts of a text between the commas outside brackets.

    >>> split_parts("a:int,b:map<string,int>")
    ['a:int', 'b:map<string,int>']
    """
    pieces: list[str] = []
    depth = 0
    start = 0
    for match in _DELIMITER.finditer(text):
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


_SIMPLE = {
    "BinaryType": "binary",
    "BooleanType": "boolean",
    "ByteType": "tinyint",
    "CalendarIntervalType": "interval",
    "DateType": "date",
    "DoubleType": "double",
    "FloatType": "float",
    "IntegerType": "int",
    "LongType": "bigint",
    "NullType": "void",
    "ShortType": "smallint",
    "StringType": "string",
    "TimestampNTZType": "timestamp_ntz",
    "TimestampType": "timestamp",
    "VariantType": "variant",
}
_CALL = re.compile(r"^(\w+)\((.*)\)$", re.DOTALL)
_CONTAINERS = {"ArrayType": ("array", 1), "MapType": ("map", 2)}
"""Class to its name in a catalog string and the number of types in it; what follows is whether they can be null."""
_INTERVALS = {"YearMonthIntervalType": ("year", "month"), "DayTimeIntervalType": ("day", "hour", "minute", "second")}


def catalog_type(text: str) -> str:
    """Return the catalog string of a type.

    Args:
        text: `IntegerType`, `ArrayType(StringType,true)`, `StructType(StructField(a,IntegerType,true))`.

    Returns:
        `int`, `array<string>`, `struct<a:int>`; an unknown type in lower case, without `Type`.

    >>> catalog_type("ArrayType(StringType,true)"), catalog_type("VariantType")
    ('array<string>', 'variant')
    """
    text = text.strip()
    if text in _SIMPLE:
        return _SIMPLE[text]
    call = _CALL.match(text)
    if call is None:
        return text.removesuffix("Type").lower()
    name, parts = call[1], split_parts(call[2])
    if name in _CONTAINERS:
        return f"{_CONTAINERS[name][0]}<{','.join(map(catalog_type, parts[: _CONTAINERS[name][1]]))}>"
    if name in {"StructType", "Seq"}:
        return f"struct<{','.join(f'{field}:{kind}' for field, kind in _fields(parts))}>"
    arguments = [part.strip() for part in parts]
    if name in _INTERVALS and all(map(str.isdigit, arguments)):
        units = [_INTERVALS[name][int(part)] for part in arguments]
        return f"interval {' to '.join(dict.fromkeys(units))}"
    return f"{name.removesuffix('Type').lower()}({','.join(arguments)})"


def listed_fields(items: list[str]) -> list[tuple[str, str]]:
    """Return the columns in a command's list of fields.

    Args:
        items: `StructField(c,DoubleType,true)`, or V2's `ColumnImpl(id,LongType,true,null,null,null,null)`; other items
            are omitted.

    Returns:
        (name, catalog string) of each column.

    >>> listed_fields(["StructField(c,DoubleType,true)", "comment"])
    [('c', 'double')]
    """
    return _fields([item for item in items if item.startswith(("StructField", "ColumnImpl"))])


def schema_names(text: str) -> list[str]:
    r"""Return the columns of the `Schema:` that a `CatalogTable(…)` prints (2.4 to 3.3); none without one.

    >>> schema_names("Schema: root\n-- id: long (nullable = true)\n-- s: decimal(10,2) (nullable = true)\n")
    ['id', 's']
    """
    return _COLUMN.findall(text)


def struct_names(text: str) -> list[str]:
    """Return the names of a struct's own fields, without those of nested structs.

    Args:
        text: `StructType(StructField(a,IntegerType,true))`; other text has none.

    >>> struct_names("StructType(StructField(a,StructType(StructField(b,LongType,true)),true))")
    ['a']
    """
    call = _CALL.match(text.strip())
    return [name for name, _ in _fields(split_parts(call[2]))] if call and call[1] == "StructType" else []


def _fields(items: list[str]) -> list[tuple[str, str]]:
    found = []
    for item in items:
        call = _CALL.match(item.strip())
        parts = split_parts(call[2]) if call else []
        if len(parts) > 1:
            found.append((parts[0].strip(), catalog_type(parts[1])))
    return found
