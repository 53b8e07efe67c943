"""Updates of wide Delta tables, of which the plan prints the first values."""

from __future__ import annotations

from eventlog_lineage.lineage.trace_statement import trace_texts

UPDATE = """== Physical Plan ==
Execute UpdateCommand (1)
   +- UpdateCommand (2)
         +- LogicalRelation (3)


(1) Execute UpdateCommand
Output: []

(2) UpdateCommand
Arguments: Delta[version=9, file:/d/t], `c`.`d`.`t`, [a#61, upper(b#62), ... 2 more fields], (d#64 = 3)

(3) LogicalRelation
Arguments: parquet, [a#61, b#62, ... 2 more fields], `c`.`d`.`t`, false

"""
ROWS = """== Physical Plan ==
Project (2)
+- Scan parquet c.d.t (1)


(1) Scan parquet c.d.t
Output [4]: [a#61, b#62, c#63, d#64]
Location: InMemoryFileIndex [file:/d/t]
ReadSchema: struct<a:int,b:string,c:string,d:int>

(2) Project
Output [4]: [a#61, upper(b#62) AS b#72, upper(c#63) AS c#73, d#64]
Input [4]: [a#61, b#62, c#63, d#64]

"""


def test_the_rewritten_rows_have_the_values_that_an_update_hides() -> None:
    lineage = trace_texts(UPDATE, ROWS)
    edges = {(edge.target_column, edge.source_column) for edge in lineage.edges if edge.target_column}
    assert (edges, lineage.gaps) == ({("b", "b"), ("c", "c")}, ())
