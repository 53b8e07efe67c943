"""Operators that move rows and leave them as they are."""

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
    "View",
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
)
def pass_through(at: Operation) -> Flow:
    """Passes its input on, an aggregation that is still going on and a sort that is not asked for included."""
    return at.raw_input


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
def fewer_rows(at: Operation) -> Flow:
    """Passes some rows of its input on; which ones is not said by any column."""
    return at.raw_input.settled()
