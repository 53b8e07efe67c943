"""`create_changelog_view`: code over whole rows that keeps the positions of columns."""

from __future__ import annotations

import re

from eventlog_lineage.operators.arguments import arguments, inner
from eventlog_lineage.operators.flow import Flow, Output
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import refines
from eventlog_lineage.operators.rules.writes.truncated_clauses import listed_outputs
from eventlog_lineage.operators.write_targets import without_required_order
from eventlog_lineage.plan.expressions.lists import split_named
from eventlog_lineage.plan.formatted.detail_fields import DESCRIPTION
from eventlog_lineage.plan.nodes import PlanNode
from eventlog_lineage.plan.summary.column_facts import TRUNCATED

_KIND = "_change_type#"
_CODE = ("MapPartitions", "DeserializeToObject")
_BETWEEN = frozenset({"Sort", "Exchange", "Project", "RepartitionByExpression", "SubqueryAlias", "AdaptiveSparkPlan"})
_CHANGES = re.compile(r"\[fromSnapshotId=|^IcebergChangelogScan\(|\bSparkChangelogTable@")


@refines("SerializeFromObject")
def keep_columns(op: Operation) -> Flow | None:
    """Return the unchanged columns of `ChangelogIterator`, which drops rows and renames the kinds of changes.

    `SerializeFromObject`, `MapPartitions` and `DeserializeToObject` over the sorted rows of a table's changes
    (`CreateChangelogViewProcedure`, 1.3+). The procedure requires the sort.
    """
    rows = _sorted_rows(op.node)
    if rows is None:
        return None
    below = without_required_order(op.below(rows))
    values = {output.name: output.derivation for output in below.outputs}
    items = split_named(inner(", ".join(arguments(op.node))), None)
    listed = listed_outputs(op, [item.rpartition(" AS ")[2] for item in items])
    if any(name not in values for name, _ in listed):
        return None
    return below.with_outputs(Output(name, expr_id, values[name]) for name, expr_id in listed)


def _sorted_rows(node: PlanNode) -> PlanNode | None:
    """Return the sort of a table's changes that the code below an operator reads; None for other code."""
    for name in _CODE:
        if len(node.children) != 1 or node.children[0].operator != name:
            return None
        node = node.children[0]
    first = node.children[0] if len(node.children) == 1 else None
    if first is None or first.operator != "Sort" or not _sorts_changes(first):
        return None
    scan = first
    while scan.operator in _BETWEEN and len(scan.children) == 1:
        scan = scan.children[0]
    printed = scan.text(DESCRIPTION) or scan.text("Arguments")
    return first if _CHANGES.search(printed) else None


def _sorts_changes(node: PlanNode) -> bool:
    """Return whether a sort has the kind of a change among its keys, which Spark truncates after 25."""
    keys = node.text("Arguments")
    return _KIND in keys or (TRUNCATED in keys and any(each.startswith(_KIND) for each in node.items("Input")))
