"""Duplicates by some columns: `dropDuplicates` in streams and in logical trees."""

from __future__ import annotations

from eventlog_lineage.model import Transformation
from eventlog_lineage.operators.flow import Condition, Flow
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator


@operator("Deduplicate", "DeduplicateWithinWatermark", "StreamingDeduplicate", "StreamingDeduplicateWithinWatermark")
def deduplicate(op: Operation) -> Flow:
    """Pass on the first row of each group: it groups by the columns whose values differ.

    `Arguments: [id#27L, ts#29-T60000ms], state info [ … ]`; batch plans have an aggregation instead.
    """
    below = op.input
    grouped_by = [op.bind(key, below.scope) for key in op.node.listed("keys") if key]
    return below.with_conditions(*(Condition(key, Transformation.GROUP_BY) for key in grouped_by))
