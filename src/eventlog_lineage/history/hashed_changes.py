"""Resolve a V2 `ALTER TABLE`, whose plan prints hash codes, against the columns that the table can have had.

The code of a `RenameColumn` to a known name contains the hash code of the old name. Another change with that code is
about the same column, although nothing shows how it was called.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from eventlog_lineage.observed_schemas import HashedChanges, SchemaColumn
from eventlog_lineage.plan.grammar.types import split_parts, struct_fields

from .columns import Columns, KnownColumn, TimedObservation, expanded, known_column
from .table_state import DECIMAL, TableState, Vocabulary

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
_NUMBERED = {"decimal": "DecimalType", "char": "CharType", "varchar": "VarcharType"}
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


def added_facts(data_type: int, *, nullable: bool, comment: str | None) -> int:
    """Return the part of the hash code of `AddColumn` that depends neither on names nor on the position.

    The column's default is not part of the code.
    """
    words = 0 if comment is None else text_hash(comment)
    return 31 * list_hash([data_type, _TRUE if nullable else _FALSE, words]) & _MASK


def facts_in(code: int, names: int, after: str | None) -> int:
    """Return the `added_facts` that an `AddColumn` has if it adds a column at a place.

    Args:
        names: The hash code of the column's field names.
    """
    position = 0 if after is None else after_hash(after)
    return ((code - names) * _INVERSE_31 - position) & _MASK


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
    if bracket and head in _NUMBERED:
        numbers = [int(number) for number in rest.removesuffix(")").split(",") if number.isdigit()]
        return _case_hash(_NUMBERED[head], numbers, named)
    if data_type.startswith("interval "):
        return _interval_hash(data_type.split()[1::2], named)
    return _nested_hash(data_type, named, collated)


def _nested_hash(data_type: str, named: bool, collated: bool) -> int | None:
    if data_type.startswith("array<"):
        element = _type_hash(data_type[6:-1], named, collated)
        return None if element is None else _case_hash("ArrayType", [element, _TRUE], named)
    if data_type.startswith("map<"):
        codes = _type_hashes(split_parts(data_type[4:-1]), named, collated)
        return _case_hash("MapType", [*codes, _TRUE], named) if len(codes) == 2 else None
    fields = list(struct_fields(data_type))
    codes = _type_hashes([kind for _, kind in fields], named, collated)
    hashes = [
        _case_hash("StructField", [text_hash(name), code, _TRUE, _NO_METADATA], named)
        for (name, _), code in zip(fields, codes, strict=False)
    ]
    return list_hash(hashes) if hashes else None


def _type_hashes(types: Iterable[str], named: bool, collated: bool) -> list[int]:
    """Return the hash codes of types; none where one of them is not known."""
    found = [_type_hash(each, named, collated) for each in types]
    known = [code for code in found if code is not None]
    return known if len(known) == len(found) else []


def _interval_hash(words: Sequence[str], named: bool) -> int | None:
    for name, units in zip(("YearMonthIntervalType", "DayTimeIntervalType"), _UNITS, strict=True):
        if all(word in units for word in words):
            return _case_hash(name, [units[words[0]], units[words[-1]]], named)
    return None


def _case_hash(name: str, values: Sequence[int], named: bool) -> int:
    """Return the hash code that Scala generates for a case class: MurmurHash3 over its values' codes."""
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


IGNORED = frozenset(
    """
    SetProperty RemoveProperty UpdateColumnComment UpdateColumnNullability UpdateColumnDefaultValue ClusterBy
    AddConstraint DropConstraint AddCheck
    """.split()
)
"""Changes that leave names, order and types as they are."""

_NAME = re.compile(r"[A-Za-z_][\w]*(?:\.[A-Za-z_][\w]*)*")
_TYPE = re.compile(r"\b(?:DECIMAL|VARCHAR|CHAR)\s?\(\d+(?:\s?,\s?\d+)?\)", re.IGNORECASE)
_MOST_DIGITS = 38
"""`DecimalType.MAX_PRECISION`."""
_COMMENT = re.compile(r"'((?:[^'\\]|\\.)*)'")


