"""Several jobs that overwrite one table, each with columns of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eventlog_lineage.model import Evidence, SchemaColumn

from .columns import Listing, known_column
from .observations import Observation

if TYPE_CHECKING:
    from .schema_state import Table


def is_disputed(table: Table, seen: Observation, listed: Listing) -> bool:
    """Does a job come back with columns of its own, over those that another job wrote meanwhile?"""
    own = table.writers.get(seen.job_name)
    if table.disputed:
        if own == listed:
            return True
        _take_own(table, seen, own, listed)
        return True
    current = tuple(key for key, _ in table.listing())
    names = tuple(key for key, _ in listed)
    if own != listed or sorted(names) == sorted(current) or table.last_writer in {"", seen.job_name}:
        return False
    _dispute(table, seen, listed)
    return True


def _dispute(table: Table, seen: Observation, listed: Listing) -> None:
    """What looked like a change was another job's own schema: told once, from its first write on."""
    other, begun = table.last_writer, seen
    theirs = table.writers[other]
    last = table.versions.last
    if last is not None and table.versions.ended and last.since.job_name == other:
        columns = list(table.columns.known.values())
        begun = last.since
        table.versions.undo()
    else:
        columns = []
    values = (_words(seen.job_name, listed), _words(other, theirs))
    table.versions.tell(begun, "schema_conflict", None, values)
    table.disputed = True
    own = [known_column(SchemaColumn(*each), str(Evidence.OVERWRITE)) for each in listed]
    for each in (*columns, *own):
        if each.key not in table.columns.known:
            table.columns.add(each)


def _take_own(table: Table, seen: Observation, own: Listing | None, listed: Listing) -> None:
    """One of several writers changes what it writes."""
    table.versions.touched = True
    before = dict(own or ())
    others = {key for job, keys in table.writers.items() if job != seen.job_name for key, _ in keys}
    table.writers[seen.job_name] = listed
    for column in seen.sign.columns:
        if column.name.lower() not in before and own is not None:
            table.versions.tell(seen, "column_added", column.name, (None, column.data_type or None))
        if column.name.lower() not in table.columns.known:
            table.columns.add(known_column(column, str(seen.sign.evidence)))
    for key in before:
        if key not in dict(listed):
            table.versions.tell(seen, "column_dropped", table.columns.known[key].name)
            if key not in others:
                table.columns.drop(key)
    names = {tuple(sorted(key for key, _ in keys)) for keys in table.writers.values()}
    table.disputed = len(names) > 1


def _words(job: str, listed: Listing) -> str:
    return f"{job}: {', '.join(name for name, _ in listed)}"
