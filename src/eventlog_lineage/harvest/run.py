"""A harvest from end to end: find new logs, read them with Spark or in this process, publish the store."""

from __future__ import annotations

import hashlib
import logging
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timezone
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from eventlog_lineage.declarations import read_files
from eventlog_lineage.errors import LogError, UsageError, encodable
from eventlog_lineage.events.reading import needs_settling, settle_order
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.events.sources.layouts import EventLog, Layout
from eventlog_lineage.harvest.extract import DueLogs, extract_split, whole_log
from eventlog_lineage.harvest.statement_rows import trace_statements
from eventlog_lineage.redaction import Redaction, without_users
from eventlog_lineage.safe_text import temporary_folder
from eventlog_lineage.store.versions.folder import KEPT_VERSIONS
from eventlog_lineage.store.writer import HarvestFacts, KnownLog, StoreWriter, Summary, open_for_harvest

from .checkpoints import Batch, NewStatement, Progress, resume_point
from .options import HarvestOptions, read_options
from .staging import Staging
from .table_metadata import known_tables, logs_to_read_again, metadata_rows

if TYPE_CHECKING:
    from .job import OnProgress


__all__ = ["HarvestOptions", "HarvestResult", "harvest"]

APPLICATION = "eventlog-lineage harvest"

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class HarvestResult:
    """What a harvest did.

    Attributes:
        unreadable: (path, reason) of the logs that could not be read at all.
        states: State to number of the logs that were read.
        again: The store's summary of the logs that were read again, with the tables of all logs known;
            None if there is none.
    """

    summary: Summary
    unreadable: tuple[tuple[str, str], ...]
    states: Mapping[str, int]
    empty_sources: tuple[str, ...] = ()
    again: Summary | None = None


def harvest(
    sources: Sequence[str], store: str | Path, options: HarvestOptions, on_progress: OnProgress = lambda *_: None
) -> HarvestResult:
    """Harvest logs into a store.

    Args:
        on_progress: Called with the name of each step, how much of it is done, and of how much.

    Raises:
        UsageError: A source is wrong.
        StoreError: The store is locked or of another version.
        SparkStartError: Spark does not start.
        LogError: `strict`, and a log could not be read; `fail_if_empty`, and a source has no log.
    """
    from eventlog_lineage.harvest.job import run_job  # noqa: PLC0415 - a harvest in this process needs no Spark
    from eventlog_lineage.harvest.spark.session import spark_context  # noqa: PLC0415

    def read(due: DueLogs, staging: Staging, stopping: ExitStack, on_progress: OnProgress) -> Progress:
        on_progress("start", 0, 1)
        master, settings, pack = options.get("master"), options.get("settings", {}), options.get("pack")
        with spark_context(master, settings, APPLICATION, pack, stopping) as spark:
            on_progress("start", 1, 1)
            return run_job(spark, due, staging, on_progress)

    on_progress = _logged(on_progress)
    list_logs = partial(_list_logs, sources, options=options, on_progress=on_progress)
    return harvest_logs(list_logs, store, options, read, on_progress)


def harvest_logs(
    list_logs: ListLogs, store: str | Path, options: HarvestOptions, read: ReadLogs, on_progress: OnProgress
) -> HarvestResult:
    """Harvest listed logs into a store; logs that write tables of the others are read twice.

    Args:
        read: Reads logs into a staging folder; what it has started ends with the stack.
    """
    result, waiting = _harvest(list_logs, store, options, read, on_progress, options.get("reprocess", False))
    if not waiting:
        return result
    _LOG.info("logs are read again: they write tables of other logs", extra={"facts": {"logs": len(waiting)}})
    later: HarvestOptions = {**options, "reprocess": True, "keep_versions": _kept_versions(options) + 1}
    again, _ = _harvest(lambda _: Listed(len(waiting), waiting), store, later, read, on_progress, False)
    return replace(result, again=again.summary)


def _kept_versions(options: HarvestOptions) -> int:
    return options.get("keep_versions", KEPT_VERSIONS)


