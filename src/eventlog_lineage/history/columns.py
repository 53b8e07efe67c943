"""A table's columns as they are known at one time: nested fields are columns too, dotted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from eventlog_lineage.model import SchemaColumn
from eventlog_lineage.plan.expressions.types import element_type, struct_fields

INNER = "struct<*>"
"""Stands for the struct within a column's own type: its fields are columns."""

_DEEPEST = 50

Listing = tuple[tuple[str, str], ...]
"""A table's own columns: key and type."""


@dataclass(slots=True)
class DataType:
    """A type that may come to be known later; shared by all versions in which the column has it.

    `loose` is one that a reader chose for files that have none, such as CSV.
    """

    text: str = ""
    loose: bool = False


@dataclass(slots=True)
class KnownColumn:
    """A column of a table.

    Attributes:
        name: Its name, nested fields dotted.
        type: Its type, the struct within it as `struct<*>`.
        evidence: What showed it first.
        derivation: How the last write made it; empty where that is not known.
    """

    name: str
    type: DataType
    evidence: str
    derivation: str = ""

    @property
    def key(self) -> str:
        """What it is found by: Spark compares names without case."""
        return self.name.lower()

    @property
    def parent(self) -> str:
        """The key of the struct around it; empty for a column of the table itself."""
        return self.key.rpartition(".")[0]


@dataclass(slots=True)
class Columns:
    """A table's columns in order, the fields of a struct behind it.

    Attributes:
        known: Key to column.
        whole: Keys of the structs all of whose fields are known; the empty one is the table itself.
    """

    known: dict[str, KnownColumn] = field(default_factory=dict)
    whole: set[str] = field(default_factory=set)

    def copy(self) -> Columns:
        """The same columns in a list of its own."""
        return Columns(dict(self.known), set(self.whole))

    def children(self, parent: str) -> list[KnownColumn]:
        """The columns directly within a struct, or of the table."""
        return [column for column in self.known.values() if column.parent == parent]

    def below(self, key: str) -> list[KnownColumn]:
        """A column and all fields within it."""
        return [column for column in self.known.values() if column.key == key or column.key.startswith(f"{key}.")]

    def drop(self, key: str) -> None:
        """Take a column away, with its fields."""
        for column in self.below(key):
            del self.known[column.key]
            self.whole.discard(column.key)

    def rename(self, key: str, name: str) -> None:
        """Give a column another name, in its place; its type stays the same one."""
        renamed = {}
        for each in self.known.values():
            own = each
            if each.key == key or each.key.startswith(f"{key}."):
                own = KnownColumn(name + each.name[len(key) :], each.type, each.evidence, each.derivation)
            renamed[own.key] = own
        self.whole = {name.lower() + each[len(key) :] if _within(each, key) else each for each in self.whole}
        self.known = renamed

    def add(self, column: KnownColumn, after: str | None = None) -> None:
        """Put a column behind another one of the same struct, or at its end."""
        place = after or next((each.key for each in reversed(self.children(column.parent))), column.parent)
        self.known[column.key] = column
        self.put(column.key, place)

    def put(self, key: str, after: str) -> None:
        """Move a column and its fields behind another column and its fields; behind nothing is the front."""
        moving = self.below(key)
        rest = [column for column in self.known.values() if column not in moving]
        place = 0
        for at, column in enumerate(rest):
            if after and _within(column.key, after):
                place = at + 1
        ordered = [*rest[:place], *moving, *rest[place:]]
        self.known = {column.key: column for column in ordered}

    def order(self, keys: Sequence[str]) -> None:
        """Bring the table's own columns into an order; those that it does not name come last."""
        top = [key for key in keys if key in self.known]
        rest = [column.key for column in self.children("") if column.key not in keys]
        self.known = {column.key: column for key in (*top, *rest) for column in self.below(key)}

    def full_type(self, column: KnownColumn) -> str:
        """A column's whole type, with the fields of its struct."""
        text = column.type.text
        if INNER not in text:
            return text
        fields = ",".join(
            f"{child.name.rpartition('.')[2]}:{self.full_type(child) or '?'}" for child in self.children(column.key)
        )
        return text.replace(INNER, f"struct<{fields}>")


def expanded(columns: Iterable[SchemaColumn], depth: int = 0) -> Iterator[SchemaColumn]:
    """Columns with the fields of their structs behind them, each struct's own type with `struct<*>` in it."""
    for column in columns:
        inner = element_type(column.data_type)
        fields = struct_fields(inner) if depth < _DEEPEST else []
        if not fields:
            yield column
            continue
        own = column.data_type.replace(inner, INNER, 1)
        yield SchemaColumn(column.name, own, column.derivation)
        nested = [SchemaColumn(f"{column.name}.{name}", kind) for name, kind in fields]
        yield from expanded(nested, depth + 1)


def known_column(column: SchemaColumn, evidence: str, *, loose: bool = False) -> KnownColumn:
    """A column as a statement shows it; `loose`: its type is what a reader says."""
    return KnownColumn(column.name, DataType(column.data_type, loose), evidence, column.derivation)


def same_type(old: str, new: str) -> bool:
    """Are two types the same, as far as they are known? Readers see char and varchar as string."""
    if not old or not new or old == new:
        return True
    texts = ("char(", "varchar(")
    pair = {old, new}
    return "string" in pair and any(each.startswith(texts) for each in pair)


def _within(key: str, outer: str) -> bool:
    return key == outer or key.startswith(f"{outer}.")
