"""Rows of an assembled log: the log, its application, its executions and their metrics.

Runs that OpenLineage events report become rows of the same tables. A run that others name as their parent is the
application of these; a run without a parent is its own. A run that names its Spark application belongs to
`local-1@openlineage`, which the fold leaves out if it has the log of `local-1`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from hashlib import sha256
from itertools import chain, starmap
from operator import itemgetter

from eventlog_lineage.catalog.application_facts import CatalogSettings
from eventlog_lineage.catalog.stream_tables import locate_streams
from eventlog_lineage.connectors.identify import catalog_prefixes
from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.naming import common_folder, read_location
from eventlog_lineage.datasets.openlineage import catalog_namespaces, dataset_at
from eventlog_lineage.events.decoding.line_filter import items, mapping
from eventlog_lineage.events.records import AssembledLog, Execution, OperatorMetrics, RunCost, SchedulerTask
from eventlog_lineage.events.reported_runs import Dataset as Reference
from eventlog_lineage.events.reported_runs import Json, Reported, Run, dataset_of
from eventlog_lineage.events.sources.layouts import EventLog
from eventlog_lineage.extensions import find_command
from eventlog_lineage.history.job_names import owner_of_views
from eventlog_lineage.lineage.application import settings_of
from eventlog_lineage.lineage.results.lineage_names import with_short_names
from eventlog_lineage.lineage.results.snapshot_uses import find_snapshots, source_names
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage, lineage_fingerprint
from eventlog_lineage.lineage.statement import Statement
from eventlog_lineage.model import Confidence, Dataset, DatasetAccess, Dependency, Edge, Gap, GapReason, Transformation
from eventlog_lineage.observed_schemas import AllColumns, Evidence, SchemaColumn
from eventlog_lineage.plan.summary.plan_summary import PlanSummary
from eventlog_lineage.store.schema import tables
from eventlog_lineage.store.schema.declaration import Row, Table, printed_id, staged_id
from eventlog_lineage.user_input import read_epoch_ms


def snapshot_rows(
    log: AssembledLog,
    statements: Sequence[Statement],
    summaries: Mapping[int, PlanSummary],
    catalog_settings: CatalogSettings,
) -> Iterator[Row]:
    """Yield the rows of `run_snapshots`: the snapshots that each statement read and made, if the log has them."""
    app = log.application
    executions = {execution.execution_id: execution for execution in log.executions}
    for use in find_snapshots(statements, executions, summaries, catalog_settings, log.progress):
        own = {"app_id": app.app_id, "attempt_id": app.attempt_id, "snapshot_confidence": use.confidence}
        yield tables.RUN_SNAPSHOTS.row.of(use, **own)


def batch_rows(
    log: AssembledLog,
    statements: Sequence[Statement],
    summaries: Mapping[int, PlanSummary],
    catalog_settings: CatalogSettings,
) -> Iterator[Row]:
    """Yield the rows of `batch_sources`: one for each source of each micro-batch that reported its progress."""
    app = log.application
    places = locate_streams(log.progress)
    roots = _batch_statements(log, statements)
    for each in log.progress:
        root_statement = roots.get((each.run_id, each.batch_id))
        known = places[each.run_id]
        if root_statement is not None:
            names = source_names(root_statement, summaries, catalog_settings)
        else:
            names = [some[0].name if some and len(some) == 1 else "" for some in known.sources]
        for number, (description, start, end, rows) in enumerate(each.sources, 1):
            yield tables.BATCH_SOURCES.row(
                app_id=app.app_id,
                attempt_id=app.attempt_id,
                stream_query_id=each.query_id,
                stream_run_id=each.run_id,
                stream_batch_id=each.batch_id,
                query_name=each.name,
                execution_id=root_statement.root if root_statement is not None else None,
                started_at=read_epoch_ms(each.timestamp),
                source_number=number,
                source_dataset=names[number - 1] or None if number <= len(names) else None,
                source_description=description,
                start_offset=start,
                end_offset=end,
                input_rows=rows,
                sink_dataset=_sink_name(known.sink, owner_of_views(app.app_name, printed_id(app.app_id))),
                sink_description=each.sink,
                output_rows=each.rows_written,
            )


def _sink_name(sink: Dataset | None, owner: str) -> str | None:
    """Return the name of a stream's sink; a memory sink's table is its application's."""
    if sink is None or sink.kind != "temp_view":
        return sink.name if sink is not None else None
    return naming.of_application(sink.name, owner)


