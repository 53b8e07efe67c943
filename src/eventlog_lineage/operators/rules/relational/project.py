"""`Project`: computes columns."""

from __future__ import annotations

from eventlog_lineage.operators.arguments import inner
from eventlog_lineage.operators.flow import Flow
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.plan.expressions.lists import split_named

_PARTITION_KEY = " AS hash_partition_key#"
"""The column that Gluten adds between two steps of an aggregation, for the shuffle."""


@operator("Project")
def project(op: Operation) -> Flow:
    """Output its expressions over the input; a logical tree has them in `Arguments`, truncated.

    `Output [2]: [id#1L, (amount#2 * 2) AS twice#3]`
    """
    items = list(op.node.items("Output"))
    over_window = [child.operator for child in op.node.children] == ["Window"]  # its sort may serve a window above
    below = op.raw_input if over_window or any(_PARTITION_KEY in item for item in items[:1]) else op.input
    if not items and "Arguments" in op.node.fields:
        items = op.printed_items(split_named(inner(op.node.text("Arguments")), None), "columns")
    return below.with_outputs(op.outputs(items, below.scope))
