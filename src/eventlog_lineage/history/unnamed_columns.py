"""Follow a column through a name that no statement of the log prints: `ADD COLUMN x`, then `RENAME COLUMN x TO y`.

The code of a `RenameColumn` to a known name contains the hash code of the old name. Another change with that code is
about the same column, although nothing shows how it was called.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from eventlog_lineage.observed_schemas import HashedChanges, SchemaColumn

from .columns import known_column
from .hashed_changes import added_types
from .observations import TimedObservation
from .table_change_hashes import facts_in_code, rename_code, renamed_from_code, text_hash
from .table_state import TableState

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
        seen: The statement that shows the columns.
        columns: The columns that it shows.
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
        seen: The statement that shows the column.
        column: The column.
        codes: The codes of the unresolved changes.
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
        table: The table's state.
        rename: The rename from the unknown name.
        old: The hash code of the unknown name.
        codes: The codes of the unresolved changes.
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
