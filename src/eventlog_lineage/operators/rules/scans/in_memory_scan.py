"""`InMemoryTableScan`: the rows of a cached relation."""

from __future__ import annotations

from eventlog_lineage.model import GapReason
from eventlog_lineage.operators.flow import Flow, Output
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator


@operator("InMemoryTableScan")
def in_memory_scan(op: Operation) -> Flow:
    """Output the cached relation's attributes that it names.

    `Scan In-memory table ct` if the cache has a name; the InMemoryRelation is below it.
    """
    below = op.input
    items = op.node.items("Output")
    return below.with_outputs(op.named(item, below.scope) for item in items)


@operator("InMemoryRelation")
def in_memory_relation(op: Operation) -> Flow:
    """Output the cached columns by position: a reused cache has new ids for them.

    `Arguments: [k#1L, c#2L], CachedRDDBuilder(…)` up to 3.5, `[k#1L, c#2L], StorageLevel(…)` since 4.0. A truncated
    list continues with the cached plan's outputs, whose ids are the same in a session.
    """
    below = op.input
    named = op.node.listed("columns").attributes
    if len(named) > len(below.outputs):
        op.gap(
            GapReason.DANGLING_ATTRIBUTE,
            f"{len(named)} cached columns for {len(below.outputs)} values",
            "please report it with the plan's text",
        )
    outputs = [
        Output(name, expr_id, cached.derivation) for (name, expr_id), cached in zip(named, below.outputs, strict=False)
    ]
    return below.with_outputs((*outputs, *below.outputs[len(outputs) :]))
