"""Several jobs that overwrite one table, each with a column list of its own."""

from __future__ import annotations

from eventlog_lineage.observed_schemas import AllColumns, Evidence, SchemaColumn, TableCreated

from .columns import Listing, known_column
from .observations import TimedObservation
from .table_state import TableState


def is_conflict(table: TableState, seen: TimedObservation, shown: AllColumns | TableCreated, listed: Listing) -> bool:
    """Return whether a job repeats its own column list after another job wrote the table with other columns.

    The first such write records the conflict. From then on each job has its own list, and the table has all columns.

    Args:
        table: The table's state, which is changed.
        seen: The write.
        shown: What the write shows.
        listed: Its columns.
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
    """Take back the change that the other job's first write looked like, and record a conflict since then.

    Args:
        table: The table's state; updated.
        seen: The observation.
        listed: The columns that it lists.
    """
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
        table: The table's state; updated.
        seen: The observation.
        shown: The columns that it shows.
        own: The columns that the same job listed before; None for its first list.
        listed: The columns that it lists.
    """
    table.versions.changed = True
    before = dict(own or ())
    others = {key for job, keys in table.writers.items() if job != seen.job_name for key, _ in keys}
    table.writers[seen.job_name] = listed
    for column in shown.columns:
        if column.name.lower() not in before and own is not None:
            table.versions.record(seen, "column_added", column.name, (None, column.data_type or None))
        if column.name.lower() not in table.columns.known:
            table.columns.add(known_column(column, str(shown.evidence)))
    for key in before:
        if key not in dict(listed) and key in table.columns.known:  # a complete list in between may lack it
            table.versions.record(seen, "column_dropped", table.columns.known[key].name)
            if key not in others:
                table.columns.drop(key)
    names = {tuple(sorted(key for key, _ in keys)) for keys in table.writers.values()}
    table.has_conflict = len(names) > 1


def _column_list(job: str, listed: Listing) -> str:
    return f"{job}: {', '.join(name for name, _ in listed)}"
