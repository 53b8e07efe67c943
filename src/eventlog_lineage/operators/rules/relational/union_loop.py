"""`UnionLoop` (4.1+): a recursive CTE, with the rows of its anchor and those of its recursion over earlier rows."""

from __future__ import annotations

from collections.abc import Sequence

from eventlog_lineage.model import GapReason
from eventlog_lineage.operators.attribute_links import Bindings, bind_derivation
from eventlog_lineage.operators.derivations.derivation import Derivation, merge
from eventlog_lineage.operators.flow import Flow, Output
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.plan.grammar.attribute_ids import attribute_of
from eventlog_lineage.plan.tree.attributes import loop_columns, loop_references

References = Sequence[Sequence[tuple[str, int]]]


@operator("UnionLoopRef")
def union_loop_reference(op: Operation) -> Flow:
    """Output the loop's columns, which are unbound until the loop is resolved: `Output [1]: [n#5341]`."""
    attributes = op.node.attributes("Output")
    return op.unbound(attributes)


@operator("UnionLoop")
def union_loop(op: Operation) -> Flow:
    """Output, by position, the values of the anchor and of the repeated recursion.

    Its inputs print as logical trees do; `Output [1]: [n#5342]` (`UnionLoopExec`, 4.1 to 4.3).
    """
    if len(op.inputs) != 2:
        op.gap(GapReason.UNPARSED_PLAN, f"{len(op.inputs)} inputs of a loop", "please report it with the plan's text")
        return op.input
    anchor, recursion = (flow.completed().sorted_by_user() for flow in op.inputs)
    references = _references(op)
    bindings = _bindings(references, _fixed_point(references, anchor, recursion))
    names = _bindings(references, [Derivation({}, (output.name,)) for output in anchor.outputs])
    outputs = tuple(
        Output(first.name, first.expr_id, _column(first.derivation, again.derivation, bindings, names))
        for first, again in zip(anchor.outputs, recursion.outputs, strict=False)
    )
    conditions = (each.mapped(lambda value: bind_derivation(value, bindings)) for each in recursion.conditions)
    return Flow(
        outputs=op.relabeled(loop_columns(op.node), outputs),
        conditions=(*anchor.conditions, *conditions),
        reads=(*anchor.reads, *recursion.reads),
        gaps=(*anchor.gaps, *recursion.gaps),
    )


def _column(first: Derivation, again: Derivation, bindings: Bindings, names: Bindings) -> Derivation:
    """Return a column with all its sources; its expression is one iteration of the loop, `1 | (n + 1)`.

    Args:
        names: The loop's columns by their names only.
    """
    sources = merge((first.sources, bind_derivation(again, bindings).sources))
    return Derivation(sources, (first, " | ", bind_derivation(again, names)))


def _fixed_point(references: References, anchor: Flow, recursion: Flow) -> list[Derivation]:
    """Return the loop's columns at the fixed point: iterations only add sources, and sources are finite."""
    firsts = [output.derivation for output in anchor.outputs]
    values = firsts
    while True:
        bindings = _bindings(references, values)
        iterated = [
            Derivation(merge((first.sources, bind_derivation(again.derivation, bindings).sources)), first.parts)
            for first, again in zip(firsts, recursion.outputs, strict=False)
        ]
        if all(before.sources == after.sources for before, after in zip(values, iterated, strict=False)):
            return iterated
        values = iterated


def _references(op: Operation) -> References:
    """Return the attributes of the loop's references, each reference's in the order of the loop's columns."""
    return [[attribute_of(item) for item in columns] for columns in loop_references(op.node)]


def _bindings(references: References, values: Sequence[Derivation]) -> Bindings:
    return {
        expr_id: Output(name, expr_id, value)
        for columns in references
        for (name, expr_id), value in zip(columns, values, strict=False)
    }
