"""EXCEPT ALL and INTERSECT ALL, whose rows the optimizer counts by their values."""

from __future__ import annotations

from eventlog_lineage.lineage.trace_statement import trace_texts

EXCEPT_ALL = """== Physical Plan ==
* Project (10)
+- * HashAggregate (9)
   +- * HashAggregate (8)
      +- Union (7)
         :- * Project (2)
         :  +- Scan parquet a (1)
         :- * Project (4)
         :  +- Scan parquet b (3)
         +- * Project (6)
            +- Scan parquet c (5)


(1) Scan parquet a
Output [1]: [x#1]
Location: InMemoryFileIndex [file:/data/a]
ReadSchema: struct<x:int>

(2) Project [codegen id : 1]
Output [2]: [1 AS vcol#4, x#1]
Input [1]: [x#1]

(3) Scan parquet b
Output [1]: [y#2]
Location: InMemoryFileIndex [file:/data/b]
ReadSchema: struct<y:int>

(4) Project [codegen id : 2]
Output [2]: [1 AS vcol#5, y#2]
Input [1]: [y#2]

(5) Scan parquet c
Output [1]: [z#3]
Location: InMemoryFileIndex [file:/data/c]
ReadSchema: struct<z:int>

(6) Project [codegen id : 3]
Output [2]: [-1 AS vcol#6, z#3]
Input [1]: [z#3]

(7) Union

(8) HashAggregate [codegen id : 4]
Input [2]: [vcol#4, x#1]
Keys [1]: [x#1]
Functions [1]: [partial_sum(vcol#4)]
Aggregate Attributes [1]: [sum#7]
Results [2]: [x#1, sum#8]

(9) HashAggregate [codegen id : 4]
Input [2]: [x#1, sum#8]
Keys [1]: [x#1]
Functions [1]: [sum(vcol#4)]
Aggregate Attributes [1]: [sum(vcol#4)#9]
Results [2]: [x#1, sum(vcol#4)#9 AS sum#10]

(10) Project [codegen id : 4]
Output [1]: [x#1]
Input [2]: [x#1, sum#10]

"""


def test_a_union_on_the_left_of_except_all_is_not_grouped() -> None:
    """`a.union(b).exceptAll(c)` is one union of three inputs (`CombineUnions`, 3.5 and 4.3)."""
    edges = trace_texts(EXCEPT_ALL).edges

    assert {(edge.source_column, str(edge.transformation)) for edge in edges} == {
        ("x", "IDENTITY"), ("y", "IDENTITY"), ("x", "JOIN"), ("y", "JOIN"), ("z", "JOIN"),
    }  # fmt: skip
