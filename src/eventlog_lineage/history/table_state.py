"""The state of one table's schema: its columns and versions, and the changes that observations make to them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from eventlog_lineage.history.columns import INNER, Columns, DataType, KnownColumn, Listing
from eventlog_lineage.model import Confidence
from eventlog_lineage.observed_schemas import Evidence, SchemaColumn, TableSchema

from .columns import SchemaChange, TimedObservation, VersionColumn

WIDENING, NARROWING, OTHER = "widening", "narrowing", "other"

_WHOLE = {"tinyint": 3, "smallint": 5, "int": 10, "bigint": 19}
DECIMAL = re.compile(r"^decimal\((\d+),(\d+)\)$")
_LENGTH = re.compile(r"^(?:var)?char\((\d+)\)$")
_UNBOUND = 1 << 31


def nature(old: str, new: str) -> str:
    """Classify a change of a type.

    Returns:
        `widening`: the new type holds every value of the old one; `narrowing`: the old type holds every value of the
        new one; else `other`. A string holds every simple value: to it is a widening, from it a narrowing.

    >>> nature("int", "bigint"), nature("bigint", "int"), nature("int", "date")
    ('widening', 'narrowing', 'other')
    """
    if _holds(new, old):
        return WIDENING
    return NARROWING if _holds(old, new) else OTHER


_EXACT = {"double": 15, "float": 6}
"""Decimal digits of whole numbers that a floating-point type holds exactly."""


def _holds(wide: str, narrow: str) -> bool:
    """Return whether a type holds every value of another one."""
    if wide == narrow:
        return True
    if wide in _WHOLE and narrow in _WHOLE:
        return _WHOLE[wide] >= _WHOLE[narrow]
    if wide in _EXACT:
        return narrow == "float" or _WHOLE.get(narrow, _EXACT[wide] + 1) <= _EXACT[wide]
    if (decimal := DECIMAL.match(wide)) is not None:
        return _decimal_holds(int(decimal[1]), int(decimal[2]), narrow)
    if wide in {"timestamp", "timestamp_ntz"} and narrow == "date":
        return True
    return _text_holds(wide, narrow)


def _decimal_holds(precision: int, scale: int, narrow: str) -> bool:
    if narrow in _WHOLE:
        return precision - scale >= _WHOLE[narrow]
    other = DECIMAL.match(narrow)
    return other is not None and scale >= int(other[2]) and precision - scale >= int(other[1]) - int(other[2])


def _text_holds(wide: str, narrow: str) -> bool:
    room = _room(wide)
    if room is None or "<" in narrow or narrow == "binary":
        return False
    taken = _room(narrow)
    return room == _UNBOUND if taken is None else room >= taken


def _room(text: str) -> int | None:
    if text == "string":
        return _UNBOUND
    length = _LENGTH.match(text)
    return int(length[1]) if length else None


_CLASSES = {
    "column_added": "AddColumn",
    "column_dropped": "DeleteColumn",
    "column_renamed": "RenameColumn",
    "type_changed": "UpdateColumnType",
    "column_moved": "UpdateColumnPosition",
}


@dataclass(slots=True, eq=False)
class Version:
    """A version of a schema.

    Attributes:
        number: From 1.
        until: When it ended; None while it is valid.
        columns: Its columns once it has ended; `Versions.columns` are those of the valid one.
    """

    number: int
    since: TimedObservation
    until: datetime | None = None
    columns: Columns | None = None
    changes: list[SchemaChange] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Versions:
    """All versions of one table; the last one is valid, unless the table is dropped.

    Attributes:
        ended: Versions that are not valid any more.
        unresolved_changes: (class, statement) of V2 changes whose hash codes no known name resolves.
        unknown_changes: Those of them that nothing can resolve any more, because the table was dropped.
        changed: The newest observation has changed something.
    """

    dataset: str
    columns: Columns = field(default_factory=Columns)
    ended: list[Version] = field(default_factory=list)
    last: Version | None = None
    unresolved_changes: list[tuple[str, TimedObservation]] = field(default_factory=list)
    unknown_changes: list[tuple[str, TimedObservation]] = field(default_factory=list)
    changed: bool = False

    def unexplained(self) -> Iterator[tuple[str, str, TimedObservation]]:
        """Yield dataset, class and statement of each V2 change that is not resolved."""
        return ((self.dataset, *change) for change in (*self.unknown_changes, *self.unresolved_changes))

    def begin(self, seen: TimedObservation) -> Version:
        """Begin the version that an observation makes, once; its columns are still those of the version before."""
        self.changed = True
        if self.last is not None and self.last.since is seen and self.last.until is None:
            return self.last
        number = self.last.number + 1 if self.last else 1
        if self.last is not None:
            self.end(seen.at)
            self.ended.append(self.last)
        self.last = Version(number, seen)
        return self.last

    def end(self, at: datetime) -> None:
        """End the valid version, if there is one."""
        if self.last is not None and self.last.until is None:
            self.last.until = at
            self.last.columns = self.columns.copy()

    def undo(self) -> Version | None:
        """Remove the newest version; the one before it is valid again."""
        undone, self.last = self.last, self.ended.pop() if self.ended else None
        if self.last is not None:
            self.columns = (self.last.columns or Columns()).copy()
            self.last.until = self.last.columns = None
        else:
            self.columns = Columns()
        return undone

    def record(  # noqa: PLR0913 - the fields of a change
        self,
        seen: TimedObservation,
        change: str,
        column: str | None = None,
        values: tuple[str | None, str | None] = (None, None),
        *,
        nature: str | None = None,
        inferred: bool = False,
    ) -> None:
        """Record a change; to be called before the columns are changed."""
        cause, resolution = self._cause(seen, change)
        version = self.begin(cause)
        version.changes.append(
            SchemaChange(
                dataset=self.dataset,
                version=version.number,
                changed_at=version.since.at,
                change=change,
                column_name=column,
                old_value=values[0],
                new_value=values[1],
                nature=nature,
                evidence=str(Evidence.ALTER if resolution else seen.shown.evidence),
                confidence=str(Confidence.INFERRED if inferred or resolution else Confidence.EXACT),
                run=cause.run,
                job_name=cause.job_name,
                detail=resolution or seen.shown.detail,
            )
        )

    def combine_readded(self, seen: TimedObservation) -> None:
        """Combine the drop and the addition of a column in one statement: `REPLACE COLUMNS` does both to all."""
        version = self.last
        if version is None or version.since is not seen:
            return
        readded = list(_readded(version.changes))
        for old, new in readded:
            gone = {id(old), id(new)}
            version.changes = [each for each in version.changes if id(each) not in gone]
            before, after = old.old_value, new.new_value
            if before and after not in (before, None, ""):
                self.record(seen, "type_changed", new.column_name, (before, after), nature=nature(before, after))
        if readded and not version.changes:
            self.undo()

    def record_end(self, seen: TimedObservation, change: str) -> None:
        """Record that the table ends with the valid version."""
        version = self.last or self.begin(seen)
        version.changes.append(
            SchemaChange(
                dataset=self.dataset,
                version=version.number,
                changed_at=seen.at,
                change=change,
                evidence=str(seen.shown.evidence),
                confidence=str(Confidence.EXACT),
                run=seen.run,
                job_name=seen.job_name,
                detail=seen.shown.detail,
            )
        )

    def _cause(self, seen: TimedObservation, change: str) -> tuple[TimedObservation, str]:
        """Return the statement that made a change, and how it was resolved; empty if the statement shows it itself.

        A V2 `ALTER TABLE` before `seen` may have made a change of this kind whose hash code was not resolved.
        """
        for index, (kind, altered) in enumerate(self.unresolved_changes):
            if kind == _CLASSES.get(change):
                del self.unresolved_changes[index]
                late = self.last is not None and altered.at < self.last.since.at
                return (seen if late else altered), f"{altered.shown.detail}; resolved by {seen.shown.evidence}"
        return seen, ""

    def all(self) -> list[Version]:
        """Return all versions, the newest one last."""
        return [*self.ended, *([self.last] if self.last else [])]

    def changes(self) -> Iterator[SchemaChange]:
        """Yield the changes in order; the type of a new column that only a later statement shows is filled in."""
        for version in self.all():
            columns = version.columns if version.columns is not None else self.columns
            for change in version.changes:
                added = change.change == "column_added" and change.new_value is None
                column = columns.known.get((change.column_name or "").lower()) if added else None
                yield replace(change, new_value=columns.full_type(column) or None) if column else change

    def rows(self) -> Iterator[VersionColumn]:
        """Yield the columns of all versions in order."""
        for version in self.all():
            columns = version.columns if version.columns is not None else self.columns
            for ordinal, column in enumerate(columns.known.values(), 1):
                yield VersionColumn(
                    dataset=self.dataset,
                    version=version.number,
                    column_name=column.name,
                    ordinal=ordinal,
                    data_type=columns.full_type(column),
                    valid_from=version.since.at,
                    valid_to=version.until,
                    evidence=column.evidence,
                )


DEFINED = frozenset({Evidence.CREATE, Evidence.REPLACE, Evidence.ALTER, Evidence.RENAME})
"""Definitions: they print whole structs, and their types are those of the table."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Names and types of columns that hash codes may represent.

    Attributes:
        names: Columns that any statement names at any time, nested fields dotted.
        types: Catalog strings.
        schemas: The schemas in the table's own metadata, in the order in which it had them.
    """

    names: tuple[str, ...]
    types: tuple[str, ...]
    comments: tuple[str, ...] = ()
    schemas: tuple[TableSchema, ...] = ()


@dataclass(slots=True, eq=False)
class TableState:
    """One table.

    Attributes:
        vocabulary: The names that its columns and types have at any time.
        gone: What dropped or renamed it; None while it exists.
        created: What created it, if that was observed.
        ordered: The columns are in the table's own order.
        writers: Job to the columns with which it overwrote the table.
        has_conflict: Several jobs overwrite it, each with a column list of its own.
        last_overwrite: The last overwrite; `untyped` are the columns whose types it does not show.
        unplaced: Keys of columns that statements show outside complete lists: their positions are unknown.
        short_lived: The column lists of tables of this name that one application created and dropped.
        undone_since: The newest observation takes back all that was recorded since this one.
    """

    versions: Versions
    vocabulary: Vocabulary
    gone: TimedObservation | None = None
    created: TimedObservation | None = None
    ordered: bool = False
    writers: dict[str, Listing] = field(default_factory=dict)
    last_writer: str = ""
    has_conflict: bool = False
    last_overwrite: TimedObservation | None = None
    untyped: set[str] = field(default_factory=set)
    unplaced: set[str] = field(default_factory=set)
    short_lived: set[Listing] = field(default_factory=set)
    undone_since: TimedObservation | None = None

    @property
    def columns(self) -> Columns:
        """The columns that are known now."""
        return self.versions.columns

    @property
    def is_new(self) -> bool:
        """Whether nothing is known of the table so far."""
        return self.versions.last is None

    def listing(self) -> Listing:
        """Return the table's own columns with their types."""
        return tuple((column.key, column.type.text) for column in self.columns.children(""))

    def leave(self, seen: TimedObservation, change: str) -> None:
        """End the table; a table like one that the same application created and dropped before leaves no trace."""
        last = self.versions.last
        listing = self.listing()
        brief = self.created is not None and self.created.application == seen.application
        if brief and last is not None and last.since is self.created:
            if listing in self.short_lived:
                self.undone_since = last.since
                until = self.versions.ended[-1].until if self.versions.ended else None
                self.versions.undo()
                self.versions.end(until or last.since.at)
                self.gone = seen
                return
            self.short_lived.add(listing)
        if change == "table_dropped" and last is not None:
            self.versions.record_end(seen, change)
        self.versions.end(seen.at)
        self.versions.changed = True
        self.gone = seen

    def take_over(self, other: TableState, seen: TimedObservation) -> None:
        """Continue another table, which has this one's name from now on."""
        self.gone = None
        name = self.versions.dataset
        self.versions.begin(seen)
        self.versions.columns = other.columns.copy()
        self.versions.unresolved_changes = list(other.versions.unresolved_changes)
        self.versions.record(seen, "table_renamed", None, (other.versions.dataset, name))
        self.created, self.ordered = other.created, other.ordered
        self.writers, self.last_writer, self.has_conflict = dict(other.writers), other.last_writer, other.has_conflict
        self.last_overwrite, self.untyped = other.last_overwrite, set(other.untyped)
        self.unplaced = set(other.unplaced)

    def reopen(self) -> None:
        """Take back the end of the table: the application that dropped it created it again."""
        last = self.versions.last
        if last is not None:
            last.changes = [each for each in last.changes if each.change != "table_dropped"]
            last.until = last.columns = None
        self.gone = None

    def start_over(self) -> None:
        """Forget the columns and writers of a table that was dropped: a new one has its name."""
        self.versions.columns = Columns()
        self.writers, self.has_conflict, self.untyped, self.ordered = {}, False, set(), False
        self.unplaced = set()

    def drop_column(self, seen: TimedObservation, column: KnownColumn) -> None:
        """Record that a column is dropped, with its fields."""
        values = (self.columns.full_type(column) or None, None)
        self.versions.record(seen, "column_dropped", column.name, values)
        self.columns.drop(column.key)

    def retype(self, seen: TimedObservation, known: KnownColumn, column: SchemaColumn) -> None:
        """Record another type of a column: since the last overwrite, if that does not show the column's type."""
        cause = seen
        last = self.versions.last
        overwrite = self.last_overwrite if known.key in self.untyped else None
        if overwrite is not None and last is not None and overwrite.at >= last.since.at:
            cause = seen if seen.shown.evidence in DEFINED else overwrite
        old = self.columns.full_type(known)
        new = printed_type(seen, column) or column.data_type
        self.versions.record(
            cause, "type_changed", known.name, (old, new), nature=nature(old, new), inferred=cause is not seen
        )
        if INNER in known.type.text and INNER not in column.data_type:
            for child in self.columns.children(known.key):
                self.columns.drop(child.key)
        self.columns.known[known.key] = KnownColumn(
            known.name, DataType(column.data_type), str(seen.shown.evidence), known.derivation
        )
        self.untyped.discard(known.key)


def printed_type(seen: TimedObservation, column: SchemaColumn) -> str | None:
    """Return the whole type of a column as a statement shows it; None if it shows none.

    Args:
        column: The column, of whose type `expanded` may have taken the fields out.
    """
    whole = next((each.data_type for each in seen.shown.columns if each.name == column.name), "")
    return whole or column.data_type or None


def _readded(changes: Iterable[SchemaChange]) -> Iterator[tuple[SchemaChange, SchemaChange]]:
    """Yield the drop and the addition of each column that has both."""
    kinds: dict[str, dict[str, SchemaChange]] = {"column_dropped": {}, "column_added": {}}
    for each in changes:
        kinds.get(each.change, {})[(each.column_name or "").lower()] = each
    dropped, added = kinds.values()
    yield from ((dropped[key], new) for key, new in added.items() if key in dropped)
