"""Incremental reads: the rows of some commits, which the scan selects by a filter of the connector."""

from __future__ import annotations

from dataclasses import replace

from eventlog_lineage.operators.derivations.derivation import Derivation
from eventlog_lineage.operators.flow import Condition, Flow
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import refines
from eventlog_lineage.operators.rules.relational.filter import filter_rows

INCREMENTAL = "HoodieIncrementalFileIndex"
_INSTANT = "_hoodie_commit_time"


@refines("Filter")
def filter_increment(op: Operation) -> Flow | None:
    """Remove the times of commits from the filter of an incremental read: Hudi 1.x adds them to every such scan."""
    scan = op.node.children[0] if op.node.children else None
    if scan is None or not scan.text("Location").startswith(INCREMENTAL):
        return None
    flow = filter_rows(op)
    kept = (_without_instant(each) for each in flow.conditions)
    return replace(flow, conditions=tuple(each for each in kept if each is not None))


def _without_instant(condition: Condition) -> Condition | None:
    sources = condition.derivation.sources
    kept = {key: influence for key, influence in sources.items() if key[0].column != _INSTANT}
    if len(kept) == len(sources):
        return condition
    return Condition(Derivation(kept, condition.derivation.parts), condition.kind) if kept else None
