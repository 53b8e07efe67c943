"""Runs in OpenLineage events (spec 2-0-2): the facts in START, COMPLETE and FAIL of a run, together.

Nothing in an event is trusted: sizes are bounded, fields of another type are empty, and a line without an event is
counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from eventlog_lineage.events.compression import Decoding
from eventlog_lineage.events.decoding.line_filter import head_of, items, mapping, parsed
from eventlog_lineage.events.read_options import CpuBudget, OverBudgetError
from eventlog_lineage.events.sources.discovery import is_openlineage, open_part
from eventlog_lineage.events.sources.layouts import EventLog
from eventlog_lineage.redaction.values import PLAIN, Redaction
from eventlog_lineage.user_input import read_epoch_ms

_NAMED = re.compile(r"\.(?:json|ndjson|jsonl|log|txt)(?:\.\w+)?$|openlineage|lineage", re.IGNORECASE)
"""Names of files that may hold events; Spark's logs have none of these."""
_LONGEST_LINE = 16 << 20
_MOST_RUNS = 1_000_000
_LONGEST_NAME = 2_000
_LONGEST_TEXT = 10_000

_ENDS = {"COMPLETE": "succeeded", "FAIL": "failed", "ABORT": "failed"}

Dataset = tuple[str, str]
"""Namespace and name."""

Json = Mapping[str, Any]


@dataclass(slots=True)
class Run:
    """A run, from all of its events.

    Attributes:
        run_id: Its id, as the producer writes it.
        job: Namespace and name of its job.
        parent: The id of the run that it belongs to, that run's job: the root, where a facet names it.
        starter: The id of the run that it belongs to directly.
        integration: `jobType.integration`, else the name of the engine: airflow, dbt, spark …
        started_at: Epoch milliseconds of its first event; None if no event has a time.
        ended_at: Of the event that ends it; None while it runs.
        status: `succeeded`, `failed`, `running`.
        application: Id and name of its Spark application, where a facet names them.
        inputs: Dataset to the dataset's facets.
    """

    run_id: str
    job: tuple[str, str]
    parent: tuple[str, tuple[str, str]] | None = None
    starter: str = ""
    integration: str = ""
    started_at: int | None = None
    ended_at: int | None = None
    status: str = "running"
    error: str = ""
    sql: str = ""
    application: tuple[str, str] | None = None
    inputs: dict[Dataset, Json] = field(default_factory=dict)
    outputs: dict[Dataset, Json] = field(default_factory=dict)

    def add(self, event: Json) -> None:
        """Add the facts of an event; events come in any order, and repeated ones change nothing."""
        at = read_epoch_ms(event.get("eventTime"))
        kind = _text(event.get("eventType")).upper()
        if at is not None:
            self.started_at = min(at, at if self.started_at is None else self.started_at)
        if kind in _ENDS:
            self.status, self.ended_at = _ENDS[kind], at
        self._add_facets(
            mapping(mapping(event.get("run")).get("facets")), mapping(mapping(event.get("job")).get("facets"))
        )
        _add_datasets(self.inputs, event.get("inputs"))
        _add_datasets(self.outputs, event.get("outputs"))

    def _add_facets(self, run: Json, job: Json) -> None:
        parent = mapping(run.get("parent"))
        self.parent = _parent(parent) or self.parent
        self.starter = _text(mapping(parent.get("run")).get("runId")) or self.starter
        engine = mapping(run.get("processing_engine")).get("name")
        self.integration = self.integration or _text(mapping(job.get("jobType")).get("integration") or engine).lower()
        details = mapping(run.get("spark_applicationDetails"))
        if app_id := _text(details.get("applicationId")):
            self.application = app_id, _text(details.get("appName")) or app_id
        self.error = _text(mapping(run.get("errorMessage")).get("message"), _LONGEST_TEXT) or self.error
        self.sql = _text(mapping(job.get("sql")).get("query"), _LONGEST_TEXT) or self.sql


def _add_datasets(known: dict[Dataset, Json], listed: object) -> None:
    for dataset in map(mapping, items(listed)):
        if (name := dataset_of(dataset)) is not None:
            known[name] = {**known.get(name, {}), **mapping(dataset.get("facets"))}


