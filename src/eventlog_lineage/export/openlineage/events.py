"""The events of runs: START and COMPLETE or FAIL of each statement, and of the application that ran it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby, islice

from eventlog_lineage import __version__
from eventlog_lineage.export.datasets import Datasets
from eventlog_lineage.export.openlineage.declared_facets import DeclaredFacets
from eventlog_lineage.export.openlineage.event_datasets import bare_dataset, edges_of, inputs, lineage_facet, output
from eventlog_lineage.export.openlineage.event_names import (
    EVENT_SCHEMA,
    PRODUCER,
    EventOptions,
    JobNames,
    Json,
    RunNames,
    facet,
    filled,
    run_id,
)
from eventlog_lineage.export.runs import Run, read_runs
from eventlog_lineage.history.job_names import sql_text
from eventlog_lineage.store.fold.stored_names import stored_rule
from eventlog_lineage.store.queries.open_store import OpenStore

_CHUNK = 500
"""Runs whose schemas are read at once."""


def run_events(store: OpenStore, options: EventOptions) -> Iterator[Json]:
    """Return the events of the selected runs, application by application.

    Args:
        store: The store.
        options: Which runs, and how their events are written.
    """
    datasets = Datasets(store, options.catalogs)
    jobs = JobNames(stored_rule(store.connection))
    declared = DeclaredFacets(store)
    runs = _with_schemas(read_runs(store, options.selection), datasets)
    for _, group in groupby(runs, key=lambda run: run.app_key):
        first: Run | None = None
        last_seen: datetime | None = None
        for run in group:
            if first is None:
                yield _event("START", _app_started(run), _application(run, jobs, options))
                first = run
            yield from _statement(run, datasets, jobs, options, declared)
            last_seen = max(last_seen or run.started_at, run.ended_at or run.started_at)
        if first is not None and first.app_complete:
            ended_at = first.app_ended_at or last_seen or first.started_at
            yield _event("COMPLETE", ended_at, _application(first, jobs, options))


def _with_schemas(runs: Iterator[Run], datasets: Datasets) -> Iterator[Run]:
    """Return the runs; the schemas of their datasets are read for many runs at once.

    Args:
        runs: The runs.
        datasets: Reads the schemas.
    """
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
    """Return the run and job of the application.

    Args:
        run: The run of a statement.
        jobs: The names of jobs.
        options: The export's options.
    """
    job = {"namespace": options.namespace, "name": jobs.application(run)}
    facets = {"jobType": facet("jobType", processingType="BATCH", integration="SPARK", jobType="APPLICATION")}
    return {
        "run": filled(runId=_app_run(run), facets={**_engine(run), **_spark(run)}),
        "job": {**job, "facets": facets},
    }


def _app_run(run: Run) -> str:
    return run_id(_app_started(run), "/".join(run.app_key))


def _statement_run(run: Run) -> str:
    """Return the id of a statement's run; these distinguish the runs of a statement with several targets."""
    name = f"{run.app_id}/{run.attempt_id}/{run.execution_id}"
    return run_id(run.started_at, f"{name}/{run.target}" if run.has_more_targets else name)


def _engine(run: Run) -> Json:
    """Return the engine's facet; Data.Rentgen wants the adapter's version too."""
    if not run.spark_version:
        return {}
    version = {"version": run.spark_version, "openlineageAdapterVersion": __version__}
    return {"processing_engine": facet("processing_engine", name="spark", **version)}


def _spark(run: Run) -> Json:
    """Return the agent's facets of an application, with what the store has of it; of its properties only the name."""
    names = filled(appName=run.app_name, userName=run.user_name)
    properties = {"spark.app.id": run.app_id, **({"spark.app.name": run.app_name} if run.app_name else {})}
    return {
        "spark_applicationDetails": facet("spark_applicationDetails", applicationId=run.app_id, **names),
        "spark_properties": facet("spark_properties", properties=properties),
    }


def _statement(
    run: Run, datasets: Datasets, jobs: JobNames, options: EventOptions, declared: DeclaredFacets
) -> Iterator[Json]:
    """Return the events of a statement's run; a statement that has not ended has only its START.

    Args:
        run: The run.
        datasets: The datasets of the store.
        jobs: The names of jobs.
        options: The export's options.
        declared: The facets of what files declare.
    """
    names = RunNames(run, datasets, options)
    edges = edges_of(names, options.indirect)
    parts = {"run": _run_of(run, jobs, options), "job": _job_of(run, jobs, options, declared)}
    yield _event("START", run.started_at, {**parts, "inputs": [bare_dataset(dataset, names) for dataset in run.reads]})
    at = run.ended_at or run.started_at
    if run.status == "succeeded":
        job = parts["job"]
        if options.explicit:
            job = {**job, "facets": {**job["facets"], "lineage": lineage_facet(edges, names)}}
        made = {"inputs": inputs(edges, names, declared), "outputs": [output(edges, names, declared)]}
        yield _event("COMPLETE", at, {**parts, "job": job, **made})
    elif run.status == "failed":
        error = facet("errorMessage", message=run.error or "unknown error", programmingLanguage="JAVA")
        run_part = {**parts["run"], "facets": {**parts["run"]["facets"], "errorMessage": error}}
        bare = {
            "inputs": [bare_dataset(each, names) for each in run.reads],
            "outputs": [bare_dataset(run.target, names)],
        }
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


def _job_of(run: Run, jobs: JobNames, options: EventOptions, declared: DeclaredFacets) -> Json:
    processing = "STREAMING" if run.streams else "BATCH"
    facets = {"jobType": facet("jobType", processingType=processing, integration="SPARK", jobType="SQL_JOB")}
    if query := sql_text(run.description):
        facets["sql"] = facet("sql", query=query, dialect="spark")
    facets |= declared.of_job(run.job_name)
    return {"namespace": options.namespace, "name": jobs.statement(run), "facets": facets}
