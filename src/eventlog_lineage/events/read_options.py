"""Options for reading logs: redaction, limits, and the time for one log."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from eventlog_lineage.connectors.connector import SourceRule
from eventlog_lineage.errors import LogError
from eventlog_lineage.events.decoding.line_filter import LONGEST_LINE
from eventlog_lineage.observed_schemas import StoredTable
from eventlog_lineage.redaction import PLAIN, Redaction

from .listener_events import ExecutionStart, JobStart, Statement
from .records import Event

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SQL = re.compile(
    r"(?:\s|--[^\n]*\n|/\*[^*]*\*/|\()*(?:select|insert|create|with|merge|update|delete|replace|alter|values|from|set)\b",
    re.IGNORECASE,
)
_LITERAL = re.compile(r"'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.)*\"|(?<![\w.`])\d[\w.]*")


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options for reading logs.

    Attributes:
        mask_literals: Whether to mask literals in SQL texts; the tracer masks those in expressions.
        longest_line: Limit of a line, in bytes; longer lines are skipped and reported.
        longest_plan: Limit of a plan text, in characters.
        expansion: Limit of the bytes of text per stored byte, beyond the first 256 MiB of a part: logs have at most
            100, decompression bombs millions.
        max_seconds: CPU seconds for reading a log; a log that takes longer is unreadable.
        plans_as_logged: Whether to keep the plan texts of executions unredacted; the caller redacts them.
        table_metadata: Whether to look into the folders of catalogs for the targets of writes that print none.
        known_tables: The tables of the store whose writes may print an object, or none of their columns.
        source_rules: The user's sources (`[[source]]`).
        connectors: The texts of the user's declarations of connectors.
    """

    redaction: Redaction = PLAIN
    mask_literals: bool = False
    longest_line: int = LONGEST_LINE
    longest_plan: int = 32 * 1024 * 1024
    expansion: int = 1000
    max_seconds: float = 600
    masks: tuple[str, ...] = ()
    plans_as_logged: bool = False
    table_metadata: bool = False
    known_tables: tuple[StoredTable, ...] = ()
    source_rules: tuple[SourceRule, ...] = ()
    connectors: tuple[str, ...] = ()

    def event(self, event: Event) -> Event:
        """Return an event, redacted and masked."""
        unredacted = "plan" if self.plans_as_logged and isinstance(event, ExecutionStart) else ""
        event = self.redaction.value(event, unredacted)
        if self.mask_literals and isinstance(event, ExecutionStart):
            described_sql = _masked(event.described_sql)
            return replace(event, description=_masked(event.description), described_sql=described_sql)
        if self.mask_literals and isinstance(event, JobStart):
            return replace(event, description=_masked(event.description))
        if self.mask_literals and isinstance(event, Statement):
            return replace(event, sql_text=_masked(event.sql_text))
        return event


def _masked(text: str) -> str:
    """Return SQL with `?` for its literals; other descriptions are unchanged.

    >>> _masked("SELECT 'x', 1"), _masked("load 'x'")
    ('SELECT ?, ?', "load 'x'")
    """
    return _LITERAL.sub("?", text) if _SQL.match(text) else text


DEFAULT = ReadOptions()
"""The default options."""


_EVENTS = 16
"""Events per check of the clock."""

_WALL = 10
"""Seconds of wall time per second of CPU time: storage may be slow, and other programs may need the processors."""

HINT = "raise --max-seconds-per-log if the log is genuine"


class OverBudgetError(LogError):
    """Reading a log exceeds its time."""


class CpuBudget:
    """The CPU time for reading a log, and ten times as much wall time.

    The caller's work with the events is included: reading is a chain of generators in one thread.

    Args:
        seconds: The budget, in CPU seconds from now on.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.process_time() + seconds
        self._wall_end = time.monotonic() + seconds * _WALL

    def check(self) -> None:
        """Check the remaining time.

        Raises:
            OverBudgetError: The budget is used up.
        """
        if time.process_time() > self._end:
            raise OverBudgetError(f"reading the log takes more than {self._seconds:g} s of CPU time", "", HINT)
        if time.monotonic() > self._wall_end:
            raise OverBudgetError(f"reading the log takes more than {self._seconds * _WALL:g} s", "", HINT)

    def chunks(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield chunks of a log's text while there is time left."""
        for chunk in chunks:
            self.check()
            yield chunk

    def events(self, events: Iterable[Event]) -> Iterator[Event]:
        """Yield a log's events while there is time left; one in 16 is checked, as each check is a system call."""
        for number, event in enumerate(events):
            if not number % _EVENTS:
                self.check()
            yield event