@dataclass(frozen=True, slots=True)
class TableChange:
    """A change that was resolved from its hash code.

    Attributes:
        kind: The class: `AddColumn`, `DeleteColumn`, `RenameColumn`, `UpdateColumnType`, `UpdateColumnPosition`.
        column: The column that is changed, nested fields dotted; empty if no known column has the code.
        value: The new name, the new type, or the column after which it comes; empty for a move to the front.
        after: For an added column the column after which it comes; empty for the end.
        is_first: An added column comes before all others.
    """

    kind: str
    column: str
    value: str = ""
    after: str = ""
    is_first: bool = False


def apply_hashed_change(table: TableState, seen: TimedObservation, hashed: str) -> None:
    """Apply a change of a V2 `ALTER TABLE`; one that no known name resolves waits for a later statement that does."""
    change = read_change(hashed, table.columns, with_names_in(table.vocabulary, seen.description))
    if change is None:
        return
    table.versions.changed = True
    if not change.column:
        table.versions.unresolved_changes.append((change.kind, seen))
    else:
        apply_change(table, seen, change)


def apply_change(table: TableState, seen: TimedObservation, change: TableChange) -> None:
    """Apply a change of a known column."""
    if change.kind == "AddColumn":
        _add(table, seen, change)
    else:
        key = change.column.lower()
        if key not in table.columns.known:
            table.columns.add(known_column(SchemaColumn(change.column), str(seen.shown.evidence)))
        _change(table, seen, change.kind, table.columns.known[key], change.value)


def with_names_in(vocabulary: Vocabulary, text: str) -> Vocabulary:
    """Return a vocabulary with the words of a statement's text.

    The spark-sql shell and the Thrift server describe a statement by its SQL.
    """
    if not text:
        return vocabulary
    types = (found.lower().replace(" ", "") for found in _TYPE.findall(text))
    return Vocabulary(
        names=tuple(dict.fromkeys((*_NAME.findall(text), *vocabulary.names))),
        types=tuple(dict.fromkeys((*types, *vocabulary.types))),
        comments=tuple(dict.fromkeys((*_COMMENT.findall(text), *vocabulary.comments))),
        schemas=vocabulary.schemas,
    )


def read_change(hashed: str, columns: Columns, vocabulary: Vocabulary) -> TableChange | None:
    """Resolve a change from its hash code; None if it changes no schema. An unresolved one has no column."""
    kind, _, digits = hashed.partition("@")
    if kind in IGNORED:
        return None
    code = int(digits, 16)
    names = list(dict.fromkeys((*(column.name for column in columns.known.values()), *vocabulary.names)))
    types = list(dict.fromkeys((*vocabulary.types, *SIMPLE_TYPES)))
    new = [name for name in names if name.lower() not in columns.known]
    finders: dict[str, Callable[[], TableChange | None]] = {
        "DeleteColumn": lambda: next(
            (TableChange(kind, each) for each in names if deleted(each.split(".")) == code), None
        ),
        "RenameColumn": lambda: _find_renamed(code, names),
        "UpdateColumnType": lambda: _find_retyped(code, names, types) or _find_wider_decimal(code, columns),
        "UpdateColumnPosition": lambda: _find_moved(code, names),
        "AddColumn": lambda: _find_added(code, new, names, added_types(vocabulary)),
    }
    find = finders.get(kind)
    return (find and find()) or TableChange(kind, "")


def _find_renamed(code: int, names: Sequence[str]) -> TableChange | None:
    """Return the candidates for a new name: the names in later statements; of nested columns, the last part."""
    words = {text_hash(name.rpartition(".")[2]): name.rpartition(".")[2] for name in names}
    for name in names:
        word = words.get(changed_value(code, name.split(".")))
        if word is not None and word != name.rpartition(".")[2]:
            return TableChange("RenameColumn", name, word)
    return None


