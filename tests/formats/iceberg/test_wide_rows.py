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
