"""The versions of one table's schema in the making."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from eventlog_lineage.model import Confidence, Evidence

from .columns import Columns
from .observations import Observation, SchemaChange, VersionColumn
from .type_widening import nature

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
        since: What began it.
        until: When it ended; None while it holds.
        columns: Its columns once it has ended; the table has those of the one that holds.
        changes: What is different from the one before.
    """

    number: int
    since: Observation
    until: datetime | None = None
    columns: Columns | None = None
    changes: list[SchemaChange] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Versions:
    """All versions of one table, the last of which holds, unless the table is gone.

    Attributes:
        dataset: The table.
        columns: The columns of the version that holds.
        ended: Versions that do not hold any more.
        last: The newest one.
        open_changes: (class, statement) of V2 changes whose codes no known name explains.
        touched: The newest observation has changed something.
    """

    dataset: str
    columns: Columns = field(default_factory=Columns)
    ended: list[Version] = field(default_factory=list)
    last: Version | None = None
    open_changes: list[tuple[str, Observation]] = field(default_factory=list)
    touched: bool = False

    def begin(self, seen: Observation) -> Version:
        """Begin the version that an observation makes, once; the columns are still those before it."""
        self.touched = True
        if self.last is not None and self.last.since is seen and self.last.until is None:
            return self.last
        number = self.last.number + 1 if self.last else 1
        if self.last is not None:
            self.end(seen.at)
            self.ended.append(self.last)
        self.last = Version(number, seen)
        return self.last

    def end(self, at: datetime) -> None:
        """End the version that holds, if one does."""
        if self.last is not None and self.last.until is None:
            self.last.until = at
            self.last.columns = self.columns.copy()

    def undo(self) -> Version | None:
        """Take the newest version back, as if it had never been; the one before it holds again."""
        undone, self.last = self.last, self.ended.pop() if self.ended else None
        if self.last is not None:
            self.columns = (self.last.columns or Columns()).copy()
            self.last.until = self.last.columns = None
        else:
            self.columns = Columns()
        return undone

    def tell(  # noqa: PLR0913 - what a change can say
        self,
        seen: Observation,
        change: str,
        column: str | None = None,
        values: tuple[str | None, str | None] = (None, None),
        *,
        nature: str | None = None,
        inferred: bool = False,
    ) -> None:
        """Write a change down; to be called before the columns are changed.

        Args:
            seen: What shows it.
            change: The kind of change.
            column: The column, by its new name.
            values: What was and what is.
            nature: How a type changed.
            inferred: It was not read from a definition.
        """
        cause, words = self._cause(seen, change)
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
                evidence=str(Evidence.ALTER if words else seen.sign.evidence),
                confidence=str(Confidence.INFERRED if inferred or words else Confidence.EXACT),
                run=cause.run,
                job_name=cause.job_name,
                detail=words or seen.sign.detail,
            )
        )

    def settle(self, seen: Observation) -> None:
        """Take together what one statement dropped and added again: `REPLACE COLUMNS` does so with all of them."""
        version = self.last
        if version is None or version.since is not seen:
            return
        dropped = {
            (each.column_name or "").lower(): each for each in version.changes if each.change == "column_dropped"
        }
        again = [
            (dropped[key], each)
            for each in version.changes
            if each.change == "column_added" and (key := (each.column_name or "").lower()) in dropped
        ]
        for old, new in again:
            version.changes = [each for each in version.changes if each is not old and each is not new]
            if old.old_value and new.new_value and old.old_value != new.new_value:
                values = (old.old_value, new.new_value)
                self.tell(seen, "type_changed", new.column_name, values, nature=nature(*values))
        if again and not version.changes:
            self.undo()

    def tell_end(self, seen: Observation, change: str) -> None:
        """Write down that the table ends with the version that holds."""
        version = self.last or self.begin(seen)
        told = (self.dataset, version.number, seen.at, change, None, None, None, None)
        words = (str(seen.sign.evidence), str(Confidence.EXACT), seen.run, seen.job_name, seen.sign.detail)
        version.changes.append(SchemaChange(*told, *words))

    def _cause(self, seen: Observation, change: str) -> tuple[Observation, str]:
        """What made a change: the definition before `seen` that said such a thing without saying of what."""
        for at, (kind, altered) in enumerate(self.open_changes):
            if kind == _CLASSES.get(change):
                del self.open_changes[at]
                late = self.last is not None and altered.at < self.last.since.at
                return (seen if late else altered), f"{altered.sign.detail}; told by {seen.sign.evidence}"
        return seen, ""

    def all(self) -> list[Version]:
        """Give all versions, the newest one last."""
        return [*self.ended, *([self.last] if self.last else [])]

    def changes(self) -> Iterator[SchemaChange]:
        """Give what changed, in order; types of new columns that only later statements tell are filled in."""
        for version in self.all():
            columns = version.columns if version.columns is not None else self.columns
            for change in version.changes:
                added = change.change == "column_added" and change.new_value is None
                column = columns.known.get((change.column_name or "").lower()) if added else None
                yield replace(change, new_value=columns.full_type(column) or None) if column else change

    def rows(self) -> Iterator[VersionColumn]:
        """Give the columns of all versions, in order."""
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
