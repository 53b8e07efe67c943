"""The state of one table's schema: its columns and versions, and the changes that observations make to them."""

from __future__ import annotations

from dataclasses import dataclass, field

from eventlog_lineage.observed_schemas import Evidence, SchemaColumn, TableSchema

from .columns import INNER, Columns, DataType, KnownColumn, Listing
from .observations import TimedObservation
from .type_widening import nature
from .version_list import Versions

DEFINED = frozenset({Evidence.CREATE, Evidence.REPLACE, Evidence.ALTER, Evidence.RENAME})
"""Definitions: they print whole structs, and their types are those of the table."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Names and types of columns that hash codes may represent.

    Attributes:
        names: Columns that any statement names at any time, nested fields dotted.
        types: Catalog strings.
        comments: Comments that columns may have.
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
        versions: Its versions so far.
        vocabulary: The names that its columns and types have at any time.
        gone: What dropped or renamed it; None while it exists.
        created: What created it, if that was observed.
        ordered: The columns are in the table's own order.
        writers: Job to the columns with which it overwrote the table.
        last_writer: The last such job.
        has_conflict: Several jobs overwrite it, each with a column list of its own.
        last_overwrite: The last overwrite; `untyped` are the columns whose types it does not show.
        untyped: Keys of columns.
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
        """End the table; a table like one that the same application created and dropped before leaves no trace.

        Args:
            seen: What drops or renames it.
            change: `table_dropped` or `table_renamed`.
        """
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
        """Continue another table, which has this one's name from now on.

        Args:
            other: The table by its old name.
            seen: What renames it.
        """
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
        """Record that a column is dropped, with its fields.

        Args:
            seen: What shows it.
            column: The column.
        """
        values = (self.columns.full_type(column) or None, None)
        self.versions.record(seen, "column_dropped", column.name, values)
        self.columns.drop(column.key)

    def retype(self, seen: TimedObservation, known: KnownColumn, column: SchemaColumn) -> None:
        """Record another type of a column: since the last overwrite, if that does not show the column's type.

        Args:
            seen: What shows the type.
            known: The column as it was known.
            column: The column with its new type.
        """
        cause = seen
        last = self.versions.last
        overwrite = self.last_overwrite if known.key in self.untyped else None
        if overwrite is not None and last is not None and overwrite.at >= last.since.at:
            cause = seen if seen.shown.evidence in DEFINED else overwrite
        old = self.columns.full_type(known)
        new = printed_type(seen, column) or column.data_type
        self.versions.record(
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
            known.name, DataType(column.data_type), str(seen.shown.evidence), known.derivation
        )
        self.untyped.discard(known.key)


def printed_type(seen: TimedObservation, column: SchemaColumn) -> str | None:
    """Return the whole type of a column as a statement shows it; None if it shows none.

    Args:
        seen: The statement.
        column: The column, of whose type `expanded` may have taken the fields out.
    """
    whole = next((each.data_type for each in seen.shown.columns if each.name == column.name), "")
    return whole or column.data_type or None
