"""A V2 `ALTER TABLE`, whose changes are told from their hash codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eventlog_lineage.model import Evidence, SchemaColumn

from .columns import KnownColumn, expanded, known_column
from .observations import Observation
from .table_change_hashes import read_change

if TYPE_CHECKING:
    from .schema_state import Table


def take_code(table: Table, seen: Observation, word: str) -> None:
    """Take what one of its changes says; a code that no known name explains waits for one that does."""
    change = read_change(word, table.columns, table.vocabulary.with_text(seen.words))
    if change is None:
        return
    table.versions.touched = True
    name, key = change.column, change.column.lower()
    if not name:
        table.versions.open_changes.append((change.kind, seen))
    elif change.kind == "AddColumn":
        _add(table, seen, SchemaColumn(name, change.value), change.after)
    elif key not in table.columns.known:
        table.columns.add(known_column(SchemaColumn(name), str(Evidence.ALTER)))
        _change(table, seen, change.kind, table.columns.known[key], change.value)
    else:
        _change(table, seen, change.kind, table.columns.known[key], change.value)


def _add(table: Table, seen: Observation, column: SchemaColumn, after: str) -> None:
    parent = column.name.rpartition(".")[0].lower()
    table.versions.tell(seen, "column_added", column.name, (None, column.data_type))
    neighbour = f"{parent}.{after}".strip(".").lower() if after else None
    for place, each in enumerate(expanded([column])):
        table.columns.add(known_column(each, str(seen.sign.evidence)), None if place else neighbour)


def _change(table: Table, seen: Observation, kind: str, known: KnownColumn, value: str) -> None:
    parent = known.name.rpartition(".")[0]
    if kind == "DeleteColumn":
        table.versions.tell(seen, "column_dropped", known.name, (table.columns.full_type(known) or None, None))
        table.columns.drop(known.key)
    elif kind == "RenameColumn":
        name = f"{parent}.{value}" if parent else value
        table.versions.tell(seen, "column_renamed", name, (known.name, name))
        table.columns.rename(known.key, name)
    elif kind == "UpdateColumnType":
        table.retype(seen, known, SchemaColumn(known.name, value))
    elif kind == "UpdateColumnPosition":
        keys = [column.key for column in table.columns.children(parent.lower())]
        neighbour = f"{parent}.{value}".strip(".").lower()
        old = str(keys.index(known.key) + 1)
        rest = [key for key in keys if key != known.key]
        new = str(rest.index(neighbour) + 2) if neighbour in rest else None
        table.versions.tell(seen, "column_moved", known.name, (old, new))
        table.columns.put(known.key, neighbour)
