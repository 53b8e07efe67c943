"""A MERGE of Iceberg in extended text before Spark 3.5: the analyzed plan keeps its clauses."""

from __future__ import annotations

from eventlog_lineage.lineage.trace_statement import trace_texts

_KEPT = """MergeIntoIcebergTable (id#297L = id#301L), [updateaction(None, assignment(id#297L, id#297L), \
assignment(amount#299, (amount#303 + cast(1 as double))))]
:- SubqueryAlias t
:  +- SubqueryAlias lake.shop.orders
:     +- RelationV2[id#297L, amount#299] lake.shop.orders
:- SubqueryAlias s
:  +- SubqueryAlias lake.shop.updates
:     +- RelationV2[id#301L, amount#303] lake.shop.updates
+- ReplaceIcebergData
   +- MergeRows[id#318L, amount#320, _file#322]
      +- Join LeftOuter, (id#297L = id#323L)
         :- RelationV2[id#297L, amount#299, _file#312] lake.shop.orders
         +- RelationV2[id#323L, amount#325] lake.shop.updates
"""
TEXT = f"""== Parsed Logical Plan ==
{_KEPT}
== Analyzed Logical Plan ==
{_KEPT}
== Optimized Logical Plan ==
ReplaceIcebergData RelationV2[id#297L, amount#299] lake.shop.orders

== Physical Plan ==
ReplaceData IcebergWrite(table=lake.shop.orders, format=PARQUET)
+- Project [id#318L, amount#320]
   +- MergeRowsExec[id#318L, amount#320, _file#322]
      +- BroadcastHashJoin [id#297L], [id#323L], LeftOuter, BuildRight, false
         :- BatchScan[id#297L, amount#299, _file#312] lake.shop.orders (branch=null) [filters=, groupedBy=]
         +- BroadcastExchange HashedRelationBroadcastMode(List(input[0, bigint, true]),false), [plan_id=1]
            +- BatchScan[id#323L, amount#325] lake.shop.updates (branch=null) [filters=, groupedBy=]
"""


def test_the_clauses_are_those_that_the_analyzed_plan_keeps_beside_the_rewritten_one() -> None:
    lineage = trace_texts(TEXT)
    assert lineage.target is not None
    assert (lineage.target.name, lineage.mode, lineage.gaps) == ("lake.shop.orders", "merge", ())
    found = {
        (edge.source_dataset, edge.source_column, edge.target_column, edge.transformation) for edge in lineage.edges
    }
    assert ("lake.shop.updates", "amount", "amount", "TRANSFORMATION") in found
    assert ("lake.shop.updates", "id", None, "JOIN") in found
    assert {edge.target_column for edge in lineage.edges} == {"amount", None}
