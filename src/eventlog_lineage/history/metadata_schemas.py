"""Resolve the changes of an `ALTER TABLE` that no hash code resolves against the schemas in the table's metadata.

`FIRST` has another hash code in every JVM, and comments within a struct are part of the code of its type.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta, timezone

from eventlog_lineage.observed_schemas import SchemaColumn, TableSchema

from .column_matching import moved_columns
from .columns import expanded, same_type
from .hashed_changes import TableChange, apply_change
from .observations import TimedObservation
from .table_state import TableState

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_CLOCKS = timedelta(seconds=1)
"""A commit may have a time this much later than the end of its statement: some formats round, and clocks differ."""


def resolve_by_schemas(table: TableState, seen: TimedObservation) -> None:
    """Apply the changes that a statement left unresolved, if a stored schema differs from the table by just these.

    Args:
        table: The table's state, which is changed.
        seen: The `ALTER TABLE`; the changes with known hash codes are applied.
    """
    waiting = [kind for kind, altered in table.versions.unresolved_changes if altered is seen]
    if not waiting or "" not in table.columns.complete:
        return
    for schema in _candidates(table.vocabulary.schemas, seen):
        found = [change for change in _differences(table, schema) if change.kind in waiting]
        if Counter(change.kind for change in found) == Counter(waiting):
            unresolved = table.versions.unresolved_changes
            table.versions.unresolved_changes = [each for each in unresolved if each[1] is not seen]
            for change in found:
                apply_change(table, seen, change)
            return


def _candidates(schemas: Sequence[TableSchema], seen: TimedObservation) -> Iterator[TableSchema]:
    """Yield the schema that the table had after a statement; all schemas in order where the format has no times.

    Args:
        schemas: The schemas in the table's metadata.
        seen: The observation of the statement.
    """
    yield from (schema for schema in schemas if schema.changed_at is None)
    found = ((_time(each.changed_at, seen.at), each) for each in schemas if each.changed_at is not None)
    timed = sorted(found, key=lambda each: each[0])
    yield from [schema for time, schema in timed if time <= seen.at][-1:]
    yield from (schema for time, schema in timed if seen.at < time <= seen.at + _CLOCKS)


def _time(milliseconds: int, like: datetime) -> datetime:
    """Return a time with a zone if another one has it.

    Args:
        milliseconds: Epoch milliseconds.
        like: A time, with or without a zone.
    """
    time = _EPOCH + timedelta(milliseconds=milliseconds)
    return time if like.tzinfo else time.replace(tzinfo=None)


def _differences(table: TableState, schema: TableSchema) -> Iterator[TableChange]:
    """Yield the changes that lead from the table to a schema; dropped and renamed columns always have known codes.

    Args:
        table: The table's state.
        schema: The schema in its metadata.
    """
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
    """Return a column's type with the fields of its struct, which `expanded` lists as columns.

    Args:
        schema: The schema.
        column: The column's name.
    """
    return next((each.data_type for each in schema.columns if each.name == column.name), column.data_type)


def _sibling(listed: Sequence[SchemaColumn], parent: str) -> str:
    """Return the last part of the name of the column before, in the same struct; empty if there is none.

    Args:
        listed: The columns before, in order.
        parent: The name of the struct.
    """
    names = (each.name for each in reversed(listed) if each.name.lower().rpartition(".")[0] == parent)
    return next(names, "").rpartition(".")[2]


def _moves(table: TableState, keys: Sequence[str]) -> Iterator[TableChange]:
    """Yield the moves of the table's own columns.

    Args:
        table: The table's state.
        keys: The columns in the order of the schema.
    """
    if not table.ordered:
        return
    old = [each.key for each in table.columns.children("") if each.key in keys]
    new = [key for key in keys if key in old]
    for key in _moved(old, new):
        at = new.index(key)
        yield TableChange("UpdateColumnPosition", table.columns.known[key].name, new[at - 1] if at else "")


def _moved(old: Sequence[str], new: Sequence[str]) -> Collection[str]:
    """Return the columns that moved: the first one alone, if the others kept their order.

    Args:
        old: The columns in the old order.
        new: The same columns in the new order.
    """
    rest = [key for key in old if key != new[0]] if new else []
    if new and old[0] != new[0] and rest == new[1:]:
        return new[:1]
    return moved_columns(old, new)
