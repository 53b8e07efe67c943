"""The columns of recursive common table expressions (`UnionLoop`, 4.1 to 4.3)."""

from __future__ import annotations

from collections.abc import Sequence

from eventlog_lineage.plan.expressions.attribute_ids import read_attribute

from .nodes import PlanNode, walk


def loop_references(loop: PlanNode) -> list[Sequence[str]]:
    """Return the attributes of a loop's references, as printed, each reference's in the order of the loop's columns."""
    loop_id = loop.text("Loop id") or loop.text("Arguments").partition(",")[0]
    return [
        node.items("Output")
        for node in walk(loop)
        if node.operator == "UnionLoopRef" and node.text("Loop id") == loop_id
    ]


def loop_columns(loop: PlanNode) -> Sequence[str]:
    """Return the columns of a loop, as printed; a loop in another one's anchor prints none: `UnionLoop 1`.

    They have the names of the loop's reference, and the ids that follow it (`UnionLoop.outputAttrIds`).
    """
    if printed := loop.items("Output"):
        return printed
    references = [[read_attribute(item) for item in columns] for columns in loop_references(loop)]
    found = [[each for each in columns if each is not None] for columns in references]
    after = max((expr_id for columns in found for _, expr_id in columns), default=-1) + 1
    return [f"{name}#{after + place}" for place, (name, _) in enumerate(found[0])] if found else []
