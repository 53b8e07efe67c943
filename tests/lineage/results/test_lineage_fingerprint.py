"""Names of lineages, which stores keep: rewording a message changes no name."""

from __future__ import annotations

from dataclasses import replace

from eventlog_lineage.lineage.results.lineage_fingerprint import lineage_fingerprint
from eventlog_lineage.lineage.tracing.trace_statement import trace_texts
from eventlog_lineage.model import Gap, GapReason
from support.goldens import FIXTURES

GAP = Gap(GapReason.UNKNOWN_SOURCE, "Scan", "no plan in the log produces a", "look", "no plan says where a come from")


def test_a_reworded_gap_keeps_the_name_of_its_lineage() -> None:
    before = replace(GAP, detail=GAP.key, hint="see", key="")
    assert lineage_fingerprint((), (), (GAP,)) == lineage_fingerprint((), (), (before,))


def test_a_gap_of_other_attributes_is_another_lineage() -> None:
    other = replace(GAP, key="no plan says where b come from")
    assert lineage_fingerprint((), (), (GAP,)) != lineage_fingerprint((), (), (other,))


def test_lineages_with_reworded_gaps_have_the_names_of_release_0_1_0() -> None:
    names = {
        "v2_write/jdbc_append.3.3.plan": "c27f4cdad27267bda3c62d5ee1282653",
        "create_table_as_select/save_as_table.3.3.plan": "38785594fe260774e3a2582b1c8dc422",
        "existing_rdd_scan/rows.3.5.plan": "bf189de373897ba605fbb65433a70a8a",
    }
    assert {name: trace_texts((FIXTURES / name).read_text()).fingerprint for name in names} == names
