"""Make and send the events of runs: START and COMPLETE or FAIL of each statement, and of its application."""

from __future__ import annotations

import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from http.client import HTTPException
from itertools import groupby, islice
from urllib.parse import urlsplit

import orjson

from eventlog_lineage import __version__
from eventlog_lineage.errors import LineageError, UsageError
from eventlog_lineage.export.datasets import Datasets
from eventlog_lineage.export.event_datasets import (
    EVENT_SCHEMA,
    PRODUCER,
    DeclaredFacets,
    EventOptions,
    JobNames,
    Json,
    RunNames,
    bare_dataset,
    edges_of,
    facet,
    filled,
    inputs,
    lineage_facet,
    output,
    run_id,
)
from eventlog_lineage.export.runs import Run, read_runs
from eventlog_lineage.safe_text import escape_json
from eventlog_lineage.store.fold.stored_names import stored_rule
from eventlog_lineage.store.queries.open_store import OpenStore

_CHUNK = 500
"""Runs whose schemas are read at once."""


def run_events(store: OpenStore, options: EventOptions) -> Iterator[Json]:
    """Return the events of the selected runs, application by application."""
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
    """Return the events of a statement's run; a statement that has not ended has only its START."""
    names = RunNames(run, datasets, options)
    edges = edges_of(names, options.indirect)
    parts = {"run": _run_of(run, jobs, options), "job": _job_of(run, jobs, options, declared)}
    read = [bare_dataset(dataset, names) for dataset in run.reads]
    yield _event("START", run.started_at, {**parts, "inputs": read})
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
        written = [bare_dataset(run.target, names)]
        yield _event("FAIL", at, {**parts, "run": run_part, "inputs": read, "outputs": written})
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
    if run.sql_text:
        facets["sql"] = facet("sql", query=run.sql_text, dialect="spark")
    facets |= declared.of_job(run.job_name)
    return {"namespace": options.namespace, "name": jobs.statement(run), "facets": facets}


ENDPOINT = "api/v1/lineage"
"""The path of a consumer's API that takes events (`HttpConfig.endpoint` of OpenLineage's clients)."""

_PAUSES = (0.5, 1.0, 2.0, 4.0)
"""Seconds before each further attempt."""

_LONGEST_PAUSE = 60.0
_TIMEOUT = 60
_RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504})
_REASON = 300


class DeliveryError(LineageError):
    """A consumer does not answer, or refuses events."""


@dataclass(frozen=True, slots=True)
class Consumer:
    """Where events go.

    Attributes:
        api_key: Sent as `Authorization: Bearer`; empty for none.
        pauses: Seconds before each further attempt.
    """

    address: str
    api_key: str = ""
    pauses: tuple[float, ...] = ()
    sleep: Callable[[float], object] = time.sleep

    def send(self, body: bytes) -> str:
        """Send an event, and return why the consumer refuses it; empty if it took it.

        Raises:
            DeliveryError: The consumer cannot be reached, or is too busy, after all attempts.
        """
        for pause in (*self.pauses, None):
            failure, wait = "", 0.0
            try:
                self._post(body)
            except urllib.error.HTTPError as error:
                with error:
                    failure = f"{error.code} {_one_line(error.read(_REASON).decode(errors='replace')) or error.reason}"
                if error.code not in _RETRIED:
                    return failure
                wait = _asked_pause(error.headers.get("Retry-After", ""))
            except (OSError, HTTPException) as error:
                failure = _one_line(str(getattr(error, "reason", error))) or type(error).__name__
            if not failure:
                return ""
            if pause is None:
                break
            self.sleep(min(max(pause, wait), _LONGEST_PAUSE))
        raise DeliveryError(f"the consumer does not take events: {failure}", self.address)

    def _post(self, body: bytes) -> None:
        headers = {"Content-Type": "application/json", "User-Agent": "eventlog-lineage"}
        if self.api_key:
            headers["Authorization"] = f"Bearer {self.api_key}"
        request = urllib.request.Request(self.address, body, headers, method="POST")
        with urllib.request.urlopen(request, timeout=_TIMEOUT) as answer:
            answer.read(_REASON)


