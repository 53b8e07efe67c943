"""Names that are made in Python: of jobs, datasets, landing files, and of what was renamed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import reduce
from itertools import chain
from typing import TYPE_CHECKING, Any

from eventlog_lineage.datasets.naming import DEFAULT_LANDING_FILES, landing_folder, table_name
from eventlog_lineage.datasets.openlineage import openlineage_name
from eventlog_lineage.history.columns import SchemaHistory, TimedObservation
from eventlog_lineage.history.evolution import NO_RENAMES, KnownEdge, Renames, compare, evolve
from eventlog_lineage.history.job_names import JobNameRule, job_namer
from eventlog_lineage.model import Dataset, GapReason
from eventlog_lineage.observed_schemas import (
    SchemaObservation,
    StoredObservation,
    TableRenamed,
    TableSchema,
    from_stored,
    read_columns,
)
from eventlog_lineage.store.schema.declaration import Row, Table
from eventlog_lineage.store.schema.internal_tables import SCHEMA_GAPS, SCHEMA_OBSERVATIONS
from eventlog_lineage.store.schema.relations import read_fact, sql_text, texts_of, write_fact
from eventlog_lineage.store.schema.tables import LINEAGE_CHANGES, SCHEMA_CHANGES, SCHEMA_VERSIONS

from .steps import Fold, insert_rows, insert_values, make_temporary, python_step, read_records

if TYPE_CHECKING:
    import duckdb

_EDGE_NAMES = ("source_dataset", "source_column", "target_dataset", "target_column")


@dataclass(frozen=True, slots=True)
class Rename:
    """The rename of a table or of a column.

    Attributes:
        at: When, UTC.
        dataset: The dataset; of a renamed table the new name.
        old: The old name of the table or the column.
        is_table: A table is renamed, not a column.
        run: The statement: application, attempt and execution id.
    """

    at: datetime
    dataset: str
    old: str
    new: str
    is_table: bool
    run: tuple[str, str, int]


def read_renames(connection: duckdb.DuckDBPyConnection) -> list[Rename]:
    """Return all renames of the store, in the order of their times."""
    return [
        Rename(
            at=record["changed_at"],
            dataset=record["dataset"],
            old=record["old_value"],
            new=record["new_value"],
            is_table=record["change"] == "table_renamed",
            run=(record["app_id"], record["attempt_id"], record["execution_id"]),
        )
        for record in read_records(connection, sql_text("queries/renames"))
    ]


def _current(renames: Iterable[Rename], dataset: str, column: str | None, seen_at: datetime) -> tuple[str, str | None]:
    for each in renames:
        if each.at <= seen_at:
            continue
        if each.is_table and each.old == dataset:
            dataset = each.new
        elif not each.is_table and column is not None and each.dataset == dataset:
            column = _renamed(column, each)
    return dataset, column


@python_step(reads="schema_changes", makes="successors")
def find_successors(fold: Fold) -> None:
    """Make the temporary table `successors`: renamed tables, when, and their current names."""
    renames = read_renames(fold.connection)
    found: dict[str, tuple[str, str, datetime]] = {}
    for rename in renames:
        if rename.is_table:
            successor, _ = _current(renames, rename.new, None, rename.at)
            found.pop(rename.old, None)
            if successor != rename.old:
                found[rename.old] = (rename.old, successor, rename.at)
    columns = "dataset VARCHAR, successor VARCHAR, renamed_at TIMESTAMP"
    make_temporary(fold.connection, "successors", columns, found.values())


@python_step(reads="schema_changes column_lineage", makes="edge_names column_aliases")
def name_current_edges(fold: Fold) -> None:
    """Make the temporary tables `edge_names` and `column_aliases`, see `name_edges`."""
    name_edges(fold.connection)


def name_edges(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the temporary tables `edge_names` and `column_aliases`.

    `edge_names` has the current names of current edges that were seen with others; `column_aliases` the names that
    columns had before.
    """
    renames = read_renames(connection)
    columns = ", ".join(f"{name} VARCHAR" for name in _EDGE_NAMES)
    make_temporary(connection, "edge_names", f"edge BIGINT, {columns}", _renamed_edges(connection, renames))
    aliases = sorted({_alias(renames, rename) for rename in renames if not rename.is_table})
    columns = "dataset VARCHAR, alias VARCHAR, column_name VARCHAR"
    make_temporary(connection, "column_aliases", columns, aliases)


def _renamed_edges(connection: duckdb.DuckDBPyConnection, renames: Sequence[Rename]) -> list[tuple[object, ...]]:
    """Return the edges that have other names today, by number, with these."""
    names = {name for rename in renames for name in (rename.dataset, rename.old if rename.is_table else "")}
    touched = sorted(names)
    records = read_records(connection, sql_text("queries/edges_of_datasets"), [touched, touched]) if touched else ()
    named = ((record, _current_names(renames, record)) for record in records)
    return [
        (record["edge"], *current)
        for record, current in named
        if current != tuple(record[name] for name in _EDGE_NAMES)
    ]


