"""Facts about Hudi's tables that plans print."""

from __future__ import annotations

from eventlog_lineage.plan.plan_text import PlanText, summary_of
from eventlog_lineage.plan.summary.plan_facts import ScannedPath, TableColumns, UnqualifiedTable

CREATED = """== Physical Plan ==
Execute CreateHoodieTableAsSelectCommand (2)
+- Scan csv  (1)


(1) Scan csv
Output [2]: [id#1L, kwh#2]
Location: InMemoryFileIndex [file:/in/a.csv]
ReadSchema: struct<id:bigint,kwh:double>

(2) Execute CreateHoodieTableAsSelectCommand
Input [2]: [id#1L, kwh#2]
Arguments: `spark_catalog`.`raw`.`meters`, Overwrite
"""
SCANNED = """== Physical Plan ==
Scan HudiFileGroup  (1)


(1) Scan HudiFileGroup
Output [2]: [_hoodie_commit_time#1, id#2L]
Location: HoodieIncrementalFileIndex [/lake/live]
ReadSchema: struct<_hoodie_commit_time:string,id:bigint>
"""


def test_a_created_table_has_the_columns_of_its_rows() -> None:
    assert (
        TableColumns("spark_catalog.raw.meters", ("id", "kwh"), is_complete=True) in summary_of(PlanText(CREATED)).facts
    )


def test_truncated_rows_are_some_of_the_columns() -> None:
    cut = CREATED.replace("Input [2]: [id#1L, kwh#2]", "Input [9]: [id#1L, kwh#2, ... 7 more fields]")
    assert TableColumns("spark_catalog.raw.meters", ("id", "kwh")) in summary_of(PlanText(cut)).facts


def test_a_scan_without_a_name_reads_a_path() -> None:
    assert ScannedPath("file:///lake/live") in summary_of(PlanText(SCANNED)).facts
    named = SCANNED.replace("Scan HudiFileGroup", "Scan HudiFileGroup spark_catalog.core.live")
    assert not [fact for fact in summary_of(PlanText(named)).facts if isinstance(fact, ScannedPath)]


def test_a_scan_of_a_table_without_commits_is_an_object() -> None:
    empty = SCANNED.replace("Scan HudiFileGroup", "Scan org.apache.hudi.EmptyRelation@5d0eef2f")
    assert UnqualifiedTable("org.apache.hudi.EmptyRelation@5d0eef2f") in summary_of(PlanText(empty)).facts
