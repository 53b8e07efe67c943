"""`UnionLoop` (4.1+): a recursive CTE, the rows of its anchor and those that its recursion makes of earlier ones."""

from __future__ import annotations

from collections.abc import Sequence

from ...model import GapReason
from ...plan.lexer import read_attribute
from ..derivation import Derivation, merge
from ..flow import Condition, Flow, Output
from ..operation import Operation
from ..registry import operator
from ..stitch import Known, replaced

_MOST_ROUNDS = 50
"""Each round adds a column that recursion reaches through another; a CTE with more of them is not seen in practice."""


@operator("UnionLoopRef")
def union_loop_reference(at: Operation) -> Flow:
    """Outputs the loop's columns, whose values are open until the loop itself is resolved: `Output [1]: [n#5341]`."""
    attributes = [read_attribute(item) or (item, -1) for item in at.node.items("Output")]
    return Flow(outputs=tuple(Output(name, number, at.open_value(name, number)) for name, number in attributes))


@operator("UnionLoop")
def union_loop(at: Operation) -> Flow:
    """Outputs, by place, what the anchor gives and what the recursion makes of that, over and over.

    Its inputs print as logical trees do; `Output [1]: [n#5342]` (`UnionLoopExec`, 4.1 to 4.3).
    """
    if len(at.inputs) != 2:
        at.gap(GapReason.UNPARSED_PLAN, f"{len(at.inputs)} inputs of a loop", "please report it with the plan's text")
        return at.input
    anchor, recursion = (flow.settled().sorted_by_user() for flow in at.inputs)
    references = _references(at)
    values = [output.derivation for output in anchor.outputs]
    for _ in range(_MOST_ROUNDS):
        known = _known(references, values)
        made = [replaced(output.derivation, known) for output in recursion.outputs]
        rounds = [
            Derivation(merge((first.sources, again.sources)), first.parts)
            for first, again in zip((output.derivation for output in anchor.outputs), made, strict=False)
        ]
        if all(before.sources == after.sources for before, after in zip(values, rounds, strict=True)):
            break
        values = rounds
    known = _known(references, values)
    conditions = (Condition(replaced(each.derivation, known), each.kind) for each in recursion.conditions)
    flow = Flow(
        outputs=_outputs(at, anchor.outputs, recursion.outputs, (references, values)),
        conditions=(*anchor.conditions, *conditions),
        reads=(*anchor.reads, *recursion.reads),
        gaps=(*anchor.gaps, *recursion.gaps),
    )
    return flow.with_outputs(at.relabelled(at.node.items("Output"), flow.outputs))


def _references(at: Operation) -> list[list[tuple[str, int]]]:
    """The attributes of the loop's references, each reference's in the order of the loop's columns."""
    number = at.node.text("Loop id")
    found = []
    stack = list(at.node.children)
    while stack:
        node = stack.pop()
        if node.operator == "UnionLoopRef" and node.text("Loop id") == number:
            found.append([read_attribute(item) or (item, -1) for item in node.items("Output")])
        stack.extend(node.children)
    return found


def _known(references: Sequence[Sequence[tuple[str, int]]], values: Sequence[Derivation]) -> Known:
    return {
        number: Output(name, number, value)
        for columns in references
        for (name, number), value in zip(columns, values, strict=False)
    }


def _outputs(
    at: Operation,
    anchor: Sequence[Output],
    recursion: Sequence[Output],
    loop: tuple[Sequence[Sequence[tuple[str, int]]], Sequence[Derivation]],
) -> tuple[Output, ...]:
    """Each column with what it is made of; its expression is one turn of the loop, `1 | (n + 1)`."""
    references, values = loop
    words = [Derivation({}, (first.name,)) for first in anchor]
    names = _known(references, words)
    return tuple(
        Output(
            first.name,
            first.number,
            Derivation(value.sources, (first.derivation, " | ", replaced(again.derivation, names))),
        )
        for first, again, value in zip(anchor, recursion, values, strict=False)
    )
