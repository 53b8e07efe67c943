"""Match the lineage events of another tool to executions.

Kyuubi's `executionId` is the number of the `QueryExecution` (`QueryExecution.id`), not the id of the SQL execution. Its
listener runs when an execution has ended (`ExecutionListenerBus`), in the order of the ends, and posts its event
immediately: the event follows the end of its execution, usually as the next event. Executions without a name
(`SQLExecution.withNewExecutionId` without one: micro-batches, actions of RDDs) have no such event.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from eventlog_lineage.events.records import ExternalLineage

_MAX_DELAY = 2000
"""Most milliseconds between the end of an execution and its lineage event."""

_MOST = 64
"""Limit of the ends that wait for a lineage event."""


class _End(NamedTuple):
    execution_id: int
    time: int
    failed: bool | None


class ExternalLineages:
    """The lineage events of one application, matched to executions."""

    def __init__(self) -> None:
        self._ends: list[_End] = []
        self._waiting: list[ExternalLineage] = []
        self._paired: list[ExternalLineage] = []

    def ended(self, execution_id: int, time: int | None, *, failed: bool | None) -> None:
        """Add the end of an execution.

        Args:
            execution_id: The execution.
            time: The time of the end.
            failed: Whether it failed; None if the log does not show it (before 3.4).
        """
        latest = self._ends[-1].time if self._ends else 0
        if len(self._ends) == len(self._waiting) or (time or 0) - latest > _MAX_DELAY or len(self._ends) >= _MOST:
            self._pair()
        self._ends.append(_End(execution_id, time or latest, failed))

    def add(self, answer: ExternalLineage) -> None:
        """Add a lineage event."""
        self._waiting.append(answer)
        if len(self._waiting) > 2 * _MOST:
            self._pair()

    def all(self) -> tuple[ExternalLineage, ...]:
        """Return the matched events, in the log's order. An event after no end has no execution in the log."""
        self._pair()
        return tuple(self._paired)

    def _pair(self) -> None:
        ends, answers = self._ends, self._waiting
        self._ends, self._waiting = [], []
        certain = len(ends) == len(answers)
        for end, answer in _aligned(ends, answers) if answers else ():
            self._paired.append(replace(answer, execution_id=end.execution_id, certain=certain))


def _aligned(ends: Sequence[_End], answers: Sequence[ExternalLineage]) -> Iterator[tuple[_End, ExternalLineage]]:
    """Yield pairs in the order of both: as many as possible, and with the least time between them.

    Args:
        ends: The ends of executions, in order.
        answers: The lineage events, in order.
    """
    costs = [[(0, 0)] * (len(answers) + 1) for _ in range(len(ends) + 1)]
    for row in reversed(range(len(ends))):
        for column in reversed(range(len(answers))):
            best = min(costs[row + 1][column], costs[row][column + 1])
            gap = _between(ends[row], answers[column])
            if gap is not None:
                pairs, time = costs[row + 1][column + 1]
                best = min(best, (pairs - 1, time + gap))
            costs[row][column] = best
    row = column = 0
    while row < len(ends) and column < len(answers):
        if costs[row][column] == costs[row + 1][column]:
            row += 1
        elif costs[row][column] == costs[row][column + 1]:
            column += 1
        else:
            yield ends[row], answers[column]
            row, column = row + 1, column + 1


def _between(end: _End, answer: ExternalLineage) -> int | None:
    """Return the milliseconds from an end to a lineage event; None if the event cannot be about that execution.

    Args:
        end: The end of an execution.
        answer: The lineage event.
    """
    if answer.reported_at is None:
        return 0
    if answer.reported_at < end.time or (end.failed is not None and end.failed != answer.failed):
        return None
    return answer.reported_at - end.time
