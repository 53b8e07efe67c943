"""Read a log: part by part to events, as a Spark job does on its executors, or all of it at once."""

from __future__ import annotations

from contextlib import closing
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO

from eventlog_lineage.errors import LineageError, LogError
from eventlog_lineage.events.assembly.assembly import assemble
from eventlog_lineage.events.codecs.compression import Decoding
from eventlog_lineage.events.decoding.decoders import DECODERS
from eventlog_lineage.events.decoding.line_filter import EVENT_LINE, KeptLines
from eventlog_lineage.events.sources.discovery import open_part
from eventlog_lineage.events.sources.event_log import EventLog, Layout, LogPart
from eventlog_lineage.events.sources.file_type import why_no_log
from eventlog_lineage.events.sources.layouts import reordered

from .cpu_budget import CpuBudget, OverBudgetError
from .listener_events import Event, PartEnd, PartStart
from .part_reader import PartReader
from .read_options import DEFAULT, ReadOptions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .records import AssembledLog


def read_log(log: EventLog, how: ReadOptions = DEFAULT) -> AssembledLog:
    """Read all parts of a log.

    Args:
        log: As `storage.find_logs` gives it.
        how: What is taken out of it, and the limits.

    Returns:
        What it says. A log that cannot be read gives one with the state `unreadable` and the reason.
    """
    ordered = settle_order(log)
    budget = CpuBudget(how.max_seconds)
    return assemble(chain.from_iterable(read_part(part, how, budget) for part in ordered.parts), ordered)


def read_part(part: LogPart, how: ReadOptions = DEFAULT, budget: CpuBudget | None = None) -> Iterator[Event]:
    """Read one part.

    Args:
        part: Of a log that `discovery.find_logs` gave.
        how: What is taken out of it, and the limits.
        budget: The CPU time left for the log; None for a budget of the part's own.

    Yields:
        The kept events in the log's order, except that of an execution's adaptive plans only the last one is given, at
        the latest before the execution's end; then one `PartEnd`, which also tells of what could not be read. Memory
        holds one chunk, one line and the adaptive plans of running executions.
    """
    try:
        stream = open_part(part)
    except LineageError as error:
        yield how.redaction.value(_unreadable(part.index, error))
        return
    with closing(stream):
        yield from read_stream(stream, part.index, how, budget)


def read_stream(
    stream: BinaryIO, part: int = 1, how: ReadOptions = DEFAULT, budget: CpuBudget | None = None
) -> Iterator[Event]:
    """Read a part's bytes as stored; see `read_part`.

    Args:
        stream: At its start; left open.
        part: The part's index, for the events that name it.
        how: What is taken out of it, and the limits.
        budget: The CPU time left for the log; None for a budget of the part's own.
    """
    yield from map(how.event, _events(stream, part, how, budget or CpuBudget(how.max_seconds)))


def _events(stream: BinaryIO, part: int, how: ReadOptions, budget: CpuBudget) -> Iterator[Event]:
    decoding = Decoding(stream, how.expansion)
    chunks = budget.chunks(decoding)
    try:
        first = next(chunks, b"")
        if first.startswith(EVENT_LINE) or (first and EVENT_LINE.startswith(first)):
            lines = KeptLines(chain((first,), chunks), DECODERS, how.longest_line)
            yield from budget.events(PartReader(part, decoding, lines, how.longest_plan))
        else:
            yield _no_log(part, first, decoding)
    except OverBudgetError as error:
        yield PartEnd(part, bytes_read=decoding.bytes_read, over_budget=error.what, hint=error.hint)
    except LogError as error:
        yield _unreadable(part, error, decoding.bytes_read)
    except OSError as error:  # a disk or a file system that is gone: another night may find it again
        lost = LogError(
            f"reading it fails: {error.strerror or error}", "", "look at the file system, and harvest again"
        )
        yield _unreadable(part, lost, decoding.bytes_read)


def _unreadable(part: int, error: LineageError, bytes_read: int = 0) -> PartEnd:
    reason = f"{error.what} ({error.where})" if error.where else error.what
    return PartEnd(part, bytes_read=bytes_read, unreadable=reason, hint=error.hint)


def _no_log(part: int, head: bytes, decoding: Decoding) -> PartEnd:
    """Tell apart what gives no events: nothing at all, damage at the very start, something else than a log."""
    reason, hint = why_no_log(head) if head else (decoding.damage or "", "restore the file")
    return PartEnd(
        part,
        bytes_read=decoding.bytes_read,
        codec=str(decoding.codec or ""),
        breaks_off=decoding.breaks_off,
        unreadable=reason,
        hint=hint if reason else "",
    )


def needs_settling(log: EventLog) -> bool:
    """Return whether only the parts themselves say in which order they were written."""
    return log.layout is Layout.DATABRICKS and len(log.parts) > 1


def settle_order(log: EventLog) -> EventLog:
    """Order the parts of a Databricks log by the rollover numbers that stand in their first lines.

    Listing orders them by the dates in their names; only a clock that was set back makes a difference. Logs of other
    layouts, and those whose numbers cannot all be read, are given back as they are. Opens each Databricks part.
    """
    if not needs_settling(log):
        return log
    numbers = [_rollover_number(part) for part in log.parts]
    if None in numbers or len(set(numbers)) < len(numbers):
        return log
    order = sorted(range(len(numbers)), key=lambda place: numbers[place] or 0)
    return reordered(log, (log.parts[place] for place in order))


def _rollover_number(part: LogPart) -> int | None:
    first = next(iter(read_part(part)), None)
    return first.rollover_number if isinstance(first, PartStart) else None
