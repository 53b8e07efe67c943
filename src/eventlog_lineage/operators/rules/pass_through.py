"""Operators that pass rows on: all of them, fewer, sorted, or without duplicates."""

from __future__ import annotations

from dataclasses import replace

from eventlog_lineage.model import Transformation
from eventlog_lineage.operators.flow import Condition, Flow, Ordering
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator


@operator(
    *"""
    AdaptiveSparkPlan ColumnarToRow ShuffleRead QueryStage Exchange BroadcastExchange ShuffleExchange Coalesce
    Repartition RepartitionByExpression RebalancePartitions InputAdapter WholeStageCodegen SubqueryAlias ResolvedHint
    ResolvedMetricView StateStoreRestore StateStoreSave SessionWindowStateStoreRestore SessionWindowStateStoreSave
    UpdatingSessions UpdateEventTimeColumn UpdateEventTimeWatermarkColumn ContinuousCoalesce GroupPartitions
    ReturnAnswer EventTimeWatermark MemoryPlan OrderAwareCoalesce PipeOperator SQLFunctionNode SpatialIndex
    """.split()
)
def pass_through(op: Operation) -> Flow:
    """Pass on its input, with an incomplete aggregation and a sort that is not required so far."""
    return op.raw_input


@operator(
    *"""
    Sample CollectMetrics LocalLimit GlobalLimit CollectLimit CollectTail Limit Offset StreamingGlobalLimit
    StreamingLocalLimit Tail
    """.split()
)
def fewer_rows(op: Operation) -> Flow:
    """Pass on some rows of its input; the choice depends on no column."""
    below = op.raw_input.completed()
    is_split = op.node.operator == "Sample" and below.ordering is not None and below.ordering.has_all
    return replace(below, ordering=None) if is_split else below


@operator("Sort")
def sort(op: Operation) -> Flow:
    """Pass on its input; a global sort is the user's, so is a sort within partitions that no operator above requires.

    `Arguments: [amount#1 DESC NULLS LAST], true, 0`: keys, global, …
    """
    below = op.raw_input.sorted_by_user()
    keys = op.node.listed("keys")
    bound = tuple(op.bind(key, below.scope) for key in keys)
    if op.node.value("is_global") == "true":
        op.complete(keys, "keys")
        return below.completed().with_conditions(*(Condition(key, Transformation.SORT) for key in bound))
    has_all = keys.ids == [output.expr_id for output in below.outputs]
    ordering = Ordering(keys.items, bound, op.hidden(keys, "keys"), has_all)
    return replace(below, ordering=ordering)  # an aggregation may continue above its own sort


@operator("Deduplicate", "DeduplicateWithinWatermark", "StreamingDeduplicate", "StreamingDeduplicateWithinWatermark")
def deduplicate(op: Operation) -> Flow:
    """Pass on the first row of each group: it groups by the columns whose values differ.

    `Arguments: [id#27L, ts#29-T60000ms], state info [ … ]`; batch plans have an aggregation instead.
    """
    below = op.input
    keys = filter(None, op.keys())
    return below.with_conditions(*op.conditions_of(keys, Transformation.GROUP_BY, below.scope))