@dataclass(slots=True)
class Reported:
    """What a file of events holds.

    Attributes:
        runs: The runs, by id, in the order of their first events.
        bad_lines: Lines without an event of a run.
        first_bad: The number of the first of them and the reason.
        limit: The limit at which reading ended; empty if none did.
        hint: What to do about it.
    """

    runs: dict[str, Run] = field(default_factory=dict)
    bad_lines: int = 0
    first_bad: str = ""
    limit: str = ""
    hint: str = "split the file"


def holds_openlineage(log: EventLog, budget: CpuBudget) -> bool:
    """Return whether a log is a file of OpenLineage events; one chunk is read of files that may be one.

    A file that has no text before its budget is used up is none.

    Raises:
        LogError: The storage fails.
    """
    if len(log.parts) != 1 or not _NAMED.search(log.path):
        return False
    try:
        with open_part(log.parts[0]) as stream:
            return is_openlineage(head_of(iter(Decoding(stream, on_read=budget.check))))
    except OverBudgetError:
        return False


def read_runs(log: EventLog, budget: CpuBudget, redaction: Redaction = PLAIN) -> Reported:
    """Read the runs of a file of events, without secrets in any of their texts, until its budget is used up.

    Raises:
        LogError: The storage fails.
    """
    found = Reported()
    try:
        for part in log.parts:
            with open_part(part) as stream:
                lines = _lines(budget.chunks(Decoding(stream, on_read=budget.check)))
                _take_all(lines, found, redaction)
    except OverBudgetError as error:
        found.limit, found.hint = error.what, error.hint
    return found


def _take_all(lines: Iterable[bytes], found: Reported, redaction: Redaction) -> None:
    for number, line in enumerate(lines, 1):
        if len(found.runs) >= _MOST_RUNS:
            found.limit = f"more than {_MOST_RUNS} runs"
            return
        if line.strip():
            _take(line, number, found, redaction)


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of a text; of a line that is too long, its beginning."""
    held = b""
    for chunk in chunks:
        *lines, held = (held + chunk).split(b"\n")
        held = held[: _LONGEST_LINE + 1]
        yield from lines
    if held:
        yield held


def _take(line: bytes, number: int, found: Reported, redaction: Redaction) -> None:
    read, reason = _event(line)
    event = redaction.value(read)
    if reason:
        found.bad_lines += 1
        found.first_bad = found.first_bad or f"line {number}: {reason}"
        return
    run_id, job = _text(mapping(event.get("run")).get("runId")), mapping(event.get("job"))
    run = found.runs.setdefault(run_id, Run(run_id, (_text(job.get("namespace")), _text(job.get("name")))))
    run.add(event)


def _event(line: bytes) -> tuple[Json, str]:
    """Return the event of a line, or why it has none."""
    if len(line) > _LONGEST_LINE:
        return {}, f"longer than {_LONGEST_LINE >> 20} MiB"
    try:
        event = parsed(line.removeprefix(b"\xef\xbb\xbf"))
    except Exception as error:  # whatever a line holds, it costs no other line
        return {}, str(error)[:200]
    has_run = _text(mapping(event.get("run")).get("runId")) and _text(mapping(event.get("job")).get("name"))
    return event, "" if has_run else "no run or no job"


def dataset_of(reference: Json) -> Dataset | None:
    """Return namespace and name of a dataset; None without a name."""
    name = _text(reference.get("name"))
    return (_text(reference.get("namespace")), name) if name else None


def _parent(parent: Json) -> tuple[str, tuple[str, str]] | None:
    root = mapping(parent.get("root"))
    for each in (root, parent):
        run_id, job = _text(mapping(each.get("run")).get("runId")), mapping(each.get("job"))
        if run_id and job.get("name"):
            return run_id, (_text(job.get("namespace")), _text(job.get("name")))
    return None


def _text(value: object, longest: int = _LONGEST_NAME) -> str:
    return value[:longest] if isinstance(value, str) else ""
