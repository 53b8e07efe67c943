"""Complete `UPDATE SET *` and `INSERT *` of wide tables: a command prints the first 25 fields of a clause.

A clause that assigns each printed column the source's column of the same name, and as many columns as the table has,
assigns the other columns in the same way. Their lineage is `inferred`.
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
    rf"(?P<head>\b(?:update|insert)action\((?:None|Some\([^\n]{{0,2000}}?\)), )"
    rf"(?P<listed>{_ASSIGNMENT}(?:, {_ASSIGNMENT})*), \.\.\. (?P<missing>\d{{1,6}}) more fields\)"
)
_PAIR = re.compile(_ASSIGNMENT)
_ROW = 5
"""The number of assignments in a row whose ids must be consecutive, to continue them."""

Attribute = tuple[str, int]


def complete_stars(
    trace: StatementTrace, target: Sequence[Attribute], source: Mapping[str, int] | None = None
) -> StatementTrace:
    """Return the trace with the text of a MERGE completed.

    Args:
        trace: The statement; the first plan is the MERGE's.
        target: Name and id of the target's columns in the table's order; an id of -1 is unknown.
        source: Name to id of the source's columns; None to continue the printed ids.
    """
    text = trace.texts[0].text
    added: dict[str, None] = {}
    pieces, end = [], 0
    for clause in _STAR.finditer(text):
        hidden = _hidden(clause, target, source)
        if hidden:
            items = (f"assignment({name}#{own}, {name}#{given})" for name, own, given in hidden)
            pieces += [text[end : clause.start()], clause["head"], ", ".join((clause["listed"], *items)), ")"]
            end = clause.end()
            added |= dict.fromkeys(name for name, _, _ in hidden)
    if not added:
        return trace
    whole = PlanText("".join((*pieces, text[end:])))
    return replace(trace, texts=(whole, *trace.texts[1:]), completed=frozenset(added))


def stars_of(text: str) -> list[tuple[list[str], int]]:
    """Return the printed columns, and the number of all, of each truncated clause with columns of the same name.

    Args:
        text: The text of a MERGE.
    """
    found = (([name for name, *_ in _PAIR.findall(clause["listed"])], clause) for clause in _STAR.finditer(text))
    return [(names, len(names) + int(clause["missing"])) for names, clause in found]


def star_sources(text: str) -> set[int]:
    """Return the ids of the source's columns in these clauses.

    Args:
        text: The text of a MERGE.
    """
    return {int(pair[3]) for clause in _STAR.finditer(text) for pair in _PAIR.findall(clause["listed"])}


def infer_completed(trace: StatementTrace) -> StatementTrace:
    """Make the completed columns of the write inferred."""
    write = trace.root.write
    if not trace.completed or write is None or not write.columns:
        return trace
    columns = tuple(
        Output(each.name, each.number, as_inferred(each.derivation)) if each.name in trace.completed else each
        for each in write.columns
    )
    flow: Flow = replace(trace.root, write=replace(write, columns=columns))
    return trace.with_root(flow)


def _hidden(
    clause: re.Match[str], target: Sequence[Attribute], source: Mapping[str, int] | None
) -> list[tuple[str, int, int]]:
    """Return (name, id of the target's column, id of the source's) of the assignments that are not printed."""
    printed = [(name, int(own), value, int(given)) for name, own, value, given in _PAIR.findall(clause["listed"])]
    if any(name != value or own == given for name, own, value, given in printed):
        return []
    if len(printed) + int(clause["missing"]) != len(target) or [each[0] for each in printed] != [
        name for name, _ in target[: len(printed)]
    ]:
        return []
    rest = target[len(printed) :]
    last = printed[-1]
    if source is not None:
        found = [(name, own, source.get(name, -1)) for name, own in rest]
    elif _are_consecutive([each[1] for each in printed]) and _are_consecutive([each[3] for each in printed]):
        found = [(name, last[1] + step, last[3] + step) for step, (name, _) in enumerate(rest, 1)]
    else:
        return []
    return found if all(given >= 0 and own >= 0 for _, own, given in found) else []


def _are_consecutive(numbers: list[int]) -> bool:
    ends = numbers[-_ROW:]
    return len(ends) == _ROW and ends == list(range(ends[0], ends[0] + _ROW))