def _batch_statements(log: AssembledLog, statements: Sequence[Statement]) -> dict[tuple[str, int | None], Statement]:
    """Return the statement of each micro-batch, by the run of its stream and the batch's id.

    Statements that a function of `foreachBatch` runs are left out.
    """
    by_id = {execution.execution_id: execution for execution in log.executions}
    found: dict[tuple[str, int | None], Statement] = {}
    for statement in statements:
        if statement.context.stream is not None and statement.context.batch is None:
            root = by_id[statement.root]
            found.setdefault((root.stream_run_id, root.stream_batch_id), statement)
    return found


Counts = tuple[int | None, int | None, int | None]
"""Rows, bytes and files; None where no log has the metric."""

_LARGEST = 2**63 - 1
_ROWS = "number of output rows"
_READ_BYTES = ("size of files read", "size of static filtered files read")
_CONNECTOR_BYTES = ("total data file size (bytes)", "total delete file size (bytes)")
"""Metrics of a V2 scan's own (Iceberg 1.2+, `SparkScan.supportedCustomMetrics`)."""
_READ_FILES = ("number of files read", "number of static filtered files read", "number of result data files")
_WRITTEN_BYTES = ("written output", "bytes of written output")
_WRITTEN_FILES = ("number of written files",)
_SCAN_TABLE = re.compile(
    r"^(?:Gpu|Photon|Comet|Native)*(?:(?:Batch)?Scan \S+ ([\w-]+\.[\w.-]+)|BatchScan ([\w-]+(?:\.[\w-]+){2,}))\s*$"
)


def application_row(log: AssembledLog) -> Row:
    """Return the row of `applications`."""
    return tables.APPLICATIONS.row.of(log.application, origin="spark")


def catalog_rows(log: AssembledLog) -> Iterator[Row]:
    """Yield the rows of `seen_catalogs`: the namespaces of catalogs in the application's settings.

    A catalog of a connector has what the names of its tables begin with, `postgres://db1:5432/shop.`.
    """
    app = log.application
    settings = settings_of(log)
    warehouses = {naming.SESSION_CATALOG: settings.warehouse}
    namespaces = {**catalog_namespaces(app.settings), **catalog_prefixes(dict(settings.sources))}
    for catalog, namespace in namespaces.items():
        warehouse = warehouses.get(catalog, "")
        yield tables.SEEN_CATALOGS.row(
            catalog=catalog, namespace=namespace, warehouse=warehouse, shown_at=app.started_at
        )


def place_rows(log: AssembledLog, places: Iterable[tuple[str, str]]) -> Iterator[Row]:
    """Yield the rows of `seen_places`: the tables of an application and the places of their files in its warehouses."""
    for dataset, location in places:
        yield tables.SEEN_PLACES.row(dataset=dataset, location=location, shown_at=log.application.started_at)


def log_row(log: AssembledLog, source: EventLog) -> Row:
    """Return the row of `harvested_logs`."""
    app = log.application
    own = {"log_path": source.path, "app_id": app.app_id, "attempt_id": app.attempt_id}
    return tables.HARVESTED_LOGS.row.of(source, **own, state=log.state, error=log.error or None)


def failed_log_rows(source: EventLog, error: str, gap: Gap) -> Iterator[tuple[Table, Sequence[Row]]]:
    """Yield the rows for a log on which the program fails: of the log, and of its gap."""
    app_id = staged_id(source.app_id, None, "")
    own = {"log_path": source.path, "app_id": app_id, "state": "unreadable", "error": error}
    yield tables.HARVESTED_LOGS, [tables.HARVESTED_LOGS.row.of(source, **own)]
    yield tables.GAPS, [tables.GAPS.row.of(gap, app_id=app_id, attempt_id=source.attempt_id, execution_id=None)]


