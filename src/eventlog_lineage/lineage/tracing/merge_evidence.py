"""What is known of a MERGE besides the plans of its own executions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from eventlog_lineage.operators.flow import Flow, Output

from .match_by_name import ScannedTable


@dataclass(frozen=True, slots=True)
class MergeEvidence:
    """What other plans and the jobs say of a MERGE.

    Attributes:
        outside: What executions outside of the statement say of attributes that its own leave open, by id.
        scanned: The tables that its jobs scan.
        parsed: The source's query as it was parsed, where a text has it.
        own: The attributes that are the table's by the aliases of the parsed plan, by id.
    """

    outside: Mapping[int, Output] = field(default_factory=dict)
    scanned: Sequence[ScannedTable] = ()
    parsed: Flow | None = None
    own: Mapping[int, str] = field(default_factory=dict)
