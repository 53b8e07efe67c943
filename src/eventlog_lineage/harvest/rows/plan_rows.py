"""Rows of the operators of distinct plans.

A plan has one fingerprint in all its runs, and its rows must be the same whichever run's text they are made of: logs
are harvested in any order, and one run of a statement is traced. So the rows leave out what varies from run to run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from eventlog_lineage.datasets import naming
from eventlog_lineage.lineage.results.masking import attributes_only
from eventlog_lineage.plan.expressions.attribute_ids import read_attribute
from eventlog_lineage.plan.expressions.escapes import unescaped
from eventlog_lineage.plan.nodes import Plan, PlanNode, walk
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.summary.common_text import CommonText
from eventlog_lineage.store.schema.rows import Row
from eventlog_lineage.store.schema.tables import PLAN_NODES

_DETAIL_LIMIT = 2000
"""Characters of a node's arguments that are kept."""

_SCANS_WITH_NAMES = frozenset({"FileScan", "BatchScan", "HiveTableScan"})
"""Scans that print their table's name as the last word of their argument."""


def plan_rows(fingerprint: str, plan: PlanText, *, mask_literals: bool) -> Sequence[Row]:
    """Return the rows of `plan_nodes` for a plan.

    Args:
        fingerprint: The plan's fingerprint.
        plan: The plan text.
        mask_literals: Keep only the attributes in the nodes' arguments.

    Returns:
        A row per operator, root first, the subqueries after the main plan; none for a plan on which the parser fails.
    """
    try:
        return list(_node_rows(fingerprint, plan.physical, CommonText(plan.numbered.ids), mask_literals))
    except Exception:  # an internal error costs the plan's operators only; the statement's lineage has the gap
        return ()


def _node_rows(fingerprint: str, plan: Plan, common: CommonText, mask_literals: bool) -> Iterator[Row]:
    """Yield the operators of a plan; the root of a subquery's plan has no parent.

    Args:
        fingerprint: The plan's fingerprint.
        plan: The plan.
        common: Rewrites parts of its text.
        mask_literals: Keep only the attributes in the nodes' arguments.
    """
    roots = [plan.root, *(subquery.root for subquery in plan.subqueries)]
    number = 0
    for root in roots:
        if root is None:
            continue
        parents: dict[int, tuple[int | None, int]] = {id(root): (None, 0)}
        for node in walk(root):
            parent_id, position = parents.pop(id(node))
            for index, child in enumerate(node.children):
                parents[id(child)] = (number, index)
            yield PLAN_NODES.row(
                plan_fingerprint=fingerprint,
                node_id=number,
                parent_id=parent_id,
                position=position,
                operator=node.operator,
                node_name=common.rewritten(node.name),
                dataset=_scanned_table(node),
                outputs=_outputs(node, common),
                detail=_detail(node, common, mask_literals),
            )
            number += 1


def _outputs(node: PlanNode, common: CommonText) -> list[dict[str, object]]:
    attributes = (read_attribute(item) for item in (node.items("Output") or node.items("Results")))
    return [
        {"id": common.number(found[1]), "name": common.rewritten(found[0].rpartition(" AS ")[2])}
        for found in attributes
        if found
    ]


def _detail(node: PlanNode, common: CommonText, mask_literals: bool) -> str:
    fields = attributes_only(node) if mask_literals else node.fields
    printed = unescaped("\n".join(f"{label}: {field.text}" for label, field in fields.items()))
    return common.rewritten(printed)[:_DETAIL_LIMIT]


def _scanned_table(node: PlanNode) -> str | None:
    """Return the table that a scan names; None for other operators and for paths."""
    if node.operator not in _SCANS_WITH_NAMES:
        return None
    table = node.argument.rpartition(" ")[2]
    return naming.table_name(table) if "." in table and "/" not in table else None
