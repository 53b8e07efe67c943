"""Windows: columns over groups of rows, and bins of ranges of time (`BinBy`, 4.3+)."""

from __future__ import annotations

from eventlog_lineage.model import INFERRED, GapReason, Transformation, merge
from eventlog_lineage.operators.derivations.derivation import Derivation, function_of, truncated
from eventlog_lineage.operators.flow import Flow, Output
from eventlog_lineage.operators.operation import WIDER, Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.rules.python_rows import aggregated
from eventlog_lineage.plan.grammar.attribute_ids import attribute_of
from eventlog_lineage.plan.grammar.symbols import inner, is_list

_PYTHON = frozenset({"WindowInPandas", "ArrowWindowPython"})


@operator("Window", "WindowInPandas", "ArrowWindowPython")
def window(op: Operation) -> Flow:
    """Output the input and the window columns; the window requires the sort below it.

    `Arguments: [sum(v#1) windowspecdefinition(k#2, …) AS s#3], [k#2], [v#1 ASC NULLS FIRST]`. Columns that
    Spark truncated are named by the consumer, and reported as a gap. Of two windows the lower one may require
    less than its sort has: `[k#2]` below `[k#2], [v#1 ASC NULLS FIRST]` (`RemoveRedundantSorts`, 3.1 to 4.3).
    """
    columns = op.node.listed("columns")
    required = (*op.keys("partition"), *op.keys("order"))
    below = op.raw_input.completed().ordered_for(required, is_kept=True)
    outputs = op.outputs(columns, below.scope)
    if op.node.operator in _PYTHON:
        outputs = tuple(output.mapped(aggregated) for output in outputs)
    keys = [op.bind(key, below.scope) for key in required]
    lost = _truncated_columns(op, below, outputs, keys) if columns.missing else ()
    return below.with_outputs((*below.outputs, *outputs, *lost))


@operator("RunningWindowFunction")
def running_window(op: Operation) -> Flow:
    """Output the columns that it lists, including the input's; the window requires the sort below it.

    `Arguments: [k#1, v#2, sum(v#2) windowspecdefinition(k#1, …) AS s#3], [k#1], [v#2 ASC NULLS FIRST], false`:
    Databricks' operator for frames from the first row to the current one (Runtime 7 and later).
    """
    below = op.raw_input.completed().ordered_for((*op.keys("partition"), *op.keys("order")))
    return below.with_outputs(op.outputs(op.complete(op.node.listed("columns"), "columns"), below.scope))


def _truncated_columns(
    op: Operation, below: Flow, outputs: tuple[Output, ...], keys: list[Derivation]
) -> tuple[Output, ...]:
    """Return truncated window columns: the consumer prints their names, and their functions are unknown.

    The window is printed, and shared by all columns of an operator.
    """
    known = {output.expr_id for output in (*below.outputs, *outputs)}
    lost = [found for found in op.consumed if found[1] not in known]
    what = f"the expressions of {', '.join(name for name, _ in lost) or 'some columns'}"
    op.gap(GapReason.TRUNCATED_FIELDS, f"{what} are truncated", WIDER)
    window_keys = merge(key.through(Transformation.WINDOW, confidence=INFERRED) for key in keys)
    return tuple(Output(name, expr_id, truncated(name, window_keys)) for name, expr_id in lost)


@operator("EvalPhysicalFunction")
def function_of_all_rows(op: Operation) -> Flow:
    """Output the input and a value that a function computes from the geometries of all rows (Apache Sedona 1.7+).

    `Arguments: st_dbscan(g#1, 1.0, 3, false), [physicalFunctionResult1#2]`
    """
    below = op.input
    text, *columns = op.node.arguments
    value = op.bind(text, below.scope)
    made = [Output(*attribute_of(inner(each)), value) for each in columns]
    return below.with_outputs((*below.outputs, *made))


@operator("WindowGroupLimit")
def window_group_limit(op: Operation) -> Flow:
    """Pass on its input: the rank and the filter above have the lineage.

    `Arguments: [k#1L], [v#2 DESC NULLS LAST], row_number(), 2, Partial`
    """
    return op.raw_input.completed().ordered_for((*op.node.listed("partition"), *op.node.listed("order")))


@operator("BinBy")
def bin_by(op: Operation) -> Flow:
    """Output its input, with distributed values multiplied by the bin's share of the range, and the bin.

    `Arguments: 300000000, 0, s#1: timestamp, e#2: timestamp, [v#3], [v#9], [bin_start#10, bin_end#11,
    bin_distribute_ratio#12], UTC` (`BinByExec`, 4.3; a logical tree prints the origin after the range). The bin depends
    on the start and the end of the range.
    """
    below = op.input
    ranges = [part.rpartition(": ")[0] for part in op.node.arguments if not is_list(part)]
    ends = [op.bind(part, below.scope) for part in ranges if "#" in part]
    distributed = op.node.listed("distributed").ids
    scaled = op.node.listed("scaled").attributes
    op.complete(op.node.listed("scaled"), "columns")
    changed = {
        before: Output(name, expr_id, function_of("scaled", [below.scope[before], *ends]))
        for before, (name, expr_id) in zip(distributed, scaled, strict=False)
        if before in below.scope
    }
    bins = (Output(*each, function_of("bin", ends)) for each in op.node.listed("columns").attributes)
    return below.with_outputs((*(changed.get(each.expr_id, each) for each in below.outputs), *bins))
