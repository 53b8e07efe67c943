"""A harvest from end to end: find new logs, read them with Spark, publish the store."""

from __future__ import annotations

import hashlib
import logging
from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timezone
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from eventlog_lineage.connectors.connector import read_connector_file, read_rules
from eventlog_lineage.declarations import Declarations, read_files
from eventlog_lineage.errors import LogError, encodable
from eventlog_lineage.events.read_options import ReadOptions
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.events.sources.layouts import EventLog, Layout
from eventlog_lineage.harvest.spark.session import spark_context
from eventlog_lineage.history.job_names import JobNameRule
from eventlog_lineage.operators.derivations.functions import mask_names
from eventlog_lineage.redaction import Redaction, without_users
from eventlog_lineage.store.writer import HarvestFacts, KnownLog, StoreWriter, Summary, open_for_harvest

from .checkpoints import Progress, resume_point
from .job import DueLogs, OnProgress, run_job
from .staging import Staging
from .table_metadata import known_tables, logs_to_read_again, metadata_rows

if TYPE_CHECKING:
    from pyspark import SparkContext


@dataclass(frozen=True, slots=True)
class HarvestOptions:
    """How to harvest.

    Attributes:
        master: Spark's master; None for the one that Spark is configured with, else `local[*]`.
        reprocess: Read all logs again, whatever the store has, and trace all plans again.
        strict: Fail if a log cannot be read at all, and leave the store as it is.
        fail_if_empty: Fail if a source has no log at all, and leave the store as it is.
        pack: An archive for executors, made by `eventlog-lineage pack`; None if they have what it holds.
        keep_days: Drop the rows of runs older than this many days; None keeps all.
        keep_versions: How many versions of the store stay readable, the new one included; at least two.
        job_rule: How jobs are named from now on; None for the store's own rule.
        landing_files: The rule for landing files from now on; None for the store's own rule.
        redact: Regular expressions; matches are removed from all texts, as known secrets are.
        masking_function: Functions that mask in addition to Spark's hashes: names of UDFs, `aes_encrypt`, classes.
        source: Where tables of other systems are: texts or mappings as `connectors.connector.read_rule` reads them.
        connector: Paths of TOML files that declare connectors.
        mask_literals: Leave the literals of statements out of expressions, plans and SQL.
        max_line: Mebibytes of the longest line that is read.
        max_plan: Mebicharacters of the longest plan text that is parsed.
        max_expansion: Bytes of text that a stored byte may decompress to.
        max_seconds_per_log: CPU seconds that reading a log may take; one that takes more is unreadable.
        table_metadata: Read the tables' own metadata for snapshots that are in no log.
        declared: Paths of files that declare owners, exposures, tags and edges (`declarations.read_files`); none for
            the store's own declarations.
        store_mode: The mode of the store's folders; None for the mode that it has, and 0700 for a new one.
    """

    master: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    reprocess: bool = False
    strict: bool = False
    fail_if_empty: bool = False
    keep_days: int | None = None
    keep_versions: int = 2
    pack: str | None = None
    redact: tuple[str, ...] = ()
    masking_function: tuple[str, ...] = ()
    source: tuple[str | Mapping[str, object], ...] = ()
    connector: tuple[str, ...] = ()
    mask_literals: bool = False
    max_line: int = 256
    max_plan: int = 32
    max_expansion: int = 1000
    max_seconds_per_log: int = 600
    job_rule: JobNameRule | None = None
    landing_files: str | None = None
    table_metadata: bool = False
    declared: tuple[str, ...] = ()
    store_mode: int | None = None

    def __post_init__(self) -> None:
        self.read_options  # noqa: B018 - a wrong pattern is reported before anything is opened

    @property
    def declarations(self) -> Declarations | None:
        """What the files declare; None without files.

        Raises:
            UsageError: A file cannot be read, or has an invalid value.
        """
        return read_files(self.declared) if self.declared else None

    @property
    def read_options(self) -> ReadOptions:
        """What is taken out of logs, and the limits.

        Raises:
            UsageError: A pattern of `redact` is not a regular expression.
        """
        return ReadOptions(
            Redaction(self.redact),
            self.mask_literals,
            self.max_line << 20,
            self.max_plan << 20,
            self.max_expansion,
            self.max_seconds_per_log,
            masks=mask_names(self.masking_function),
            table_metadata=self.table_metadata,
            source_rules=read_rules(self.source),
            connectors=tuple(map(read_connector_file, self.connector)),
        )


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
    on_progress = _logged(on_progress)
    result, waiting = _harvest(partial(_list_logs, sources), store, options, on_progress, options.reprocess)
    if not waiting:
        return result
    _LOG.info("logs are read again: they write tables of other logs", extra={"facts": {"logs": len(waiting)}})
    later = replace(options, reprocess=True, keep_versions=options.keep_versions + 1)
    again, _ = _harvest(lambda *_: _Listed(len(waiting), waiting, ()), store, later, on_progress, False)
    return replace(result, again=again.summary)


