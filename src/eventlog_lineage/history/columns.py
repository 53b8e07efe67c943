"""The columns of a table at one time; nested fields are columns too, with dotted names."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from eventlog_lineage.observed_schemas import INFERRED, SchemaColumn, SchemaObservation
from eventlog_lineage.plan.grammar.types import element_type, struct_fields

INNER = "struct<*>"
"""Placeholder for the struct within a column's own type: its fields are columns."""

_DEEPEST = 50

Listing = tuple[tuple[str, str], ...]
"""A table's own columns: key and type."""


@dataclass(slots=True)
class DataType:
    """A type that a later statement may show; all versions in which the column has it share this value.

    Attributes:
        text: The catalog string; empty while it is unknown.
        from_reader: A reader chose it for files without types, such as CSV.
    """

    text: str = ""
    from_reader: bool = False


@dataclass(slots=True)
class KnownColumn:
    """A column of a table.

    Attributes:
        name: Its name, nested fields dotted.
        type: Its type, the struct within it as `struct<*>`.
        derivation: A digest of how the last write derived it; empty if that is unknown.
    """

    name: str
    type: DataType
    evidence: str
    derivation: str = ""

    @property
    def key(self) -> str:
        """The name in lower case: Spark compares names without case."""
        return self.name.lower()

    @property
    def parent(self) -> str:
        """The key of the struct that contains it; empty for a column of the table itself."""
        return self.key.rpartition(".")[0]


@dataclass(slots=True)
class Columns:
    """A table's columns in order, each struct followed by its fields.

    Attributes:
        known: Key to column.
        complete: Keys of the structs all of whose fields are known; the empty one is the table itself.
    """

    known: dict[str, KnownColumn] = field(default_factory=dict)
    complete: set[str] = field(default_factory=set)

    def copy(self) -> Columns:
        """Return the same columns in a value of its own."""
        return Columns(dict(self.known), set(self.complete))

    def children(self, parent: str) -> list[KnownColumn]:
        """Return the columns directly within a struct; of the table itself for an empty key."""
        return [column for key, column in self.known.items() if key.rpartition(".")[0] == parent]

    def below(self, key: str) -> list[KnownColumn]:
        """Return a column and all fields within it."""
        return [column for own, column in self.known.items() if _within(own, key)]

    def drop(self, key: str) -> None:
        """Remove a column with its fields."""
        for column in self.below(key):
            del self.known[column.key]
            self.complete.discard(column.key)

    def rename(self, key: str, name: str) -> None:
        """Rename a column; its position and its type stay the same."""
        renamed = {}
        for each in self.known.values():
            own = each
            if each.key == key or each.key.startswith(f"{key}."):
                own = KnownColumn(name + each.name[len(key) :], each.type, each.evidence, each.derivation)
            renamed[own.key] = own
        self.complete = {name.lower() + each[len(key) :] if _within(each, key) else each for each in self.complete}
        self.known = renamed

    def add(self, column: KnownColumn, after: str | None = None) -> None:
        """Add a column after another one of its struct; at the struct's end without one."""
        if after is None and column.key not in self.known and not column.parent:
            self.known[column.key] = column  # the end of the table, without a look at its other columns
            return
        neighbor = after or next((each.key for each in reversed(self.children(column.parent))), column.parent)
        self.known[column.key] = column
        self.put(column.key, neighbor)

    def put(self, key: str, after: str) -> None:
        """Move a column with its fields."""
        moving = self.below(key)
        rest = [own for own in self.known if not _within(own, key)]
        start = max((index for index, own in enumerate(rest, 1) if after and _within(own, after)), default=0)
        ordered = [*rest[:start], *(column.key for column in moving), *rest[start:]]
        self.known = {own: self.known[own] for own in ordered}

    def order(self, keys: Sequence[str]) -> None:
        """Bring the table's own columns into the order of some keys; the others come last."""
        groups: dict[str, dict[str, KnownColumn]] = {}
        for own, column in self.known.items():
            groups.setdefault(own.partition(".")[0], {})[own] = column
        top = [key for key in keys if key in self.known]
        ordered = (
            groups.get(key) or {each.key: each for each in self.below(key)} for key in dict.fromkeys((*top, *groups))
        )
        self.known = {own: column for group in ordered for own, column in group.items()}

    def full_type(self, column: KnownColumn) -> str:
        """Return a column's whole type, with the fields of its struct."""
        text = column.type.text
        if INNER not in text:
            return text
        fields = ",".join(
            f"{child.name.rpartition('.')[2]}:{self.full_type(child) or '?'}" for child in self.children(column.key)
        )
        return text.replace(INNER, f"struct<{fields}>")


