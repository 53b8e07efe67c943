"""Complete `UPDATE SET *` and `INSERT *` of wide tables: Hudi and Paimon print the first 25 fields of a clause.

A clause is a star clause if it has as many assignments as the table has columns, and if each printed one assigns the
source's column of the same name. The truncated assignments do the same; their lineage is `inferred`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from eventlog_lineage.lineage.tracing.statement_trace import StatementTrace
from eventlog_lineage.plan.grammar.attribute_ids import CAPTURED_ID
from eventlog_lineage.plan.plan_text import PlanText

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
    """Return (printed columns, number of all columns) of each truncated clause that may be a star clause."""
    found = (([name for name, *_ in _PAIR.findall(clause["listed"])], clause) for clause in _STAR.finditer(text))
    return [(names, len(names) + int(clause["missing"])) for names, clause in found]


def star_source_ids(text: str) -> set[int]:
    """Return the ids of the source's columns in the truncated clauses that may be star clauses."""
    return {int(pair[3]) for clause in _STAR.finditer(text) for pair in _PAIR.findall(clause["listed"])}


def _missing_assignments(
    clause: re.Match[str], target: Sequence[Attribute], source: Mapping[str, int] | None
) -> list[tuple[str, int, int]]:
    """Return (name, target's id, source's id) of the truncated assignments; empty for other clauses.

    Args:
        clause: A match of `_STAR`.
        target: Name and id of the target's columns in the table's order.
        source: Name to id of the source's columns; None if they are unknown.
    """
    names, targets, values, sources = zip(*_PAIR.findall(clause["listed"]), strict=True)
    if names != values or any(one == other for one, other in zip(targets, sources, strict=True)):
        return []
    rest = target[len(names) :]
    if len(rest) != int(clause["missing"]) or names != tuple(name for name, _ in target[: len(names)]):
        return []
    if source is not None:
        found = [(name, expr_id, source.get(name, -1)) for name, expr_id in rest]
    else:
        following = zip(_following(targets, len(rest)), _following(sources, len(rest)), strict=True)
        found = [(name, *ids) for (name, _), ids in zip(rest, following, strict=False)]
    return found if all(min(ids) >= 0 for _, *ids in found) else []


def _following(printed: Sequence[str], count: int) -> list[int]:
    """Return the ids after printed ones if the last of these are consecutive; -1 for each otherwise."""
    last = [int(each) for each in printed[-_MIN_CONSECUTIVE:]]
    if len(last) < _MIN_CONSECUTIVE or last != list(range(last[0], last[0] + _MIN_CONSECUTIVE)):
        return [-1] * count
    return list(range(last[-1] + 1, last[-1] + 1 + count))
