"""`AttachDistributedSequence` (3.2+): pandas API on Spark numbers rows that have no index."""

from __future__ import annotations

from eventlog_lineage.operators.derivations.derivation import Derivation
from eventlog_lineage.operators.flow import Flow, Output
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.plan.grammar.tokens import find_attributes


@operator("AttachDistributedSequence")
def attach_distributed_sequence(op: Operation) -> Flow:
    """Output a row number without a source, and the input.

    `Arguments: distributed_sequence_id#217: bigint`
    """
    below = op.input
    text = op.node.text("Arguments")
    made = [
        Output(text[token.start : token.end].rpartition("#")[0], token.expr_id, Derivation({}, ("row number",)))
        for token in find_attributes(text, op.names)[:1]
    ]
    return below.with_outputs((*made, *below.outputs))