def _current_names(renames: Sequence[Rename], edge: Mapping[str, Any]) -> tuple[str | None, ...]:
    names: list[str | None] = []
    for end in ("source", "target"):
        dataset, column, seen_at = edge[f"{end}_dataset"], edge[f"{end}_column"], edge["last_seen"]
        is_known = dataset is not None and seen_at is not None
        names += _current(renames, dataset, column, seen_at) if is_known else (dataset, column)
    return tuple(names)


def _alias(renames: Sequence[Rename], each: Rename) -> tuple[str, str, str]:
    dataset, column = _current(renames, each.dataset, each.new, each.at)
    return dataset, each.old, column or each.new


def _combined(found: Iterable[Rename]) -> Renames:
    """Combine renames in a row into one: old names to the last new ones."""
    return reduce(
        lambda renames, each: (_after_table if each.is_table else _after_column)(renames, each), found, NO_RENAMES
    )


def _after_table(before: Renames, each: Rename) -> Renames:
    datasets = {old: each.new if new == each.old else new for old, new in before.datasets.items()}
    columns = {(each.new if name == each.old else name, old): new for (name, old), new in before.columns.items()}
    return Renames({**datasets, each.old: each.new}, columns)


def _after_column(before: Renames, each: Rename) -> Renames:
    last = each.old.lower()
    known = [old for (name, old), new in before.columns.items() if name == each.dataset and new.lower() == last]
    return Renames(before.datasets, {**before.columns, **{(each.dataset, old): each.new for old in known or [last]}})


def _renamed(column: str, rename: Rename) -> str:
    old = rename.old.lower()
    if column.lower() == old:
        return rename.new
    return rename.new + column[len(old) :] if column.lower().startswith(f"{old}.") else column


_FACT = "landing_files"


@python_step(reads="seen_datasets staged_shown_datasets store_facts", makes="landing_names", changes="store_facts")
def name_landing_files(fold: Fold) -> None:
    """Make the temporary table `landing_names`: the folder of each landing file; an empty rule matches none."""
    connection = fold.connection
    if fold.landing_files is not None:
        write_fact(connection, _FACT, fold.landing_files)
    stored = read_fact(connection, _FACT)
    rule = re.compile(DEFAULT_LANDING_FILES if stored is None else stored)
    paths = connection.execute(
        "SELECT dataset FROM seen_datasets WHERE kind = 'path' "
        "UNION SELECT dataset FROM staged_shown_datasets WHERE kind = 'path' ORDER BY ALL"
    ).fetchall()
    found = [(path, folder) for (path,) in paths if (folder := landing_folder(path, rule))] if rule.pattern else []
    make_temporary(connection, "landing_names", '"name" VARCHAR, dataset VARCHAR', found)


_BATCH = 100_000
"""Distinct combinations of names that are in memory at a time."""

_PARTS = ("app_name", "description", "target", "command", "mode")
_RULE = "job_name_rule"


def stored_rule(connection: duckdb.DuckDBPyConnection) -> JobNameRule | None:
    """Return the rule that the store's jobs are named by; None for a new store."""
    patterns = read_fact(connection, _RULE)
    return None if patterns is None else JobNameRule(tuple(patterns.split("\n")))


@python_step(changes="store_facts")
def keep_rule(fold: Fold) -> None:
    """Write down the rule that the jobs are named by."""
    write_fact(fold.connection, _RULE, "\n".join(fold.rule.patterns))


@python_step(reads="unnamed_statements", makes="combinations job_bases")
def name_job_bases(fold: Fold) -> None:
    """Name the jobs of `unnamed_statements`, without the numbers of statements that share a name."""
    _make_bases(fold.connection, fold.rule)


def name_statements(connection: duckdb.DuckDBPyConnection, rule: JobNameRule, applications: str) -> None:
    """Make the temporary table `named_statements`: the job of each statement of some applications."""
    connection.execute(sql_text("names/statements_to_name", applications=applications, prefix=""))
    _make_bases(connection, rule)
    connection.execute(sql_text("names/job_numbers"))


def _make_bases(connection: duckdb.DuckDBPyConnection, rule: JobNameRule) -> None:
    """Make the temporary table `job_bases`; only distinct combinations of its columns come to Python."""
    parts = ", ".join(_PARTS)
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE combinations AS "
        f"SELECT row_number() OVER () AS number, * FROM (SELECT DISTINCT {parts} FROM unnamed_statements)"
    )
    make_temporary(connection, "job_bases", ", ".join(f"{part} VARCHAR" for part in (*_PARTS, "base")))
    namer = job_namer(rule)
    first = 1
    while rows := connection.execute(
        f"SELECT {parts} FROM combinations WHERE number >= ? AND number < ?", [first, first + _BATCH]
    ).fetchall():
        insert_values(connection, "job_bases", [(*row, namer(*row)) for row in rows])
        first += _BATCH


