"""Complete `UPDATE SET *` and `INSERT *` of wide tables: a command prints the first 25 fields of a clause.

A clause is a star clause if it has as many assignments as the table has columns, and if each printed one assigns the
source's column of the same name. The truncated assignments do the same; their lineage is `inferred`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from eventlog_lineage.operators.derivations.derivation import as_inferred
from eventlog_lineage.operators.flow import Flow, Output
from eventlog_lineage.plan.expressions.attribute_ids import CAPTURED_ID
from eventlog_lineage.plan.plan_text import PlanText

from .tracing.statement_trace import StatementTrace

_VALUE = rf"(?:assertnotnull\(|cast\()*(\w+){CAPTURED_ID}(?: as [a-z]+(?:\(\d+(?:,\d+)?\))?)?\)*"
_ASSIGNMENT = rf"assignment\((\w+){CAPTURED_ID}, {_VALUE}\)"
_STAR = re.compile(
    rf"(?P<start>\b(?:update|insert)action\((?:None|Some\([^\n]{{0,2000}}?\)), )"
    rf"(?P<listed>{_ASSIGNMENT}(?:, {_ASSIGNMENT})*), \.\.\. (?P<missing>\d{{1,6}}) more fields\)"
)
_PAIR = re.compile(_ASSIGNMENT)
_MIN_CONSECUTIVE = 5
"""The number of last printed assignments whose ids must be consecutive, so that the next ids can be inferred."""

Attribute = tuple[str, int]
"""The name and the id of an attribute."""


def complete_star_clauses(
    trace: StatementTrace, target: Sequence[Attribute], source: Mapping[str, int] | None = None
) -> StatementTrace:
    """Return the trace with the truncated star clauses of its MERGE completed.

    Args:
        trace: The statement; the first plan is the MERGE's.
        target: Name and id of the target's columns in the table's order; an id of -1 is unknown.
        source: Name to id of the source's columns; None to infer the ids from the printed ones.
    """
    text = trace.texts[0].text
    added: dict[str, None] = {}
    pieces, end = [], 0
    for clause in _STAR.finditer(text):
        missing = _missing_assignments(clause, target, source)
        if missing:
            items = (f"assignment({name}#{target_id}, {name}#{source_id})" for name, target_id, source_id in missing)
            pieces += [text[end : clause.start()], clause["start"], ", ".join((clause["listed"], *items)), ")"]
            end = clause.end()
            added |= dict.fromkeys(name for name, _, _ in missing)
    if not added:
        return trace
    completed = PlanText("".join((*pieces, text[end:])))
    return replace(trace, texts=(completed, *trace.texts[1:]), completed=frozenset(added))


def truncated_star_clauses(text: str) -> list[tuple[list[str], int]]:
    """Return (printed columns, number of all columns) of each truncated clause that may be a star clause.

    Args:
        text: The text of a MERGE.
    """
    found = (([name for name, *_ in _PAIR.findall(clause["listed"])], clause) for clause in _STAR.finditer(text))
    return [(names, len(names) + int(clause["missing"])) for names, clause in found]


def star_source_ids(text: str) -> set[int]:
    """Return the ids of the source's columns in the truncated clauses that may be star clauses.

    Args:
        text: The text of a MERGE.
    """
    return {int(pair[3]) for clause in _STAR.finditer(text) for pair in _PAIR.findall(clause["listed"])}


def mark_completed_as_inferred(trace: StatementTrace) -> StatementTrace:
    """Mark the lineage of the completed columns as inferred."""
    write = trace.root.write
    if not trace.completed or write is None or not write.columns:
        return trace
    columns = tuple(
        Output(each.name, each.expr_id, as_inferred(each.derivation)) if each.name in trace.completed else each
        for each in write.columns
    )
    flow: Flow = replace(trace.root, write=replace(write, columns=columns))
    return trace.with_root(flow)


def _missing_assignments(
    clause: re.Match[str], target: Sequence[Attribute], source: Mapping[str, int] | None
) -> list[tuple[str, int, int]]:
    """Return (name, target's id, source's id) of the truncated assignments; empty for other clauses.

    Args:
        clause: A match of `_STAR`.
        target: Name and id of the target's columns in the table's order.
        source: Name to id of the source's columns; None if they are unknown.
    """
    printed = [(each[0], int(each[1]), each[2], int(each[3])) for each in _PAIR.findall(clause["listed"])]
    if any(name != value or target_id == source_id for name, target_id, value, source_id in printed):
        return []
    if len(printed) + int(clause["missing"]) != len(target) or [each[0] for each in printed] != [
        name for name, _ in target[: len(printed)]
    ]:
        return []
    rest = target[len(printed) :]
    last = printed[-1]
    if source is not None:
        found = [(name, expr_id, source.get(name, -1)) for name, expr_id in rest]
    elif _are_consecutive([each[1] for each in printed]) and _are_consecutive([each[3] for each in printed]):
        found = [(name, last[1] + step, last[3] + step) for step, (name, _) in enumerate(rest, 1)]
    else:
        return []
    return found if all(target_id >= 0 and source_id >= 0 for _, target_id, source_id in found) else []


def _are_consecutive(ids: list[int]) -> bool:
    last = ids[-_MIN_CONSECUTIVE:]
    return len(last) == _MIN_CONSECUTIVE and last == list(range(last[0], last[0] + _MIN_CONSECUTIVE))
