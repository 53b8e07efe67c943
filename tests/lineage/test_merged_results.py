"""Results of an aggregate whose names the text does not show: a gap, never the sources of another result."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.model import GapReason
from eventlog_lineage.plan.grammar import escaping
from eventlog_lineage.plan.grammar.name_evidence import repeated_names

FIXTURE = Path(__file__).parent / "random_statements" / "3.5-extended-s921x53.json"


def test_a_definition_that_spans_two_results_is_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_name(text: str, columns: Sequence[str]) -> list[str]:
        return [name for name in repeated_names(text, columns) if not name.endswith("#3040")]

    monkeypatch.setattr(escaping, "repeated_names", without_name)
    statement = json.loads(FIXTURE.read_text(encoding="utf-8"))
    lineage = trace_texts("\n".join(statement["plan"]))
    assert {gap.reason for gap in lineage.gaps} == {GapReason.DANGLING_ATTRIBUTE}
    wanted = {name: set(kinds.get("DIRECT", ())) for name, kinds in statement["columns"]}
    for edge in lineage.edges:
        if edge.dependency == "DIRECT" and edge.target_column in wanted:
            assert f"odd.{edge.source_column}" in wanted[edge.target_column]
