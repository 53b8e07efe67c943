"""Options for reading logs: redaction and limits."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from eventlog_lineage.connectors.source_rules import SourceRule
from eventlog_lineage.events.decoding.line_filter import LONGEST_LINE
from eventlog_lineage.observed_schemas import StoredTable
from eventlog_lineage.redaction import PLAIN, Redaction

from .listener_events import Event, ExecutionStart, Statement

_SQL = re.compile(
    r"(?:\s|--[^\n]*\n|/\*[^*]*\*/|\()*(?:select|insert|create|with|merge|update|delete|replace|alter|values|from|set)\b",
    re.IGNORECASE,
)
_LITERAL = re.compile(r"'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.)*\"|(?<![\w.`])\d[\w.]*")


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options for reading logs.

    Attributes:
        redaction: Redacts every text.
        mask_literals: Whether to mask literals in SQL texts; the tracer masks those in expressions.
        longest_line: Limit of a line, in bytes; longer lines are skipped and reported.
        longest_plan: Limit of a plan text, in characters.
        expansion: Limit of the bytes of text per stored byte, beyond the first 256 MiB of a part: logs have at most
            100, decompression bombs millions.
        max_seconds: CPU seconds for reading a log; a log that takes longer is unreadable.
        masks: The user's masking functions, for tracing plans.
        plans_as_logged: Whether to keep the plan texts of executions unredacted; the caller redacts them.
        table_metadata: Whether to look into the folders of catalogs for the targets of writes that print none.
        known_tables: The tables of the store whose writes may print an object in place of their names.
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
