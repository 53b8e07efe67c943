"""One table's schema, as observation after observation shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from eventlog_lineage.model import READER, Evidence, Extent, SchemaColumn

from .column_matching import moved_columns, renamed_columns
from .columns import INNER, Columns, DataType, KnownColumn, Listing, expanded, known_column, same_type
from .conflicts import is_disputed
from .hashed_changes import take_code
from .observations import Observation
from .table_change_hashes import Vocabulary
from .type_widening import nature
from .version_list import Versions

_WRITES = frozenset({Evidence.OVERWRITE, Evidence.REPLACE, Evidence.CREATE})
_DECLARED = frozenset({Evidence.CREATE, Evidence.REPLACE})
_DEFINED = frozenset({Evidence.CREATE, Evidence.REPLACE, Evidence.ALTER, Evidence.RENAME})


@dataclass(slots=True, eq=False)
class Table:
    """One table.

    Attributes:
        versions: Its versions so far.
        vocabulary: What its columns and types are called at any time.
        gone: What dropped it, or gave it another name; None while it is there.
        created: What made it, if that was seen.
        ordered: The columns are in the table's own order.
        writers: Job to the columns that it overwrote the table with.
        last_writer: The job that did so last.
        disputed: Several jobs overwrite it, each with columns of its own.
        rewritten: The last overwrite; `unsure` are the columns whose types it does not say.
        lives: What the table was in lives that one application began and ended.
        undone: The newest observation takes back what was told since this one.
    """

    versions: Versions
    vocabulary: Vocabulary
    gone: Observation | None = None
    created: Observation | None = None
    ordered: bool = False
    writers: dict[str, Listing] = field(default_factory=dict)
    last_writer: str = ""
    disputed: bool = False
    rewritten: Observation | None = None
    unsure: set[str] = field(default_factory=set)
    lives: set[Listing] = field(default_factory=set)
    undone: Observation | None = None

    @property
    def columns(self) -> Columns:
        """The columns that are known now."""
        return self.versions.columns

    @property
    def is_new(self) -> bool:
        """Is nothing known of it so far?"""
        return self.versions.last is None

    def observe(self, seen: Observation) -> None:
        """Take what an observation shows; table renames concern two tables and are not for here."""
        sign = seen.sign
        if sign.extent is Extent.DROPPED:
            if not self.is_new and self.gone is None:
                self.leave(seen, "table_dropped")
            return
        if sign.evidence in _DECLARED and "if not exists" in sign.words and not self.is_new and self.gone is None:
            return
        if self.is_new or self.gone is not None:
            self._appear(seen)
        if sign.extent is Extent.ALL:
            self._take_all(seen)
        elif sign.extent is Extent.CODES:
            for word in sign.words:
                take_code(self, seen, word)
            self.versions.settle(seen)
        elif sign.extent is Extent.ADDED:
            self._take_some(seen, told=True)
        elif sign.extent is Extent.RETYPED:
            self._take_types(seen, list(expanded(sign.columns)))
        elif sign.extent is Extent.SOME:
            self._take_some(seen, told="" in self.columns.whole)

    def leave(self, seen: Observation, change: str) -> None:
        """The table goes; a life like one before, within one application, is taken back."""
        last = self.versions.last
        listing = self.listing()
        brief = self.created is not None and self.created.application == seen.application
        if brief and last is not None and last.since is self.created:
            if listing in self.lives:
                self.undone = last.since
                until = self.versions.ended[-1].until if self.versions.ended else None
                self.versions.undo()
                self.versions.end(until or last.since.at)
                self.gone = seen
                return
            self.lives.add(listing)
        if change == "table_dropped" and last is not None:
            self.versions.tell_end(seen, change)
        self.versions.end(seen.at)
        self.versions.touched = True
        self.gone = seen

    def take_over(self, other: Table, seen: Observation) -> None:
        """Go on as another table that has this one's name from now on."""
        self.gone = None
        name = self.versions.dataset
        self.versions.begin(seen)
        self.versions.columns = other.columns.copy()
        self.versions.open_changes = list(other.versions.open_changes)
        self.versions.tell(seen, "table_renamed", None, (other.versions.dataset, name))
        self.created, self.ordered = other.created, other.ordered
        self.writers, self.last_writer, self.disputed = dict(other.writers), other.last_writer, other.disputed
        self.rewritten, self.unsure = other.rewritten, set(other.unsure)

    def reopen(self) -> None:
        """Take it back that the table went: the same application made it again."""
        last = self.versions.last
        if last is not None:
            last.changes = [each for each in last.changes if each.change != "table_dropped"]
            last.until = last.columns = None
        self.gone = None

    def listing(self) -> Listing:
        """The table's own columns with their types."""
        return tuple((column.key, column.type.text) for column in self.columns.children(""))

    def _appear(self, seen: Observation) -> None:
        """The table is there, again or for the first time."""
        if self.gone is not None and self.gone.application == seen.application and seen.sign.evidence in _DECLARED:
            self.undone = self.gone
            self.reopen()
            return
        was_gone, self.gone = self.gone is not None, None
        if was_gone:
            self.versions.columns = Columns()
            self.writers, self.disputed, self.unsure, self.ordered = {}, False, set(), False
        self.versions.open_changes.clear()
        self.versions.begin(seen)
        declared = seen.sign.evidence in _DECLARED
        if declared or was_gone:
            self.created = seen
            certain = seen.sign.evidence is Evidence.CREATE and not seen.sign.words
            self.versions.tell(seen, "table_created", inferred=not certain)

    # -- lists of all columns

    def _take_all(self, seen: Observation) -> None:
        sign = seen.sign
        writes = sign.evidence in _WRITES
        listed = tuple((column.name.lower(), column.data_type) for column in sign.columns)
        if writes and is_disputed(self, seen, listed):
            return
        before = self.versions.last
        fresh = "" not in self.columns.whole
        self._compare(seen, told=not fresh)
        if fresh:
            self.versions.touched = True
            self.columns.whole.add("")
        if sign.ordered:
            self._take_order(seen, [column.name.lower() for column in sign.columns])
        replaced = sign.evidence in _DECLARED and before is not None and self.versions.last is not before
        if replaced:
            self.versions.tell(seen, "table_replaced")
        if writes:
            if self.writers.get(seen.job_name) != listed:
                self.versions.touched = True  # who writes what decides whether a later list is disputed
            self.writers[seen.job_name] = listed
            self.last_writer = seen.job_name
            self.rewritten = seen
            self.unsure = {column.name.lower() for column in sign.columns if not column.data_type}

    def _compare(self, seen: Observation, *, told: bool) -> None:
        """Bring the columns to those of a whole list; columns that were not known before are news only if `told`."""
        listed = list(seen.sign.columns)
        keys = {column.name.lower() for column in listed}
        top = self.columns.children("")
        went = [column for column in top if column.key not in keys]
        came = [column for column in listed if column.name.lower() not in self.columns.known]
        for old, new in renamed_columns(went, came):
            self.versions.tell(seen, "column_renamed", new.name, (old.name, new.name), inferred=True)
            self.columns.rename(old.key, new.name)
            went.remove(old)
            came.remove(new)
        for column in went:
            self.versions.tell(seen, "column_dropped", column.name, (self.columns.full_type(column) or None, None))
            self.columns.drop(column.key)
        fields = list(expanded(listed))
        self._take_columns(seen, fields, told=told)
        for made in listed:
            known = self.columns.known[made.name.lower()]
            known.derivation = made.derivation or known.derivation
        self._take_fields(seen, fields)

    def _take_fields(self, seen: Observation, fields: Sequence[SchemaColumn]) -> None:
        """A definition prints whole structs: fields that it lacks are gone."""
        if seen.sign.evidence not in _DEFINED:
            return
        keys = {column.name.lower() for column in fields}
        for column in fields:
            if INNER not in column.data_type:
                continue
            parent = column.name.lower()
            for child in self.columns.children(parent):
                if child.key not in keys:
                    self.versions.tell(
                        seen, "column_dropped", child.name, (self.columns.full_type(child) or None, None)
                    )
                    self.columns.drop(child.key)
            self.columns.whole.add(parent)

    def _take_order(self, seen: Observation, keys: list[str]) -> None:
        old = [column.key for column in self.columns.children("")]
        if old != keys and self.ordered:
            for key in moved_columns(old, keys):
                places = (str(old.index(key) + 1), str(keys.index(key) + 1))
                self.versions.tell(seen, "column_moved", self.columns.known[key].name, places)
        if old != keys or not self.ordered:
            self.versions.touched = True
            self.columns.order(keys)
        self.ordered = True

    # -- some columns

    def _take_some(self, seen: Observation, *, told: bool) -> None:
        if self.disputed and seen.sign.evidence not in _DEFINED:
            return
        self._take_columns(seen, list(expanded(seen.sign.columns)), told=told)

    def _take_columns(self, seen: Observation, columns: Sequence[SchemaColumn], *, told: bool) -> None:
        """Columns that are there: new ones come, known ones may have another type."""
        came: list[str] = []
        for column in columns:
            key = column.name.lower()
            if key in self.columns.known:
                continue
            parent = key.rpartition(".")[0]
            inner = any(key.startswith(f"{each}.") for each in came)
            came.append(key)
            if (not inner and (told if not parent else parent in self.columns.whole)) or self._expects(parent):
                self.versions.tell(seen, "column_added", column.name, (None, _printed(seen, column)))
            if self.is_new:
                self.versions.begin(seen)
            self.versions.touched = True
            self.columns.add(known_column(column, str(seen.sign.evidence), loose=READER in seen.sign.words))
            if parent not in self.columns.whole and seen.sign.evidence in _DEFINED and INNER in column.data_type:
                self.columns.whole.add(key)
        self._take_types(seen, columns)

    def _expects(self, parent: str) -> bool:
        """Did a definition add a column that could not be told?"""
        return not parent and any(kind == "AddColumn" for kind, _ in self.versions.open_changes)

    # -- types

    def _take_types(self, seen: Observation, columns: Sequence[SchemaColumn]) -> None:
        for column in columns:
            known = self.columns.known.get(column.name.lower())
            if known is None or not column.data_type:
                continue
            loose = READER in seen.sign.words
            if not known.type.text or (known.type.loose and not loose):
                if known.type.text != column.data_type:
                    self.versions.touched = True
                    known.type.text = column.data_type
                known.type.loose = loose
            elif loose or same_type(known.type.text, column.data_type):
                self.unsure.discard(known.key)
            elif not self.disputed:
                self.retype(seen, known, column)

    def retype(self, seen: Observation, known: KnownColumn, column: SchemaColumn) -> None:
        """A type is another one: since the last overwrite, if that did not say its types."""
        cause = seen
        last = self.versions.last
        sure = known.key not in self.unsure or seen.sign.evidence in _DEFINED
        if not sure and self.rewritten is not None and last is not None and self.rewritten.at >= last.since.at:
            cause = self.rewritten
        old = self.columns.full_type(known)
        new = _printed(seen, column) or column.data_type
        self.versions.tell(
            cause,
            "type_changed",
            known.name,
            (old, new),
            nature=nature(old, new),
            inferred=cause is not seen,
        )
        if INNER in known.type.text and INNER not in column.data_type:
            for child in self.columns.children(known.key):
                self.columns.drop(child.key)
        self.columns.known[known.key] = KnownColumn(
            known.name, DataType(column.data_type), str(seen.sign.evidence), known.derivation
        )
        self.unsure.discard(known.key)


def _printed(seen: Observation, column: SchemaColumn) -> str | None:
    """A new column's whole type."""
    whole = next((each.data_type for each in seen.sign.columns if each.name == column.name), "")
    return whole or column.data_type or None
