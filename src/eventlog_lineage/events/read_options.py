"""How logs are read: what is taken out of them, and the limits beyond which they are not."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from eventlog_lineage.events.decoding.line_filter import LONGEST_LINE
from eventlog_lineage.redaction import PLAIN, Redaction

from .listener_events import Event, ExecutionStart, Statement

_SQL = re.compile(
    r"(?:\s|--[^\n]*\n|/\*[^*]*\*/|\()*(?:select|insert|create|with|merge|update|delete|replace|alter|values|from|set)\b",
    re.IGNORECASE,
)
_LITERAL = re.compile(r"'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.)*\"|(?<![\w.`])\d[\w.]*")


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read logs.

    Attributes:
        redaction: What is taken out of every text.
        mask_literals: Leave literals out of SQL texts; whoever traces plans does so with their expressions.
        longest_line: Bytes of the longest line to read; what is longer is skipped and told.
        longest_plan: Characters of the longest plan text to understand.
        expansion: How many bytes of text a stored byte may give, beyond the first 256 MiB of a part: logs come to 100
            at the most, decompression bombs to millions.
        max_seconds: CPU seconds that reading a log may take; one that takes more is given up.
        plans_as_logged: Leave the texts of executions' plans to who takes them: secrets are still in them.
    """

    redaction: Redaction = PLAIN
    mask_literals: bool = False
    longest_line: int = LONGEST_LINE
    longest_plan: int = 32 * 1024 * 1024
    expansion: int = 1000
    max_seconds: float = 600
    plans_as_logged: bool = False

    def event(self, event: Event) -> Event:
        """An event without what is to be taken out."""
        left = "plan" if self.plans_as_logged and isinstance(event, ExecutionStart) else ""
        event = self.redaction.value(event, left)
        if self.mask_literals and isinstance(event, ExecutionStart):
            return replace(event, description=_masked(event.description))
        if self.mask_literals and isinstance(event, Statement):
            return replace(event, sql_text=_masked(event.sql_text))
        return event


def _masked(text: str) -> str:
    """SQL with `?` for its literals; a description that is no SQL stays as it is."""
    return _LITERAL.sub("?", text) if _SQL.match(text) else text


DEFAULT = ReadOptions()
"""How logs are read where a user says nothing."""
