"""The hash codes of the changes of a V2 `ALTER TABLE`: its plan prints nothing else of them.

`TableChange$RenameColumn@e5357390` is a class and a hash code. The codes are the same in every JVM: `String.hashCode`,
`Arrays.hashCode`, `Objects.hash`, and for types Scala's hash of a case class, which differs between Scala 2.12 and
2.13. Source: `org.apache.spark.sql.connector.catalog.TableChange` (3.0 to 4.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

from eventlog_lineage.plan.grammar.types import split_parts, struct_fields

_MASK = 0xFFFFFFFF
_INVERSE_31 = pow(31, -1, 1 << 32)
_SEED = 0xCAFEBABE
_TRUE, _FALSE = 1231, 1237
_CLASSES = {
    "binary": "BinaryType",
    "boolean": "BooleanType",
    "date": "DateType",
    "double": "DoubleType",
    "float": "FloatType",
    "int": "IntegerType",
    "bigint": "LongType",
    "smallint": "ShortType",
    "string": "StringType",
    "timestamp": "TimestampType",
    "timestamp_ntz": "TimestampNTZType",
    "tinyint": "ByteType",
    "void": "NullType",
    "variant": "VariantType",
}
_LENGTHS = {"char": "CharType", "varchar": "VarcharType"}
_UNITS = {"year": 0, "month": 1}, {"day": 0, "hour": 1, "minute": 2, "second": 3}

SIMPLE_TYPES = tuple(name for name in _CLASSES if name != "void")
"""Types without parameters, which any column may get."""


def text_hash(text: str) -> int:
    """Return `String.hashCode` as an unsigned number.

    >>> text_hash("abc")
    96354
    """
    code = 0
    units = text.encode("utf-16-be", "surrogatepass")
    for at in range(0, len(units), 2):
        code = (31 * code + (units[at] << 8 | units[at + 1])) & _MASK
    return code


def list_hash(codes: Sequence[int]) -> int:
    """Return `Arrays.hashCode` and `Objects.hash` of values with these hash codes; null has 0."""
    code = 1
    for each in codes:
        code = (31 * code + each) & _MASK
    return code


def names_hash(path: Sequence[str]) -> int:
    """Return `Arrays.hashCode` of a column's field names."""
    return list_hash([text_hash(name) for name in path])


def deleted(path: Sequence[str]) -> int:
    """Return the hash code of `DeleteColumn`."""
    return names_hash(path)


def added(
    path: Sequence[str], data_type: int, after: str | None, *, nullable: bool = True, comment: str | None = None
) -> int:
    """Return the hash code of `AddColumn`; the column's default is not part of it.

    Args:
        after: The column after which it is added; None for the end.
        comment: Its comment; None for none.
    """
    position = 0 if after is None else after_hash(after)
    facts = added_facts(data_type, nullable=nullable, comment=comment) + position
    return (31 * facts + names_hash(path)) & _MASK


def added_facts(data_type: int, *, nullable: bool, comment: str | None) -> int:
    """Return the part of the hash code of `AddColumn` that depends neither on names nor on the position.

    Args:
        comment: Its comment; None for none.
    """
    words = 0 if comment is None else text_hash(comment)
    return 31 * list_hash([data_type, _TRUE if nullable else _FALSE, words]) & _MASK


def facts_in(code: int, path: Sequence[str], after: str | None) -> int:
    """Return the `added_facts` that an `AddColumn` has if it adds a column at a place.

    Args:
        after: The column after which it is added; None for the end.
    """
    position = 0 if after is None else after_hash(after)
    return ((code - names_hash(path)) * _INVERSE_31 - position) & _MASK


def facts_in_code(code: int, name: int, after: str | None) -> int:
    """Return the `added_facts` that an `AddColumn` has if it adds a column of which only the name's code is known.

    Args:
        name: The hash code of the name of a column of the table itself.
        after: The column after which it is added; None for the end.
    """
    position = 0 if after is None else after_hash(after)
    return ((code - list_hash([name])) * _INVERSE_31 - position) & _MASK


def rename_code(old: str, new: int) -> int:
    """Return the hash code of `RenameColumn` of a column of the table itself."""
    return (31 * list_hash([new]) + names_hash([old])) & _MASK


def renamed_from_code(code: int, new: int) -> int:
    """Return the hash code of the old name in the code of a `RenameColumn`."""
    return (code - 31 * list_hash([new]) - 31) & _MASK


