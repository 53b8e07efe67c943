"""Which columns a V2 `ALTER TABLE` changed: its hash codes, against the columns that there can have been."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .columns import Columns
from .java_hashes import SIMPLE_TYPES, added, changed_value, deleted, moved, text_hash, type_hashes

IGNORED = frozenset(
    """
    SetProperty RemoveProperty UpdateColumnComment UpdateColumnNullability UpdateColumnDefaultValue ClusterBy
    AddConstraint DropConstraint AddCheck
    """.split()
)
"""Changes that leave names, order and types as they are."""


_NAME = re.compile(r"[A-Za-z_][\w]*(?:\.[A-Za-z_][\w]*)*")
_TYPE = re.compile(r"\b(?:DECIMAL|VARCHAR|CHAR)\s?\(\d+(?:\s?,\s?\d+)?\)", re.IGNORECASE)
_COMMENT = re.compile(r"'((?:[^'\\]|\\.)*)'")


@dataclass(frozen=True, slots=True)
class TableChange:
    """A change that was told from its code.

    Attributes:
        kind: The class: `AddColumn`, `DeleteColumn`, `RenameColumn`, `UpdateColumnType`, `UpdateColumnPosition`.
        column: The column that is changed, nested fields dotted; empty where no known column fits.
        value: The new name, the new type, the column after which it comes; empty where there is none.
        after: For an added column: the column behind which it comes; empty for the end.
    """

    kind: str
    column: str
    value: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What columns and types the other statements name, at any time.

    Attributes:
        names: Columns, nested fields dotted.
        types: Catalog strings.
        comments: What columns may be commented with.
    """

    names: tuple[str, ...]
    types: tuple[str, ...]
    comments: tuple[str, ...] = ()

    def with_text(self, text: str) -> Vocabulary:
        """These and what a statement's text may name: the spark-sql shell and the Thrift server describe by the SQL."""
        if not text:
            return self
        names = dict.fromkeys((*_NAME.findall(text), *self.names))
        types = dict.fromkeys((*(found.lower().replace(" ", "") for found in _TYPE.findall(text)), *self.types))
        return Vocabulary(tuple(names), tuple(types), tuple(dict.fromkeys(_COMMENT.findall(text))))


def read_change(word: str, columns: Columns, vocabulary: Vocabulary) -> TableChange | None:
    """Tells a change from its hash code.

    Args:
        word: `RenameColumn@e5357390`.
        columns: The table's columns before it.
        vocabulary: What else columns and types may be called.

    Returns:
        The change; None for one that changes no schema. One that no known names and types explain has no column.
    """
    kind, _, digits = word.partition("@")
    if kind in IGNORED:
        return None
    code = int(digits, 16)
    there = [column.name for column in columns.known.values()]
    names = list(dict.fromkeys((*there, *vocabulary.names)))
    types = list(dict.fromkeys((*vocabulary.types, *SIMPLE_TYPES)))
    found = None
    if kind == "DeleteColumn":
        found = next((TableChange(kind, name) for name in names if deleted(name.split(".")) == code), None)
    elif kind == "RenameColumn":
        found = _renamed(code, names)
    elif kind == "UpdateColumnType":
        found = _retyped(code, names, types)
    elif kind == "UpdateColumnPosition":
        found = _moved(code, names)
    elif kind == "AddColumn":
        new = [name for name in names if name.lower() not in columns.known]
        found = _added(code, new, names, types, vocabulary.comments)
    return found or TableChange(kind, "")


def _renamed(code: int, names: Sequence[str]) -> TableChange | None:
    """The new name may be any that a later statement uses; it is the last part of a nested one."""
    words = {text_hash(name.rpartition(".")[2]): name.rpartition(".")[2] for name in names}
    for name in names:
        word = words.get(changed_value(code, name.split(".")))
        if word is not None and word != name.rpartition(".")[2]:
            return TableChange("RenameColumn", name, word)
    return None


def _retyped(code: int, names: Iterable[str], types: Sequence[str]) -> TableChange | None:
    codes = {each: data_type for data_type in types for each in type_hashes(data_type)}
    for name in names:
        data_type = codes.get(changed_value(code, name.split(".")))
        if data_type is not None:
            return TableChange("UpdateColumnType", name, data_type)
    return None


def _moved(code: int, names: Sequence[str]) -> TableChange | None:
    for name in names:
        for after in _siblings(name, names):
            if moved(name.split("."), after) == code:
                return TableChange("UpdateColumnPosition", name, after)
    return None


def _added(
    code: int, new: Sequence[str], names: Sequence[str], types: Sequence[str], comments: Sequence[str]
) -> TableChange | None:
    ways = {
        (each, nullable, comment): data_type
        for data_type in types
        for each in type_hashes(data_type)
        for nullable in (True, False)
        for comment in (None, *comments)
    }
    for name in new:
        for after in (None, *_siblings(name, names)):
            for (each, nullable, comment), data_type in ways.items():
                if added(name.split("."), each, after, nullable=nullable, comment=comment) == code:
                    return TableChange("AddColumn", name, data_type, after or "")
    return None


def _siblings(name: str, names: Iterable[str]) -> list[str]:
    """The last words of the columns of the same struct."""
    parent = name.rpartition(".")[0]
    return [other.rpartition(".")[2] for other in names if other != name and other.rpartition(".")[0] == parent]
