"""The events of runs: START and COMPLETE or FAIL of each statement, and of the application that ran it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby, islice

from eventlog_lineage import __version__
from eventlog_lineage.export.datasets import Datasets
from eventlog_lineage.export.runs import Run, read_runs
from eventlog_lineage.export.statement_text import sql_text
from eventlog_lineage.store.fold.stored_names import stored_rule
from eventlog_lineage.store.queries.open_store import OpenStore

from .column_lineage import TargetEdges, column_lineage_facet, edges_of, lineage_facet
from .facets import EVENT_SCHEMA, PRODUCER, Json, facet, filled
from .job_names import JobNames
from .options import EventOptions
from .run_ids import run_id
from .run_names import RunNames
from .schema import schema_facet

_CHUNK = 500
"""Runs whose schemas are read at once."""

_LIFECYCLE = {
    "alter": "ALTER",
    "create": "CREATE",
    "drop": "DROP",
    "overwrite": "OVERWRITE",
    "replace": "OVERWRITE",
    "truncate": "TRUNCATE",
}
_LAYERS = {"delta": "parquet", "hudi": None, "iceberg": None, "paimon": None}
"""Table formats, with the format of their files where there is only one."""


def run_events(store: OpenStore, options: EventOptions) -> Iterator[Json]:
    """Return the events of the selected runs, application by application.

    Args:
        store: The store.
        options: Which runs, and how their events are written.
    """
    datasets = Datasets(store, options.catalogs)
    jobs = JobNames(stored_rule(store.connection))
    runs = _with_schemas(read_runs(store, options.selection), datasets)
    for _, group in groupby(runs, key=lambda run: run.app_key):
        first: Run | None = None
        last_seen: datetime | None = None
        for run in group:
            if first is None:
                yield _event("START", _app_started(run), _application(run, jobs, options))
                first = run
            yield from _statement(run, datasets, jobs, options)
            last_seen = max(last_seen or run.started_at, run.ended_at or run.started_at)
        if first is not None and first.app_complete:
            ended_at = first.app_ended_at or last_seen or first.started_at
            yield _event("COMPLETE", ended_at, _application(first, jobs, options))


def _with_schemas(runs: Iterator[Run], datasets: Datasets) -> Iterator[Run]:
    """Return the runs; the schemas of their datasets are read for many runs at once."""
    while chunk := list(islice(runs, _CHUNK)):
        datasets.read_schemas([name for run in chunk for name in (run.target, *run.reads)])
        yield from chunk


def _event(kind: str, at: datetime, parts: Json) -> Json:
    known = {"eventType": kind, "eventTime": _time(at), "producer": PRODUCER, "schemaURL": EVENT_SCHEMA}
    return {**known, "inputs": [], "outputs": [], **parts}


def _time(at: datetime) -> str:
    """Return a time as ISO 8601 in UTC: `2026-11-20T01:02:03.000Z`."""
    return f"{at.isoformat(timespec='milliseconds')}Z"


def _app_started(run: Run) -> datetime:
    return run.app_started_at or run.started_at


def _application(run: Run, jobs: JobNames, options: EventOptions) -> Json:
    """Return the run and job of the application."""
    job = {"namespace": options.namespace, "name": jobs.application(run)}
    facets = {"jobType": facet("jobType", processingType="BATCH", integration="SPARK", jobType="APPLICATION")}
    return {"run": filled(runId=_app_run(run), facets=_engine(run)), "job": {**job, "facets": facets}}


def _app_run(run: Run) -> str:
    return run_id(_app_started(run), "/".join(run.app_key))


def _statement_run(run: Run) -> str:
    """Return the id of a statement's run; the runs of a statement with several targets are told apart by these."""
    name = f"{run.app_id}/{run.attempt_id}/{run.execution_id}"
    return run_id(run.started_at, f"{name}/{run.target}" if run.has_more_targets else name)


def _engine(run: Run) -> Json:
    """Return the engine's facet; Data.Rentgen wants the adapter's version too."""
    if not run.spark_version:
        return {}
    version = {"version": run.spark_version, "openlineageAdapterVersion": __version__}
    return {"processing_engine": facet("processing_engine", name="spark", **version)}


