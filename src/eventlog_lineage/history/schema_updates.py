"""Apply observations to the state of a table, one after another."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from eventlog_lineage.observed_schemas import (
    AllColumns,
    ColumnsAdded,
    ColumnsRetyped,
    Evidence,
    HashedChanges,
    SchemaColumn,
    SomeColumns,
    TableCreated,
    TableDropped,
    TableRenamed,
)

from .column_matching import moved_columns, renamed_columns
from .columns import INNER, Columns, expanded, known_column, same_type
from .conflicts import is_conflict
from .hashed_changes import apply_hashed_change
from .metadata_schemas import resolve_by_schemas
from .observations import TimedObservation
from .table_state import DEFINED, TableState, printed_type
from .unnamed_columns import follow_unnamed, may_be_renamed

_WRITES = frozenset({Evidence.OVERWRITE, Evidence.REPLACE, Evidence.CREATE})
_DECLARED = frozenset({Evidence.CREATE, Evidence.REPLACE})
_SEEN = frozenset({Evidence.READ, Evidence.RELATION})


def observe(table: TableState, seen: TimedObservation) -> None:
    """Apply what a statement shows of a table; the rename of a table concerns two tables and is not for here.

    Args:
        table: The table's state, which is changed.
        seen: The statement.

    Raises:
        TypeError: The statement renames a table.
    """
    shown = seen.shown
    if isinstance(shown, TableRenamed):
        raise TypeError("a rename concerns two tables")
    if isinstance(shown, TableDropped):
        if not table.is_new and table.gone is None:
            table.leave(seen, "table_dropped")
        return
    if isinstance(shown, TableCreated) and shown.if_not_exists and not table.is_new and table.gone is None:
        return
    if table.is_new or table.gone is not None:
        _appear(table, seen)
    match shown:
        case AllColumns() | TableCreated(is_complete=True):
            _take_all(table, seen, shown)
        case SomeColumns() | TableCreated(columns=(_, *_)):
            _take_some(table, seen, shown.columns, report_added="" in table.columns.complete)
        case ColumnsAdded():
            _take_some(table, seen, shown.columns, report_added=True)
        case ColumnsRetyped():
            _take_types(table, seen, list(expanded(shown.columns)))
        case HashedChanges():
            for change in shown.changes:
                apply_hashed_change(table, seen, change)
            table.versions.combine_readded(seen)
            resolve_by_schemas(table, seen)


def _appear(table: TableState, seen: TimedObservation) -> None:
    """Begin a version for a table that is observed for the first time, or again after it was dropped.

    Args:
        table: The table's state; updated.
        seen: The observation.
    """
    declared = seen.shown.evidence in _DECLARED
    if table.gone is not None and table.gone.application == seen.application and declared:
        table.undone_since = table.gone
        table.reopen()
        return
    was_gone, table.gone = table.gone is not None, None
    if was_gone:
        table.start_over()
    table.versions.unknown_changes += table.versions.unresolved_changes
    table.versions.unresolved_changes = []
    table.versions.begin(seen)
    if declared or was_gone:
        table.created = seen
        created = isinstance(seen.shown, TableCreated) and not seen.shown.replaces and not seen.shown.if_not_exists
        table.versions.record(seen, "table_created", inferred=not created)


# -- complete lists of columns


def _take_all(table: TableState, seen: TimedObservation, shown: AllColumns | TableCreated) -> None:
    writes = shown.evidence in _WRITES
    listed = tuple((column.name.lower(), column.data_type) for column in shown.columns)
    if shown.evidence is Evidence.RELATION and _is_earlier_version(table, shown.columns):
        return
    if writes and is_conflict(table, seen, shown, listed):
        return
    before = table.versions.last
    first = "" not in table.columns.complete
    known = set(table.columns.known)
    _compare(table, seen, shown.columns, report_added=not first)
    if first:
        table.versions.changed = True
        table.columns.complete.add("")
    if shown.ordered:
        fresh = (table.columns.known.keys() - known) | table.unplaced
        _take_order(table, seen, [column.name.lower() for column in shown.columns], fresh)
    replaced = shown.evidence in _DECLARED and before is not None and table.versions.last is not before
    if replaced:
        table.versions.record(seen, "table_replaced")
    if writes:
        if table.writers.get(seen.job_name) != listed:
            table.versions.changed = True  # the writers decide whether a later list is a conflict
        table.writers[seen.job_name] = listed
        table.last_writer = seen.job_name
        table.last_overwrite = seen
        table.untyped = {column.name.lower() for column in shown.columns if not column.data_type}


def _compare(table: TableState, seen: TimedObservation, listed: Sequence[SchemaColumn], *, report_added: bool) -> None:
    """Bring the columns to those of a complete list; new columns are changes only if all were known before.

    Args:
        table: The table's state; updated.
        seen: The observation.
        listed: The columns that it lists.
        report_added: Whether new columns are changes.
    """
    follow_unnamed(table, seen, listed)
    keys = {column.name.lower() for column in listed}
    gone = [column for column in table.columns.children("") if column.key not in keys]
    if table.writers:
        # only readers named these after a write: the files never had them, and they were no `column_added`
        for column in (each for each in gone if each.type.from_reader and each.evidence == Evidence.READ):
            table.columns.drop(column.key)
    dropped = [column for column in gone if column.key in table.columns.known]
    added = [column for column in listed if column.name.lower() not in table.columns.known]
    for old, new in renamed_columns(dropped, added):
        table.versions.record(seen, "column_renamed", new.name, (old.name, new.name), inferred=True)
        table.columns.rename(old.key, new.name)
        dropped.remove(old)
        added.remove(new)
    for column in dropped:
        table.drop_column(seen, column)
    fields = list(expanded(listed))
    _take_columns(table, seen, fields, report_added=report_added)
    for written in listed:
        known = table.columns.known[written.name.lower()]
        known.derivation = written.derivation or known.derivation
    _take_fields(table, seen, fields)


def _take_fields(table: TableState, seen: TimedObservation, fields: Iterable[SchemaColumn]) -> None:
    """Drop the fields that a definition lacks: it prints whole structs.

    Args:
        table: The table's state; updated.
        seen: The observation.
        fields: The names of its columns and their fields.
    """
    if seen.shown.evidence not in DEFINED:
        return
    listed = list(fields)
    keys = {column.name.lower() for column in listed}
    for column in listed:
        if INNER not in column.data_type:
            continue
        parent = column.name.lower()
        for child in table.columns.children(parent):
            if child.key not in keys:
                table.drop_column(seen, child)
        table.columns.complete.add(parent)


def _take_order(table: TableState, seen: TimedObservation, keys: list[str], fresh: Collection[str]) -> None:
    """Take the order of a complete list; a column that came with it has not moved.

    Args:
        table: The table's state; updated.
        seen: The observation.
        keys: Its columns, in order.
        fresh: The columns that it added.
    """
    old = [column.key for column in table.columns.children("")]
    if old != keys and table.ordered:
        for key in moved_columns([key for key in old if key not in fresh], keys):
            positions = (str(old.index(key) + 1), str(keys.index(key) + 1))
            table.versions.record(seen, "column_moved", table.columns.known[key].name, positions)
    if old != keys or not table.ordered:
        table.versions.changed = True
        table.columns.order(keys)
    table.ordered = True
    table.unplaced.clear()


# -- some columns


def _take_some(
    table: TableState, seen: TimedObservation, columns: Iterable[SchemaColumn], *, report_added: bool
) -> None:
    if table.has_conflict and seen.shown.evidence not in DEFINED:
        return
    listed = list(expanded(columns))
    if seen.shown.evidence is Evidence.READ and _is_of_earlier_version(table, listed):
        return
    before = set(table.columns.known)
    # such a reader names the columns, too: `value` of the lines of a CSV file, from which it infers the types
    is_named_by_reader = bool(table.writers) and _has_types_by_reader(seen)
    _take_columns(table, seen, listed, report_added=report_added and not is_named_by_reader)
    table.unplaced |= table.columns.known.keys() - before


def _is_of_earlier_version(table: TableState, columns: Sequence[SchemaColumn]) -> bool:
    """Return whether a read fits an earlier version and not the valid one, which a statement made: an old snapshot.

    Args:
        table: The table's state.
        columns: The columns that are read.
    """
    last = table.versions.last
    if last is None or last.since.shown.evidence is Evidence.READ or _fits(table.versions.columns, columns):
        return False
    return any(version.columns is not None and _fits(version.columns, columns) for version in table.versions.ended)


def _is_earlier_version(table: TableState, columns: Sequence[SchemaColumn]) -> bool:
    """Return whether a relation lists all columns of an earlier version, and the valid one is a statement's.

    The plan of a view over `VERSION AS OF` prints them. Whoever restores that version writes it, too.

    Args:
        table: The table's state.
        columns: All columns of the relation.
    """
    last = table.versions.last
    keys = {column.name.lower() for column in columns}
    if last is None or last.since.shown.evidence in _SEEN or _names(table.versions.columns) == keys:
        return False
    return any(version.columns is not None and _names(version.columns) == keys for version in table.versions.ended)


def _names(known: Columns) -> set[str]:
    """Return the names of the columns of a version, without their fields, in lower case."""
    return {column.key for column in known.children("")}


def _fits(known: Columns, columns: Iterable[SchemaColumn]) -> bool:
    """Return whether a version has all the columns, with their types as far as they are known.

    Args:
        known: The columns of a version.
        columns: The columns that are read.
    """
    for column in columns:
        found = known.known.get(column.name.lower())
        if found is None:
            return False
        if column.data_type and found.type.text and not same_type(found.type.text, column.data_type):
            return False
    return True


def _take_columns(
    table: TableState, seen: TimedObservation, columns: Sequence[SchemaColumn], *, report_added: bool
) -> None:
    """Add the columns that are new, and compare the types of the others.

    Args:
        table: The table's state; updated.
        seen: The observation.
        columns: Its columns.
        report_added: Whether new columns are changes.
    """
    follow_unnamed(table, seen, columns)
    added: list[str] = []
    for column in columns:
        key = column.name.lower()
        if key in table.columns.known:
            continue
        parent = key.rpartition(".")[0]
        within_added = any(key.startswith(f"{each}.") for each in added)
        added.append(key)
        is_change = parent in table.columns.complete if parent else report_added
        is_unclear = not parent and may_be_renamed(table)
        if not is_unclear and ((not within_added and is_change) or _expects(table, parent)):
            table.versions.record(seen, "column_added", column.name, (None, printed_type(seen, column)))
        if table.is_new:
            table.versions.begin(seen)
        table.versions.changed = True
        table.columns.add(known_column(column, str(seen.shown.evidence), from_reader=_has_types_by_reader(seen)))
        if parent not in table.columns.complete and seen.shown.evidence in DEFINED and INNER in column.data_type:
            table.columns.complete.add(key)
    _take_types(table, seen, columns)


def _expects(table: TableState, parent: str) -> bool:
    """Return whether a definition added a column whose hash code was not resolved.

    Args:
        table: The table's state.
        parent: The struct that the column is in; empty for none.
    """
    return not parent and any(kind == "AddColumn" for kind, _ in table.versions.unresolved_changes)


def _has_types_by_reader(seen: TimedObservation) -> bool:
    return isinstance(seen.shown, SomeColumns) and seen.shown.types_by_reader


def _take_types(table: TableState, seen: TimedObservation, columns: Iterable[SchemaColumn]) -> None:
    from_reader = _has_types_by_reader(seen)
    for column in columns:
        known = table.columns.known.get(column.name.lower())
        if known is None or not column.data_type:
            continue
        if not known.type.text or (known.type.from_reader and not from_reader):
            if known.type.text != column.data_type:
                table.versions.changed = True
                known.type.text = column.data_type
            known.type.from_reader = from_reader
        elif from_reader or same_type(known.type.text, column.data_type):
            table.untyped.discard(known.key)
        elif not table.has_conflict:
            table.retype(seen, known, column)
