"""Results that text without operator ids does not attribute: rows of micro-batches, truncated Python functions."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage.trace_statement import trace_texts

FIELD = "validateexternaltype(getexternalrowfield(assertnotnull(input[0, {of}, true]), 0, k), StringType) AS k#1"
BATCH = """== Physical Plan ==
Execute CreateDataSourceTableAsSelectCommand CreateDataSourceTableAsSelectCommand `o`.`t`, Append, [k]
+- *(1) SerializeFromObject [{field}]
   +- Scan[obj#3]
"""
CALLS = """== Physical Plan ==
Execute CreateDataSourceTableAsSelectCommand CreateDataSourceTableAsSelectCommand `o`.`t`, Append, [u, v]
+- *(2) Project [pythonUDF0#8 AS u#5, pythonUDF1#9 AS v#6]
   +- BatchEvalPython [f(a#1), f(b#2)], [{results}]
      +- *(1) FileScan parquet cx.w[a#1,b#2,c#3] Batched: true, Format: Parquet, Location: InMemoryFileIndex[file:/w], \
PartitionFilters: [], PushedFilters: [], ReadSchema: struct<a:string,b:string,c:string>
"""
COMPUTED = """== Parsed Logical Plan ==
'CreateTable `o`.`t`, ErrorIfExists
+- Aggregate [cust#2L], [cust#2L, max((amt#3 * cast(2 as double))) AS mx#4]
   +- Relation[id#1L,cust#2L,amt#3] parquet

== Analyzed Logical Plan ==

CreateDataSourceTableAsSelectCommand `o`.`t`, ErrorIfExists, [cust, mx]
+- Aggregate [cust#2L], [cust#2L, max((amt#3 * cast(2 as double))) AS mx#4]
   +- Relation[id#1L,cust#2L,amt#3] parquet

== Optimized Logical Plan ==
CreateDataSourceTableAsSelectCommand `o`.`t`, ErrorIfExists, [cust, mx]
+- InMemoryRelation [cust#2L, mx#4], StorageLevel(disk, memory, deserialized, 1 replicas)
      +- *(2) HashAggregate(keys=[cust#2L], functions=[max((amt#3 * 2.0))], output=[cust#2L, mx#4])

== Physical Plan ==
Execute CreateDataSourceTableAsSelectCommand `o`.`t`, ErrorIfExists, [cust, mx]
+- InMemoryTableScan [cust#2L, mx#4]
      +- InMemoryRelation [cust#2L, mx#4], StorageLevel(disk, memory, deserialized, 1 replicas)
            +- *(2) HashAggregate(keys=[cust#2L], functions=[max((amt#3 * 2.0))], output=[cust#2L, mx#4])
               +- Exchange hashpartitioning(cust#2L, 2), true, [id=#9]
                  +- *(1) HashAggregate(keys=[cust#2L], functions=[partial_max((amt#3 * 2.0))], output=[cust#2L, max#8])
                     +- *(1) ColumnarToRow
                        +- FileScan parquet shop.orders[cust#2L,amt#3] Batched: true, DataFilters: [], \
Format: Parquet, Location: InMemoryFileIndex[file:/w/shop.db/orders], PartitionFilters: [], PushedFilters: [], \
ReadSchema: struct<cust:bigint,amt:double>
"""


@pytest.mark.parametrize(
    ("of", "detail"),
    [
        ("org.apache.spark.sql.Row", "k: rows of a micro-batch of an unknown query"),
        ("com.shop.Order", "no plan in the log produces the objects of an RDD"),
    ],
)
def test_objects_of_an_rdd_are_a_gap_and_rows_those_of_a_micro_batch(of: str, detail: str) -> None:
    found = trace_texts(BATCH.format(field=FIELD.format(of=of))).gaps
    assert detail in [each.detail for each in found]


def test_a_cached_aggregate_is_in_no_optimized_plan_with_its_computed_literals() -> None:
    lineage = trace_texts(COMPUTED)
    edges = [(each.source_column, str(each.transformation)) for each in lineage.edges if each.target_column == "mx"]
    assert edges == [("amt", "AGGREGATION")]
    assert lineage.gaps == ()


def test_truncated_results_of_python_functions_are_a_gap_and_no_columns_of_the_input() -> None:
    lineage = trace_texts(CALLS.format(results="a#1, b#2, c#3, ... 2 more fields"))
    assert [each.source_column for each in lineage.edges] == [None, None]
    assert "the results of some Python functions are truncated" in [each.detail for each in lineage.gaps]


def test_the_last_results_are_those_of_the_functions() -> None:
    edges = trace_texts(CALLS.format(results="a#1, b#2, c#3, pythonUDF0#8, pythonUDF1#9")).edges
    assert [(each.source_column, each.target_column) for each in edges] == [("a", "u"), ("b", "v")]


CACHED = """== Physical Plan ==
InMemoryTableScan (1)
   +- InMemoryRelation (2)
         +- Project (4)
            +- Scan parquet  (3)


(1) InMemoryTableScan
Output [2]: [a#1, top#2]
Arguments: [a#1, top#2]

(2) InMemoryRelation
Arguments: [a#1, top#2], StorageLevel(disk, memory, deserialized, 1 replicas)

(3) Scan parquet
Output [1]: [a#1]
Location: InMemoryFileIndex [file:/w]
ReadSchema: struct<a:string>

(4) Project
Output [2]: [a#1, Subquery scalar-subquery#7, [id=#33] AS top#2]
Input [1]: [a#1]

"""


def test_a_subquery_of_a_cached_relation_has_no_plan_in_the_text() -> None:
    lineage = trace_texts(CACHED)
    assert [each.detail for each in lineage.gaps] == ["the text does not print the plan of a subquery"]
