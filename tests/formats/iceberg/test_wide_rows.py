"""Row-level commands of wide Iceberg tables in extended text, whose lists hide the row ids."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.unresolved.parsed_clauses import analyzed_merge

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


CLAUSES = """\
'MergeIntoTable ('t.k = 's.k), [updateaction(Some(('s.v > 1)), assignment('v, 's.v))], [insertaction(None, \
assignment('k, 's.k), assignment('v, 's.v))]
:- 'SubqueryAlias t
:  +- 'UnresolvedRelation [ice, d, top], [], false
+- 'SubqueryAlias s
   +- 'UnresolvedRelation [ice, d, {source}], [], false
"""
JOINED = """\
ReplaceData RelationV2[k#1, v#2] ice.d.top ice.d.top
+- MergeRows[k#26, v#27, _file#28]
   +- Join FullOuter, (k#1 = k#11)
      :- Project [{listed}]
      :  +- RelationV2[k#1, v#2, _file#3] ice.d.top ice.d.top
      +- Project [k#11, v#12, true AS __row_from_source#13]
         +- SubqueryAlias s
            +- RelationV2[k#11, v#12] ice.d.{source} ice.d.{source}
"""
RUN = """\
ReplaceData IcebergWrite(table=ice.d.top, format=PARQUET)
+- MergeRowsExec[k#26, v#27, _file#28]
   +- SortMergeJoin [k#1], [k#11], FullOuter
      :- BatchScan ice.d.top[k#1, v#2, _file#3] ice.d.top (branch=null) [filters=, groupedBy=] RuntimeFilters: []
      +- BatchScan ice.d.{source}[k#11, v#12] ice.d.{source} (branch=null) [filters=, groupedBy=] RuntimeFilters: []
"""
SECTIONS = "== Parsed Logical Plan ==\n{}\n== Analyzed Logical Plan ==\n{}\n== Optimized Logical Plan ==\n{}\n"


@pytest.mark.parametrize("source", ["news", "top"])
def test_the_values_of_a_source_are_assigned_even_if_it_reads_the_target(source: str) -> None:
    analyzed = JOINED.format(listed="k#1, v#2, _file#3, true AS __row_from_target#4", source=source)
    physical = f"== Physical Plan ==\n{RUN.format(source=source)}"
    result = f"== Physical Plan ==\nCommandResult <empty>\n   +- {RUN.format(source=source).partition(chr(10))[0]}\n"
    root = SECTIONS.format(analyzed, analyzed, analyzed) + physical
    lineage = trace_texts(root, SECTIONS.format(CLAUSES.format(source=source), analyzed, analyzed) + result)
    direct = {(each.source_dataset, each.target_column) for each in lineage.edges if each.target_column}
    assert direct == {(f"ice.d.{source}", "k"), (f"ice.d.{source}", "v")}
    assert (f"ice.d.{source}", "v", None) in {
        (each.source_dataset, each.source_column, each.target_column) for each in lineage.edges
    }


def test_the_target_of_a_join_is_its_left_side_if_the_list_hides_the_mark() -> None:
    text = JOINED.format(listed="k#1, ... 4 more fields", source="news")
    plan = PlanText(SECTIONS.format(CLAUSES.format(source="news"), text, text) + f"== Physical Plan ==\n{text}")
    assert plan.parsed is not None
    merge = analyzed_merge(plan.parsed, plan.logical[0])
    assert merge is not None
    assert merge.root is not None
    assert "(v#12 > 1)" in merge.root.text("Arguments"), "the source's"
