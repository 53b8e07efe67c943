"""Evidence for a MERGE from outside its executions' plans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from eventlog_lineage.lineage.statement import ScannedTable
from eventlog_lineage.operators.flow import Flow, Output

from .command_results import attributes_of_target, parsed_source
from .statement_trace import StatementTrace


@dataclass(frozen=True, slots=True)
class MergeEvidence:
    """Evidence from other plans and from the jobs of a MERGE.

    Attributes:
        bindings: Attributes that the plans of other executions bind, by id.
        scanned: The tables that its jobs scan.
        parsed: The source's query from the parsed plan, if a text has one.
        target_attributes: The attributes of the target, by the aliases of the parsed plan: id to column name.
    """

    bindings: Mapping[int, Output] = field(default_factory=dict)
    scanned: Sequence[ScannedTable] = ()
    parsed: Flow | None = None
    target_attributes: Mapping[int, str] = field(default_factory=dict)


def merge_evidence(trace: StatementTrace) -> MergeEvidence:
    """Return the evidence for a statement that is a MERGE.

    Args:
        trace: The statement, its plans resolved and linked.
    """
    texts = trace.result_texts
    return MergeEvidence(
        trace.bindings,
        trace.statement.context.scanned,
        parsed_source(texts, trace.resolve),
        attributes_of_target(trace.texts[0], texts),
    )