def expanded(columns: Iterable[SchemaColumn], depth: int = 0) -> Iterator[SchemaColumn]:
    """Yield columns, each followed by the fields of its struct; the struct in its own type is `struct<*>`."""
    for column in columns:
        inner = element_type(column.data_type)
        fields = struct_fields(inner) if depth < _DEEPEST else []
        if not fields:
            yield column
            continue
        own = column.data_type.replace(inner, INNER, 1)
        yield SchemaColumn(column.name, own, column.derivation)
        mark = INFERRED if column.is_inferred else ""
        nested = [SchemaColumn(f"{column.name}.{name}", kind, mark) for name, kind in fields]
        yield from expanded(nested, depth + 1)


def known_column(column: SchemaColumn, evidence: str, *, from_reader: bool = False) -> KnownColumn:
    """Return a column as a statement shows it."""
    is_weak = from_reader or column.is_inferred
    return KnownColumn(column.name, DataType(column.data_type, is_weak), evidence, column.derivation)


def same_type(old: str, new: str) -> bool:
    """Return whether two types are the same, as far as they are known; readers see char and varchar as string.

    Args:
        old: A catalog string; empty if unknown.

    >>> same_type("varchar(10)", "string"), same_type("int", "bigint"), same_type("", "int")
    (True, False, True)
    """
    if not old or not new or old == new:
        return True
    texts = ("char(", "varchar(")
    pair = {old, new}
    return "string" in pair and any(each.startswith(texts) for each in pair)


def _within(key: str, outer: str) -> bool:
    return key == outer or key.startswith(f"{outer}.")


def renamed_columns(
    dropped: Sequence[KnownColumn], added: Sequence[SchemaColumn]
) -> list[tuple[KnownColumn, SchemaColumn]]:
    """Return the pairs of a dropped and an added column with the same derivation, where there is one pair only."""
    gone = [(column, column.derivation.removeprefix(INFERRED)) for column in dropped]
    come = {column.derivation.removeprefix(INFERRED): column for column in added}
    old = Counter(derivation for _, derivation in gone if derivation)
    new = Counter(column.derivation.removeprefix(INFERRED) for column in added)
    return [(column, come[each]) for column, each in gone if old[each] == 1 and new[each] == 1]


def moved_columns(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """Return the fewest columns of both lists whose moves turn one order into the other."""
    positions = {key: position for position, key in enumerate(old)}
    common = [key for key in new if key in positions]
    kept = _longest_increasing([positions[key] for key in common])
    return [key for key in common if positions[key] not in kept]


_Row = tuple[int, "_Row"] | None
"""An increasing row of numbers: its last one, and the row before it."""


def _longest_increasing(numbers: Iterable[int]) -> set[int]:
    tails: list[int] = []  # the least number that ends a row of each length
    rows: list[_Row] = [None]  # these rows
    for number in numbers:
        length = bisect_left(tails, number)
        tails[length : length + 1] = [number]
        rows[length + 1 : length + 2] = [(number, rows[length])]
    kept, row = set(), rows[-1]
    while row is not None:
        kept.add(row[0])
        row = row[1]
    return kept


@dataclass(frozen=True, slots=True, eq=False)
class TimedObservation:
    """A succeeded statement shows something of a dataset's schema.

    Attributes:
        at: When it holds, UTC: the end of a write or a definition, the start of a read.
        run: (application id, attempt id, execution id).
        key: What the caller knows it by; None for an observation that is derived from another one.
        description: The statement's description, which may be its SQL.
    """

    at: datetime
    run: tuple[str, str, int]
    job_name: str
    shown: SchemaObservation
    key: Hashable = None
    description: str = ""

    @property
    def dataset(self) -> str:
        """The dataset's canonical name."""
        return self.shown.dataset

    @property
    def application(self) -> tuple[str, str]:
        """The application attempt."""
        return self.run[:2]


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaChange:
    """A change of a schema; the attributes are columns of `schema_changes`."""

    dataset: str
    version: int
    changed_at: datetime
    change: str
    column_name: str | None = None
    old_value: str | None = None
    new_value: str | None = None
    nature: str | None = None
    evidence: str
    confidence: str
    run: tuple[str, str, int]
    job_name: str
    detail: str


@dataclass(frozen=True, slots=True)
class VersionColumn:
    """A column of a version of a schema; the attributes are columns of `schema_versions`."""

    dataset: str
    version: int
    column_name: str
    ordinal: int
    data_type: str
    valid_from: datetime
    valid_to: datetime | None
    evidence: str


@dataclass(frozen=True, slots=True)
class SchemaHistory:
    """The history that observations make.

    Attributes:
        effective: The observations that make this history; the others repeat them.
        unknown: (dataset, class of the change, statement) of each `ALTER TABLE` whose change no statement shows.
    """

    versions: tuple[VersionColumn, ...]
    changes: tuple[SchemaChange, ...]
    effective: tuple[TimedObservation, ...]
    unknown: tuple[tuple[str, str, TimedObservation], ...] = ()
