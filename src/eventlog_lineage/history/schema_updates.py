"""Apply observations to the state of a table, one after another.

`FIRST` has another hash code in every JVM, and comments within a struct are part of the code of its type.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from datetime import datetime, timedelta, timezone
from operator import attrgetter, itemgetter

from eventlog_lineage.history.columns import (
    INNER,
    Columns,
    Listing,
    expanded,
    known_column,
    moved_columns,
    renamed_columns,
    same_type,
)
from eventlog_lineage.history.hashed_changes import (
    TableChange,
    apply_change,
    apply_hashed_change,
    follow_unnamed,
    may_be_renamed,
)
from eventlog_lineage.history.table_state import DEFINED, TableState, printed_type
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
    TableSchema,
)

from .columns import KnownColumn, TimedObservation


def is_conflict(table: TableState, seen: TimedObservation, shown: AllColumns | TableCreated, listed: Listing) -> bool:
    """Return whether a job repeats its own column list after another job wrote the table with other columns.

    The first such write records the conflict. From then on each job has its own list, and the table has all columns.
    """
    own = table.writers.get(seen.job_name)
    if table.has_conflict:
        if own != listed:
            _change_own_list(table, seen, shown, own, listed)
        return True
    current = tuple(key for key, _ in table.listing())
    names = tuple(key for key, _ in listed)
    if own != listed or sorted(names) == sorted(current) or table.last_writer in {"", seen.job_name}:
        return False
    _record_conflict(table, seen, listed)
    return True


def _record_conflict(table: TableState, seen: TimedObservation, listed: Listing) -> None:
    """Take back the change that the other job's first write looked like, and record a conflict since then."""
    other, start = table.last_writer, seen
    theirs = table.writers[other]
    last = table.versions.last
    if last is not None and table.versions.ended and last.since.job_name == other:
        columns = list(table.columns.known.values())
        start = last.since
        table.versions.undo()
    else:
        columns = []
    values = (_column_list(seen.job_name, listed), _column_list(other, theirs))
    table.versions.record(start, "schema_conflict", None, values)
    table.has_conflict = True
    own = [known_column(SchemaColumn(*each), str(Evidence.OVERWRITE)) for each in listed]
    for each in (*columns, *own):
        if each.key not in table.columns.known:
            table.columns.add(each)


def _change_own_list(
    table: TableState, seen: TimedObservation, shown: AllColumns | TableCreated, own: Listing | None, listed: Listing
) -> None:
    """Record that one of several writers changes its columns; the conflict ends where all lists are equal.

    Args:
        own: The columns that the same job listed before; None for its first list.
    """
    table.versions.changed = True
    table.writers[seen.job_name] = listed
    before = dict(own or ())
    reports = own is not None
    for column in shown.columns:
        key = column.name.lower()
        if reports and key not in before:
            table.versions.record(seen, "column_added", column.name, (None, column.data_type or None))
        if key not in table.columns.known:
            table.columns.add(known_column(column, str(shown.evidence)))
    _drop_own(table, seen, [key for key in before if key not in dict(listed)])
    names = {tuple(sorted(map(itemgetter(0), keys))) for keys in table.writers.values()}
    table.has_conflict = len(names) > 1


def _drop_own(table: TableState, seen: TimedObservation, keys: Collection[str]) -> None:
    """Record that a job leaves columns out, and drop those that no other job writes."""
    others = {key for job, listed in table.writers.items() if job != seen.job_name for key, _ in listed}
    for column in [table.columns.known[key] for key in keys if key in table.columns.known]:  # another list may lack it
        table.versions.record(seen, "column_dropped", column.name)
        if column.key not in others:
            table.columns.drop(column.key)


def _column_list(job: str, listed: Listing) -> str:
    return f"{job}: {', '.join(name for name, _ in listed)}"


_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_CLOCKS = timedelta(seconds=1)
"""A commit may have a time this much later than the end of its statement: some formats round, and clocks differ."""


