"""Turn observations of schemas into versions and changes.

The same observations make the same history, in whatever order they became known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import is_

from eventlog_lineage.history.columns import INNER, expanded
from eventlog_lineage.history.schema_updates import observe
from eventlog_lineage.history.table_state import TableState, Versions, Vocabulary
from eventlog_lineage.observed_schemas import SchemaColumn, TableCreated, TableRenamed, TableSchema, to_stored

from .observations import SchemaHistory, TimedObservation


def evolve(
    observations: Iterable[TimedObservation], schemas: Mapping[str, Sequence[TableSchema]] | None = None
) -> SchemaHistory:
    """Return the history of some datasets' schemas.

    Args:
        observations: All observations of these datasets, and of those that they were renamed from or to.
        schemas: Dataset to the schemas in its own metadata, in the order in which it had them; they resolve the changes
            of an `ALTER TABLE` and make none themselves.

    Returns:
        Their versions and changes, and the observations that make them.
    """
    schemas = schemas or {}
    ordered = _sorted(observations)
    history = _evolve(ordered, schemas)
    if len(ordered) == len(history.effective) and all(map(is_, ordered, history.effective)):
        return history
    again = _evolve(history.effective, schemas)
    if (again.versions, again.changes) != (history.versions, history.changes):
        return replace(history, effective=tuple(ordered))  # an observation without an effect decides on a later one
    return history


def _evolve(ordered: Sequence[TimedObservation], schemas: Mapping[str, Sequence[TableSchema]]) -> SchemaHistory:
    tables = _tables(ordered, schemas)
    effective: dict[int, TimedObservation] = {}
    for seen in ordered:
        table = tables[seen.dataset]
        renamed = tables[seen.shown.new_name] if isinstance(seen.shown, TableRenamed) else None
        touched = [table, renamed] if renamed is not None else [table]
        for each in touched:
            each.versions.changed, each.undone_since = False, None
        if renamed is not None:
            _rename(table, renamed, seen)
        else:
            observe(table, seen)
        changed = any(each.versions.changed for each in touched)
        _remove_undone(effective, touched)
        if changed:
            effective[id(seen)] = seen
    histories = [tables[name].versions for name in sorted(tables)]
    return SchemaHistory(
        versions=tuple(row for versions in histories for row in versions.rows()),
        changes=tuple(change for versions in histories for change in versions.changes()),
        effective=tuple(_sorted(_with_causes(effective, histories).values())),
        unknown=tuple(
            (versions.dataset, kind, seen)
            for versions in histories
            for kind, seen in (*versions.unknown_changes, *versions.unresolved_changes)
        ),
    )


def _remove_undone(effective: dict[int, TimedObservation], tables: Sequence[TableState]) -> None:
    """Remove observations that were taken back: of a short-lived table, or of one that was created again as it was.

    Args:
        effective: Index to observation, of those that changed a table; updated.
    """
    for table in tables:
        if table.undone_since is None or table.versions.changed:
            continue
        since = _order(table.undone_since)
        for number, each in list(effective.items()):
            if each.dataset == table.versions.dataset and _order(each) >= since:
                del effective[number]


def _with_causes(effective: dict[int, TimedObservation], histories: Sequence[Versions]) -> dict[int, TimedObservation]:
    """Add the observations that began a version in hindsight: an overwrite whose types a later read shows.

    Args:
        effective: Index to observation, of those that changed a table.
    """
    causes = [version.since for versions in histories for version in versions.all()]
    return {**effective, **{id(cause): cause for cause in causes if cause.key is not None}}


def _order(seen: TimedObservation) -> tuple[object, ...]:
    """Return the key by which observations are sorted: by time; of one statement the reads before the definitions."""
    shown = to_stored(seen.shown)
    columns = [(each.name, each.data_type, each.derivation) for each in shown.columns]
    return (*_moment(seen), shown.extent, columns, shown.ordered, shown.words, shown.detail)


def _moment(seen: TimedObservation) -> tuple[object, ...]:
    return (seen.at, seen.run, seen.dataset, str(seen.shown.evidence))


def _sorted(observations: Iterable[TimedObservation]) -> list[TimedObservation]:
    """Sort observations by `_order`; the key of what they show is long, and made where the rest is equal only."""
    ordered: list[TimedObservation] = []
    for _, group in groupby(sorted(observations, key=_moment), key=_moment):
        equal = list(group)
        ordered += sorted(equal, key=_order) if len(equal) > 1 else equal
    return ordered


def _tables(ordered: Sequence[TimedObservation], schemas: Mapping[str, Sequence[TableSchema]]) -> dict[str, TableState]:
    """Return an empty table for each dataset, with the names of its columns in all statements and schemas."""
    names: dict[str, dict[str, None]] = {}
    types: dict[str, dict[str, None]] = {}
    for seen in ordered:
        renamed = (seen.shown.new_name,) if isinstance(seen.shown, TableRenamed) else ()
        for dataset in (seen.dataset, *renamed):
            names.setdefault(dataset, {})
            types.setdefault(dataset, {})
        for column in expanded(seen.shown.columns):
            names[seen.dataset][column.name] = None
            types[seen.dataset].update(dict.fromkeys([column.data_type] if column.data_type else []))
    for dataset in names.keys() & schemas.keys():
        for schema in schemas[dataset]:
            names[dataset].update(dict.fromkeys(column.name for column in expanded(schema.columns)))
            types[dataset].update(dict.fromkeys(_types(schema)))
    return {dataset: TableState(Versions(dataset), _vocabulary(names, types, schemas, dataset)) for dataset in names}


def _types(schema: TableSchema) -> Iterator[str]:
    """Yield the types of a schema's columns, and of the fields within them."""
    for column in (*schema.columns, *expanded(schema.columns)):
        if column.data_type and INNER not in column.data_type:
            yield column.data_type


def _vocabulary(
    names: Mapping[str, Iterable[str]],
    types: Mapping[str, Iterable[str]],
    schemas: Mapping[str, Sequence[TableSchema]],
    dataset: str,
) -> Vocabulary:
    stored = schemas.get(dataset, ())
    comments = dict.fromkeys(comment for schema in stored for comment in schema.comments)
    return Vocabulary(tuple(names[dataset]), tuple(types[dataset]), tuple(comments), tuple(stored))


def _rename(old: TableState, new: TableState, seen: TimedObservation) -> None:
    """Continue a table under another name; it replaces a table of that name that the same application dropped.

    Args:
        old: The table's state under the old name.
    """
    if old.is_new or old.gone is not None:
        return
    replaced = new.gone is not None and new.gone.application == seen.application
    if replaced:
        columns = tuple(
            SchemaColumn(column.name, old.columns.full_type(column), column.derivation)
            for column in old.columns.children("")
        )
        replacement = TableCreated(
            dataset=new.versions.dataset,
            detail=seen.shown.detail,
            replaces=True,
            columns=columns,
            is_complete=True,
            ordered=old.ordered,
        )
        observe(new, replace(seen, shown=replacement))
    else:
        new.take_over(old, seen)
        old.versions.unresolved_changes = []
    old.leave(seen, "table_renamed")