def _harvest(  # noqa: PLR0913, PLR0917 - the parts of a harvest
    list_logs: ListLogs,
    store: str | Path,
    options: HarvestOptions,
    read: ReadLogs,
    on_progress: OnProgress,
    is_reprocessed: bool,
) -> tuple[HarvestResult, tuple[EventLog, ...]]:
    """Harvest logs once; return the result, and the logs to read again."""
    started = datetime.now(timezone.utc).replace(tzinfo=None)
    reading = read_options(options)  # a wrong pattern is reported before anything is opened
    declared = read_files(files) if (files := options.get("declared")) else None
    with (
        open_for_harvest(store, mode=options.get("store_mode"), keep_versions=_kept_versions(options)) as writer,
        ExitStack() as stopping,  # Spark, while the store is written
    ):
        listed = list_logs(writer)
        before = known_tables(writer) if listed.due else ()
        staging = Staging(writer.staging_dir)
        progress = Progress(0, 0)
        if listed.due:
            due = DueLogs(listed.due) if options.get("reprocess") else _resumed(listed.due, writer)
            due = replace(due, options=replace(reading, known_tables=before))
            progress = read(due, staging, stopping, on_progress)
        if options.get("strict") and staging.unreadable:
            path, reason = staging.unreadable[0]
            raise LogError(f"{len(staging.unreadable)} logs cannot be read, the first: {reason}", path)
        facts = HarvestFacts(
            started_at=started,
            logs_seen=listed.seen,
            logs_read=len(listed.due) - len(staging.unreadable),
            logs_unchanged=listed.seen - len(listed.due),
            logs_failed=len(staging.unreadable),
            bytes_read=progress.bytes_read,
            landing_files=options.get("landing_files"),
            is_reprocessed=is_reprocessed,
        )
        if reading.table_metadata:  # of all tables whose location a harvest found so far
            on_progress("tables", 0, 1)
            staging.add_rows(metadata_rows({*writer.known_places(), *staging.locations()}))
            on_progress("tables", 1, 1)
        staging.flush()
        on_progress("store", 0, 1)
        rule, keep_days = options.get("job_rule"), options.get("keep_days")
        summary = writer.publish(facts, rule=rule, keep_days=keep_days, declared=declared)
        on_progress("store", 1, 1)
        # without a gap no target is unknown, and a log's own tables were known: the new version need not be opened
        waiting = logs_to_read_again(writer, before, listed.due) if summary.gaps and len(listed.due) > 1 else ()
    _LOG.info("harvest published", extra={"facts": {"harvest_id": summary.harvest_id, **asdict(facts)}})
    result = HarvestResult(summary, tuple(staging.unreadable), dict(staging.states), listed.empty_sources)
    return result, waiting


@dataclass(frozen=True, slots=True)
class Listed:
    """The logs at the sources."""

    seen: int
    due: tuple[EventLog, ...]
    empty_sources: tuple[str, ...] = ()


ListLogs = Callable[[StoreWriter], Listed]
ReadLogs = Callable[[DueLogs, Staging, ExitStack, "OnProgress"], Progress]


@contextmanager
def temporary_store(sources: Sequence[str], options: HarvestOptions) -> Iterator[tuple[Path, HarvestResult]]:
    """Harvest logs into a store that is gone afterwards; yield its folder and what was read.

    Raises:
        UsageError: The sources have no log.
        LogError: None of the logs can be read.
    """
    logs = tuple(find_logs(sources))
    if not logs:
        raise UsageError("no event log found", ", ".join(sources), "check the path")
    with temporary_folder() as folder:
        store = folder / "store"
        result = harvest_logs(lambda _: Listed(len(logs), logs), store, options, read_in_process, lambda *_: None)
        if len(result.unreadable) == len(logs):
            path, reason = result.unreadable[0]
            raise LogError(reason, path)
        yield store, result


def read_in_process(due: DueLogs, staging: Staging, *_: object) -> Progress:
    """Read a few logs and trace their new statements into a staging folder, without Spark and Java."""
    settled = [settle_order(log) if needs_settling(log) else log for log in due.logs]
    whole = [whole_log(log, number, due.resume_points.get(log.path)) for number, log in enumerate(settled)]
    new: list[NewStatement] = []
    progress = Progress(0, 0)
    for record in extract_split(whole, due.lineages, due.options):
        if isinstance(record, Batch):
            staging.add(record.table, record.payload)
        elif isinstance(record, NewStatement):
            new.append(record)
        elif isinstance(record, Progress):
            progress = record
    for batch in trace_statements(new, due.options):
        staging.add(batch.table, batch.payload)
    return progress


