"""`InMemoryTableScan`: the rows of a cached relation."""

from __future__ import annotations

from eventlog_lineage.model import GapReason
from eventlog_lineage.operators.derivations.derivation import as_inferred
from eventlog_lineage.operators.flow import Flow, Output
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.plan.tree.truncation import relation_ids


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
    list continues with the cached plan's outputs, whose ids are the same in a session, or follow the printed ones.
    """
    below = op.input
    columns = op.node.listed("columns")
    named = columns.attributes
    if len(named) > len(below.outputs):
        op.gap(
            GapReason.DANGLING_ATTRIBUTE,
            f"{len(named)} cached columns for {len(below.outputs)} values",
            "please report it with the plan's text",
        )
    outputs = [
        Output(name, expr_id, cached.derivation) for (name, expr_id), cached in zip(named, below.outputs, strict=False)
    ]
    ids = relation_ids(columns) if columns.size == len(below.outputs) else range(0)
    rest = [_renumbered(op, each, ids[at] if ids else -1) for at, each in enumerate(below.outputs)]
    return below.with_outputs((*outputs, *rest[len(outputs) :]))


def _renumbered(op: Operation, cached: Output, expr_id: int) -> Output:
    """Return a cached column with another id, if the plan has this id with the column's name."""
    if op.names.get(expr_id, ("",))[0] != cached.name or expr_id == cached.expr_id:
        return cached
    return Output(cached.name, expr_id, as_inferred(cached.derivation))
