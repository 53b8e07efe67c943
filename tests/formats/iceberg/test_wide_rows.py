"""Row-level commands of wide Iceberg tables in extended text, whose lists hide the row ids."""

from __future__ import annotations

from eventlog_lineage.lineage.trace_statement import trace_texts

WRITE = "org.apache.iceberg.spark.source.SparkPositionDeltaWrite@652c5803"
MERGE = f"""== Parsed Logical Plan ==
WriteDelta RelationV2[k#1L, c1#2, ... 16 more fields] ice.d.wide ice.d.wide

== Analyzed Logical Plan ==
WriteDelta RelationV2[k#1L, c1#2, ... 16 more fields] ice.d.wide ice.d.wide

== Optimized Logical Plan ==
WriteDelta RelationV2[k#1L, c1#2, ... 16 more fields] ice.d.wide ice.d.wide, {WRITE}

== Physical Plan ==
WriteDelta {WRITE}
+- AdaptiveSparkPlan isFinalPlan=false
   +- Exchange hashpartitioning(_spec_id#60, _partition#61, dt#57, 2), REBALANCE_PARTITIONS_BY_COL, 402653184
      +- MergeRowsExec[__row_operation#40, k#41L, c1#42, ... 19 more fields]
         +- SortMergeJoin [k#1L], [k#21L], RightOuter
            :- Sort [k#1L ASC NULLS FIRST], false, 0
            :  +- BatchScan ice.d.wide[k#1L, c1#2, ... 20 more fields] ice.d.wide (branch=null) [filters=, groupedBy=] \
RuntimeFilters: []
            +- Sort [k#21L ASC NULLS FIRST], false, 0
               +- BatchScan ice.d.news[k#21L, c1#22, ... 16 more fields] ice.d.news (branch=null) [filters=, groupedBy=]
"""


def test_a_merge_writes_the_left_side_of_its_join_and_no_row_ids_are_columns_of_the_source() -> None:
    lineage = trace_texts(MERGE)
    assert lineage.target is not None
    assert (lineage.target.name, lineage.mode) == ("ice.d.wide", "merge")
    reads = {use.dataset.name: set(use.columns) for use in lineage.accesses if use.direction == "read"}
    assert not reads["ice.d.news"] & {"_spec_id", "_partition", "dt"}


SCAN = "BatchScan ice.d.wide[k#1L, c1#2, ... 18 more fields] ice.d.wide (branch=null) [filters=, groupedBy=]"
DELETE = f"""== Physical Plan ==
ReplaceData IcebergWrite(table=ice.d.wide, format=PARQUET)
+- AdaptiveSparkPlan isFinalPlan=false
   +- Project [k#1L, c1#2, ... 16 more fields]
      +- Filter NOT (exists#90 <=> true)
         +- BroadcastHashJoin [k#1L], [id#70L], ExistenceJoin(exists#90), BuildRight, false
            :- {SCAN}
            +- BroadcastExchange HashedRelationBroadcastMode(List(input[0, bigint, true]),false), [plan_id=2]
               +- BatchScan ice.d.gone[id#70L] ice.d.gone (branch=null) [filters=, groupedBy=] RuntimeFilters: []
"""
UPDATE = f"""== Physical Plan ==
ReplaceData IcebergWrite(table=ice.d.wide, format=PARQUET)
+- AdaptiveSparkPlan isFinalPlan=false
   +- Project [k#1L, if ((k#1L > 4)) upper(c1#2) else c1#2 AS c1#50, ... 16 more fields]
      +- {SCAN}
"""


def test_the_mark_of_a_match_is_no_column_of_the_wide_side() -> None:
    lineage = trace_texts(DELETE)
    assert {(each.source_dataset, each.source_column) for each in lineage.edges} == {
        ("ice.d.wide", "k"),
        ("ice.d.gone", "id"),
    }


def test_the_condition_of_a_wide_update_is_a_filter() -> None:
    edges = {(each.source_column, each.target_column, str(each.transformation)) for each in trace_texts(UPDATE).edges}
    assert edges == {("c1", "c1", "TRANSFORMATION"), ("k", None, "FILTER")}