def _find_retyped(code: int, names: Iterable[str], types: Sequence[str]) -> TableChange | None:
    codes = {each: data_type for data_type in types for each in type_hashes(data_type)}
    for name in names:
        data_type = codes.get(changed_value(code, name.split(".")))
        if data_type is not None:
            return TableChange("UpdateColumnType", name, data_type)
    return None


def _find_wider_decimal(code: int, columns: Columns) -> TableChange | None:
    """Return a change to a decimal type with more digits, which later statements do not print if they only read."""
    for column in columns.known.values():
        decimal = DECIMAL.match(column.type.text)
        if decimal is not None:
            value = changed_value(code, column.name.split("."))
            for data_type in _wider_decimals(int(decimal[1]), int(decimal[2])):
                if value in type_hashes(data_type):
                    return TableChange("UpdateColumnType", column.name, data_type)
    return None


@cache
def _wider_decimals(precision: int, scale: int) -> tuple[str, ...]:
    """Return the decimal types that hold every value of another one."""
    return tuple(
        f"decimal({digits},{places})"
        for places in range(scale, _MOST_DIGITS + 1)
        for digits in range(max(precision + places - scale, 1), _MOST_DIGITS + 1)
        if (digits, places) != (precision, scale)
    )


def _find_moved(code: int, names: Sequence[str]) -> TableChange | None:
    for name in names:
        for after in _siblings(name, names):
            if moved(name.split("."), after) == code:
                return TableChange("UpdateColumnPosition", name, after)
    return None


def added_types(vocabulary: Vocabulary) -> Mapping[int, str]:
    """Return the types of columns that may be added, by what they add to the code of an `AddColumn`."""
    found: dict[int, str] = {}
    for data_type in dict.fromkeys((*vocabulary.types, *SIMPLE_TYPES)):
        for each in type_hashes(data_type):
            for nullable in (True, False):
                for comment in (None, *vocabulary.comments):
                    found.setdefault(added_facts(each, nullable=nullable, comment=comment), data_type)
    return found


def _find_added(
    code: int, new: Sequence[str], names: Sequence[str], candidates: Mapping[int, str]
) -> TableChange | None:
    for name in new:
        path = name.split(".")
        for after in (None, *_siblings(name, names)):
            found = candidates.get(facts_in(code, names_hash(path), after))
            if found is not None:
                return TableChange("AddColumn", name, found, after or "")
    return None


def _siblings(name: str, names: Iterable[str]) -> list[str]:
    """Return the last parts of the names of the columns of the same struct."""
    parent = name.rpartition(".")[0]
    return [other.rpartition(".")[2] for other in names if other != name and other.rpartition(".")[0] == parent]


def _add(table: TableState, seen: TimedObservation, change: TableChange) -> None:
    column, after = SchemaColumn(change.column, change.value), change.after
    parent = column.name.rpartition(".")[0].lower()
    table.versions.record(seen, "column_added", column.name, (None, column.data_type))
    neighbor = f"{parent}.{after}".strip(".").lower() if after else None
    for index, each in enumerate(expanded([column])):
        table.columns.add(known_column(each, str(seen.shown.evidence)), None if index else neighbor)
    if change.is_first:
        table.columns.put(column.name.lower(), parent)


def _change(table: TableState, seen: TimedObservation, kind: str, known: KnownColumn, value: str) -> None:
    parent = known.name.rpartition(".")[0]
    if kind == "DeleteColumn":
        table.drop_column(seen, known)
    elif kind == "RenameColumn":
        name = f"{parent}.{value}" if parent else value
        table.versions.record(seen, "column_renamed", name, (known.name, name))
        table.columns.rename(known.key, name)
    elif kind == "UpdateColumnType":
        table.retype(seen, known, SchemaColumn(known.name, value))
    elif kind == "UpdateColumnPosition":
        _move(table, seen, known, value, parent)


