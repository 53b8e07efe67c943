"""Convert types as Catalyst's classes print them, `DecimalType(10,2)`, to catalog strings, `decimal(10,2)`.

Source: `DataType.toString` and `StructField.toString` (2.4 to 4.3), which quote no name.
"""

from __future__ import annotations

import re

from .types import split_parts

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
_INTERVALS = {
    "YearMonthIntervalType": ("year", "month"),
    "DayTimeIntervalType": ("day", "hour", "minute", "second"),
}
_FIELD_CLASSES = ("StructField", "ColumnImpl")


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
    if name == "ArrayType" and parts:
        return f"array<{catalog_type(parts[0])}>"
    if name == "MapType" and len(parts) > 1:
        return f"map<{catalog_type(parts[0])},{catalog_type(parts[1])}>"
    if name in {"StructType", "Seq"}:
        return f"struct<{','.join(f'{field}:{kind}' for field, kind in _fields(parts))}>"
    if name in _INTERVALS and all(part.strip().isdigit() for part in parts):
        units = [_INTERVALS[name][int(part)] for part in parts]
        return f"interval {' to '.join(dict.fromkeys(units))}"
    word = "decimal" if name == "DecimalType" else name.removesuffix("Type").lower()
    return f"{word}({','.join(part.strip() for part in parts)})"


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
    return _fields([item for item in items if item.startswith(_FIELD_CLASSES)])


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
