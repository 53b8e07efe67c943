"""What a physical plan hides and the logical plans of the same text tell.

A connector that takes its rows through an RDD (Paimon's dynamic buckets, writes by a V1 fallback up to 3.4) leaves an
open row in the physical plan, and an aggregate that was answered from metadata leaves a literal. The analyzed plan of
extended text has the query. It counts only where it tells all: rows that the driver's program made are rows there, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from eventlog_lineage.model import GapReason
from eventlog_lineage.operators.attribute_links import Bindings, bind_links
from eventlog_lineage.operators.flow import Flow, Output, Read, Write
from eventlog_lineage.plan.nodes import Plan
from eventlog_lineage.plan.plan_text import PlanText

_HIDDEN = frozenset({GapReason.UNKNOWN_SOURCE, GapReason.UNKNOWN_TARGET})


def logical_fallback(text: PlanText, flow: Flow, known: Bindings, read: Callable[[Plan], Flow]) -> Flow | None:
    """The flow of a plan text whose physical plan hides the query.

    Args:
        text: The plan text.
        flow: What its physical plan tells.
        known: What other plans say of attributes, by id.
        read: Resolves a plan.

    Returns:
        The flow, with the query of a logical plan; None where the physical plan hides nothing, or no logical plan tells
        more.
    """
    if not hides(flow) and not text.answers_from_metadata and not bind_links(flow, known)[1]:
        return None
    for plan in text.logical:
        logical, unexplained = bind_links(read(plan), known)
        if not unexplained and not logical.gaps and (whole := _with_query(flow, logical)) is not None:
            return whole
    return None


def hides(flow: Flow) -> bool:
    """Does a plan not name a table that its query reads or writes?"""
    return any(gap.reason in _HIDDEN for gap in flow.gaps)


def _with_query(flow: Flow, logical: Flow) -> Flow | None:
    """A physical plan's flow with the query of its logical plan; None where the two do not fit."""
    columns = logical.write.columns if logical.write is not None else logical.outputs
    hides_target = any(gap.reason is GapReason.UNKNOWN_TARGET for gap in flow.gaps)
    writes = flow.write is not None or hides_target
    if columns is None or (flow.command and not writes) or writes != (logical.write is not None):
        return None
    gaps = tuple(gap for gap in flow.gaps if gap.reason not in _HIDDEN)
    told = replace(
        logical, reads=tuple(_narrowed(logical, columns)), command=flow.command or logical.command, gaps=gaps
    )
    if logical.write is None:
        return replace(told, outputs=_named(columns, flow.outputs)) if len(columns) == len(flow.outputs) else None
    if flow.write is None:
        return told
    return replace(told, write=_filled(flow.write, columns))


def _filled(write: Write, columns: tuple[Output, ...]) -> Write:
    return replace(write, columns=_named(columns, write.columns or ()))


def _named(columns: tuple[Output, ...], names: Iterable[Output]) -> tuple[Output, ...]:
    """Values under the names that the physical plan has for them, where it has as many."""
    own = tuple(names)
    if len(own) != len(columns):
        return columns
    return tuple(replace(column, name=each.name) for column, each in zip(columns, own, strict=True))


def _narrowed(flow: Flow, columns: tuple[Output, ...]) -> Iterator[Read]:
    """Reads of the columns that the query uses: a relation lists all that the table has, a scan what is needed."""
    used: dict[str, dict[str, None]] = {}
    for derivation in (*(each.derivation for each in columns), *(each.derivation for each in flow.conditions)):
        for origin, _ in derivation.sources:
            used.setdefault(origin.dataset, {})[origin.column] = None
    for read in flow.reads:
        yield replace(read, columns=tuple(used.get(read.dataset.name, ())))
