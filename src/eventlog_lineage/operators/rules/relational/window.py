"""Windows: operators that compute columns over groups of rows."""

from __future__ import annotations

from eventlog_lineage.model import GapReason, Transformation
from eventlog_lineage.operators.arguments import arguments, directionless, inner, is_list
from eventlog_lineage.operators.derivations.derivation import INFERRED, Derivation, merge, truncated
from eventlog_lineage.operators.flow import Flow, Output
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.plan.expressions.attribute_ids import read_attribute
from eventlog_lineage.plan.expressions.lists import split_items, split_named, without_truncation

_PYTHON = frozenset({"WindowInPandas", "ArrowWindowPython"})


@operator("Window", "WindowInPandas", "ArrowWindowPython")
def window(op: Operation) -> Flow:
    """Output the input and the window columns; the window requires the sort below it.

    `Arguments: [sum(v#1) windowspecdefinition(k#2, …) AS s#3], [k#2], [v#1 ASC NULLS FIRST]`. Columns that
    Spark truncated are named by the consumer, and reported as a gap. Of two windows the lower one may require
    less than its sort has: `[k#2]` below `[k#2], [v#1 ASC NULLS FIRST]` (`RemoveRedundantSorts`, 3.1 to 4.3).
    """
    lists = arguments(op.node)
    required = [key for text in lists[1:] for key in split_items(inner(text))]
    below = op.raw_input.completed().ordered_for((directionless(key) for key in required), is_kept=True)
    items, missing = without_truncation(split_named(inner(lists[0]), None)) if lists else ([], 0)
    items = _join_pieces(items)
    outputs = op.outputs(items, below.scope)
    if op.node.operator in _PYTHON:
        outputs = tuple(_aggregated(output) for output in outputs)
    keys = [op.bind(directionless(key), below.scope) for key in required]
    lost = _truncated_columns(op, below, outputs, keys) if missing else ()
    return below.with_outputs((*below.outputs, *outputs, *lost))


@operator("RunningWindowFunction")
def running_window(op: Operation) -> Flow:
    """Output the columns that it lists, including the input's; the window requires the sort below it.

    `Arguments: [k#1, v#2, sum(v#2) windowspecdefinition(k#1, …) AS s#3], [k#1], [v#2 ASC NULLS FIRST], false`:
    Databricks' operator for frames from the first row to the current one (Runtime 7 and later).
    """
    lists = arguments(op.node)
    required = [key for text in lists[1:] if is_list(text) for key in split_items(inner(text))]
    below = op.raw_input.completed().ordered_for(directionless(key) for key in required)
    items = op.printed_items(split_named(inner(lists[0]), None), "columns") if lists else []
    return below.with_outputs(op.outputs(items, below.scope))


def _join_pieces(items: list[str]) -> list[str]:
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

    Args:
        op: The operator.
        below: Its input.
        outputs: The printed window columns.
        keys: The partition and order keys of the window.
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
        f"{what} are cut off",
    )
    window_keys = merge(key.through(Transformation.WINDOW, confidence=INFERRED) for key in keys)
    return tuple(Output(name, expr_id, truncated(name, window_keys)) for name, expr_id in lost)
