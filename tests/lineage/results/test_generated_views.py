"""Views that PySpark makes of a data frame for one query, with a name that no other run has."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage.trace_statement import trace_texts

READ = """== Parsed Logical Plan ==
'Project ['id]
+- 'UnresolvedRelation [{view}], [], false

== Analyzed Logical Plan ==
id: bigint
Project [id#1L]
+- SubqueryAlias {view}
   +- View (`{view}`, [id#1L])
      +- SubqueryAlias spark_catalog.shop.orders
         +- Relation spark_catalog.shop.orders[id#1L] parquet

== Optimized Logical Plan ==
Relation spark_catalog.shop.orders[id#1L] parquet

== Physical Plan ==
*(1) ColumnarToRow
+- FileScan parquet spark_catalog.shop.orders[id#1L] Batched: true, DataFilters: [], Format: Parquet, \
Location: InMemoryFileIndex(1 paths)[file:/w/shop.db/orders], PartitionFilters: [], PushedFilters: [], \
ReadSchema: struct<id:bigint>
"""


@pytest.mark.parametrize(
    ("view", "views"),
    [("_pyspark_8139be3cdd3c4560a7783afd7a8fc748", []), ("_pandas_api_" + "0f" * 16, []), ("_pyspark_8139", ["view"])],
)
def test_a_statement_reads_no_view_that_pyspark_makes(view: str, views: list[str]) -> None:
    accesses = trace_texts(READ.format(view=view)).accesses
    assert [each.mode for each in accesses if each.dataset.kind == "temp_view"] == views
    assert "spark_catalog.shop.orders" in [each.dataset.name for each in accesses]
