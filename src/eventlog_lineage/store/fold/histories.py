"""Histories: from observations to schema versions and changes, from runs to changes of lineage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from eventlog_lineage.datasets.naming import table_name
from eventlog_lineage.history.evolution import evolve
from eventlog_lineage.history.lineage_diff import NO_RENAMES, KnownEdge, compare
from eventlog_lineage.history.observations import SchemaChange, SchemaHistory, TimedObservation
from eventlog_lineage.model import GapReason
from eventlog_lineage.observed_schemas import (
    SchemaObservation,
    StoredObservation,
    TableRenamed,
    TableSchema,
    from_stored,
    read_columns,
)
from eventlog_lineage.store.fold.steps import Fold, insert_rows, python_step, read_records
from eventlog_lineage.store.fold.stored_names import RenameHistory, read_renames
from eventlog_lineage.store.schema.ddl import sql_text
from eventlog_lineage.store.schema.declaration import Row
from eventlog_lineage.store.schema.internal_tables import SCHEMA_GAPS, SCHEMA_OBSERVATIONS
from eventlog_lineage.store.schema.tables import LINEAGE_CHANGES, SCHEMA_CHANGES, SCHEMA_VERSIONS

if TYPE_CHECKING:
    import duckdb


_CHANGES = {
    "AddColumn": "added column",
    "DeleteColumn": "dropped column",
    "RenameColumn": "renamed column",
    "UpdateColumnType": "change of a type",
    "UpdateColumnPosition": "moved column",
}
_GROUPS_AT_ONCE = 2_000
"""Groups of datasets whose observations are in memory at a time."""


@python_step(
    reads="stale_schemas selected_observations lineage_schemas dataset_names table_schemas",
    makes="dataset_batch",
    changes="schema_versions schema_changes schema_observations schema_gaps",
)
def fold_schemas(fold: Fold) -> None:
    """Make the histories again of the datasets with other observations than before."""
    connection = fold.connection
    stale = [str(row[0]) for row in connection.execute("SELECT dataset FROM stale_schemas ORDER BY dataset").fetchall()]
    if not stale:
        return
    renames = connection.execute(sql_text("queries/table_renames")).fetchall()
    groups = _groups(stale, [(str(old), str(new)) for old, new in renames])
    for first in range(0, len(groups), _GROUPS_AT_ONCE):
        _fold_batch(connection, groups[first : first + _GROUPS_AT_ONCE])


def _groups(stale: Iterable[str], renames: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Return the stale datasets, each with those that it was renamed from or to.

    Args:
        stale: The datasets whose schema versions have to be computed again.
        renames: The old and the new name of each renamed table.
    """
    neighbors: dict[str, set[str]] = {}
    for old, new in renames:
        neighbors.setdefault(old, set()).add(new)
        neighbors.setdefault(new, set()).add(old)
    groups: list[list[str]] = []
    done: set[str] = set()
    for dataset in stale:
        if dataset in done:
            continue
        group, waiting = {dataset}, [dataset]
        while waiting:
            for other in neighbors.get(waiting.pop(), set()) - group:
                group.add(other)
                waiting.append(other)
        done |= group
        groups.append(sorted(group))
    return groups


def _fold_batch(connection: duckdb.DuckDBPyConnection, groups: list[list[str]]) -> None:
    group_of = {dataset: number for number, group in enumerate(groups) for dataset in group}
    connection.execute("CREATE OR REPLACE TEMP TABLE dataset_batch AS SELECT unnest(?) AS dataset", [list(group_of)])
    names = dict(connection.execute('SELECT "name", dataset FROM dataset_names').fetchall())
    records = read_records(connection, sql_text("queries/observed_schemas"))
    schemas = {(each["lineage_id"], each["position"]): _shown(each, names) for each in records}
    seen: dict[int, list[TimedObservation]] = {}
    for observation in _observations(connection, schemas):
        seen.setdefault(group_of[observation.dataset], []).append(observation)
    stored = _stored(connection)
    histories = [evolve(observations, stored) for observations in seen.values()]
    for table in (SCHEMA_VERSIONS, SCHEMA_CHANGES, SCHEMA_OBSERVATIONS, SCHEMA_GAPS):
        connection.execute(f"DELETE FROM {table.name} WHERE dataset IN (FROM dataset_batch)")
    versions = (SCHEMA_VERSIONS.row.of(version) for history in histories for version in history.versions)
    changes = (_change_row(change) for history in histories for change in history.changes)
    insert_rows(connection, SCHEMA_VERSIONS, versions)
    insert_rows(connection, SCHEMA_CHANGES, changes)
    insert_rows(connection, SCHEMA_OBSERVATIONS, (row for history in histories for row in _observed(history)))
    insert_rows(connection, SCHEMA_GAPS, (row for history in histories for row in _gaps(history)))


def _stored(connection: duckdb.DuckDBPyConnection) -> dict[str, list[TableSchema]]:
    """Return the schemas in the own metadata of a batch's datasets."""
    found: dict[str, list[TableSchema]] = {}
    for record in read_records(connection, sql_text("queries/table_schemas")):
        time = record["changed_at"]
        schema = TableSchema(
            schema_id=record["schema_id"],
            changed_at=None if time is None else round(time.replace(tzinfo=timezone.utc).timestamp() * 1000),
            columns=read_columns(record["columns"]),
            comments=tuple(record["comments"] or ()),
        )
        found.setdefault(record["dataset"], []).append(schema)
    return found


