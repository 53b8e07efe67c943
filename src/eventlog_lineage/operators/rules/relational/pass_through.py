"""Operators that move rows and do not change them."""

from __future__ import annotations

from eventlog_lineage.operators.flow import Flow
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator


@operator(
    "AdaptiveSparkPlan",
    "ColumnarToRow",
    "ShuffleRead",
    "QueryStage",
    "Exchange",
    "BroadcastExchange",
    "ShuffleExchange",
    "Coalesce",
    "Repartition",
    "RepartitionByExpression",
    "RebalancePartitions",
    "InputAdapter",
    "WholeStageCodegen",
    "SubqueryAlias",
    "ResolvedHint",
    "StateStoreRestore",
    "StateStoreSave",
    "SessionWindowStateStoreRestore",
    "SessionWindowStateStoreSave",
    "UpdatingSessions",
    "UpdateEventTimeColumn",
    "UpdateEventTimeWatermarkColumn",
    "ContinuousCoalesce",
    "GroupPartitions",
    "ReturnAnswer",
    "EventTimeWatermark",
    "MemoryPlan",
    "OrderAwareCoalesce",
    "PipeOperator",
    "SQLFunctionNode",
)
def pass_through(op: Operation) -> Flow:
    """Pass on its input, with an incomplete aggregation and a sort that is not required so far."""
    return op.raw_input


@operator(
    "Sample",
    "CollectMetrics",
    "LocalLimit",
    "GlobalLimit",
    "CollectLimit",
    "CollectTail",
    "Limit",
    "Offset",
    "StreamingGlobalLimit",
    "StreamingLocalLimit",
    "Tail",
)
def fewer_rows(op: Operation) -> Flow:
    """Pass on some rows of its input; the choice depends on no column."""
    return op.raw_input.completed()