def resolve_by_schemas(table: TableState, seen: TimedObservation) -> None:
    """Apply the changes that a statement left unresolved, if a stored schema differs from the table by just these."""
    unresolved = table.versions.unresolved_changes
    waiting = Counter(kind for kind, altered in unresolved if altered is seen)
    if not waiting or "" not in table.columns.complete:
        return
    found = _explaining(table, seen, waiting)
    if found:
        table.versions.unresolved_changes = [each for each in unresolved if each[1] is not seen]
    for change in found:
        apply_change(table, seen, change)


def _explaining(table: TableState, seen: TimedObservation, waiting: Counter[str]) -> list[TableChange]:
    """Return the differences from the first stored schema that has just the changes that wait; none if none has."""
    for schema in _candidates(table.vocabulary.schemas, seen):
        found = [change for change in _differences(table, schema) if change.kind in waiting]
        if Counter(map(attrgetter("kind"), found)) == waiting:
            return found
    return []


def _candidates(schemas: Sequence[TableSchema], seen: TimedObservation) -> Iterator[TableSchema]:
    """Yield the schema that the table had after a statement; all schemas in order where the format has no times."""
    yield from (schema for schema in schemas if schema.changed_at is None)
    found = ((_time(each.changed_at, seen.at), each) for each in schemas if each.changed_at is not None)
    timed = sorted(found, key=lambda each: each[0])
    yield from [schema for time, schema in timed if time <= seen.at][-1:]
    yield from (schema for time, schema in timed if seen.at < time <= seen.at + _CLOCKS)


def _time(milliseconds: int, like: datetime) -> datetime:
    """Return a time with a zone if another one has it."""
    time = _EPOCH + timedelta(milliseconds=milliseconds)
    return time if like.tzinfo else time.replace(tzinfo=None)


def _differences(table: TableState, schema: TableSchema) -> Iterator[TableChange]:
    """Yield the changes that lead from the table to a schema; dropped and renamed columns always have known codes."""
    listed = list(expanded(schema.columns))
    known = table.columns.known
    added: list[str] = []
    for index, column in enumerate(listed):
        key = column.name.lower()
        parent = key.rpartition(".")[0]
        if key in known:
            text = known[key].type.text
            if text and not same_type(text, column.data_type):
                yield TableChange("UpdateColumnType", known[key].name, column.data_type)
        elif parent in table.columns.complete and parent not in added:
            added.append(key)
            before = _sibling(listed[:index], parent)
            yield TableChange("AddColumn", column.name, _whole_type(schema, column), before, is_first=not before)
        elif parent in added:
            added.append(key)
    yield from _moves(table, [each.name.lower() for each in schema.columns])


def _whole_type(schema: TableSchema, column: SchemaColumn) -> str:
    """Return a column's type with the fields of its struct, which `expanded` lists as columns."""
    return next((each.data_type for each in schema.columns if each.name == column.name), column.data_type)


def _sibling(listed: Sequence[SchemaColumn], parent: str) -> str:
    """Return the last part of the name of the column before, in the same struct; empty if there is none."""
    names = (each.name for each in reversed(listed) if each.name.lower().rpartition(".")[0] == parent)
    return next(names, "").rpartition(".")[2]


def _moves(table: TableState, keys: Sequence[str]) -> Iterator[TableChange]:
    """Yield the moves of the table's own columns."""
    if not table.ordered:
        return
    old = [each.key for each in table.columns.children("") if each.key in keys]
    new = [key for key in keys if key in old]
    for key in _moved(old, new):
        at = new.index(key)
        yield TableChange("UpdateColumnPosition", table.columns.known[key].name, new[at - 1] if at else "")


def _moved(old: Sequence[str], new: Sequence[str]) -> Collection[str]:
    """Return the columns that moved: the first one alone, if the others kept their order."""
    rest = [key for key in old if key != new[0]] if new else []
    if new and old[0] != new[0] and rest == new[1:]:
        return new[:1]
    return moved_columns(old, new)