def _shown(record: Mapping[str, Any], names: Mapping[str, str]) -> SchemaObservation:
    """Return what an observation shows; `_observations` sets the dataset.

    Args:
        names: The canonical names of tables by the names that logs have.
    """
    shown = from_stored(
        StoredObservation(
            dataset="",
            evidence=record["evidence"],
            extent=record["extent"],
            columns=read_columns(record["columns"]),
            ordered=bool(record["ordered"]),
            words=tuple(record["words"] or ()),
            detail=record["detail"] or "",
        )
    )
    if isinstance(shown, TableRenamed):
        return replace(shown, new_name=names.get(shown.new_name, table_name(shown.new_name)))
    return shown


def _observations(
    connection: duckdb.DuckDBPyConnection, schemas: Mapping[tuple[str, int], SchemaObservation]
) -> Iterator[TimedObservation]:
    """Yield the observations of a batch; equal values are held once, so that a million observations fit into memory.

    Args:
        connection: The draft's database, with the runs of the batch.
        schemas: The observations without their dataset, by lineage id and position.
    """
    held: dict[Any, Any] = {}
    for record in read_records(connection, sql_text("queries/selected_observations")):
        name = (record["dataset"], record["lineage_id"], record["position"])
        if name not in held:
            held[name] = replace(schemas[name[1:]], dataset=record["dataset"]), name[1:]
        shown, key = held[name]
        application = (record["app_id"], record["attempt_id"])
        application = held.setdefault(application, application)
        yield TimedObservation(
            at=record["seen_at"],
            run=(*application, record["execution_id"]),
            job_name=held.setdefault(record["job_name"], record["job_name"]),
            shown=shown,
            key=key,
            description=held.setdefault(record["description"] or "", record["description"] or ""),
        )


def _change_row(change: SchemaChange) -> Row:
    app_id, attempt_id, execution_id = change.run
    return SCHEMA_CHANGES.row.of(change, app_id=app_id, attempt_id=attempt_id, execution_id=execution_id)


def _gaps(history: SchemaHistory) -> Iterator[Row]:
    """Yield a gap per `ALTER TABLE` whose change is unknown."""
    for dataset, kind, seen in history.unknown:
        app_id, attempt_id, execution_id = seen.run
        yield SCHEMA_GAPS.row(
            dataset=dataset,
            app_id=app_id,
            attempt_id=attempt_id,
            execution_id=execution_id,
            reason=str(GapReason.UNKNOWN_CHANGE),
            operator=seen.shown.detail.partition(" ")[0],
            detail=f"{dataset}: the plan prints only the hash code of this {_CHANGES.get(kind, 'change')}",
            hint="a later statement that names the column shows the change, or harvest with --table-metadata",
        )


def _observed(history: SchemaHistory) -> Iterator[Row]:
    for seen in history.effective:
        if isinstance(seen.key, tuple):
            lineage_id, position = seen.key
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
                description=seen.description,
            )


@dataclass(frozen=True, slots=True)
class ChangePoint:
    """A run whose lineage onto a target differs from that of the run before; the columns of lineage_change_points.

    Attributes:
        job_name: The job.
        target_dataset: The target, by its name in this run.
        target_before: The target, by its name in the run before.
        before: The fingerprint of the lineage in the run before.
        lineage_fingerprint: The fingerprint of the lineage in this run.
        before_at: Start of the run before, UTC; None if it is unknown.
        changed_at: Start of this run, UTC; None if it is unknown.
        app_id: The application of this run.
        attempt_id: Its attempt.
        execution_id: Its root execution.
        other_spark: The runs have different minor versions of Spark.
    """

    job_name: str
    target_dataset: str
    target_before: str
    before: str
    lineage_fingerprint: str
    before_at: datetime | None
    changed_at: datetime | None
    app_id: str
    attempt_id: str
    execution_id: int
    other_spark: bool


Edges = Mapping[tuple[str, str], Sequence[KnownEdge]]
"""(lineage fingerprint, target) to edges."""


@python_step(reads="lineage_change_points change_point_edges schema_changes", changes="lineage_changes")
def fold_lineage_changes(fold: Fold) -> None:
    """Compare the lineages before and after each change point and write down the differences."""
    renames = read_renames(fold.connection)
    edges: dict[tuple[str, str], list[KnownEdge]] = {}
    for record in read_records(fold.connection, "FROM change_point_edges ORDER BY edge_number"):
        key = (record.pop("lineage_fingerprint"), record.pop("target_dataset"))
        del record["edge_number"]
        edges.setdefault(key, []).append(KnownEdge(**record))
    points = [
        ChangePoint(**record) for record in read_records(fold.connection, "FROM lineage_change_points ORDER BY ALL")
    ]
    insert_rows(fold.connection, LINEAGE_CHANGES, (row for point in points for row in _rows(point, edges, renames)))


def _rows(point: ChangePoint, edges: Edges, renames: RenameHistory) -> Iterator[Row]:
    run = (point.app_id, point.attempt_id, point.execution_id)
    between = NO_RENAMES
    if point.before_at is not None and point.changed_at is not None:
        between = renames.between(point.before_at, point.changed_at, run)
    old = edges.get((point.before, point.target_before), [])
    new = edges.get((point.lineage_fingerprint, point.target_dataset), [])
    for change in compare(old, new, point.target_dataset, between, other_spark=point.other_spark):
        yield LINEAGE_CHANGES.row.of(
            change,
            job_name=point.job_name,
            target_dataset=point.target_dataset,
            changed_at=point.changed_at,
            app_id=point.app_id,
            attempt_id=point.attempt_id,
            execution_id=point.execution_id,
        )
