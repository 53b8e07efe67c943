"""Schemas over time: the observations of all nights to `schema_versions` and `schema_changes`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from eventlog_lineage.datasets.naming import table_name
from eventlog_lineage.history.observations import Observation, SchemaChange, SchemaHistory
from eventlog_lineage.history.schema_history import evolve
from eventlog_lineage.model import Evidence, Extent, SchemaColumn, SchemaSign
from eventlog_lineage.store.schema.history_tables import SCHEMA_CHANGES, SCHEMA_VERSIONS
from eventlog_lineage.store.schema.internal_tables import SCHEMA_OBSERVATIONS
from eventlog_lineage.store.schema.rows import Row
from eventlog_lineage.store.schema.sql_files import sql_text

from .insertion import insert_rows

if TYPE_CHECKING:
    import duckdb

_FAMILIES_AT_ONCE = 2_000

_RENAMES = """
    SELECT DISTINCT t.dataset, coalesce(n.dataset, s.words[1]) AS new_name
    FROM telling t
    JOIN lineage_schemas s ON s.lineage_id = t.lineage_id AND s."position" = t."position"
    LEFT JOIN dataset_names n ON n."name" = s.words[1]
    WHERE s.extent = 'renamed'
"""

_SIGNS = """
    SELECT s.lineage_id, s."position", s.evidence, s.extent, s.columns, s.ordered, s.words, s.detail
    FROM lineage_schemas s
    SEMI JOIN (SELECT lineage_id, "position" FROM telling t SEMI JOIN wanted_schemas w ON w.dataset = t.dataset) t
      ON t.lineage_id = s.lineage_id AND t."position" = s."position"
"""

_TELLING = """
    SELECT t.dataset, t.seen_at, t.app_id, t.attempt_id, t.execution_id, t.job_name, t.lineage_id, t."position",
           t.description
    FROM telling t
    SEMI JOIN wanted_schemas w ON w.dataset = t.dataset
"""

_ROWS_AT_ONCE = 10_000


def fold_schemas(connection: duckdb.DuckDBPyConnection) -> None:
    """Tell the histories anew of the datasets of which something else is known than before.

    Args:
        connection: The store's database, with all runs of all nights in it, before old ones are dropped.
    """
    connection.execute(sql_text("folded/schema_signs"))
    stale = [str(row[0]) for row in connection.execute("SELECT dataset FROM stale_schemas ORDER BY dataset").fetchall()]
    if not stale:
        return
    renames = connection.execute(_RENAMES).fetchall()
    families = _families(stale, [(str(old), str(new)) for old, new in renames])
    for first in range(0, len(families), _FAMILIES_AT_ONCE):
        _tell(connection, families[first : first + _FAMILIES_AT_ONCE])


def _families(stale: Iterable[str], renames: Iterable[tuple[str, str]]) -> list[list[str]]:
    """The datasets that are due, each with those that it was renamed from or to."""
    kin: dict[str, set[str]] = {}
    for old, new in renames:
        kin.setdefault(old, set()).add(new)
        kin.setdefault(new, set()).add(old)
    families: list[list[str]] = []
    done: set[str] = set()
    for dataset in stale:
        if dataset in done:
            continue
        family, waiting = {dataset}, [dataset]
        while waiting:
            for other in kin.get(waiting.pop(), set()) - family:
                family.add(other)
                waiting.append(other)
        done |= family
        families.append(sorted(family))
    return families


def _tell(connection: duckdb.DuckDBPyConnection, families: list[list[str]]) -> None:
    place = {dataset: number for number, family in enumerate(families) for dataset in family}
    connection.execute("CREATE OR REPLACE TEMP TABLE wanted_schemas AS SELECT unnest(?) AS dataset", [list(place)])
    renamed = connection.execute('SELECT "name", dataset FROM dataset_names').fetchall()
    names = {str(old): str(new) for old, new in renamed}
    signs = {(str(row[0]), int(row[1])): _sign(row, names) for row in connection.execute(_SIGNS).fetchall()}
    seen: dict[int, list[Observation]] = {}
    for observation in _observations(connection, signs):
        seen.setdefault(place[observation.dataset], []).append(observation)
    histories = [evolve(observations) for observations in seen.values()]
    for table in (SCHEMA_VERSIONS, SCHEMA_CHANGES, SCHEMA_OBSERVATIONS):
        connection.execute(f"DELETE FROM {table.name} WHERE dataset IN (FROM wanted_schemas)")
    insert_rows(
        connection,
        SCHEMA_VERSIONS,
        (SCHEMA_VERSIONS.row.of(each) for history in histories for each in history.versions),
    )
    insert_rows(connection, SCHEMA_CHANGES, (_change_row(each) for history in histories for each in history.changes))
    insert_rows(connection, SCHEMA_OBSERVATIONS, (row for history in histories for row in _observed(history)))


def _sign(row: tuple[Any, ...], names: dict[str, str]) -> SchemaSign:
    """A sign as `_SIGNS` gives it; its dataset is who sees it to say."""
    evidence, extent, columns, ordered, words, detail = row[2:]
    words = tuple(words or ())
    if extent == Extent.RENAMED:
        words = tuple(names.get(word, table_name(word)) for word in words)
    return SchemaSign(
        dataset="",
        evidence=Evidence(evidence),
        extent=Extent(extent),
        columns=tuple(SchemaColumn(each["name"], each["data_type"], each["derivation"]) for each in columns or ()),
        ordered=bool(ordered),
        words=words,
        detail=detail or "",
    )


def _observations(
    connection: duckdb.DuckDBPyConnection, signs: Mapping[tuple[str, int], SchemaSign]
) -> Iterator[Observation]:
    """What the runs have seen, a million of them in bounded memory: equal signs, names and jobs are held once."""
    held: dict[Any, Any] = {}
    connection.execute(_TELLING)
    while rows := connection.fetchmany(_ROWS_AT_ONCE):
        for dataset, seen_at, app_id, attempt_id, execution_id, job_name, lineage_id, position, description in rows:
            key = (dataset, lineage_id, position)
            if key not in held:
                held[key] = replace(signs[lineage_id, position], dataset=dataset), key[1:]
            sign, place = held[key]
            application = held.setdefault((app_id, attempt_id), (app_id, attempt_id))
            job, told = held.setdefault(job_name, job_name), held.setdefault(description or "", description or "")
            run = (*application, int(execution_id))
            yield Observation(sign.dataset, seen_at, run, job, sign, place, told)


def _change_row(change: SchemaChange) -> Row:
    app_id, attempt_id, execution_id = change.run
    return SCHEMA_CHANGES.row.of(change, app_id=app_id, attempt_id=attempt_id, execution_id=execution_id)


def _observed(history: SchemaHistory) -> Iterator[Row]:
    for seen in history.effective:
        if isinstance(seen.place, tuple):
            lineage_id, position = seen.place
            app_id, attempt_id, execution_id = seen.run
            yield SCHEMA_OBSERVATIONS.row(
                lineage_id=lineage_id,
                position=position,
                job_name=seen.job_name,
                seen_at=seen.at,
                app_id=app_id,
                attempt_id=attempt_id,
                execution_id=execution_id,
                dataset=seen.dataset,
                description=seen.words,
            )
