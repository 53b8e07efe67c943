"""A harvest from end to end: what is new, the job, the store."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path

from eventlog_lineage.errors import LogError, encodable
from eventlog_lineage.events.read_options import ReadOptions
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.events.sources.event_log import EventLog, Layout
from eventlog_lineage.harvest.spark.session import spark_context
from eventlog_lineage.history.job_names import JobNameRule
from eventlog_lineage.redaction import Redaction, without_users
from eventlog_lineage.store.publish.writer import HarvestFacts, KnownLog, StoreWriter, Summary, open_for_harvest
from eventlog_lineage.store.schema.tables import TABLE_COMMITS

from .checkpoints import resume_point
from .extract import Progress
from .job import DueLogs, Steps, run_job
from .row_batches import RowBatches
from .staging import Staging
from .table_metadata import commit_rows

APPLICATION = "eventlog-lineage harvest"

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class HarvestOptions:
    """How to harvest.

    Attributes:
        master: Spark's master; None for what Spark is configured with, else `local[*]`.
        settings: Spark settings.
        reprocess: Read all logs again, whatever the store knows, and trace all plans again.
        strict: Fail if a log cannot be read at all, and leave the store as it is.
        fail_if_empty: Fail if a source has no log at all, and leave the store as it is.
        pack: What executors need, as `scripts/pack.py` packs it; None if they have it.
        keep_days: Drop the rows of runs older than this many days; None keeps all.
        job_rule: How jobs are named from now on; None for the store's own rule.
        redact: Regular expressions; what they match is taken out of all texts, as known secrets are.
        mask_literals: Leave the literals of statements out of expressions, plans and SQL.
        max_line: Mebibytes of the longest line that is read.
        max_plan: Mebicharacters of the longest plan text that is understood.
        max_expansion: Bytes of text that a stored byte may give.
        max_seconds_per_log: CPU seconds that reading a log may take; one that takes more is unreadable.
        table_metadata: Read the tables' own metadata, to tell snapshots that the logs do not.
        store_mode: The mode of the store's folders; None for the mode that it has, and 0700 for a new one.
    """

    master: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    reprocess: bool = False
    strict: bool = False
    fail_if_empty: bool = False
    keep_days: int | None = None
    pack: str | None = None
    redact: tuple[str, ...] = ()
    mask_literals: bool = False
    max_line: int = 256
    max_plan: int = 32
    max_expansion: int = 1000
    max_seconds_per_log: int = 600
    job_rule: JobNameRule | None = None
    table_metadata: bool = False
    store_mode: int | None = None

    @property
    def how(self) -> ReadOptions:
        """What is taken out of logs, and the limits.

        Raises:
            UsageError: A pattern of `redact` is wrong.
        """
        return ReadOptions(
            Redaction(self.redact),
            self.mask_literals,
            self.max_line << 20,
            self.max_plan << 20,
            self.max_expansion,
            self.max_seconds_per_log,
        )


@dataclass(frozen=True, slots=True)
class HarvestResult:
    """What a harvest came to.

    Attributes:
        summary: What the store says of it.
        unreadable: (path, reason) of the logs that gave nothing at all.
        empty_sources: Sources without a single log.
        states: State to number of the logs that were read.
    """

    summary: Summary
    unreadable: tuple[tuple[str, str], ...]
    states: Mapping[str, int]
    empty_sources: tuple[str, ...] = ()


def harvest(
    sources: Sequence[str],
    store: Path,
    options: HarvestOptions,
    tell: Callable[[str, int, int], None] = lambda *_: None,
) -> HarvestResult:
    """Harvests logs into a store.

    Args:
        sources: Logs, folders, globs, URIs.
        store: The store's folder.
        options: How.
        tell: Told the name of each step, how much of it is done, and of how much.

    Raises:
        UsageError: A source is wrong.
        StoreError: The store is locked or of another version.
        SparkStartError: Spark does not start.
        LogError: `strict`, and a log could not be read.
    """
    how = options.how
    started = datetime.now(timezone.utc).replace(tzinfo=None)
    tell = _logged(tell)
    with open_for_harvest(store, mode=options.store_mode) as writer:
        known = writer.known_logs()
        tell("list", 0, 0)
        empty: list[str] = []
        found = find_logs(sources, frozenset() if options.reprocess else frozenset(known), empty.append)
        logs = [replace(log, path=how.redaction.text(log.path)) for log in found]
        _check_empty(empty, options)
        fresh = [log for log in logs if options.reprocess or not _is_unchanged(log, known.get(log.path))]
        tell("list", len(logs), len(logs))
        _LOG.info("logs listed", extra={"facts": {"logs": len(logs), "due": len(fresh)}})
        staging = Staging(writer.staging_dir)
        due = _where_left_off(fresh, writer) if not options.reprocess else DueLogs(fresh)
        progress = _read(replace(due, how=how), writer, staging, options, tell) if fresh else Progress(0, 0)
        if options.strict and staging.unreadable:
            path, reason = staging.unreadable[0]
            raise LogError(f"{len(staging.unreadable)} logs cannot be read, the first: {reason}", path)
        facts = HarvestFacts(
            started_at=started,
            logs_seen=len(logs),
            logs_read=len(fresh) - len(staging.unreadable),
            logs_unchanged=len(logs) - len(fresh),
            logs_failed=len(staging.unreadable),
            bytes_read=progress.bytes_read,
        )
        if options.table_metadata:
            _ask_tables(writer, staging, tell)
        staging.flush()
        tell("store", 0, 1)
        summary = writer.publish(facts, rule=options.job_rule, keep_days=options.keep_days)
        tell("store", 1, 1)
    _LOG.info("harvest published", extra={"facts": {"harvest_id": summary.harvest_id, **asdict(facts)}})
    return HarvestResult(summary, tuple(staging.unreadable), dict(staging.states), tuple(empty))


def _check_empty(sources: Sequence[str], options: HarvestOptions) -> None:
    """Warn of sources without a log.

    Raises:
        LogError: `fail_if_empty`, and there is one.
    """
    hint = "check the path, and that spark.eventLog.enabled is true and spark.eventLog.dir names it"
    for source in sources:
        name = encodable(without_users(source))
        if options.fail_if_empty:
            raise LogError("a source has no event log", name, hint)
        _LOG.warning("a source has no event log", extra={"facts": {"source": name, "hint": hint}})


def _ask_tables(writer: StoreWriter, staging: Staging, tell: Callable[[str, int, int], None]) -> None:
    """Hands over what the tables' own metadata say, of all tables that this harvest or an earlier one placed."""
    tell("tables", 0, 1)
    batches = RowBatches()
    batches.add(TABLE_COMMITS, *commit_rows({*writer.known_places(), *staging.places()}))
    for table, payload in batches.rest():
        staging.add(table, payload)
    tell("tables", 1, 1)


