"""`Union`: the rows of several inputs."""

from __future__ import annotations

from collections.abc import Sequence

from eventlog_lineage.model import GapReason, Transformation
from eventlog_lineage.operators.derivations.derivation import Derivation, merge
from eventlog_lineage.operators.flow import Condition, Flow, Output, combine
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator

_COUNTERS = frozenset(("vcol", "vcol1", "vcol2"))
_MARKS = (["1", "-1"], ["true", "null", "null", "true"])


@operator("Union")
def union(at: Operation) -> Flow:
    """Output, by position, the columns of all inputs, with the names and ids of the first.

    The details have only the header (`UnionExec`, 3.0 to 4.3).
    """
    if at.inputs and all(flow.command for flow in at.inputs):
        return _multi_insert(at.inputs)
    inputs = [flow.settled().sorted_by_user() for flow in at.inputs]
    combined = combine(inputs)
    if counted := _set_operation(inputs):
        return combined.with_outputs(inputs[0].outputs).under(*counted)
    widths = {len(flow.outputs) for flow in inputs}
    if len(widths) > 1:
        at.gap(
            GapReason.DANGLING_ATTRIBUTE,
            f"the inputs of a union have {sorted(widths)} columns",
            "please report it with the plan's text",
        )
    rows = zip(*(flow.outputs for flow in inputs), strict=False)
    return combined.with_outputs(_column(row) for row in rows)


def _set_operation(inputs: Sequence[Flow]) -> tuple[Condition, ...]:
    """The columns that EXCEPT ALL or INTERSECT ALL compare; none for a union that the user wrote.

    Spark counts the rows of both sides (`RewriteExceptAll`, `RewriteIntersectAll`, 2.4 to 4.3): `1 AS vcol#5` on the
    left and `-1 AS vcol#6` on the right; `true AS vcol1, null AS vcol2` and the reverse. The left makes the values.
    """
    if len(inputs) != 2:
        return ()
    left, right = (tuple(each for each in flow.outputs if each.name in _COUNTERS) for flow in inputs)
    marks = ["".join(map(str, each.derivation.parts)) for each in (*left, *right)]
    if marks not in _MARKS or any(each.derivation.sources for each in (*left, *right)):
        return ()
    compared = (each for flow in inputs for each in flow.outputs if each.name not in _COUNTERS)
    return tuple(Condition(each.derivation, Transformation.JOIN) for each in compared)


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
    return Output(first.name, first.number, Derivation(merge(each.sources for each in distinct), parts))