def consumer_at(url: str, environment: Mapping[str, str]) -> Consumer:
    """Return the consumer at an address.

    Args:
        url: `http(s)://host:port`, with a path where a proxy wants one; empty for `OPENLINEAGE_URL`.
        environment: Has `OPENLINEAGE_URL`, `OPENLINEAGE_ENDPOINT` and `OPENLINEAGE_API_KEY` where these are set.

    Raises:
        UsageError: The address is missing, not HTTP, or contains credentials.
    """
    base = (url or environment.get("OPENLINEAGE_URL", "")).strip()
    if not base:
        raise UsageError("no address to send events to", hint="name it, --to http://host:5000, or set OPENLINEAGE_URL")
    parts = urlsplit(base)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise UsageError(f"not an HTTP address: {base}", hint="write http://host:port or https://host")
    endpoint = environment.get("OPENLINEAGE_ENDPOINT", "").strip().strip("/") or ENDPOINT
    if "@" in parts.netloc:
        raise UsageError("the address holds a user or password", hint="set OPENLINEAGE_API_KEY instead")
    return Consumer(f"{base.rstrip('/')}/{endpoint}", environment.get("OPENLINEAGE_API_KEY", "").strip(), _PAUSES)


def is_disabled(environment: Mapping[str, str]) -> bool:
    """Return whether `OPENLINEAGE_DISABLED` turns sending off, as it does in OpenLineage's clients."""
    return environment.get("OPENLINEAGE_DISABLED", "").strip().lower() in {"true", "1"}


def _asked_pause(asked: str) -> float:
    """Return the seconds that `Retry-After` asks for; a date there is not read."""
    return float(asked) if re.fullmatch(r"\d{1,6}", asked.strip()) else 0.0


def _one_line(text: str) -> str:
    return " ".join(text.split())


LARGE = 5_000_000
"""Bytes from which consumers refuse an event: Dataplex's limit; Marquez and proxies have limits of their own."""


@dataclass(slots=True)
class Tally:
    """What was written.

    Attributes:
        bytes: Bytes of all events.
        large: Events over `LARGE` bytes.
        largest: Bytes of the largest event.
        nested: Columns in structs by their dotted names, with their datasets.
    """

    events: int = 0
    bytes: int = 0
    large: int = 0
    largest: int = 0
    largest_job: str = ""
    runs: set[str] = field(default_factory=set)
    jobs: set[str] = field(default_factory=set)
    nested: set[tuple[str, str, str]] = field(default_factory=set)

    def add(self, event: Json, size: int) -> None:
        """Count an event and its bytes."""
        self.events += 1
        self.bytes += size
        self.large += size > LARGE
        self.runs.add(event["run"]["runId"])
        self.jobs.add(event["job"]["name"])
        if size > self.largest:
            self.largest, self.largest_job = size, event["job"]["name"]
        for dataset in event["outputs"]:
            self.nested.update(each for each in _named_columns(dataset) if "." in each[2])


def _named_columns(output: Json) -> Iterator[tuple[str, str, str]]:
    """Yield namespace, name and column of what the columnLineage facet of an output names."""
    lineage = output.get("facets", {}).get("columnLineage", {})
    made = lineage.get("fields", {})
    yield from ((output["namespace"], output["name"], column) for column in made)
    lists = [*(each["inputFields"] for each in made.values()), lineage.get("dataset", ())]
    yield from ((each["namespace"], each["name"], each["field"]) for listed in lists for each in listed)


def event_lines(events: Iterable[Json], tally: Tally) -> Iterator[bytes]:
    """Return each event as compact JSON with sorted keys, without a line end."""
    for event in events:
        line = escape_json(orjson.dumps(event, option=orjson.OPT_SORT_KEYS).decode()).encode()
        tally.add(event, len(line))
        yield line
