"""Resolve a V2 `ALTER TABLE`, whose plan prints hash codes, against the columns that the table can have had.

The code of a `RenameColumn` to a known name contains the hash code of the old name. Another change with that code is
about the same column, although nothing shows how it was called.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from eventlog_lineage.history.columns import Columns, KnownColumn, expanded, known_column
from eventlog_lineage.history.observations import TimedObservation
from eventlog_lineage.history.table_change_hashes import (
    SIMPLE_TYPES,
    added_facts,
    changed_value,
    deleted,
    facts_in,
    facts_in_code,
    moved,
    rename_code,
    renamed_from_code,
    text_hash,
    type_hashes,
)
from eventlog_lineage.history.table_state import TableState, Vocabulary
from eventlog_lineage.observed_schemas import HashedChanges, SchemaColumn

IGNORED = frozenset(
    """
    SetProperty RemoveProperty UpdateColumnComment UpdateColumnNullability UpdateColumnDefaultValue ClusterBy
    AddConstraint DropConstraint AddCheck
    """.split()
)
"""Changes that leave names, order and types as they are."""

_NAME = re.compile(r"[A-Za-z_][\w]*(?:\.[A-Za-z_][\w]*)*")
_TYPE = re.compile(r"\b(?:DECIMAL|VARCHAR|CHAR)\s?\(\d+(?:\s?,\s?\d+)?\)", re.IGNORECASE)
_DECIMAL = re.compile(r"^decimal\((\d{1,2}),(\d{1,2})\)$")
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
    """Apply a change of a V2 `ALTER TABLE`; one that no known name resolves waits for a later statement that does.

    Args:
        table: The table's state, which is changed.
        hashed: `RenameColumn@e5357390`.
    """
    change = read_change(hashed, table.columns, with_names_in(table.vocabulary, seen.description))
    if change is None:
        return
    table.versions.changed = True
    if not change.column:
        table.versions.unresolved_changes.append((change.kind, seen))
    else:
        apply_change(table, seen, change)


def apply_change(table: TableState, seen: TimedObservation, change: TableChange) -> None:
    """Apply a change of a known column.

    Args:
        table: The table's state, which is changed.
    """
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

    Args:
        text: The statement's description; empty for none.
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
    """Resolve a change from its hash code.

    Args:
        hashed: `RenameColumn@e5357390`.
        vocabulary: Other names that columns and types may have.

    Returns:
        The change; None for one that changes no schema. One that no known names and types resolve has no column.
    """
    kind, _, digits = hashed.partition("@")
    if kind in IGNORED:
        return None
    code = int(digits, 16)
    names = list(dict.fromkeys((*(column.name for column in columns.known.values()), *vocabulary.names)))
    types = list(dict.fromkeys((*vocabulary.types, *SIMPLE_TYPES)))
    found = None
    if kind == "DeleteColumn":
        found = next((TableChange(kind, name) for name in names if deleted(name.split(".")) == code), None)
    elif kind == "RenameColumn":
        found = _find_renamed(code, names)
    elif kind == "UpdateColumnType":
        found = _find_retyped(code, names, types) or _find_wider_decimal(code, columns)
    elif kind == "UpdateColumnPosition":
        found = _find_moved(code, names)
    elif kind == "AddColumn":
        new = [name for name in names if name.lower() not in columns.known]
        found = _find_added(code, new, names, added_types(vocabulary))
    return found or TableChange(kind, "")


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
        decimal = _DECIMAL.match(column.type.text)
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
    """Return the types of columns that may be added, by what they add to the code of an `AddColumn`.

    Args:
        vocabulary: The types and comments that columns may have.
    """
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
            found = candidates.get(facts_in(code, path, after))
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
        keys = [column.key for column in table.columns.children(parent.lower())]
        neighbor = f"{parent}.{value}".strip(".").lower()
        old = str(keys.index(known.key) + 1)
        rest = [key for key in keys if key != known.key]
        new = "1" if not value else str(rest.index(neighbor) + 2) if neighbor in rest else None
        table.versions.record(seen, "column_moved", known.name, (old, new))
        table.columns.put(known.key, neighbor if value else parent.lower())


_RENAME, _ADD = "RenameColumn", "AddColumn"
_MOST = 16
"""The number of unresolved changes of a table, the newest ones, that are compared."""
_MOST_COLUMNS = 256
"""The number of columns that are compared with them."""
_Unresolved = tuple[str, TimedObservation]
_Code = tuple[_Unresolved, int]


def follow_unnamed(table: TableState, seen: TimedObservation, columns: Iterable[SchemaColumn]) -> None:
    """Rename the columns that new columns were called before; the change to or from the unknown name stays unresolved.

    Args:
        table: The table's state, which is changed.
    """
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
    """Rename the column that a new column was called before, if changes lead to it.

    Args:
        table: The table's state, which is changed.
        types: The result of `added_types`.
    """
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
    """Return the change that gave a column the unknown name, and the name before it; empty for an added column.

    Args:
        types: The result of `added_types`.
    """
    names = [each.name for each in table.columns.children("")[:_MOST_COLUMNS]]
    for change, code in codes:
        if change is rename or change[1].at > rename[1].at or change not in table.versions.unresolved_changes:
            continue
        if change[0] == _RENAME:
            name = next((name for name in names if rename_code(name, old) == code), None)
            if name is not None:
                return change, name
        elif change[0] == _ADD and any(facts_in_code(code, old, after) in types for after in (None, *names)):
            return change, ""
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
