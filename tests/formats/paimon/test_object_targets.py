"""The target of a MERGE that prints an object instead of a table."""

from __future__ import annotations

from eventlog_lineage.lineage.trace_statement import trace_texts

COMMAND = """== Physical Plan ==
Execute MergeIntoPaimonTable (1)
   +- MergeIntoPaimonTable (2)


(1) Execute MergeIntoPaimonTable
Output: []

(2) MergeIntoPaimonTable
Arguments: SparkTable(org.apache.paimon.table.PrimaryKeyFileStoreTable@55fcaa6d), SubqueryAlias t, SubqueryAlias s, \
(id#20L = id#10L), [updateaction(None, assignment(id#20L, id#20L), assignment(v#21, v#11))], \
[insertaction(None, assignment(id#20L, id#10L), assignment(v#21, v#11))]
"""
JOB = """== Physical Plan ==
* Project (4)
+- * BroadcastHashJoin Inner BuildRight (3)
   :- BatchScan raw.news (1)
   +- BatchScan {target} (2)


(1) BatchScan raw.news
Output [2]: [id#10L, v#11]
PaimonScan: [news]

(2) BatchScan {target}
Output [1]: [{attribute}]
PaimonScan: [kept]

(3) BroadcastHashJoin
Left keys [1]: [id#10L]
Right keys [1]: [id#20L]
Join type: Inner
Join condition: None

(4) Project
Output [1]: [id#10L]
Input [2]: [id#10L, id#20L]
"""


def test_the_target_is_the_scan_with_the_ids_that_the_clauses_assign() -> None:
    lineage = trace_texts(COMMAND, JOB.format(target="sales.kept", attribute="id#20L"))
    assert lineage.target is not None
    assert (lineage.target.name.partition(".")[2], lineage.mode) == ("sales.kept", "merge")


def test_a_scan_of_other_ids_names_no_target() -> None:
    lineage = trace_texts(COMMAND, JOB.format(target="sales.kept", attribute="id#33L"))
    assert lineage.target is None
    assert [str(gap.reason) for gap in lineage.gaps] == ["unknown_target"]
