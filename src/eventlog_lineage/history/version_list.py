"""The versions of one table's schema in the making."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from eventlog_lineage.model import Confidence
from eventlog_lineage.observed_schemas import Evidence

from .columns import Columns
from .observations import SchemaChange, TimedObservation, VersionColumn
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
        since: The observation that began it.
        until: When it ended; None while it is valid.
        columns: Its columns once it has ended; `Versions.columns` are those of the valid one.
        changes: The changes from the version before.
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
        dataset: The table.
        columns: The columns of the valid version.
        ended: Versions that are not valid any more.
        last: The newest one.
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
        """Record a change; to be called before the columns are changed.

        Args:
            seen: The observation that shows it.
            change: The kind of change, as in `schema_changes.change`.
            column: The column, by its new name.
            values: The old and the new value.
            nature: `widening`, `narrowing` or `other` for a type.
            inferred: It was not read from a definition.
        """
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
        dropped = {
            (each.column_name or "").lower(): each for each in version.changes if each.change == "column_dropped"
        }
        readded = [
            (dropped[key], each)
            for each in version.changes
            if each.change == "column_added" and (key := (each.column_name or "").lower()) in dropped
        ]
        for old, new in readded:
            version.changes = [each for each in version.changes if each is not old and each is not new]
            if old.old_value and new.new_value and old.old_value != new.new_value:
                values = (old.old_value, new.new_value)
                self.record(seen, "type_changed", new.column_name, values, nature=nature(*values))
        if readded and not version.changes:
            self.undo()

    def record_end(self, seen: TimedObservation, change: str) -> None:
        """Record that the table ends with the valid version.

        Args:
            seen: The observation that shows it.
            change: The kind of change, as in `schema_changes.change`.
        """
        version = self.last or self.begin(seen)
        version.changes.append(
            SchemaChange(
                dataset=self.dataset,
                version=version.number,
                changed_at=seen.at,
                change=change,
                column_name=None,
                old_value=None,
                new_value=None,
                nature=None,
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

        Args:
            seen: The observation.
            change: The change.
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
