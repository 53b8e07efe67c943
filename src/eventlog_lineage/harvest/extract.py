"""What a task does with a slice of logs: read, assemble, and give rows, shapes and plan texts."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import NamedTuple

from eventlog_lineage.events.cpu_budget import CpuBudget
from eventlog_lineage.events.listener_events import Event, ExecutionStart
from eventlog_lineage.events.read_options import DEFAULT, ReadOptions
from eventlog_lineage.events.records import AssembledLog
from eventlog_lineage.events.sources.event_log import EventLog, LogPart
from eventlog_lineage.harvest.rows.log_rows import (
    application_row,
    catalog_rows,
    execution_rows,
    failed_log_gaps,
    failed_log_row,
    gap_rows,
    log_row,
    metrics_rows,
)
from eventlog_lineage.harvest.rows.run_rows import batch_rows, snapshot_rows
from eventlog_lineage.lineage.application import statements_of
from eventlog_lineage.lineage.catalog_settings import catalog_settings_of
from eventlog_lineage.lineage.statement import Statement
from eventlog_lineage.model import Gap, GapReason
from eventlog_lineage.plan.plan_text import summary_of
from eventlog_lineage.store.schema.tables import (
    APPLICATIONS,
    BATCH_SOURCES,
    EXECUTIONS,
    GAPS,
    HARVESTED_LOGS,
    IO_METRICS,
    RUN_SNAPSHOTS,
    SEEN_CATALOGS,
)

from .checkpoints import Checkpoint, LogAssembly
from .input_splits import Share
from .internal_errors import told
from .plan_texts import PlanTexts
from .row_batches import RowBatches
from .summarize_plans import summarized_events


class Batch(NamedTuple):
    """Rows of a table, as `pack` packs them."""

    table: str
    payload: bytes


class PartEvent(NamedTuple):
    """An event of a log whose parts are spread: it goes where the log is assembled.

    Attributes:
        text: The text of its plan, where the part has given none of the same fingerprint yet.
    """

    log: int
    part: int
    sequence: int
    event: Event
    text: str = ""


class NewStatement(NamedTuple):
    """A statement that has to be traced: the store has no lineage of its combination of plans.

    Attributes:
        statement: The statement.
        rank: (number of the log, id of the root execution). Of several runs the one with the lowest rank is traced.
        texts: Fingerprint to text, as `pack_text` packs it.
    """

    statement: Statement
    rank: tuple[int, int]
    texts: Mapping[str, bytes]


class Progress(NamedTuple):
    """What a slice has read, for the summary, and how many new shapes it has given."""

    logs: int
    bytes_read: int
    shapes: int = 0


Record = Batch | NewStatement | Progress | Checkpoint


def extract_slice(shares: Iterable[Share], known: Container[str], how: ReadOptions = DEFAULT) -> Iterator[Record]:
    """Reads a slice of whole logs.

    Args:
        shares: Whole logs.
        known: Lineage ids that need no tracing.
        how: What is taken out of logs, and the limits.

    Yields:
        Their rows, and their statements' shapes with the texts of the plans (each shape once, known ones never).
    """
    collector = Collector(known)
    for share in sorted(shares, key=lambda share: share.number):  # of equal shapes the first log's is traced
        yield from _assembled(_texted(share, how), share, collector, how)
    yield from collector.rest()


def read_parts(shares: Iterable[Share], how: ReadOptions = DEFAULT) -> Iterator[PartEvent]:
    """Reads parts of logs whose parts are spread.

    Args:
        shares: The parts.
        how: What is taken out of logs, and the limits.
    """
    for share in shares:
        for place in share.parts:
            seen = {""}
            for sequence, (event, text) in enumerate(summarized_events(share.log.parts[place], how)):
                fingerprint = _fingerprint(event)
                first = "" if fingerprint in seen else how.redaction.text(text)
                yield PartEvent(share.number, place, sequence, event, first)
                seen.add(fingerprint)


def assemble_spread(
    records: Iterable[PartEvent], logs: Mapping[int, Share], known: Container[str], how: ReadOptions = DEFAULT
) -> Iterator[Record]:
    """Assembles logs whose parts were spread.

    Args:
        records: Of some logs, sorted by log, part and sequence.
        logs: Number to log.
        known: Lineage ids that need no tracing.
        how: What is taken out of logs, and the limits.
    """
    collector = Collector(known)
    for number, group in groupby(records, key=lambda record: record.log):
        yield from _assembled(((record.event, record.text) for record in group), logs[number], collector, how)
    yield from collector.rest()


def _texted(share: Share, how: ReadOptions) -> Iterator[tuple[Event, str]]:
    return _headed([share.log.parts[place] for place in share.parts], how)


def _headed(parts: Iterable[LogPart], how: ReadOptions) -> Iterator[tuple[Event, str]]:
    budget = CpuBudget(how.max_seconds)
    return chain.from_iterable(summarized_events(part, how, budget) for part in parts)


def _assembled(
    events: Iterable[tuple[Event, str]], share: Share, collector: Collector, how: ReadOptions
) -> Iterator[Record]:
    """Gives what a log comes to, at last where the next harvest goes on; an error of ours costs no other log."""
    log, texts, checkpoints = share.log, PlanTexts(how.redaction.text), []
    try:
        assembly = LogAssembly(log, share.begin)
        log = assembly.log
        for event, text in chain(_headed(assembly.unread, how), events):
            _keep(text, event, texts)
            if (checkpoint := assembly.add(event)) is not None:
                checkpoints.append(checkpoint)
        for record in collector.take(assembly.result(), log, share.number, assembly.bytes_read):
            yield _with_texts(record, texts, assembly.covered, how) if isinstance(record, NewStatement) else record
        yield from checkpoints
    except Exception as error:
        yield from collector.fail(log, error)
    finally:
        texts.close()


def _keep(text: str, event: Event, texts: PlanTexts) -> None:
    """Keeps the text of an execution's plan under the fingerprint that stands in the event in its place."""
    if text:
        texts.add(_fingerprint(event), text)


