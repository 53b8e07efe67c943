"""A save through a data source over rows of the driver program or of a micro-batch, which a logical plan lists."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage.statement import StatementContext
from eventlog_lineage.lineage.trace_statement import trace_texts

SAVE = """== Physical Plan ==
Execute SaveIntoDataSourceCommand (1)
   +- SaveIntoDataSourceCommand (2)
         +- LogicalRDD (3)


(1) Execute SaveIntoDataSourceCommand
Output: []

(2) SaveIntoDataSourceCommand
Arguments: org.apache.hudi.BaseDefaultSource@546bd6ca, [hoodie.table.name=rows, path=/lake/rows], Append

(3) LogicalRDD
Arguments: [id#61L, {last}], false
"""


def test_rows_below_a_save_have_columns_and_a_gap() -> None:
    lineage = trace_texts(SAVE.format(last="name#62"))
    assert {edge.target_column for edge in lineage.edges if edge.target_column} == {"id", "name"}
    assert [str(gap.reason) for gap in lineage.gaps] == ["unknown_source"]


def test_columns_that_are_cut_off_are_reported() -> None:
    lineage = trace_texts(SAVE.format(last="... 7 more fields"))
    assert "truncated_fields" in {str(gap.reason) for gap in lineage.gaps}


BATCH = """== Physical Plan ==
MicroBatchScan (1)


(1) MicroBatchScan
Output [2]: [id#1L, kind#2]
PaimonScan: [events]

"""
WRITE = """== Physical Plan ==
Execute InsertIntoHadoopFsRelationCommand (2)
+- Scan ExistingRDD (1)


(1) Scan ExistingRDD
Output [2]: [id#1L, kind#2]
Arguments: [id#1L, kind#2], MapPartitionsRDD[7] at start at X.java:0, ExistingRDD, UnknownPartitioning(0)

(2) Execute InsertIntoHadoopFsRelationCommand
Input [2]: [id#1L, kind#2]
Arguments: file:/out, false, Parquet, [path=/out], Append, [id, kind]

"""


def test_rows_of_a_batch_whose_source_has_no_name_are_a_gap() -> None:
    lineage = trace_texts(WRITE, BATCH, size=1, context=StatementContext(batch=1))
    (gap,) = lineage.gaps
    assert (str(gap.reason), gap.detail) == (
        "unknown_source",
        "another execution reads id, kind from a source that it does not name",
    )


TABLE = "parquet, [a#61, b#62, ... 2 more fields], `d`.`t`, false"
ROWS = """== Physical Plan ==
Scan parquet d.t (1)


(1) Scan parquet d.t
Output [4]: [a#61, {second}#62, c#63, d#64]
Location: InMemoryFileIndex [file:/t]
ReadSchema: struct<a:int,b:int,c:int,d:int>

"""


@pytest.mark.parametrize(("second", "is_found"), [("b", True), ("other", False)])
def test_the_rows_of_a_save_have_the_columns_that_its_relation_hides(second: str, is_found: bool) -> None:
    save = SAVE.replace("LogicalRDD", "LogicalRelation").replace("[id#61L, {last}], false", TABLE)
    lineage = trace_texts(save, ROWS.format(second=second))
    columns = [edge.target_column for edge in lineage.edges if edge.target_column]
    assert (columns == ["a", "b", "c", "d"], lineage.gaps == ()) == (is_found, is_found)
