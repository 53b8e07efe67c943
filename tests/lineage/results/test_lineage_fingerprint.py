"""Fingerprints of lineages."""

from __future__ import annotations

from dataclasses import replace

from eventlog_lineage.lineage.results.statement_lineage import lineage_fingerprint
from eventlog_lineage.model import Gap, GapReason

GAP = Gap(GapReason.UNKNOWN_SOURCE, "Scan", "no plan in the log produces a", "look")


def test_a_gap_is_named_by_its_detail_and_not_by_its_hint() -> None:
    name = lineage_fingerprint((), (), (GAP,))
    assert lineage_fingerprint((), (), (replace(GAP, hint="see"),)) == name
    assert lineage_fingerprint((), (), (replace(GAP, detail="no plan in the log produces b"),)) != name
