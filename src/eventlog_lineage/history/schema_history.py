"""Observations of schemas, in the order of their times, to versions and changes.

The same observations make the same history in whatever order they came to be known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from eventlog_lineage.lineage.grouping.statement_key import schema_sign_key
from eventlog_lineage.model import Evidence, Extent, SchemaColumn, SchemaSign

from .columns import expanded
from .observations import Observation, SchemaHistory
from .schema_state import Table
from .table_change_hashes import Vocabulary
from .version_list import Versions


def evolve(observations: Iterable[Observation]) -> SchemaHistory:
    """Tells the history of some datasets' schemas.

    Args:
        observations: All that is known of these datasets, and of those that they were renamed from or to.

    Returns:
        Their versions and changes.
    """
    ordered = sorted(observations, key=_order)
    history = _evolve(ordered)
    again = _evolve(history.effective)
    if (again.versions, again.changes) != (history.versions, history.changes):
        return replace(history, effective=tuple(ordered))  # what seemed to say nothing decides on something later
    return history


def _evolve(ordered: Sequence[Observation]) -> SchemaHistory:
    tables = _tables(ordered)
    effective: dict[int, Observation] = {}
    for seen in ordered:
        table = tables[seen.dataset]
        table.versions.touched, table.undone = False, None
        if seen.sign.extent is Extent.RENAMED:
            new = tables[seen.sign.words[0]]
            new.versions.touched, new.undone = False, None
            _rename(table, new, seen)
            told = [each for each in (table, new) if each.versions.touched]
            _forget(effective, table, new)
            if told:
                effective[id(seen)] = seen
            continue
        table.observe(seen)
        _forget(effective, table)
        if table.versions.touched:
            effective[id(seen)] = seen
    histories = [tables[name].versions for name in sorted(tables)]
    return SchemaHistory(
        versions=tuple(row for versions in histories for row in versions.rows()),
        changes=tuple(change for versions in histories for change in versions.changes()),
        effective=tuple(sorted(_with_causes(effective, histories).values(), key=_order)),
    )


def _forget(effective: dict[int, Observation], *tables: Table) -> None:
    """Leave out what was taken back: a life like one before, a table that was dropped and made again as it was."""
    for table in tables:
        if table.undone is None or table.versions.touched:
            continue
        since = _order(table.undone)
        for number, each in list(effective.items()):
            if each.dataset == table.versions.dataset and _order(each) >= since:
                del effective[number]


def _with_causes(effective: dict[int, Observation], histories: Sequence[Versions]) -> dict[int, Observation]:
    """Also what began a version in hindsight: an overwrite whose types a later read told."""
    causes = [version.since for versions in histories for version in versions.all()]
    return {**effective, **{id(cause): cause for cause in causes if cause.place is not None}}


def _order(seen: Observation) -> tuple[object, ...]:
    """In time; of one statement the reads first, definitions before what is written."""
    return (seen.at, seen.run, seen.dataset, str(seen.sign.evidence), schema_sign_key(seen.sign))


def _tables(ordered: Sequence[Observation]) -> dict[str, Table]:
    """An empty table for each dataset, with the names that any statement gives its columns."""
    names: dict[str, dict[str, None]] = {}
    types: dict[str, dict[str, None]] = {}
    for seen in ordered:
        others = seen.sign.words[:1] if seen.sign.extent is Extent.RENAMED else ()
        for dataset in (seen.dataset, *others):
            names.setdefault(dataset, {})
            types.setdefault(dataset, {})
        for column in expanded(seen.sign.columns):
            names[seen.dataset][column.name] = None
            types[seen.dataset].update(dict.fromkeys([column.data_type] if column.data_type else []))
    return {
        dataset: Table(Versions(dataset), Vocabulary(tuple(names[dataset]), tuple(types[dataset]))) for dataset in names
    }


def _rename(old: Table, new: Table, seen: Observation) -> None:
    """A table goes on under another name; in the place of one that its application dropped, it replaces that."""
    if old.is_new or old.gone is not None:
        return
    replaced = new.gone is not None and new.gone.application == seen.application
    if replaced:
        columns = tuple(
            SchemaColumn(column.name, old.columns.full_type(column), column.derivation)
            for column in old.columns.children("")
        )
        sign = SchemaSign(
            new.versions.dataset, Evidence.REPLACE, Extent.ALL, columns, old.ordered, (), seen.sign.detail
        )
        new.observe(replace(seen, dataset=new.versions.dataset, sign=sign))
    else:
        new.take_over(old, seen)
    old.leave(seen, "table_renamed")
