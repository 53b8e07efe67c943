"""Read a log: part by part to events, as in a Spark job, or completely."""

from __future__ import annotations

from contextlib import closing
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO

from eventlog_lineage.errors import LineageError, LogError
from eventlog_lineage.events.assembly.assembly import assemble
from eventlog_lineage.events.compression import Decoding
from eventlog_lineage.events.decoding.decoders import DECODERS
from eventlog_lineage.events.decoding.line_filter import EVENT_LINE, KeptLines, event_lines, has_events, head_of
from eventlog_lineage.events.sources.discovery import open_part, reason_not_a_log
from eventlog_lineage.events.sources.event_log import EventLog, Layout, LogPart
from eventlog_lineage.events.sources.layouts import reordered

from .listener_events import Event, PartEnd, PartStart
from .part_reader import PartReader
from .read_options import DEFAULT, CpuBudget, OverBudgetError, ReadOptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .records import AssembledLog


def read_log(log: EventLog, options: ReadOptions = DEFAULT) -> AssembledLog:
    """Read all parts of a log.

    Args:
        log: A log that `discovery.find_logs` yields.

    Returns:
        The assembled log. A log that cannot be read has the state `unreadable` and the reason.
    """
    ordered = settle_order(log)
    budget = CpuBudget(options.max_seconds)
    return assemble(chain.from_iterable(read_part(part, options, budget) for part in ordered.parts), ordered)


def read_part(part: LogPart, options: ReadOptions = DEFAULT, budget: CpuBudget | None = None) -> Iterator[Event]:
    """Read one part.

    Args:
        part: A part of a log that `discovery.find_logs` yields.
        budget: The remaining CPU time for the log; None for a budget of this part.

    Yields:
        The kept events in the log's order; of an execution's adaptive plans only the last one, before the execution's
        end. Then one `PartEnd`, with the problems of the part. One chunk, one line and the adaptive plans of running
        executions are in memory.
    """
    try:
        stream = open_part(part)
    except LineageError as error:
        yield options.redaction.value(_unreadable(part.index, error))
        return
    with closing(stream):
        yield from read_stream(stream, part.index, options, budget)


def read_stream(
    stream: BinaryIO, part: int = 1, options: ReadOptions = DEFAULT, budget: CpuBudget | None = None
) -> Iterator[Event]:
    """Read a part's bytes as stored; see `read_part`.

    Args:
        stream: The bytes, at their start; not closed.
        budget: The remaining CPU time for the log; None for a budget of this part.
    """
    yield from map(options.event, _events(stream, part, options, budget or CpuBudget(options.max_seconds)))


def _events(stream: BinaryIO, part: int, options: ReadOptions, budget: CpuBudget) -> Iterator[Event]:
    decoding = Decoding(stream, options.expansion, budget.check)
    chunks = budget.chunks(decoding)
    try:
        first = head_of(chunks)
        text: Iterable[bytes] = chain((first,), chunks)
        is_sparks = first.startswith(EVENT_LINE) or (bool(first) and EVENT_LINE.startswith(first))
        if is_sparks or has_events(first):
            if not is_sparks:
                text = event_lines(text, options.longest_line)
            lines = KeptLines(text, DECODERS, options.longest_line)
            yield from budget.events(PartReader(part, decoding, lines, options.longest_plan))
        else:
            yield _no_log(part, first, decoding)
    except OverBudgetError as error:
        yield PartEnd(part, bytes_read=decoding.bytes_read, over_budget=error.what, hint=error.hint)
    except LogError as error:
        yield _unreadable(part, error, decoding.bytes_read)
    except OSError as error:  # a failed disk or a lost file system: the next harvest tries again
        lost = LogError(
            f"reading the log fails: {error.strerror or error}", "", "check the file system, then harvest again"
        )
        yield _unreadable(part, lost, decoding.bytes_read)


def _unreadable(part: int, error: LineageError, bytes_read: int = 0) -> PartEnd:
    reason = f"{error.what} ({error.where})" if error.where else error.what
    return PartEnd(part, bytes_read=bytes_read, unreadable=reason, hint=error.hint)


def _no_log(part: int, head: bytes, decoding: Decoding) -> PartEnd:
    """Return the end of a part without events: an empty file, damage at the start, or not a log.

    Args:
        head: Its first bytes.
    """
    reason, hint = reason_not_a_log(head) if head else (decoding.damage or "", "restore the file")
    return PartEnd(
        part,
        bytes_read=decoding.bytes_read,
        codec=str(decoding.codec or ""),
        is_truncated=decoding.is_truncated,
        unreadable=reason,
        hint=hint if reason else "",
    )


def needs_settling(log: EventLog) -> bool:
    """Return whether only the content of the parts shows their order."""
    return log.layout is Layout.DATABRICKS and len(log.parts) > 1


def settle_order(log: EventLog) -> EventLog:
    """Order the parts of a Databricks log by the rollover numbers in their first lines.

    Listing orders them by the dates in their names; the orders differ only if a clock was set back. Logs of other
    layouts, and logs with unreadable numbers, are returned unchanged. Each Databricks part is opened.
    """
    if not needs_settling(log):
        return log
    numbers = [_rollover_number(part) for part in log.parts]
    if None in numbers or len(set(numbers)) < len(numbers):
        return log
    order = sorted(range(len(numbers)), key=lambda index: numbers[index] or 0)
    return reordered(log, (log.parts[index] for index in order))


def _rollover_number(part: LogPart) -> int | None:
    first = next(iter(read_part(part)), None)
    return first.rollover_number if isinstance(first, PartStart) else None