def execution_rows(
    log: AssembledLog, summaries: Mapping[int, PlanSummary], statements: Sequence[Statement], roots: Mapping[int, int]
) -> Iterator[Row]:
    """Yield the rows of `executions`; a root has the counts and the cost of all executions of its statement."""
    app = log.application
    lineage_ids = {statement.root: statement.lineage_id for statement in statements}
    totals = _totals(log.executions, statements)
    for execution in log.executions:
        number = execution.execution_id
        (rows, size, files), cost = totals[number]
        yield tables.EXECUTIONS.row.of(
            execution,
            app_id=app.app_id,
            attempt_id=app.attempt_id,
            root_execution_id=roots[number],
            duration_ms=_duration(execution),
            error=execution.error or None,
            plan_fingerprint=summaries[number].fingerprint or None,
            lineage_id=lineage_ids.get(number),
            rows_written=rows,
            bytes_written=size,
            files_written=files,
            stream_query_id=execution.stream_query_id or None,
            sql_text=execution.sql_text or execution.described_sql or None,
            user_name=execution.user_name or None,
            **_scheduler_columns(execution.scheduler or app.scheduler),
            **_cost_columns(cost),
        )


def metrics_rows(log: AssembledLog, roots: Mapping[int, int]) -> Iterator[Row]:
    """Yield the rows of `io_metrics`, by statement and dataset; a write has none: it is the statement's target."""
    app = log.application
    found: dict[tuple[int, str, str], list[Counts]] = {}
    for execution in log.executions:
        for operator in execution.metrics:
            direction, name = _accessed(operator)
            counts = _read_counts(operator) if direction == "read" else _written_counts(operator)
            found.setdefault((roots[execution.execution_id], name, direction), []).append(counts)
    for (root, name, direction), every in found.items():
        rows, size, files = _sum(every)
        if direction == "write" and rows is size is files is None:
            continue  # an operator of a write that only reads, as in Iceberg's row-level commands
        yield tables.IO_METRICS.row(
            app_id=app.app_id,
            attempt_id=app.attempt_id,
            execution_id=root,
            dataset=name,
            direction=direction,
            rows=rows,
            bytes=size,
            files=files,
        )


def gap_rows(log: AssembledLog) -> Iterator[Row]:
    """Yield the rows of `gaps` of the log itself; those of its statements belong to their lineages."""
    app = log.application
    for gap in log.gaps:
        yield tables.GAPS.row.of(gap, app_id=app.app_id, attempt_id=app.attempt_id, execution_id=None)


def _scheduler_columns(task: SchedulerTask | None) -> dict[str, str | None]:
    if task is None:
        return {"scheduler": None, "scheduler_task": None, "scheduler_run": None}
    return {"scheduler": task.scheduler, "scheduler_task": task.task, "scheduler_run": task.run or None}


def _cost_columns(cost: RunCost | None) -> dict[str, int | None]:
    """Return the values of the columns with what an execution costs, by their names; all None if that is unknown."""
    return {column.name: getattr(cost, column.name, None) for column in tables.COST}


def _total_cost(costs: Iterable[RunCost | None]) -> RunCost | None:
    known = [cost for cost in costs if cost is not None]
    return reduce(RunCost.plus, known) if known else None


def _duration(execution: Execution) -> int | None:
    if execution.started_at is None or execution.ended_at is None:
        return None
    return execution.ended_at - execution.started_at


def _accessed(operator: OperatorMetrics) -> tuple[str, str]:
    """Return the direction and the dataset of an operator with metrics; a write has no dataset.

    The counts of a scan of several datasets are those of the operator, as nothing divides them.
    """
    if _is_write(operator):
        return "write", ""
    if match := _SCAN_TABLE.match(operator.node_name):
        return "read", naming.table_name(match[1] or match[2])
    names = list(dict.fromkeys(map(naming.path_name, read_location(operator.location).paths)))
    is_one = len(names) == 1 or common_folder(names) is not None
    return "read", names[0] if is_one else operator.node_name


