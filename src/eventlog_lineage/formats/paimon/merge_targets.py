"""Find the target of a MERGE that prints only an object: the scan in one of its jobs with the assigned ids."""

from __future__ import annotations

import re
from dataclasses import replace

from eventlog_lineage.lineage.tracing.statement_trace import StatementTrace
from eventlog_lineage.plan.expressions.attribute_ids import read_attribute
from eventlog_lineage.plan.nodes import PlanNode, walk
from eventlog_lineage.plan.plan_text import PlanText

from .tables import PRINTED_OBJECT

_COMMAND = "MergeIntoPaimonTable"
_ASSIGNED = re.compile(r"\bassignment\([^,()#]+#(\d+)L?, ")


def name_merge_target(trace: StatementTrace) -> StatementTrace:
    """Name the table of a MERGE up to 0.9, `SparkTable(…FileStoreTable@55fcaa6d), SubqueryAlias t, …`."""
    text = trace.texts[0].text
    if _COMMAND not in text or PRINTED_OBJECT not in text or trace.tables.unnamed:
        return trace
    assigned = {int(number) for number in _ASSIGNED.findall(text)}
    names = {name for each in trace.own_texts[1:] for name in _scanned(each, assigned)}
    return replace(trace, tables=replace(trace.tables, unnamed=names.pop())) if len(names) == 1 else trace


def _scanned(text: PlanText, assigned: set[int]) -> set[str]:
    root = None if text.is_missing else text.physical.root
    nodes = walk(root) if root is not None else ()
    return {node.argument for node in nodes if node.operator == "BatchScan" and _ids(node) & assigned}


def _ids(scan: PlanNode) -> set[int]:
    return {found[1] for item in scan.items("Output") if (found := read_attribute(item))}
