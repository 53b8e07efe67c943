"""Hudi's UPDATE and DELETE up to 0.x (excerpts of 0.14.0 on Spark 3.4.4): what is saved is an execution of its own."""

from __future__ import annotations

from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.model import GapReason

UPDATE = """== Physical Plan ==
Execute UpdateHoodieTableCommand (1)
   +- UpdateHoodieTableCommand (2)


(1) Execute UpdateHoodieTableCommand
Output: []

(2) UpdateHoodieTableCommand
Arguments: UpdateTable [assignment(amount#565, (amount#565 * cast(3 as double)))], (id#563L = cast(3 as bigint))
"""
DELETE = """== Physical Plan ==
Execute DeleteHoodieTableCommand (1)
   +- DeleteHoodieTableCommand (2)


(1) Execute DeleteHoodieTableCommand
Output: []

(2) DeleteHoodieTableCommand
Arguments: DeleteFromTable (id#563L = cast(3 as bigint))
"""
SAVED = """== Physical Plan ==
Execute SaveIntoDataSourceCommand (1)
   +- SaveIntoDataSourceCommand (2)
         +- Filter (6)
            +- Project (5)
               +- SubqueryAlias (4)
                  +- LogicalRelation (3)


(1) Execute SaveIntoDataSourceCommand
Output: []

(2) SaveIntoDataSourceCommand
Arguments: org.apache.hudi.Spark32PlusDefaultSource@48a70006, [path=file:/w/shop.db/orders, hoodie.table.name=o], Append

(3) LogicalRelation
Arguments: parquet, [_hoodie_commit_time#558, _hoodie_record_key#560, id#563L, amount#565, day#566], \
`spark_catalog`.`shop`.`orders`, org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe, false

(4) SubqueryAlias
Arguments: spark_catalog.shop.orders

(5) Project
Arguments: [_hoodie_commit_time#558, _hoodie_record_key#560, id#563L, (amount#565 * cast(3 as double)) AS amount#569, \
day#566]

(6) Filter
Arguments: (id#563L = cast(3 as bigint))
"""
ORDERS = "spark_catalog.shop.orders"


def told(*texts: str) -> StatementLineage:
    return trace_texts(*texts)


def test_an_update_assigns_what_the_rows_that_it_saves_do_not_keep() -> None:
    lineage = told(UPDATE, SAVED)
    assert lineage.target is not None
    assert (lineage.target.name, lineage.mode, lineage.gaps) == (ORDERS, "update", ())
    assert {(edge.source_column, edge.target_column, edge.transformation) for edge in lineage.edges} == {
        ("amount", "amount", "TRANSFORMATION"),
        ("id", None, "FILTER"),
    }


def test_a_delete_has_its_condition_and_no_column() -> None:
    lineage = told(DELETE, SAVED)
    assert lineage.target is not None
    assert (lineage.target.name, lineage.mode, lineage.gaps) == (ORDERS, "delete", ())
    assert {(edge.source_column, edge.target_column) for edge in lineage.edges} == {("id", None)}


def test_a_change_whose_save_the_log_does_not_have_is_a_gap() -> None:
    assert [gap.reason for gap in told(UPDATE).gaps] == [GapReason.UNKNOWN_TARGET]
