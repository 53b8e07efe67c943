"""`Union`: the rows of several inputs."""

from __future__ import annotations

from collections.abc import Sequence

from eventlog_lineage.model import GapReason, Transformation
from eventlog_lineage.operators.derivations.derivation import Constant, Derivation, merge, merged_fields
from eventlog_lineage.operators.flow import Condition, Flow, Output, combine
from eventlog_lineage.operators.joins import equality
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator

T = Transformation
_COUNTERS = frozenset(("vcol", "vcol1", "vcol2"))
_LEFT = (("1",), ("true", "null"))
_RIGHT = (("-1",), ("null", "true"))
"""The literals that mark the rows of a side, of EXCEPT ALL and of INTERSECT ALL."""


@operator("Union")
def union(op: Operation) -> Flow:
    """Output, by position, the columns of all inputs, with the names and ids of the first.

    The details have only the header (`UnionExec`, 3.0 to 4.3).
    """
    if op.inputs and all(flow.command for flow in op.inputs):
        return _multi_insert(op.inputs)
    inputs = [flow.completed().sorted_by_user() for flow in op.inputs]
    combined = combine(inputs)
    if compared := _compared(inputs):
        left = [flow.outputs for flow in inputs if _side_marks(flow) in _LEFT]
        return combined.with_conditions(*compared).with_outputs(_column(row) for row in zip(*left, strict=False))
    widths = {len(flow.outputs) for flow in inputs}
    if len(widths) > 1:
        op.gap(
            GapReason.DANGLING_ATTRIBUTE,
            f"the inputs of a union have {sorted(widths)} columns",
            "please report it with the plan's text",
        )
    rows = zip(*(flow.outputs for flow in inputs), strict=False)
    return combined.with_outputs(_column(row) for row in rows)


def _compared(inputs: Sequence[Flow]) -> tuple[Condition, ...]:
    """Return the columns that EXCEPT ALL or INTERSECT ALL compare; none for the user's own union.

    Spark counts the rows of both sides (`RewriteExceptAll`, `RewriteIntersectAll`, 2.4 to 4.3): `1 AS vcol#5` on the
    left and `-1 AS vcol#6` on the right; `true AS vcol1, null AS vcol2` and the reverse. The left makes the values. A
    side that is a union itself has several inputs (`CombineUnions`).
    """
    marks = {_side_marks(flow) for flow in inputs}
    if len(marks) != 2 or not any({left, right} == marks for left, right in zip(_LEFT, _RIGHT, strict=True)):
        return ()
    left, right = (
        [_column(row) for row in zip(*(flow.outputs for flow in side), strict=False)]
        for side in (
            [flow for flow in inputs if _side_marks(flow) in _LEFT],
            [flow for flow in inputs if _side_marks(flow) not in _LEFT],
        )
    )
    return tuple(
        equality(each.derivation, other.derivation, "<=>")
        for each, other in zip(left, right, strict=False)
        if each.name not in _COUNTERS
    )


def _side_marks(flow: Flow) -> tuple[str, ...]:
    counters = [each.derivation for each in flow.outputs if each.name in _COUNTERS]
    return () if any(each.sources for each in counters) else tuple("".join(map(str, each.parts)) for each in counters)


def without_left_side(flow: Flow) -> Flow:
    """Return the rows of EXCEPT ALL and INTERSECT ALL whose left side is proven empty: their values have no source.

    The optimizer leaves the rows of the right side alone (`PropagateEmptyRelation`, 2.4 to 4.3), with `-1 AS vcol#6`
    or `null AS vcol1#6`, to the aggregation that counts both.
    """
    marks = {each.name: "".join(map(str, each.derivation.parts)) for each in flow.outputs if each.name in _COUNTERS}
    if marks.get("vcol") != "-1" and marks.get("vcol1") != "null":
        return flow
    if any(each.derivation.sources for each in flow.outputs if each.name in _COUNTERS):
        return flow
    compared = [each for each in flow.outputs if each.derivation.sources]
    conditions = (
        Condition(Derivation(each.derivation.through(T.TRANSFORMATION), (each.derivation,)), T.JOIN)
        for each in compared
    )
    none = (Output(each.name, each.expr_id, Derivation({}, (Constant(each.name),))) for each in flow.outputs)
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
    parts: list[str | Derivation] = []
    for derivation in distinct:
        parts.extend((" | ", derivation) if parts else (derivation,))
    merged = Derivation(merge(each.sources for each in distinct), parts, merged_fields(distinct))
    return Output(first.name, first.expr_id, merged)