def moved(path: Sequence[str], after: str) -> int:
    """Return the hash code of `UpdateColumnPosition` to after a column; `FIRST` has another code in every JVM."""
    return (31 * list_hash([after_hash(after)]) + names_hash(path)) & _MASK


def after_hash(name: str) -> int:
    """Return `ColumnPosition.After.hashCode`."""
    return list_hash([text_hash(name)])


def changed_value(code: int, path: Sequence[str]) -> int:
    """Return the hash code of the value that `RenameColumn` or `UpdateColumnType` assigns to a column.

    Args:
        code: The change's code: `31 * Objects.hash(value) + Arrays.hashCode(path)`.
        path: The field names of the column that the change may belong to.
    """
    facts = (code - names_hash(path)) * _INVERSE_31 & _MASK
    return (facts - 31) & _MASK


@cache
def type_hashes(data_type: str) -> frozenset[int]:
    """Return the hash codes that a type has: in Scala 2.12 and 2.13, with the strings of Spark 3 and of Spark 4.

    Args:
        data_type: A catalog string, `array<decimal(10,2)>`.
    """
    codes = (_type_hash(data_type, *how) for how in product((False, True), (False, True)))
    return frozenset(code for code in codes if code is not None)


def _type_hash(data_type: str, named: bool, collated: bool) -> int | None:
    """Return a type's hash code; None for a type that is not known.

    Args:
        named: Scala 2.13 includes the name of a case class.
        collated: The strings of Spark 4 have the code of their collation's number, 0.
    """
    if collated and (data_type == "string" or data_type.startswith(("char(", "varchar("))):
        return 0
    if data_type in _CLASSES:
        return text_hash(_CLASSES[data_type])
    head, bracket, rest = data_type.partition("(")
    if bracket and (head == "decimal" or head in _LENGTHS):
        numbers = [int(number) for number in rest.removesuffix(")").split(",") if number.isdigit()]
        return _case_hash("DecimalType" if head == "decimal" else _LENGTHS[head], numbers, named)
    if data_type.startswith("interval "):
        return _interval_hash(data_type.split()[1::2], named)
    return _nested_hash(data_type, named, collated)


def _nested_hash(data_type: str, named: bool, collated: bool) -> int | None:
    if data_type.startswith("array<"):
        element = _type_hash(data_type[6:-1], named, collated)
        return None if element is None else _case_hash("ArrayType", [element, _TRUE], named)
    if data_type.startswith("map<"):
        parts = [_type_hash(part, named, collated) for part in split_parts(data_type[4:-1])]
        known = [part for part in parts if part is not None]
        return _case_hash("MapType", [*known, _TRUE], named) if len(known) == 2 else None
    fields = []
    for name, kind in struct_fields(data_type):
        code = _type_hash(kind, named, collated)
        if code is None:
            return None
        fields.append(_case_hash("StructField", [text_hash(name), code, _TRUE, _NO_METADATA], named))
    return list_hash(fields) if fields else None


def _interval_hash(words: Sequence[str], named: bool) -> int | None:
    for name, units in zip(("YearMonthIntervalType", "DayTimeIntervalType"), _UNITS, strict=True):
        if all(word in units for word in words):
            return _case_hash(name, [units[words[0]], units[words[-1]]], named)
    return None


def _case_hash(name: str, values: Sequence[int], named: bool) -> int:
    """Return the hash code that Scala generates for a case class: MurmurHash3 over its values' codes.

    Args:
        named: Whether the name is part of the hash code.
    """
    code = _SEED
    for value in (text_hash(name), *values) if named else values:
        code = _mix(code, value)
    return _avalanche(code ^ len(values))


def _mix_last(code: int, value: int) -> int:
    value = value * 0xCC9E2D51 & _MASK
    value = _rotated(value, 15) * 0x1B873593 & _MASK
    return code ^ value


def _mix(code: int, value: int) -> int:
    return (_rotated(_mix_last(code, value), 13) * 5 + 0xE6546B64) & _MASK


def _rotated(code: int, places: int) -> int:
    return (code << places | code >> (32 - places)) & _MASK


def _avalanche(code: int) -> int:
    code = (code ^ code >> 16) * 0x85EBCA6B & _MASK
    code = (code ^ code >> 13) * 0xC2B2AE35 & _MASK
    return code ^ code >> 16


_NO_METADATA = _avalanche(_mix_last(_mix(_mix(text_hash("Map"), 0), 0), 1))
"""The hash code of a field's empty `Metadata`: that of an empty Map."""
