"""Keep the statements of servers until the executions that run them are read."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eventlog_lineage.events.decoding.sql_events import DESCRIPTION_LENGTH
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.redaction import shortened

if TYPE_CHECKING:
    from eventlog_lineage.events.listener_events import ParsedStatement, Statement
    from eventlog_lineage.plan.printed.views import ViewRead


@dataclass(slots=True)
class KnownStatement:
    """A statement's SQL and user; after the Thrift server has analyzed it, its plan text or the views in it.

    `write` is the target of a Connect client's plan.
    """

    sql_text: str
    user_name: str
    write: tuple[str, tuple[tuple[str, str], ...]] | tuple[()] = ()
    plan: PlanText | tuple[ViewRead, ...] = ()


class Statements:
    """Statements by job tag or job group; the oldest are dropped first.

    A statement's executions start immediately, some of them before its `OperationParsed`.
    """

    _MOST = 5000
    _MOST_CHARACTERS = 32_000_000

    def __init__(self) -> None:
        self._by_key: OrderedDict[str, KnownStatement] = OrderedDict()
        self._by_operation: dict[str, str] = {}
        self._by_text: dict[str, str] = {}
        self._operations: dict[str, str] = {}
        self._characters = 0
        self._reads: dict[tuple[str, tuple[tuple[str, str], ...]], None] = {}

    @property
    def reads(self) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
        """The distinct sources in the plans of Connect's clients: format, and the options that name tables."""
        return tuple(self._reads)

    def started(self, statement: Statement) -> None:
        """Add a statement."""
        if len(self._reads) < self._MOST:
            self._reads.update(dict.fromkeys(statement.reads))
        self._forget(statement.key)
        self._by_key[statement.key] = KnownStatement(statement.sql_text, statement.user_name, statement.write)
        self._by_operation[statement.operation_id] = statement.key
        self._operations[statement.key] = statement.operation_id
        if statement.sql_text:
            self._by_text[shortened(statement.sql_text, DESCRIPTION_LENGTH)] = statement.key
        self._characters += len(statement.sql_text)
        self._shrink()

    def analyzed(self, parsed: ParsedStatement) -> None:
        """Add a statement's plan."""
        known = self._by_key.get(self._by_operation.get(parsed.operation_id, ""))
        if known is not None:
            self._characters += _size(parsed.plan) - _size(known.plan)
            known.plan = parsed.plan
            self._shrink()

    def key_of(self, description: str) -> str:
        """Return the key of the newest statement whose text is an execution's description; empty if there is none.

        The Thrift server sets the statement as description of all its executions, including those without jobs, which
        no job group links to it.
        """
        return self._by_text.get(shortened(description, DESCRIPTION_LENGTH), "")

    def find(self, *keys: str) -> KnownStatement | None:
        """Return the first statement with one of the given job tags or groups."""
        return next((known for key in keys if key and (known := self._by_key.get(key)) is not None), None)

    def _shrink(self) -> None:
        while len(self._by_key) > self._MOST or (self._characters > self._MOST_CHARACTERS and len(self._by_key) > 1):
            self._forget(next(iter(self._by_key)))

    def _forget(self, key: str) -> None:
        known = self._by_key.pop(key, None)
        if known is not None:
            self._characters -= len(known.sql_text) + _size(known.plan)
            self._by_operation.pop(self._operations.pop(key, ""), None)
            text = shortened(known.sql_text, DESCRIPTION_LENGTH)
            if self._by_text.get(text) == key:
                del self._by_text[text]


def _size(plan: PlanText | tuple[ViewRead, ...]) -> int:
    """Return the number of characters of a plan."""
    if isinstance(plan, PlanText):
        return len(plan.text)
    return sum(len(view.name) + sum(map(len, view.columns)) for view in plan)