def _harvest(
    list_logs: _ListLogs, store: str | Path, options: HarvestOptions, on_progress: OnProgress, is_reprocessed: bool
) -> _Harvested:
    """Harvest logs once; return the result, and the logs to read again."""
    started = datetime.now(timezone.utc).replace(tzinfo=None)
    declared = options.declarations
    with (
        open_for_harvest(store, mode=options.store_mode, keep_versions=options.keep_versions) as writer,
        ExitStack() as stopping,  # Spark, while the store is written
    ):
        listed = list_logs(writer, options, on_progress)
        before = known_tables(writer) if listed.due else ()
        staging = Staging(writer.staging_dir)
        progress = Progress(0, 0)
        if listed.due:
            due = DueLogs(listed.due) if options.reprocess else _resumed(listed.due, writer)
            due = replace(due, options=replace(options.read_options, known_tables=before))
            session = partial(spark_context, options.master, options.settings, APPLICATION, options.pack, stopping)
            progress = _read(due, session, writer, staging, on_progress)
        if options.strict and staging.unreadable:
            path, reason = staging.unreadable[0]
            raise LogError(f"{len(staging.unreadable)} logs cannot be read, the first: {reason}", path)
        facts = HarvestFacts(
            started_at=started,
            logs_seen=listed.seen,
            logs_read=len(listed.due) - len(staging.unreadable),
            logs_unchanged=listed.seen - len(listed.due),
            logs_failed=len(staging.unreadable),
            bytes_read=progress.bytes_read,
            landing_files=options.landing_files,
            is_reprocessed=is_reprocessed,
        )
        if options.table_metadata:
            _read_table_metadata(writer, staging, on_progress)
        staging.flush()
        on_progress("store", 0, 1)
        summary = writer.publish(facts, rule=options.job_rule, keep_days=options.keep_days, declared=declared)
        on_progress("store", 1, 1)
        # without a gap no target is unknown, and a log's own tables were known: the new version need not be opened
        waiting = logs_to_read_again(writer, before, listed.due) if summary.gaps and len(listed.due) > 1 else ()
    _LOG.info("harvest published", extra={"facts": {"harvest_id": summary.harvest_id, **asdict(facts)}})
    result = HarvestResult(summary, tuple(staging.unreadable), dict(staging.states), listed.empty_sources)
    return result, waiting


@dataclass(frozen=True, slots=True)
class _Listed:
    """The logs at the sources.

    Attributes:
        due: The logs that are new or have grown.
    """

    seen: int
    due: tuple[EventLog, ...]
    empty_sources: tuple[str, ...]


_ListLogs = Callable[[StoreWriter, HarvestOptions, OnProgress], _Listed]
_Harvested = tuple[HarvestResult, tuple[EventLog, ...]]


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


def _list_logs(
    sources: Sequence[str], writer: StoreWriter, options: HarvestOptions, on_progress: OnProgress
) -> _Listed:
    known_paths: Container[str] = frozenset() if options.reprocess else _KnownPaths(writer)
    redaction = options.read_options.redaction
    on_progress("list", 0, 0)
    empty: list[str] = []
    found = list(find_logs(sources, known_paths, empty.append))
    logs = _named(found, writer, redaction)
    _check_empty(empty, options)
    known = {} if options.reprocess else writer.known_logs([log.path for log in logs])
    lost = writer.logs_without_lineages()
    due = tuple(log for log in logs if log.path in lost or not _is_unchanged(log, known.get(log.path)))
    on_progress("list", len(logs), len(logs))
    _LOG.info("logs listed", extra={"facts": {"logs": len(logs), "due": len(due)}})
    return _Listed(len(logs), due, tuple(empty))


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
        if options.fail_if_empty:
            raise LogError("a source has no event log", name, hint)
        _LOG.warning("a source has no event log", extra={"facts": {"source": name, "hint": hint}})


def _read_table_metadata(writer: StoreWriter, staging: Staging, on_progress: OnProgress) -> None:
    """Stage the commits and schemas in the metadata of all tables whose location a harvest found so far."""
    on_progress("tables", 0, 1)
    staging.add_rows(metadata_rows({*writer.known_places(), *staging.locations()}))
    on_progress("tables", 1, 1)


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


def _read(
    due: DueLogs,
    session: Callable[[], AbstractContextManager[SparkContext]],
    writer: StoreWriter,
    staging: Staging,
    on_progress: OnProgress,
) -> Progress:
    on_progress("start", 0, 1)
    with session() as spark:
        on_progress("start", 1, 1)
        return run_job(spark, due, staging, on_progress)


def _is_unchanged(log: EventLog, known: KnownLog | None) -> bool:
    """Return whether a log has the size that it had when it was read, and is not newer; an unreadable log is new."""
    if known is None or known.size != log.size or known.unreadable:
        return False
    if log.modified_at is None or known.modified_at is None:
        return True
    modified = datetime.fromtimestamp(log.modified_at / 1000, timezone.utc).replace(tzinfo=None)
    return modified == known.modified_at
