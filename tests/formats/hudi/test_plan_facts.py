"""Facts about Hudi's tables that plans print."""

from __future__ import annotations

from eventlog_lineage.formats.hudi.rules import OWN
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


WIDE = [f"c{each}" for each in range(30)]
RELATION = ",".join(f"{name}#{number}" for number, name in enumerate([OWN + "commit_time", *WIDE[:24]]))
INSERT = f"""== Physical Plan ==
Execute InsertIntoHoodieTableCommand (2)
+- Scan csv  (1)


(1) Scan csv
Output [30]: [{", ".join(f"{name}#{number}" for number, name in enumerate(WIDE, 100))}]
Location: InMemoryFileIndex [file:/in/a.csv]
ReadSchema: struct<c0:string>

(2) Execute InsertIntoHoodieTableCommand
Input [30]: [{", ".join(f"{name}#{number}" for number, name in enumerate(WIDE, 100))}]
Arguments: Relation spark_catalog.shop.wide[{RELATION},... 6 more fields] org.apache.hudi.EmptyRelation@37e9, false
"""


def test_the_rows_of_an_insert_have_all_columns_of_a_wide_table() -> None:
    listed = TableColumns("spark_catalog.shop.wide", tuple(WIDE), is_complete=True)
    assert listed in summary_of(PlanText(INSERT)).facts
    for other in (INSERT.replace("6 more fields", "7 more fields"), INSERT.replace("[c0#100, c1", "[c0#100, other")):
        assert listed not in summary_of(PlanText(other)).facts, "rows of fewer columns, or in another order"