def _logged(tell: Callable[[str, int, int], None]) -> Callable[[str, int, int], None]:
    """Tells of each step in the log as well: its beginning to everyone, how far it is to those who debug."""
    begun: set[str] = set()

    def told(step: str, done: int, of: int) -> None:
        level = logging.DEBUG if step in begun else logging.INFO
        begun.add(step)
        _LOG.log(level, "step", extra={"facts": {"step": step, "done": done, "of": of}})
        tell(step, done, of)

    return told


def _where_left_off(logs: Sequence[EventLog], writer: StoreWriter) -> DueLogs:
    """The logs, each with where an earlier harvest left off in it."""
    listed, begins = [], {}
    for log in logs:
        file = writer.checkpoint_file(log.path) if log.layout is not Layout.SINGLE else None
        found = resume_point(log, file) if file else None
        listed.append(found[0] if found else log)
        if found:
            begins[log.path] = found[1]
    return DueLogs(listed, begins)


def _read(
    due: DueLogs,
    writer: StoreWriter,
    staging: Staging,
    options: HarvestOptions,
    tell: Callable[[str, int, int], None],
) -> Progress:
    lineages = frozenset() if options.reprocess else frozenset(writer.known_lineages())
    tell("start", 0, 1)
    writer.begin()  # while Java starts, of which this process only waits for the end
    with spark_context(options.master, options.settings, APPLICATION, options.pack) as spark:
        tell("start", 1, 1)
        writer.check_begun()
        return run_job(spark, due, lineages, staging, Steps(tell))


def _is_unchanged(log: EventLog, known: KnownLog | None) -> bool:
    """Is the log as it was when it was read: of the same size, and not newer? What could not be read is tried again."""
    if known is None or known.size != log.size or known.unreadable:
        return False
    if log.modified_at is None or known.modified_at is None:
        return True
    modified = datetime.fromtimestamp(log.modified_at / 1000, timezone.utc).replace(tzinfo=None)
    return modified == known.modified_at
