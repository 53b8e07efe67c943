"""Scans of Hudi tables without rows, which print no name."""

from __future__ import annotations

from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.model import GapReason

PLAN = """== Physical Plan ==
* Project (2)
+- * Scan org.apache.hudi.EmptyRelation@40a4c41  (1)


(1) Scan org.apache.hudi.EmptyRelation@40a4c41  [codegen id : 1]
Output [2]: [id#777, kwh#779]
ReadSchema: struct<id:string,kwh:double>

(2) Project [codegen id : 1]
Output [1]: [(kwh#779 / 1000.0) AS mwh#800]
Input [2]: [id#777, kwh#779]
"""


def test_a_table_without_rows_is_unknown_with_a_gap() -> None:
    lineage = trace_texts(PLAN)
    sources = {(each.target_column, each.source_dataset) for each in lineage.edges}
    assert sources == {("mwh", "relation:unknown@/aff66c34")}
    assert [(gap.reason, gap.hint) for gap in lineage.gaps] == [
        (GapReason.UNKNOWN_SOURCE, "Hudi prints no name for a table without rows")
    ]


def test_an_update_without_the_jobs_of_its_commit_names_no_table() -> None:
    update = PLAN.replace("Project (2)", "Execute UpdateHoodieTableCommand (2)")
    reasons = {gap.reason for gap in trace_texts(update).gaps}
    assert reasons == {GapReason.UNKNOWN_SOURCE, GapReason.UNKNOWN_TARGET}
