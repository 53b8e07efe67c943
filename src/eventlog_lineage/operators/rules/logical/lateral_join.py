"""`LateralJoin`: a subquery for each row of the input, in logical trees."""

from __future__ import annotations

import re

from eventlog_lineage.attribute_patterns import NUMBER
from eventlog_lineage.model import GapReason
from eventlog_lineage.operators.flow import Flow
from eventlog_lineage.operators.joins import join_conditions
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator

_NUMBER = re.compile(rf"lateral-subquery#({NUMBER})")


@operator("LateralJoin")
def lateral_join(op: Operation) -> Flow:
    """Output the input's columns and the subquery's: `Arguments: lateral-subquery#163 [v#144 && id#143L], Inner`.

    Physical plans have a join instead (`RewriteLateralSubquery`, `DecorrelateInnerQuery`, 3.2 to 4.3).
    """
    below = op.input
    text = op.node.text("Arguments")
    subquery_id = _NUMBER.match(text)
    found = op.subquery(int(subquery_id[1]), below.scope) if subquery_id else None
    if found is None:
        op.gap(GapReason.UNPARSED_PLAN, text, "please report it with the plan's text")
        return below
    conditions = [
        condition
        for part in op.node.arguments[2:]
        for condition in join_conditions(op, part, {**below.scope, **found.scope}, (below.scope, found.scope))
    ]
    op.reads.extend(found.reads)
    flow = below.with_outputs((*below.outputs, *found.outputs))
    return flow.with_conditions(*found.conditions, *conditions)
