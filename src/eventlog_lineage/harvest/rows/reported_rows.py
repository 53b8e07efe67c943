"""Rows of runs that OpenLineage events report: of the same tables as those of Spark's logs.

A run that others name as their parent is the application of these; a run without a parent is its own. A run
that names its Spark application belongs to `local-1@openlineage`, which the fold leaves out if it has the log of
`local-1`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

from eventlog_lineage.datasets.openlineage import dataset_at
from eventlog_lineage.events.decoding.json_fields import items, mapping
from eventlog_lineage.events.reported_runs import Dataset as Reference
from eventlog_lineage.events.reported_runs import Json, Reported, Run, dataset_of
from eventlog_lineage.events.sources.event_log import EventLog
from eventlog_lineage.lineage.results.bounded_names import with_short_names
from eventlog_lineage.lineage.results.lineage_fingerprint import lineage_fingerprint
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.model import Confidence, Dataset, DatasetAccess, Dependency, Edge, GapReason, Transformation
from eventlog_lineage.observed_schemas import AllColumns, Evidence, SchemaColumn
from eventlog_lineage.store.schema.declaration import Row, Table
from eventlog_lineage.store.schema.staged_ids import staged_id
from eventlog_lineage.store.schema.tables import APPLICATIONS, EXECUTIONS, GAPS, HARVESTED_LOGS

ORIGIN = "openlineage"
_MOST_EDGES = 100_000
_MOST_FIELDS = 10_000
_DEEPEST = 20
_TYPES = {"long": "bigint", "integer": "int", "short": "smallint", "byte": "tinyint", "unknown": ""}
"""Type names (`DataType.typeName`) whose catalog string differs."""
_MODES = {"OVERWRITE": "overwrite", "CREATE": "create", "DROP": "drop", "TRUNCATE": "truncate", "ALTER": "alter"}
_HINT = "write one RunEvent per line, as the file transport of OpenLineage's clients does"


def lineage_of_run(run: Run) -> StatementLineage:
    """Return the lineage that a run's last facets report."""
    outputs = {name: (dataset_at(*name), facets) for name, facets in run.outputs.items()}
    inputs = {name: (dataset_at(*name), facets) for name, facets in run.inputs.items()}
    edges = tuple(edge for target, facets in outputs.values() for edge in _edges(target, facets))[:_MOST_EDGES]
    reads = dict.fromkeys((*(each for each, _ in inputs.values()), *_sources(outputs.values())))
    accesses = [
        _access(each, "read", "", [edge.source_column for edge in edges if edge.source_dataset == each.name])
        for each in reads
    ]
    accesses += [
        _access(
            target, "write", _mode(facets), [edge.target_column for edge in edges if edge.target_dataset == target.name]
        )
        for target, facets in outputs.values()
    ]
    target, facets = next(iter(outputs.values()), (None, {}))
    observations = tuple(
        AllColumns(dataset=dataset.name, evidence=Evidence.RELATION, columns=columns, ordered=True)
        for dataset, found in (*inputs.values(), *outputs.values())
        if (columns := tuple(_columns(found)))
    )
    found = StatementLineage(
        fingerprint=lineage_fingerprint(edges, accesses, ()),
        command=run.integration or ORIGIN,
        target=target,
        mode=_mode(facets) if target else "",
        edges=edges,
        accesses=tuple(accesses),
        aliases=(),
        datasets=tuple(dict.fromkeys((*reads, *(each for each, _ in outputs.values())))),
        gaps=(),
        observations=observations,
    )
    return with_short_names(found)


def _access(dataset: Dataset, direction: str, mode: str, columns: Iterable[str | None]) -> DatasetAccess:
    return DatasetAccess(dataset, direction, mode, tuple(dict.fromkeys(filter(None, columns))))


def _mode(facets: Json) -> str:
    change = mapping(facets.get("lifecycleStateChange")).get("lifecycleStateChange")
    return _MODES.get(change, "append") if isinstance(change, str) else "append"


def _sources(outputs: Iterable[tuple[Dataset, Json]]) -> Iterator[Dataset]:
    """Yield the datasets that column lineage names, which some producers leave out of the inputs."""
    for _, facets in outputs:
        for _, _, reference, _ in _influences(facets):
            yield dataset_at(*reference)


def _influences(facets: Json) -> Iterator[tuple[str | None, Json, Reference, Json]]:
    """Yield (target column, its entry, source dataset, source entry) of a columnLineage facet."""
    lineage = mapping(facets.get("columnLineage"))
    entries = [(str(name), mapping(entry)) for name, entry in mapping(lineage.get("fields")).items()][:_MOST_FIELDS]
    for column, entry in (*entries, (None, {"inputFields": lineage.get("dataset")})):
        for source in map(mapping, items(entry.get("inputFields"))):
            if (reference := dataset_of(source)) is not None:
                yield column, entry, reference, source


def _edges(target: Dataset, facets: Json) -> Iterator[Edge]:
    order = {column.name: place for place, column in enumerate(_columns(facets), 1)}
    for column, entry, reference, source in _influences(facets):
        field = source.get("field")
        for way in map(mapping, items(source.get("transformations")) or [{}]):
            kind = _kind(way, column)
            described = way.get("description") or entry.get("transformationDescription")
            expression = described if isinstance(described, str) else ""
            yield Edge(
                source_dataset=dataset_at(*reference).name,
                source_column=field if isinstance(field, str) and field else None,
                target_dataset=target.name,
                target_column=column,
                target_ordinal=order.get(column) if column is not None else None,
                dependency=kind.dependency,
                transformation=kind,
                masking=way.get("masking") is True,
                expression=expression[: _DEEPEST * 500],
                confidence=Confidence.EXACT,
                pattern=expression[: _DEEPEST * 500],
            )


