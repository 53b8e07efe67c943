"""Windows: operators that compute columns over groups of rows."""

from __future__ import annotations

from collections.abc import Iterable

from eventlog_lineage.model import GapReason, Transformation
from eventlog_lineage.operators.derivations.derivation import INFERRED, Derivation, merge, truncated
from eventlog_lineage.operators.flow import Flow, Output
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.plan.grammar.attribute_ids import read_attribute

_PYTHON = frozenset({"WindowInPandas", "ArrowWindowPython"})


@operator("Window", "WindowInPandas", "ArrowWindowPython")
def window(op: Operation) -> Flow:
    """Output the input and the window columns; the window requires the sort below it.

    `Arguments: [sum(v#1) windowspecdefinition(k#2, …) AS s#3], [k#2], [v#1 ASC NULLS FIRST]`. Columns that
    Spark truncated are named by the consumer, and reported as a gap. Of two windows the lower one may require
    less than its sort has: `[k#2]` below `[k#2], [v#1 ASC NULLS FIRST]` (`RemoveRedundantSorts`, 3.1 to 4.3).
    """
    columns = op.node.listed("columns")
    required = (*op.node.listed("partition"), *op.node.listed("order"))
    below = op.raw_input.completed().ordered_for(required, is_kept=True)
    outputs = op.outputs(_join_pieces(columns), below.scope)
    if op.node.operator in _PYTHON:
        outputs = tuple(_aggregated(output) for output in outputs)
    keys = [op.bind(key, below.scope) for key in required]
    lost = _truncated_columns(op, below, outputs, keys) if columns.missing else ()
    return below.with_outputs((*below.outputs, *outputs, *lost))


@operator("RunningWindowFunction")
def running_window(op: Operation) -> Flow:
    """Output the columns that it lists, including the input's; the window requires the sort below it.

    `Arguments: [k#1, v#2, sum(v#2) windowspecdefinition(k#1, …) AS s#3], [k#1], [v#2 ASC NULLS FIRST], false`:
    Databricks' operator for frames from the first row to the current one (Runtime 7 and later).
    """
    below = op.raw_input.completed().ordered_for((*op.node.listed("partition"), *op.node.listed("order")))
    return below.with_outputs(op.outputs(op.complete(op.node.listed("columns"), "columns"), below.scope))


def _join_pieces(items: Iterable[str]) -> list[str]:
    """Join pieces of a list of aliases: a piece without an alias belongs to the next one."""
    joined: list[str] = []
    pending = ""
    for item in items:
        text = f"{pending}, {item}" if pending else item
        if " AS " in text:
            joined.append(text)
            pending = ""
        else:
            pending = text
    return joined


def _aggregated(output: Output) -> Output:
    """Return the output of a Python function over a window, which is an aggregate function."""
    sources = output.derivation.through(Transformation.AGGREGATION)
    return Output(output.name, output.expr_id, Derivation(sources, (output.derivation,)))


def _truncated_columns(
    op: Operation, below: Flow, outputs: tuple[Output, ...], keys: list[Derivation]
) -> tuple[Output, ...]:
    """Return truncated window columns: the consumer prints their names, and their functions are unknown.

    The window is printed, and shared by all columns of an operator.
    """
    consumed = op.node.consumer_input
    known = {output.expr_id for output in (*below.outputs, *outputs)}
    names = [read_attribute(item) for item in consumed.items] if consumed else []
    lost = [found for found in names if found and found[1] not in known]
    what = f"the expressions of {', '.join(name for name, _ in lost) or 'some columns'}"
    op.gap(
        GapReason.TRUNCATED_FIELDS,
        f"{what} are truncated",
        "set spark.sql.debug.maxToStringFields to at least the number of columns",
    )
    window_keys = merge(key.through(Transformation.WINDOW, confidence=INFERRED) for key in keys)
    return tuple(Output(name, expr_id, truncated(name, window_keys)) for name, expr_id in lost)