def _is_write(operator: OperatorMetrics) -> bool:
    name = operator.node_name
    return name.startswith(("Execute", "Write")) or find_command(name.partition(" ")[0]).moves_rows


def _read_counts(operator: OperatorMetrics) -> Counts:
    values = operator.values
    size = _first(values, _READ_BYTES)
    parts = [values[name] for name in _CONNECTOR_BYTES if name in values]
    return values.get(_ROWS), sum(parts) if size is None and parts else size, _first(values, _READ_FILES)


def _written_counts(operator: OperatorMetrics) -> Counts:
    values = operator.values
    return values.get(_ROWS), _first(values, _WRITTEN_BYTES), _first(values, _WRITTEN_FILES)


def _totals(
    executions: Iterable[Execution], statements: Iterable[Statement]
) -> dict[int, tuple[Counts, RunCost | None]]:
    """Return what each execution wrote and its cost; for the root of a statement, of all of its executions."""
    single = {each.execution_id: (_written(each.metrics), each.cost) for each in executions}
    totals = dict(single)
    for statement in statements:
        if len(statement.members) > 1:
            written, costs = zip(*(single[member] for member in statement.members), strict=True)
            totals[statement.root] = (_sum(written), _total_cost(costs))
    return totals


def _written(operators: Iterable[OperatorMetrics]) -> Counts:
    return _sum(_written_counts(operator) for operator in operators if _is_write(operator))


def _first(values: Mapping[str, int], names: Iterable[str]) -> int | None:
    return next((values[name] for name in names if name in values), None)


def _sum(counts: Iterable[Counts]) -> Counts:
    """Add counts; a count that no operator has stays unknown."""
    rows, size, files = tuple(zip(*counts, strict=True)) or ((), (), ())
    return _added(rows), _added(size), _added(files)


