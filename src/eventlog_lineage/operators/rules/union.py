"""Unions: the rows of several inputs, or of a recursion over earlier rows (`UnionLoop`, 4.1+)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from eventlog_lineage.model import GapReason, Transformation, merge
from eventlog_lineage.operators.attribute_links import Bindings, bind_derivation
from eventlog_lineage.operators.derivations.derivation import Derivation, any_of, constant, merged_fields
from eventlog_lineage.operators.flow import Condition, Flow, Output
from eventlog_lineage.operators.joins import equality
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.plan.grammar.attribute_ids import attribute_of
from eventlog_lineage.plan.tree.nodes import loop_columns, loop_references

T = Transformation
_COUNTERS = frozenset(("vcol", "vcol1", "vcol2"))
_LEFT = (("1",), ("true", "null"))
_RIGHT = (("-1",), ("null", "true"))
"""The literals that mark the rows of a side, of EXCEPT ALL and of INTERSECT ALL."""
_FIRST_RIGHT: Collection[tuple[str, ...]] = tuple(each[:1] for each in _RIGHT)


@operator("Union")
def union(op: Operation) -> Flow:
    """Output, by position, the columns of all inputs, with the names and ids of the first.

    The details have only the header (`UnionExec`, 3.0 to 4.3).
    """
    if op.inputs and all(flow.command for flow in op.inputs):
        return _multi_insert(op.inputs)
    if compared := _compared(op.inputs):
        return op.input.with_conditions(*compared).with_outputs(_left_columns(op.inputs))
    widths = {len(flow.outputs) for flow in op.inputs}
    if len(widths) > 1:
        op.gap(GapReason.DANGLING_ATTRIBUTE, f"the inputs of a union have {sorted(widths)} columns")
    return op.input.with_outputs(_columns(flow.outputs for flow in op.inputs))


def _columns(inputs: Iterable[Sequence[Output]]) -> list[Output]:
    return [_column(row) for row in zip(*inputs, strict=False)]


def _left_columns(inputs: Sequence[Flow]) -> list[Output]:
    """Return the columns of the left side of EXCEPT ALL or INTERSECT ALL, with the marks of its first input."""
    left = [flow.outputs for flow in inputs if _side_marks(flow) in _LEFT]
    columns = zip(left[0], _columns(left), strict=False)
    return [first if first.name in _COUNTERS else column for first, column in columns]


def _compared(inputs: Sequence[Flow]) -> tuple[Condition, ...]:
    """Return the columns that EXCEPT ALL or INTERSECT ALL compare; none for the user's own union.

    Spark counts the rows of both sides (`RewriteExceptAll`, `RewriteIntersectAll`, 2.4 to 4.3): `1 AS vcol#5` on the
    left and `-1 AS vcol#6` on the right; `true AS vcol1, null AS vcol2` and the reverse. The left makes the values. A
    side that is a union itself has several inputs (`CombineUnions`).
    """
    marks = [_side_marks(flow) for flow in inputs]
    if set(marks) not in map(set, zip(_LEFT, _RIGHT, strict=True)):
        return ()
    left, right = (
        _columns(flow.outputs for flow, own in zip(inputs, marks, strict=True) if own in side)
        for side in (_LEFT, _RIGHT)
    )
    return tuple(
        equality(each.derivation, other.derivation, "<=>")
        for each, other in zip(left, right, strict=False)
        if each.name not in _COUNTERS
    )


def _side_marks(flow: Flow) -> tuple[str, ...]:
    counters = [each.derivation for each in flow.outputs if each.name in _COUNTERS]
    return () if any(each.sources for each in counters) else tuple("".join(map(str, each.parts)) for each in counters)


def has_side_marks(flow: Flow) -> bool:
    """Return whether an aggregation of these rows counts those of the sides of EXCEPT ALL or INTERSECT ALL."""
    return _side_marks(flow) in (*_LEFT, *_RIGHT)


def without_left_side(flow: Flow) -> Flow:
    """Return the rows of EXCEPT ALL and INTERSECT ALL whose left side is proven empty: their values have no source.

    The optimizer leaves the rows of the right side alone (`PropagateEmptyRelation`, 2.4 to 4.3), with `-1 AS vcol#6`
    or `null AS vcol1#6`, to the aggregation that counts both.
    """
    if _side_marks(flow)[:1] not in _FIRST_RIGHT:
        return flow
    compared = [each for each in flow.outputs if each.derivation.sources]
    conditions = (Condition(each.derivation.step(T.TRANSFORMATION), T.JOIN) for each in compared)
    none = (Output(each.name, each.expr_id, constant(each.name)) for each in flow.outputs)
    return flow.with_conditions(*conditions).with_outputs(none)


def _multi_insert(commands: Sequence[Flow]) -> Flow:
    """Return the flow of `FROM … INSERT INTO a … INSERT INTO b …`: one execution up to 3.1 and from 4.1 on.

    Versions in between run each command as a separate execution (`QueryExecution.eagerlyExecuteCommands`), and print
    the union of their results when it is collected.
    """
    writes = tuple(flow for flow in commands if flow.write is not None)
    reads = tuple(read for write in writes for read in write.reads)
    return Flow(reads=reads, command=commands[0].command, inserts=writes)


def _column(row: tuple[Output, ...]) -> Output:
    first = row[0]
    distinct = list({id(output.derivation): output.derivation for output in row}.values())
    if len(distinct) == 1:
        return first
    merged = any_of(distinct)
    merged.fields = merged_fields(distinct)
    return Output(first.name, first.expr_id, merged)


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
    anchor, recursion = (flow.completed().sorted_by_user() for flow in op.sides)
    references = [[attribute_of(item) for item in columns] for columns in loop_references(op.node)]
    bindings = _bindings(references, _fixed_point(references, anchor, recursion))
    names = _bindings(references, [Derivation({}, (output.name,)) for output in anchor.outputs])
    outputs = tuple(
        Output(first.name, first.expr_id, _looped(first.derivation, again.derivation, bindings, names))
        for first, again in zip(anchor.outputs, recursion.outputs, strict=False)
    )
    conditions = (each.mapped(lambda value: bind_derivation(value, bindings)) for each in recursion.conditions)
    return Flow(
        outputs=op.relabeled(loop_columns(op.node), outputs),
        conditions=(*anchor.conditions, *conditions),
        reads=(*anchor.reads, *recursion.reads),
        gaps=(*anchor.gaps, *recursion.gaps),
    )


def _looped(first: Derivation, again: Derivation, bindings: Bindings, names: Bindings) -> Derivation:
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


def _bindings(references: References, values: Sequence[Derivation]) -> Bindings:
    return {
        expr_id: Output(name, expr_id, value)
        for columns in references
        for (name, expr_id), value in zip(columns, values, strict=False)
    }
