"""Objects of catalogs in extended text, whose writes name the catalog."""

from __future__ import annotations

from eventlog_lineage.catalog.application_facts import ExecutionSummary, catalog_settings_of
from eventlog_lineage.lineage.grouping.statement_groups import group_executions
from eventlog_lineage.lineage.trace_statement import trace
from eventlog_lineage.plan.plan_text import PlanText

CATALOG = "org.apache.iceberg.spark.SparkCatalog"
SETTINGS = {f"spark.sql.catalog.{name}": CATALOG for name in ("a", "b")}
CREATE = """== Parsed Logical Plan ==
CreateTable [StructField(id,LongType,true)], TableSpec(Map(),Some(iceberg)), false
+- ResolvedIdentifier {0}@{1}, db.t

== Analyzed Logical Plan ==
CreateTable [StructField(id,LongType,true)], TableSpec(Map(),Some(iceberg)), false
+- ResolvedIdentifier {0}@{1}, db.t

== Optimized Logical Plan ==
CreateTable [StructField(id,LongType,true)], TableSpec(Map(),Some(iceberg)), false
+- ResolvedIdentifier {0}@{1}, db.t

== Physical Plan ==
CreateTable {0}@{1}, db.t, [ColumnImpl(id,LongType,true,null,null,null,null)], TableSpec(Map(),Some(iceberg)), false
"""
INSERT = """== Parsed Logical Plan ==
AppendData RelationV2[id#1L] b.db.t db.t, false
+- LocalRelation [id#2L]

== Analyzed Logical Plan ==
AppendData RelationV2[id#1L] b.db.t db.t, false
+- LocalRelation [id#2L]

== Optimized Logical Plan ==
AppendData RelationV2[id#1L] b.db.t db.t, false, IcebergWrite(table=db.t, format=PARQUET), LocalRelation [id#2L]
+- LocalRelation [id#2L]

== Physical Plan ==
AppendData org.x.Lambda@76d43aee, IcebergWrite(table=db.t, format=PARQUET)
+- LocalTableScan [id#2L]
"""


def test_the_written_relation_of_a_logical_plan_names_the_catalog_that_created_its_table() -> None:
    texts = [CREATE.format(CATALOG, "1f"), INSERT, CREATE.format(CATALOG, "2f")]
    runs = [ExecutionSummary(at, at, "", at, at, PlanText(text).summary) for at, text in enumerate(texts)]
    plans = {run.summary.fingerprint: PlanText(text) for run, text in zip(runs, texts, strict=True)}
    groups = group_executions(runs, catalog_settings_of(SETTINGS))
    targets = [trace(group, plans).target for group in groups]
    assert [target.name for target in targets if target is not None] == ["b.db.t", "b.db.t", "a.db.t"]