def _kind(way: Json, column: str | None) -> Transformation:
    subtype = str(way.get("subtype") or "").upper()
    is_direct = column is not None and str(way.get("type") or "DIRECT").upper() == "DIRECT"
    known = next((each for each in Transformation if each.value == subtype), None)
    if known is not None and (known.dependency is Dependency.DIRECT) == is_direct:
        return known
    if is_direct:
        return Transformation.TRANSFORMATION
    return Transformation.FILTER if column is None else Transformation.CONDITIONAL


def _columns(facets: Json) -> Iterator[SchemaColumn]:
    for each in items(mapping(facets.get("schema")).get("fields"))[:_MOST_FIELDS]:
        name = mapping(each).get("name")
        if isinstance(name, str) and name:
            yield SchemaColumn(name, _type(mapping(each)))


def _type(schema_field: Json, depth: int = 0) -> str:
    """Return the catalog string of a field: of structs, arrays and maps from their own fields."""
    kind = schema_field.get("type")
    inner = [mapping(each) for each in items(schema_field.get("fields"))] if depth < _DEEPEST else []
    types = [(str(each.get("name") or ""), _type(each, depth + 1)) for each in inner]
    if kind == "struct" and types:
        return f"struct<{','.join(f'{name}:{each}' for name, each in types)}>"
    if kind in {"array", "map"} and types:
        return f"{kind}<{','.join(each for _, each in types)}>"
    return _TYPES.get(kind, kind.lower()) if isinstance(kind, str) else ""


def reported_rows(reported: Reported, log: EventLog) -> Iterator[tuple[Table, Sequence[Row]]]:
    """Yield the rows of runs, but for their lineages: of applications, executions, gaps and of the file."""
    parents = {run.parent[0]: run.parent for run in reported.runs.values() if run.parent}
    applications: dict[str, str] = {}
    rows, executions = [], []
    for run in reported.runs.values():
        app_id, (namespace, name) = run.parent or (run.run_id, run.job)
        root = reported.runs.get(app_id, run)
        title = name or namespace
        starter = reported.runs.get(run.starter, run)
        if application := run.application or starter.application:
            spark_id, title = application
            app_id, root = f"{spark_id}@{ORIGIN}", run
        if app_id not in applications:
            applications[app_id] = staged_id(app_id, None, title)
            rows.append(_application(applications[app_id], title, root, log))
        if run.inputs or run.outputs or not (run.run_id in parents or application):
            executions.append(_execution(applications[app_id], name, run))
    first = next(iter(applications.values()), staged_id("", None, ""))
    yield APPLICATIONS, rows
    yield EXECUTIONS, executions
    yield GAPS, list(_gaps(reported, first))
    yield (
        HARVESTED_LOGS,
        [
            HARVESTED_LOGS.row(
                log_path=log.path,
                app_id=first,
                attempt_id="",
                size=log.size,
                modified_at=log.modified_at,
                state="complete" if reported.runs else "unreadable",
                error=None if reported.runs else "no event of a run",
            )
        ],
    )


def _application(app_id: str, name: str, root: Run, log: EventLog) -> Row:
    return APPLICATIONS.row(
        app_id=app_id,
        attempt_id="",
        app_name=name,
        user_name=None,
        spark_version=None,
        code_version=None,
        platform=None,
        engine=root.integration or ORIGIN,
        agents="",
        started_at=root.started_at,
        ended_at=root.ended_at,
        complete=root.status != "running",
        log_path=log.path,
        origin=ORIGIN,
    )


def _execution(app_id: str, application: str, run: Run) -> Row:
    number = int(sha256(run.run_id.encode(errors="replace")).hexdigest()[:13], 16)
    known = dict.fromkeys(EXECUTIONS.column_names)
    is_own = run.started_at is not None and run.ended_at is not None
    known |= {
        "app_id": app_id,
        "attempt_id": "",
        "execution_id": number,
        "root_execution_id": number,
        "description": run.job[1].removeprefix(f"{application}.") if run.parent else run.job[1],
        "started_at": run.started_at,
        "ended_at": run.ended_at,
        "duration_ms": (run.ended_at or 0) - (run.started_at or 0) if is_own else None,
        "status": run.status,
        "error": run.error or None,
        "lineage_id": lineage_id_of(lineage_of_run(run)) if run.inputs or run.outputs else None,
        "sql_text": run.sql or None,
    }
    return EXECUTIONS.row(**known)


def lineage_id_of(lineage: StatementLineage) -> str:
    """Return the id of a reported lineage: equal ones with equal schemas are one, from whichever file."""
    shown = sha256(repr(lineage.observations).encode(errors="replace")).hexdigest()[:16]
    return f"{ORIGIN}-{lineage.fingerprint}-{shown}"


def _gaps(reported: Reported, app_id: str) -> Iterator[Row]:
    known = {"app_id": app_id, "attempt_id": "", "execution_id": None, "operator": "OpenLineage"}
    if reported.bad_lines:
        detail = f"{reported.bad_lines} lines are no events of runs; {reported.first_bad}"
        yield GAPS.row(**known, reason=GapReason.BAD_EVENT, detail=detail, hint=_HINT)
    if reported.limit:
        yield GAPS.row(**known, reason=GapReason.LIMIT_EXCEEDED, detail=reported.limit, hint="split the file")