def _statement(run: Run, datasets: Datasets, jobs: JobNames, options: EventOptions) -> Iterator[Json]:
    """Return the events of a statement's run; a statement that has not ended has only its START."""
    names = RunNames(run, datasets, options)
    edges = edges_of(names, options.indirect)
    parts = {"run": _run_of(run, jobs, options), "job": _job_of(run, jobs, options)}
    yield _event("START", run.started_at, {**parts, "inputs": [_bare(dataset, names) for dataset in run.reads]})
    at = run.ended_at or run.started_at
    if run.status == "succeeded":
        if options.explicit:
            parts["job"]["facets"]["lineage"] = lineage_facet(edges, names)
        yield _event("COMPLETE", at, {**parts, "inputs": _inputs(edges, names), "outputs": [_output(edges, names)]})
    elif run.status == "failed":
        error = facet("errorMessage", message=run.error or "unknown error", programmingLanguage="JAVA")
        run_part = {**parts["run"], "facets": {**parts["run"]["facets"], "errorMessage": error}}
        bare = {"inputs": [_bare(each, names) for each in run.reads], "outputs": [_bare(run.target, names)]}
        yield _event("FAIL", at, {**parts, "run": run_part, **bare})
    elif run.app_complete:
        yield _event("ABORT", run.app_ended_at or at, parts)


def _run_of(run: Run, jobs: JobNames, options: EventOptions) -> Json:
    application = {
        "run": {"runId": _app_run(run)},
        "job": {"namespace": options.namespace, "name": jobs.application(run)},
    }
    parent = facet("parent", **application, root=application)
    return {"runId": _statement_run(run), "facets": {"parent": parent, **_engine(run)}}


def _job_of(run: Run, jobs: JobNames, options: EventOptions) -> Json:
    processing = "STREAMING" if run.streams else "BATCH"
    facets = {"jobType": facet("jobType", processingType=processing, integration="SPARK", jobType="SQL_JOB")}
    if query := sql_text(run.description):
        facets["sql"] = facet("sql", query=query, dialect="spark")
    return {"namespace": options.namespace, "name": jobs.statement(run), "facets": facets}


def _bare(dataset: str, names: RunNames) -> Json:
    """Return a dataset with its names alone."""
    return {**names.reference(dataset), **filled(facets=_symlinks(dataset, names))}


def _symlinks(dataset: str, names: RunNames) -> Json:
    symlink = names.symlink(dataset)
    return {"symlinks": facet("symlinks", identifiers=[symlink])} if symlink else {}


def _inputs(edges: TargetEdges, names: RunNames) -> list[Json]:
    """Return the inputs; the schema of one that an edge names has all columns that edges name."""
    named = edges.source_columns(names)
    read = dict.fromkeys([*names.run.reads, *named])
    return [_input(dataset, list(named.get(dataset, ())), names) for dataset in read]


def _input(dataset: str, named: list[str], names: RunNames) -> Json:
    moved = names.run.moved.get((dataset, "read"))
    schema = schema_facet(names.columns(dataset), named) if named else None
    facets = {**_symlinks(dataset, names), **filled(schema=schema), **_version(moved.snapshot if moved else None)}
    counts = filled(rowCount=moved.rows, size=moved.bytes, fileCount=moved.files) if moved else {}
    statistics = {"inputStatistics": facet("inputStatistics", **counts)} if counts else {}
    return {**names.reference(dataset), **filled(facets=facets, inputFacets=statistics)}


def _output(edges: TargetEdges, names: RunNames) -> Json:
    run = names.run
    moved = run.moved.get((run.target, "write"))
    written = [names.column(run.target, edge.target_column) for edge in run.edges if edge.target_column]
    facets = {
        **_symlinks(run.target, names),
        **_storage(names.format(run.target)),
        **_version(moved.snapshot if moved else None),
        **filled(
            schema=schema_facet(names.columns(run.target), dict.fromkeys(written)),
            columnLineage=column_lineage_facet(edges, names),
        ),
    }
    if run.renamed_from is not None:
        before = names.reference(run.renamed_from)
        change = facet("lifecycleStateChange", lifecycleStateChange="RENAME", previousIdentifier=before)
        facets["lifecycleStateChange"] = change
    elif kind := _LIFECYCLE.get(run.mode):
        facets["lifecycleStateChange"] = facet("lifecycleStateChange", lifecycleStateChange=kind)
    counts = filled(rowCount=moved.rows, size=moved.bytes, fileCount=moved.files) if moved else {}
    statistics = {"outputStatistics": facet("outputStatistics", **counts)} if counts else {}
    return {**names.reference(run.target), **filled(facets=facets, outputFacets=statistics)}


def _storage(file_format: str) -> Json:
    if file_format not in _LAYERS:
        return {}
    return {"storage": facet("storage", storageLayer=file_format, fileFormat=_LAYERS[file_format])}


def _version(snapshot: str | None) -> Json:
    """Return the version facet; of several snapshots that were read none is the dataset's version."""
    return {"version": facet("version", datasetVersion=snapshot)} if snapshot and "," not in snapshot else {}