_WRITES = frozenset({Evidence.OVERWRITE, Evidence.REPLACE, Evidence.CREATE})
_DECLARED = frozenset({Evidence.CREATE, Evidence.REPLACE})
_SEEN = frozenset({Evidence.READ, Evidence.RELATION})


def observe(table: TableState, seen: TimedObservation) -> None:
    """Apply what a statement shows of a table; the rename of a table concerns two tables and is not for here.

    Raises:
        TypeError: The statement renames a table.
    """
    shown = seen.shown
    if isinstance(shown, TableRenamed):
        raise TypeError("a rename concerns two tables")
    is_there = not table.is_new and table.gone is None
    if isinstance(shown, TableDropped):
        if is_there:
            table.leave(seen, "table_dropped")
        return
    if is_there and isinstance(shown, TableCreated) and shown.if_not_exists:
        return
    if not is_there:
        _appear(table, seen)
    _take_shown(table, seen)


def _take_shown(table: TableState, seen: TimedObservation) -> None:
    match shown := seen.shown:
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
    """Begin a version for a table that is observed for the first time, or again after it was dropped."""
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
    listed = tuple((each.name.lower(), "" if each.is_inferred else each.data_type) for each in shown.columns)
    if shown.evidence is Evidence.RELATION and _is_earlier_version(table, shown.columns):
        return
    if writes and is_conflict(table, seen, shown, listed):
        return
    before = table.versions.last
    _take_list(table, seen, shown)
    if shown.evidence in _DECLARED and before not in (None, table.versions.last):
        table.versions.record(seen, "table_replaced")
    if writes:
        _take_writer(table, seen, listed)


def _take_list(table: TableState, seen: TimedObservation, shown: AllColumns | TableCreated) -> None:
    """Take the columns of a complete list, and their order where it is the table's."""
    first = "" not in table.columns.complete
    known = set(table.columns.known)
    _compare(table, seen, shown.columns, report_added=not first)
    if first:
        table.versions.changed = True
        table.columns.complete.add("")
    if shown.ordered:
        fresh = (table.columns.known.keys() - known) | table.unplaced
        _take_order(table, seen, [column.name.lower() for column in shown.columns], fresh)


def _take_writer(table: TableState, seen: TimedObservation, listed: Listing) -> None:
    if table.writers.get(seen.job_name) != listed:
        table.versions.changed = True  # the writers decide whether a later list is a conflict
    table.writers[seen.job_name] = listed
    table.last_writer = seen.job_name
    table.last_overwrite = seen
    table.untyped = {key for key, data_type in listed if not data_type}


def _compare(table: TableState, seen: TimedObservation, listed: Sequence[SchemaColumn], *, report_added: bool) -> None:
    """Bring the columns to those of a complete list; new columns are changes only if all were known before."""
    follow_unnamed(table, seen, listed)
    _leave_columns(table, seen, listed)
    fields = list(expanded(listed))
    _take_columns(table, seen, fields, report_added=report_added)
    for written in listed:
        known = table.columns.known[written.name.lower()]
        known.derivation = written.derivation or known.derivation
    _take_fields(table, seen, fields)


def _columns_without(table: TableState, keys: Container[str]) -> Iterator[KnownColumn]:
    """Yield the columns that a list lacks; those that only readers named after a write are dropped without a change."""
    for column in list(table.columns.children("")):
        if column.key in keys:
            continue
        if table.writers and column.type.from_reader and column.evidence == Evidence.READ:
            table.columns.drop(column.key)  # the files never had it, and it was no `column_added`
        else:
            yield column