@python_step(reads="dataset_facts catalogs", makes="openlineage_names dataset_identities")
def identify_datasets(fold: Fold) -> None:
    """Make the temporary table `dataset_identities`: `dataset_facts` with OpenLineage's namespace and name."""
    connection = fold.connection
    facts = connection.execute("SELECT dataset, kind, location FROM dataset_facts").fetchall()
    catalogs = dict(connection.execute(sql_text("queries/catalog_namespaces")).fetchall())
    named = [
        (name, *openlineage_name(Dataset(name, kind, location=location), catalogs)) for name, kind, location in facts
    ]
    columns = 'dataset VARCHAR, namespace VARCHAR, "name" VARCHAR'
    make_temporary(connection, "openlineage_names", columns, named)
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE dataset_identities AS "
        'SELECT f.*, o.namespace, o."name" FROM dataset_facts f JOIN openlineage_names o USING (dataset)'
    )


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
    stale = texts_of(connection, "SELECT dataset FROM stale_schemas ORDER BY dataset")
    if not stale:
        return
    renames = connection.execute(sql_text("queries/table_renames")).fetchall()
    groups = _groups(stale, [(str(old), str(new)) for old, new in renames])
    for first in range(0, len(groups), _GROUPS_AT_ONCE):
        _fold_batch(connection, groups[first : first + _GROUPS_AT_ONCE])


def _groups(stale: Iterable[str], renames: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Return the stale datasets, each with those that it was renamed from or to."""
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
    for table, rows in _TABLES_OF_HISTORY:
        connection.execute(f"DELETE FROM {table.name} WHERE dataset IN (FROM dataset_batch)")
        insert_rows(connection, table, chain.from_iterable(map(rows, histories)))


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
    """Return what an observation shows; `_observations` sets the dataset."""
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
    """Yield the observations of a batch; equal values are held once, so that a million observations fit into memory."""
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


def _of_run(run: tuple[str, str, int]) -> dict[str, object]:
    return dict(zip(("app_id", "attempt_id", "execution_id"), run, strict=True))


def _changes(history: SchemaHistory) -> Iterator[Row]:
    return (SCHEMA_CHANGES.row.of(change, **_of_run(change.run)) for change in history.changes)


def _gaps(history: SchemaHistory) -> Iterator[Row]:
    """Yield a gap per `ALTER TABLE` whose change is unknown."""
    for dataset, kind, seen in history.unknown:
        yield SCHEMA_GAPS.row(
            dataset=dataset,
            **_of_run(seen.run),
            reason=str(GapReason.UNKNOWN_CHANGE),
            operator=seen.shown.detail.partition(" ")[0],
            detail=f"{dataset}: the plan prints only the hash code of this {_CHANGES.get(kind, 'change')}",
            hint="a later statement that names the column shows the change, or harvest with --table-metadata",
        )


def _observed(history: SchemaHistory) -> Iterator[Row]:
    for seen in history.effective:
        if isinstance(seen.key, tuple):
            lineage_id, position = seen.key
            yield SCHEMA_OBSERVATIONS.row(
                lineage_id=lineage_id,
                position=position,
                job_name=seen.job_name,
                seen_at=seen.at,
                **_of_run(seen.run),
                dataset=seen.dataset,
                description=seen.description,
            )


_TABLES_OF_HISTORY: tuple[tuple[Table, Callable[[SchemaHistory], Iterable[Row]]], ...] = (
    (SCHEMA_VERSIONS, lambda history: map(SCHEMA_VERSIONS.row.of, history.versions)),
    (SCHEMA_CHANGES, _changes),
    (SCHEMA_OBSERVATIONS, _observed),
    (SCHEMA_GAPS, _gaps),
)


@dataclass(frozen=True, slots=True)
class ChangePoint:
    """A run whose lineage onto a target differs from that of the run before; the columns of lineage_change_points.

    Attributes:
        target_dataset: The target, by its name in this run.
        target_before: The target, by its name in the run before.
        before: The fingerprint of the lineage in the run before.
        lineage_fingerprint: The fingerprint of the lineage in this run.
        before_at: Start of the run before, UTC; None if it is unknown.
        changed_at: Start of this run, UTC; None if it is unknown.
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


def _rows(point: ChangePoint, edges: Edges, renames: Iterable[Rename]) -> Iterator[Row]:
    run = (point.app_id, point.attempt_id, point.execution_id)
    between = NO_RENAMES
    if (after := point.before_at) is not None and (until := point.changed_at) is not None:
        # the renames of the later run itself count, although they happen after its start
        between = _combined(each for each in renames if after < each.at and (each.at <= until or each.run == run))
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
