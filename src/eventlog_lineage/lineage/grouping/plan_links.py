"""Links between plans: which other plan binds the attributes that a plan leaves unbound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from eventlog_lineage.extensions import find_command
from eventlog_lineage.lineage.statement import AttributeLink

from .checkpointed_rows import Checkpoints
from .execution_summary import ExecutionSummary

_LONGEST_CHAIN = 12
"""Longest chain of executions each of which binds attributes of the one before: a checkpoint of a checkpoint …"""

Producers = Mapping[int, ExecutionSummary]
"""Id of an attribute that some plan leaves unbound, to the execution whose plan binds it."""


def find_producers(ordered: Sequence[ExecutionSummary]) -> Producers:
    """Return the execution whose plan binds each attribute that a plan leaves unbound.

    Of several it is the first; commands that print a query on one line have its ids and bind none of them.

    Args:
        ordered: All executions of one application attempt, in the order of their ids.
    """
    requested = {expr_id for execution in ordered for expr_id in execution.summary.requested}
    producers: dict[int, ExecutionSummary] = {}
    for execution in ordered if requested else ():
        if find_command(execution.summary.command).query_on_one_line:
            continue
        for expr_id in requested.intersection(execution.summary.ids):
            if expr_id not in execution.summary.unbound:
                producers.setdefault(expr_id, execution)
    return producers


def link_plans(
    members: list[ExecutionSummary],
    batch: ExecutionSummary | None,
    producers: Producers,
    checkpoints: Checkpoints,
) -> tuple[list[ExecutionSummary], tuple[AttributeLink, ...]]:
    """Return the plans of a statement (members, their batch, executions that bind their attributes) and their links.

    Args:
        members: The statement's executions, the root first.
        batch: The micro-batch whose rows its plans read.
        producers: The result of `find_producers`.
        checkpoints: The checkpoints of the application.
    """
    plans = [*members, batch] if batch is not None else members
    if not any(execution.summary.requested or execution.summary.row_scans for execution in plans):
        return plans, ()
    linker = _Linker(list(plans), len(members), producers, checkpoints)
    for index, execution in linker.each_plan():
        linker.link(index, execution)
    return linker.plans, tuple(linker.links)


class _Linker:
    """Collects the plans of a statement and their links."""

    def __init__(
        self, plans: list[ExecutionSummary], size: int, producers: Producers, checkpoints: Checkpoints
    ) -> None:
        self.plans = plans
        self.links: list[AttributeLink] = []
        self._own = {execution.execution_id for execution in plans[:size]}
        self._longest = size + _LONGEST_CHAIN
        self._producers = producers
        self._checkpoints = checkpoints

    def each_plan(self) -> Iterator[tuple[int, ExecutionSummary]]:
        """Enumerate the plans, including those appended during the iteration."""
        index = 0
        while index < len(self.plans):
            yield index, self.plans[index]
            index += 1

    def link(self, index: int, execution: ExecutionSummary) -> None:
        """Link a plan's unbound attributes: rows of a checkpoint by their position, others by their ids.

        Args:
            index: The index of the plan.
            execution: The execution with the plan.
        """
        summary = execution.summary
        linked: set[int] = set()
        defines = find_command(summary.command).binds_paths  # a view: its rows are those of a logical plan
        unbound = frozenset(summary.ids) if defines else summary.requested
        for scan in summary.row_scans:
            producer = self._checkpoints.producer_of(execution, scan)
            at = self._index_of(producer, index, execution) if producer is not None else None
            if at is None:
                continue
            for position, expr_id in enumerate(scan.ids):
                if expr_id in unbound and expr_id in summary.ids and expr_id not in linked:
                    linked.add(expr_id)
                    self.links.append(AttributeLink(index, summary.ids.index(expr_id), at, -1 - position))
        for expr_id in sorted(summary.requested.intersection(summary.ids) - linked):
            found = self._producers.get(expr_id)
            at = self._index_of(found, index, execution) if found is not None else None
            if found is not None and at is not None:
                ids = (summary.ids.index(expr_id), found.summary.ids.index(expr_id))
                self.links.append(AttributeLink(index, ids[0], at, ids[1]))

    def _index_of(self, producer: ExecutionSummary, index: int, execution: ExecutionSummary) -> int | None:
        """Return the index of a plan, appended if it is new; None if the plan cannot bind another's attributes.

        Args:
            producer: The execution with the plan that is needed.
            index: The index of the plan whose attributes are unbound.
            execution: The execution with that plan.
        """
        if producer.execution_id in self._own or producer is execution or len(self.plans) > self._longest:
            return None
        known = next((other for other in range(index + 1, len(self.plans)) if self.plans[other] is producer), None)
        if known is not None:
            return known
        self.plans.append(producer)
        return len(self.plans) - 1