def _leave_columns(table: TableState, seen: TimedObservation, listed: Sequence[SchemaColumn]) -> None:
    """Rename or drop the columns that a complete list lacks."""
    dropped = {column.key: column for column in _columns_without(table, {column.name.lower() for column in listed})}
    added = [column for column in listed if column.name.lower() not in table.columns.known]
    for old, new in renamed_columns(list(dropped.values()), added):
        table.versions.record(seen, "column_renamed", new.name, (old.name, new.name), inferred=True)
        del dropped[old.key]
        table.columns.rename(old.key, new.name)
    for column in dropped.values():
        table.drop_column(seen, column)


def _take_fields(table: TableState, seen: TimedObservation, fields: Iterable[SchemaColumn]) -> None:
    """Drop the fields that a definition lacks: it prints whole structs."""
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
    """Take the order of a complete list; a column that came with it has not moved."""
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
    """Return whether a read fits an earlier version and not the valid one, which a statement made: an old snapshot."""
    last = table.versions.last
    if last is None or last.since.shown.evidence is Evidence.READ or _fits(table.versions.columns, columns):
        return False
    return any(version.columns is not None and _fits(version.columns, columns) for version in table.versions.ended)


def _is_earlier_version(table: TableState, columns: Sequence[SchemaColumn]) -> bool:
    """Return whether a relation lists all columns of an earlier version, and the valid one is a statement's.

    The plan of a view over `VERSION AS OF` prints them. Whoever restores that version writes it, too.
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
    """Return whether a version has all the columns, with their types as far as they are known."""
    for column in columns:
        found = known.known.get(column.name.lower())
        if found is None:
            return False
        if column.data_type and found.type.text and not same_type(found.type.text, column.data_type):
            return False
    return True


def _is_addition(table: TableState, parent: str, *, is_within: bool, report_added: bool) -> bool:
    """Return whether a new column was added to the table, rather than seen for the first time."""
    if not parent and may_be_renamed(table):
        return False
    is_change = parent in table.columns.complete if parent else report_added
    return (is_change and not is_within) or _expects(table, parent)


def _take_columns(
    table: TableState, seen: TimedObservation, columns: Sequence[SchemaColumn], *, report_added: bool
) -> None:
    """Add the columns that are new, and compare the types of the others."""
    follow_unnamed(table, seen, columns)
    added: list[str] = []
    for column in columns:
        key = column.name.lower()
        if key in table.columns.known:
            continue
        parent = key.rpartition(".")[0]
        is_within = any(key.startswith(f"{each}.") for each in added)
        added.append(key)
        if _is_addition(table, parent, is_within=is_within, report_added=report_added):
            table.versions.record(seen, "column_added", column.name, (None, printed_type(seen, column)))
        if table.is_new:
            table.versions.begin(seen)
        table.versions.changed = True
        table.columns.add(known_column(column, str(seen.shown.evidence), from_reader=_has_types_by_reader(seen)))
        if parent not in table.columns.complete and seen.shown.evidence in DEFINED and INNER in column.data_type:
            table.columns.complete.add(key)
    _take_types(table, seen, columns)


def _expects(table: TableState, parent: str) -> bool:
    """Return whether a definition added a column whose hash code was not resolved."""
    return not parent and any(kind == "AddColumn" for kind, _ in table.versions.unresolved_changes)


def _has_types_by_reader(seen: TimedObservation) -> bool:
    return isinstance(seen.shown, SomeColumns) and seen.shown.types_by_reader


def _take_types(table: TableState, seen: TimedObservation, columns: Iterable[SchemaColumn]) -> None:
    for column in filter(attrgetter("data_type"), columns):
        from_reader = _has_types_by_reader(seen) or column.is_inferred
        known = table.columns.known.get(column.name.lower())
        if known is None:
            continue
        if not known.type.text or (known.type.from_reader and not from_reader):
            table.versions.changed |= known.type.text != column.data_type
            known.type.text, known.type.from_reader = column.data_type, from_reader
        elif from_reader or same_type(known.type.text, column.data_type):
            table.untyped.discard(known.key)
        elif not table.has_conflict:
            table.retype(seen, known, column)
