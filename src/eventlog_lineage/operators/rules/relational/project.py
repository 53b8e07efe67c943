"""`Project`: computes columns."""

from __future__ import annotations

from eventlog_lineage.operators.flow import Flow
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator

_PARTITION_KEY = " AS hash_partition_key#"
"""The column that Gluten adds between two steps of an aggregation, for the shuffle."""


@operator("Project")
def project(op: Operation) -> Flow:
    """Output its expressions over the input; a logical tree has them in `Arguments`, truncated.

    `Output [2]: [id#1L, (amount#2 * 2) AS twice#3]`
    """
    items = op.node.items("Output")
    over_window = [child.operator for child in op.node.children] == ["Window"]  # its sort may serve a window above
    below = op.raw_input if over_window or any(_PARTITION_KEY in item for item in items[:1]) else op.input
    if not items and "Arguments" in op.node.fields:
        items = op.complete(op.node.listed("columns"), "columns")
    return below.with_outputs(op.outputs(items, below.scope))