class _KnownPaths:
    """The paths of harvested logs, read when one is looked for: only names that Spark does not use are.

    A store has the logs of years.
    """

    def __init__(self, writer: StoreWriter) -> None:
        self._writer = writer
        self._paths: frozenset[str] | None = None

    def __contains__(self, path: object) -> bool:
        if self._paths is None:
            self._paths = frozenset(self._writer.known_paths())
        return path in self._paths


def _list_logs(sources: Sequence[str], writer: StoreWriter, options: HarvestOptions, on_progress: OnProgress) -> Listed:
    known_paths: Container[str] = frozenset() if options.get("reprocess") else _KnownPaths(writer)
    on_progress("list", 0, 0)
    empty: list[str] = []
    found = list(find_logs(sources, known_paths, empty.append))
    logs = _named(found, writer, read_options(options).redaction)
    _check_empty(empty, options)
    known = {} if options.get("reprocess") else writer.known_logs([log.path for log in logs])
    lost = writer.logs_without_lineages()
    due = tuple(log for log in logs if log.path in lost or not _is_unchanged(log, known.get(log.path)))
    on_progress("list", len(logs), len(logs))
    _LOG.info("logs listed", extra={"facts": {"logs": len(logs), "due": len(due)}})
    return Listed(len(logs), due, tuple(empty))


def _named(logs: Sequence[EventLog], writer: StoreWriter, redaction: Redaction) -> list[EventLog]:
    """Return logs without the secrets in their paths; paths that differ in secrets only stay distinct.

    Paths in a store of 0.2 have no digest: a log that it holds keeps its name, unless several logs have it.
    """
    masked = {log.path: redaction.text(log.path) for log in logs}
    names = {path: _distinct(path, name) for path, name in masked.items() if path != name}
    held = writer.known_logs([*names.values(), *map(masked.__getitem__, names)])
    often = Counter(masked.values())
    for path, name in names.items():
        if masked[path] in held and name not in held and often[masked[path]] == 1:
            names[path] = masked[path]
    return [replace(log, path=names[log.path]) if log.path in names else log for log in logs]


def _distinct(path: str, masked: str) -> str:
    secret = "/".join(each for each in path.split("/") if each not in masked.split("/"))
    return f"{masked}~{_digest(secret)}"


@lru_cache(maxsize=1024)
def _digest(secret: str) -> str:
    """Return six digits of a secret: few and slow to make, so that they help nobody to guess it."""
    return hashlib.pbkdf2_hmac("sha256", secret.encode("utf-8", "surrogatepass"), b"log path", 200_000).hex()[:6]


def _check_empty(sources: Sequence[str], options: HarvestOptions) -> None:
    """Warn of sources without a log, or raise `LogError` if `fail_if_empty` is set."""
    hint = "check the path, and that spark.eventLog.enabled is true and spark.eventLog.dir names it"
    for source in sources:
        name = encodable(without_users(source))
        if options.get("fail_if_empty"):
            raise LogError("a source has no event log", name, hint)
        _LOG.warning("a source has no event log", extra={"facts": {"source": name, "hint": hint}})


def _logged(on_progress: OnProgress) -> OnProgress:
    """Log each step as well: its beginning as information, its progress for debugging."""
    begun: set[str] = set()

    def log_and_report(step: str, done: int, of: int) -> None:
        level = logging.DEBUG if step in begun else logging.INFO
        begun.add(step)
        _LOG.log(level, "step", extra={"facts": {"step": step, "done": done, "of": of}})
        on_progress(step, done, of)

    return log_and_report


def _resumed(logs: Sequence[EventLog], writer: StoreWriter) -> DueLogs:
    """Return the logs, each with the point where an earlier harvest stopped in it, and the lineages of the store."""
    listed, resume_points = [], {}
    for log in logs:
        file = writer.checkpoint_file(log.path) if log.layout is not Layout.SINGLE else None
        found = resume_point(log, file) if file else None
        listed.append(found[0] if found else log)
        if found:
            resume_points[log.path] = found[1]
    return DueLogs(listed, resume_points, dict(writer.known_lineages()))


def _is_unchanged(log: EventLog, known: KnownLog | None) -> bool:
    """Return whether a log has the size that it had when it was read, and is not newer; an unreadable log is new."""
    if known is None or known.size != log.size or known.unreadable:
        return False
    if log.modified_at is None or known.modified_at is None:
        return True
    modified = datetime.fromtimestamp(log.modified_at / 1000, timezone.utc).replace(tzinfo=None)
    return modified == known.modified_at
