"""The operators' fixtures: plan texts of real Sparks, and what they must be told as."""

from __future__ import annotations

from pathlib import Path

from eventlog_lineage.lineage.results.lineage_names import render_lineage
from eventlog_lineage.lineage.trace_statement import trace_texts

FIXTURES = Path(__file__).resolve().parents[1] / "operators" / "fixtures"


def golden_text(plan: Path) -> str:
    """What the program says of a plan text, as a golden file holds it."""
    return render_lineage(trace_texts(plan.read_text())) + "\n"
