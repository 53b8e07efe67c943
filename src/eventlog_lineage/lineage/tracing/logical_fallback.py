"""Use the query of a text's logical plans if its physical plan does not contain the query.

The attributes of a physical plan are unbound if a connector reads its rows from an RDD (dynamic buckets, V1 fallback
writes up to 3.4); an aggregate that is answered from metadata is a literal. The analyzed plan of extended text contains
the query. It is used only if it resolves completely: rows of the driver program have no source there, either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from eventlog_lineage.datasets.naming import is_unnamed
from eventlog_lineage.model import GapReason
from eventlog_lineage.operators.attribute_links import Bindings, bind_links
from eventlog_lineage.operators.flow import Flow, Output, Read, Write
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.tree.nodes import Plan

_HIDDEN = frozenset({GapReason.UNKNOWN_SOURCE, GapReason.UNKNOWN_TARGET})


def logical_fallback(
    text: PlanText, flow: Flow, bindings: Bindings, resolve: Callable[[Plan], Flow], *, is_emptied: bool = False
) -> Flow | None:
    """Return the flow of a plan text whose physical plan does not contain the query.

    Args:
        is_emptied: Whether the optimizer replaced a part of the query by an empty relation: another plan may bind its
            columns, but only the analyzed plan has its conditions.

    Returns:
        The flow with the query of a logical plan; None if the physical plan hides nothing, or if no logical plan
        resolves completely.
    """
    is_complete = not hides_tables(flow) and not text.answers_from_metadata and not bind_links(flow, bindings)[1]
    if is_complete and not is_emptied:
        return None
    for plan in text.logical:
        logical, unbound = bind_links(resolve(plan), bindings)
        if not unbound and not logical.gaps and (complete := _with_query(flow, logical)) is not None:
            return complete
    return None


def hides_tables(flow: Flow) -> bool:
    """Return whether a plan does not name a table that its query reads or writes."""
    return any(gap.reason in _HIDDEN for gap in flow.gaps)


def _with_query(flow: Flow, logical: Flow) -> Flow | None:
    """Return a physical plan's flow with the query of its logical plan; None if the two do not fit."""
    columns = logical.write.columns if logical.write is not None else logical.outputs
    hides_target = any(gap.reason is GapReason.UNKNOWN_TARGET for gap in flow.gaps)
    writes = flow.write is not None or hides_target
    if columns is None or (flow.command and not writes) or writes != (logical.write is not None):
        return None
    gaps = tuple(gap for gap in flow.gaps if gap.reason not in _HIDDEN)
    query = replace(logical, reads=tuple(_used(logical, columns)), command=flow.command or logical.command, gaps=gaps)
    if logical.write is None:
        return replace(query, outputs=_named(columns, flow.outputs)) if len(columns) == len(flow.outputs) else None
    if flow.write is None or is_unnamed(flow.write.target.name):
        return query
    return replace(query, write=_filled(flow.write, columns))


def _filled(write: Write, columns: tuple[Output, ...]) -> Write:
    return replace(write, columns=_named(columns, write.columns or ()))


def _named(columns: tuple[Output, ...], names: Iterable[Output]) -> tuple[Output, ...]:
    """Return values with the physical plan's names, if it has as many."""
    own = tuple(names)
    if len(own) != len(columns):
        return columns
    return tuple(replace(column, name=each.name) for column, each in zip(columns, own, strict=True))


def _used(flow: Flow, columns: tuple[Output, ...]) -> Iterator[Read]:
    """Yield reads of the columns that the query uses: a relation lists all columns of its table."""
    used: dict[str, dict[str, None]] = {}
    for derivation in (*(each.derivation for each in columns), *(each.derivation for each in flow.conditions)):
        for origin, _ in derivation.sources:
            used.setdefault(origin.dataset, {})[origin.column] = None
    for read in flow.reads:
        yield replace(read, columns=tuple(used.get(read.dataset.name, ())))