def _move(table: TableState, seen: TimedObservation, known: KnownColumn, after: str, parent: str) -> None:
    keys = [column.key for column in table.columns.children(parent.lower())]
    neighbor = f"{parent}.{after}".strip(".").lower()
    old = str(keys.index(known.key) + 1)
    rest = [key for key in keys if key != known.key]
    new = "1" if not after else str(rest.index(neighbor) + 2) if neighbor in rest else None
    table.versions.record(seen, "column_moved", known.name, (old, new))
    table.columns.put(known.key, neighbor if after else parent.lower())


_RENAME, _ADD = "RenameColumn", "AddColumn"
_MOST = 16
"""The number of unresolved changes of a table, the newest ones, that are compared."""
_MOST_COLUMNS = 256
"""The number of columns that are compared with them."""
_Unresolved = tuple[str, TimedObservation]
_Code = tuple[_Unresolved, int]


def follow_unnamed(table: TableState, seen: TimedObservation, columns: Iterable[SchemaColumn]) -> None:
    """Rename the columns that new columns were called before; the change of the unknown name stays unresolved."""
    known = table.columns.known
    new = [each for each in columns if "." not in each.name and each.name.lower() not in known][:_MOST]
    if not new or not any(kind == _RENAME for kind, _ in table.versions.unresolved_changes):
        return
    codes = _codes(table.versions.unresolved_changes)
    types = added_types(table.vocabulary)
    for column in new:
        _follow(table, seen, column, codes, types)


def may_be_renamed(table: TableState) -> bool:
    """Return whether a new column may be one that was added under another name: nothing resolves the two changes."""
    kinds = {kind for kind, _ in table.versions.unresolved_changes}
    return {_RENAME, _ADD} <= kinds


def _follow(
    table: TableState, seen: TimedObservation, column: SchemaColumn, codes: Sequence[_Code], types: Container[int]
) -> None:
    """Rename the column that a new column was called before, if changes lead to it."""
    versions = table.versions
    for rename, code in codes:
        found = None
        if rename[0] == _RENAME and rename in versions.unresolved_changes:
            found = _origin(table, rename, renamed_from_code(code, text_hash(column.name)), codes, types)
        if found is None:
            continue
        origin, old = found
        rest = [each for each in versions.unresolved_changes if each not in (rename, origin)]
        versions.unknown_changes.append(origin)
        versions.unresolved_changes = [rename, *rest]  # the change that `record` resolves comes first
        versions.record(seen, "column_renamed", column.name, (old or None, column.name), inferred=True)
        if old:
            table.columns.rename(old.lower(), column.name)
        else:
            table.columns.add(known_column(column, str(seen.shown.evidence)))
        return


def _origin(
    table: TableState, rename: _Unresolved, old: int, codes: Sequence[_Code], types: Container[int]
) -> tuple[_Unresolved, str] | None:
    """Return the change that gave a column the unknown name, and the name before it; empty for an added column."""
    names = [each.name for each in table.columns.children("")[:_MOST_COLUMNS]]
    for change, code in codes:
        if change is rename or change[1].at > rename[1].at or change not in table.versions.unresolved_changes:
            continue
        before = _name_before(change[0], code, old, names, types)
        if before is not None:
            return change, before
    return None


def _name_before(kind: str, code: int, now: int, names: Sequence[str], types: Container[int]) -> str | None:
    """Return the name that a column had before a change gave it another; empty if the change added it."""
    if kind == _RENAME:
        return next((name for name in names if rename_code(name, now) == code), None)
    if kind == _ADD and any(facts_in(code, list_hash([now]), after) in types for after in (None, *names)):
        return ""
    return None


def _codes(changes: Sequence[_Unresolved]) -> list[_Code]:
    """Return the codes of the newest unresolved changes; those of one class in one statement have several."""
    found: dict[tuple[str, int, str], _Code] = {}
    for change in changes[-_MOST:]:
        kind, seen = change
        for hashed in seen.shown.changes if isinstance(seen.shown, HashedChanges) else ():
            name, _, digits = hashed.partition("@")
            if name == kind:
                found.setdefault((kind, id(seen), digits), (change, int(digits, 16)))
    return list(found.values())[-_MOST:]