def _added(values: Iterable[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return min(sum(known), _LARGEST) if known else None


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
    outputs = [(dataset_at(*name), facets) for name, facets in run.outputs.items()]
    inputs = [(dataset_at(*name), facets) for name, facets in run.inputs.items()]
    edges = tuple(chain.from_iterable(starmap(_edges, outputs)))[:_MOST_EDGES]
    reads = dict.fromkeys((*map(itemgetter(0), inputs), *_sources(outputs)))
    accesses = [_access(each, "read", "", edges) for each in reads]
    accesses += [_access(each, "write", _mode(facets), edges) for each, facets in outputs]
    target, facets = outputs[0] if outputs else (None, {})
    found = StatementLineage(
        fingerprint=lineage_fingerprint(edges, accesses, ()),
        command=run.integration or ORIGIN,
        target=target,
        mode=_mode(facets) if target else "",
        edges=edges,
        accesses=tuple(accesses),
        aliases=(),
        datasets=tuple(dict.fromkeys((*reads, *map(itemgetter(0), outputs)))),
        gaps=(),
        observations=tuple(_observations((*inputs, *outputs))),
    )
    return with_short_names(found)


def _observations(datasets: Iterable[tuple[Dataset, Json]]) -> Iterator[AllColumns]:
    for dataset, facets in datasets:
        if columns := tuple(_columns(facets)):
            yield AllColumns(dataset=dataset.name, evidence=Evidence.RELATION, columns=columns, ordered=True)


def _access(dataset: Dataset, direction: str, mode: str, edges: Iterable[Edge]) -> DatasetAccess:
    """Return a read or a write of a dataset, with the columns at that end of the edges."""
    end = "source" if direction == "read" else "target"
    own = (getattr(edge, f"{end}_column") for edge in edges if getattr(edge, f"{end}_dataset") == dataset.name)
    return DatasetAccess(dataset, direction, mode, tuple(dict.fromkeys(filter(None, own))))


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
    inner = list(map(mapping, items(schema_field.get("fields")))) if depth < _DEEPEST else []
    types = [_type(each, depth + 1) for each in inner]
    if kind == "struct" and types:
        types = [f"{each.get('name') or ''}:{inner_type}" for each, inner_type in zip(inner, types, strict=True)]
    if kind in {"struct", "array", "map"} and types:
        return f"{kind}<{','.join(types)}>"
    return _TYPES.get(kind, kind.lower()) if isinstance(kind, str) else ""


def _application_of(run: Run, application: tuple[str, str] | None, reported: Reported) -> tuple[str, str, str, Run]:
    """Return the id of a run's application, its job, its title, and the run that is the application itself."""
    app_id, (namespace, name) = run.parent or (run.run_id, run.job)
    if application:
        spark_id, title = application
        return f"{spark_id}@{ORIGIN}", name, title, run
    return app_id, name, name or namespace, reported.runs.get(app_id, run)


def reported_rows(reported: Reported, log: EventLog) -> Iterator[tuple[Table, Sequence[Row]]]:
    """Yield the rows of runs, but for their lineages: of applications, executions, gaps and of the file."""
    parents = {run.parent[0] for run in reported.runs.values() if run.parent}
    applications: dict[str, str] = {}
    rows, executions = [], []
    for run in reported.runs.values():
        application = run.application or reported.runs.get(run.starter, run).application
        app_id, name, title, root = _application_of(run, application, reported)
        if app_id not in applications:
            applications[app_id] = staged_id(app_id, None, title)
            rows.append(_application(applications[app_id], title, root, log))
        if any((run.inputs, run.outputs)) or not (application or run.run_id in parents):
            executions.append(_execution(applications[app_id], name, run))
    first = next(iter(applications.values()), staged_id("", None, ""))
    yield tables.APPLICATIONS, rows
    yield tables.EXECUTIONS, executions
    yield tables.GAPS, list(_gaps(reported, first))
    state, error = ("complete", None) if reported.runs else ("unreadable", "no event of a run")
    own = {"log_path": log.path, "app_id": first, "attempt_id": "", "state": state, "error": error}
    yield tables.HARVESTED_LOGS, [tables.HARVESTED_LOGS.row.of(log, **own)]


def _application(app_id: str, name: str, root: Run, log: EventLog) -> Row:
    known = dict.fromkeys(tables.APPLICATIONS.row.names) | {
        "app_id": app_id,
        "attempt_id": "",
        "app_name": name,
        "engine": root.integration or ORIGIN,
        "agents": "",
        "started_at": root.started_at,
        "ended_at": root.ended_at,
        "complete": root.status != "running",
        "log_path": log.path,
        "origin": ORIGIN,
    }
    return tables.APPLICATIONS.row(**known)


def _execution(app_id: str, application: str, run: Run) -> Row:
    number = int(sha256(run.run_id.encode(errors="replace")).hexdigest()[:13], 16)
    known = dict.fromkeys(tables.EXECUTIONS.column_names)
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
    return tables.EXECUTIONS.row(**known)


def lineage_id_of(lineage: StatementLineage) -> str:
    """Return the id of a reported lineage: equal ones with equal schemas are one, from whichever file."""
    shown = sha256(repr(lineage.observations).encode(errors="replace")).hexdigest()[:16]
    return f"{ORIGIN}-{lineage.fingerprint}-{shown}"


def _gaps(reported: Reported, app_id: str) -> Iterator[Row]:
    known = {"app_id": app_id, "attempt_id": "", "execution_id": None, "operator": "OpenLineage"}
    if reported.bad_lines:
        detail = f"{reported.bad_lines} lines are no events of runs; {reported.first_bad}"
        yield tables.GAPS.row(**known, reason=GapReason.BAD_EVENT, detail=detail, hint=_HINT)
    if reported.limit:
        yield tables.GAPS.row(**known, reason=GapReason.LIMIT_EXCEEDED, detail=reported.limit, hint=reported.hint)