def _fingerprint(event: Event) -> str:
    """Return the fingerprint of an execution's plan; empty for other events."""
    return summary_of(event.plan).fingerprint if isinstance(event, ExecutionStart) else ""


def _with_texts(new: NewStatement, texts: PlanTexts, covered: Iterable[LogPart], how: ReadOptions) -> NewStatement:
    """A new shape with its plans; those of covered parts are read again, seldom, as most combinations are known."""
    needed = set(new.statement.fingerprints) - {""}
    missing = {fingerprint for fingerprint in needed if fingerprint not in texts}
    for part in covered if missing else ():
        for event, text in summarized_events(part, how):
            _keep(text, event, texts)
    packed = {fingerprint: texts.packed(fingerprint) for fingerprint in sorted(needed)}
    return new._replace(texts={fingerprint: text for fingerprint, text in packed.items() if text is not None})


class Collector:
    """Turns assembled logs into rows and shapes."""

    def __init__(self, known: Container[str]) -> None:
        self._known = known
        self._given: set[str] = set()
        self._batches = RowBatches()
        self._logs = 0
        self._bytes = self._shapes = 0

    def take(self, log: AssembledLog, source: EventLog, number: int, bytes_read: int) -> Iterator[Record]:
        """Takes a log and how much of it was read; gives the new shapes, without texts, and batches that are full.

        All rows are made before any is taken: a log on which the program fails gives none.
        """
        summaries = {each.execution_id: summary_of(each.plan) for each in log.executions}
        catalog_settings = catalog_settings_of(log.application.settings)
        statements = statements_of(log)
        roots = {member: statement.root for statement in statements for member in statement.members}
        fresh = self._fresh(statements, number)
        rows = (
            (HARVESTED_LOGS, [log_row(log, source)]),
            (APPLICATIONS, [application_row(log)] if log.state != "unreadable" else []),
            (EXECUTIONS, list(execution_rows(log, summaries, statements, roots))),
            (IO_METRICS, list(metrics_rows(log, roots))),
            (RUN_SNAPSHOTS, list(snapshot_rows(log, statements, summaries, catalog_settings))),
            (BATCH_SOURCES, list(batch_rows(log, statements, summaries, catalog_settings))),
            (SEEN_CATALOGS, list(catalog_rows(log))),
            (GAPS, list(gap_rows(log))),
        )
        self._given.update(fresh)
        self._shapes += len(fresh)
        yield from fresh.values()
        for table, made in rows:
            self._batches.add(table, *made)
        self._logs += 1
        self._bytes += bytes_read
        yield from (Batch(*each) for each in self._batches.full())

    def _fresh(self, statements: Sequence[Statement], number: int) -> dict[str, NewStatement]:
        """Return the statements that are neither known nor given yet, by lineage id."""
        fresh: dict[str, NewStatement] = {}
        for statement in statements:
            name = statement.lineage_id
            if name not in self._known and name not in self._given and name not in fresh:
                fresh[name] = NewStatement(statement, (number, statement.root), {})
        return fresh

    def fail(self, source: EventLog, error: Exception) -> Iterator[Record]:
        """Takes a log on which the program fails: it is told, and the others are harvested."""
        self._batches.add(HARVESTED_LOGS, failed_log_row(source, told(error)))
        gap = Gap(GapReason.INTERNAL_ERROR, "", f"{source.path}: {told(error)}", "please report it with the log")
        self._batches.add(GAPS, *failed_log_gaps(source, gap))
        self._logs += 1
        yield from (Batch(*each) for each in self._batches.full())

    def rest(self) -> Iterator[Record]:
        """Gives what is left."""
        yield from (Batch(*each) for each in self._batches.rest())
        yield Progress(self._logs, self._bytes, self._shapes)
