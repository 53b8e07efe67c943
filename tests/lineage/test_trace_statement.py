"""A statement whatever its plans are like."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.lineage.tracing import statement_trace
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.summary.plan_facts import SnapshotRef, SnapshotRole
from support.goldens import FIXTURES


def test_an_error_of_the_program_is_a_gap_of_that_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise LookupError("no such thing")

    monkeypatch.setattr(statement_trace, "resolve", broken)
    lineage = trace_texts("== Physical Plan ==\nRange (1)\n\n\n(1) Range\n")
    (gap,) = lineage.gaps
    assert gap.reason == "internal_error"
    assert gap.detail.startswith("LookupError: no such thing (test_trace_statement.py:")
    assert lineage.edges == ()


def test_a_lineage_that_an_error_ends_has_a_name_without_the_programs_classes_and_modules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def name(error: Exception) -> str:
        def broken(*_: object) -> None:
            raise error

        monkeypatch.setattr(statement_trace, "resolve", broken)
        return trace_texts("== Physical Plan ==\nRange (1)\n\n\n(1) Range\n").fingerprint

    assert name(LookupError("no such thing")) == "5da7e9553475a2f0ef09f9799d1a5871"
    assert name(ValueError("no such thing")) == name(LookupError("no such thing")) != name(LookupError("another"))


def test_an_execution_without_a_plan_is_a_gap() -> None:
    (gap,) = trace_texts("").gaps
    assert gap.reason == "missing_plan"


def test_a_multi_insert_is_one_statement_with_several_targets() -> None:
    text = (FIXTURES / "union" / "multi_insert.4.3.plan").read_text()
    lineage = trace_texts(text)
    assert [(use.direction, use.mode, use.dataset.name, use.columns) for use in lineage.accesses] == [
        ("read", "", "spark_catalog.default.orders", ("order_id", "amount", "status")),
        ("write", "append", "spark_catalog.default.target", ("order_id", "amount")),
        ("write", "overwrite", "spark_catalog.default.hive_orders", ("order_id", "status")),
    ]
    assert {each.dataset for each in lineage.observations} >= {use.dataset.name for use in lineage.accesses}
    assert PlanText(text).summary.command == "InsertIntoHadoopFsRelationCommand"


def test_rows_that_no_plan_explains_are_a_gap_of_every_insert() -> None:
    text = (FIXTURES / "union" / "multi_insert.4.3.plan").read_text()
    opened = text.replace("Scan parquet spark_catalog.default.orders", "Scan ExistingRDD")
    lineage = trace_texts(opened)
    assert {(edge.target_dataset, edge.target_column, edge.source_dataset) for edge in lineage.edges} == {
        ("spark_catalog.default.target", "order_id", None),
        ("spark_catalog.default.target", "amount", None),
        ("spark_catalog.default.hive_orders", "order_id", None),
        ("spark_catalog.default.hive_orders", "status", None),
    }
    assert [gap.detail for gap in lineage.gaps] == ["no plan in the log produces amount, order_id, status"]


def test_a_write_whose_rows_no_execution_plans_keeps_its_columns_and_is_a_gap() -> None:
    lineage = trace_texts((FIXTURES / "v2_write" / "jdbc_append.3.3.plan").read_text())
    assert [(edge.target_column, edge.source_dataset) for edge in lineage.edges] == [
        ("customer_id", None),
        ("name", None),
    ]
    assert lineage.gaps[0].detail == "no execution in the log has a plan for the rows of customer_id, name"


def test_a_union_without_inputs_is_no_multi_insert() -> None:
    lineage = trace_texts("== Physical Plan ==\nUnion (1)\n\n\n(1) Union\n")
    assert (lineage.command, lineage.target, lineage.gaps) == ("query", None, ())


_DELTA_INSERT = """({number}) AppendDataExecV1
Arguments: DeltaTableV2(org.apache.spark.sql.classic.SparkSession@1,file:/wh/acc,Some(CatalogTable(
Catalog: spark_catalog
Database: shop
Table: acc
Location: file:/wh/acc)),Some(shop.acc),None,Map()), Project [{query}], org.apache.spark.Strategy@1
"""
DELTA_MULTI_INSERT = f"""== Physical Plan ==
Union (3)
:- AppendDataExecV1 (1)
+- AppendDataExecV1 (2)


{_DELTA_INSERT.format(number=1, query="id#1L AS id#11L, cost#2 AS cost#12")}
{_DELTA_INSERT.format(number=2, query="sub#3L AS id#13L, secs#4 AS cost#14")}
(3) Union
"""


def _query(*columns: str) -> str:
    listed = ", ".join(columns)
    return f"""== Physical Plan ==
* ColumnarToRow (2)
+- Scan parquet spark_catalog.shop.calls (1)


(1) Scan parquet spark_catalog.shop.calls
Output [{len(columns)}]: [{listed}]
Location: PreparedDeltaFileIndex [file:/wh/calls]

(2) ColumnarToRow
Input [{len(columns)}]: [{listed}]
"""


def test_the_inserts_of_a_multi_insert_that_run_their_queries_by_themselves_have_their_rows_in_order() -> None:
    lineage = trace_texts(DELTA_MULTI_INSERT, _query("id#1L", "cost#2"), _query("sub#3L", "secs#4"))
    assert [(edge.source_column, edge.target_column) for edge in lineage.edges] == [
        ("id", "id"),
        ("cost", "cost"),
        ("sub", "id"),
        ("secs", "cost"),
    ]
    assert [(use.direction, use.dataset.name) for use in lineage.accesses] == [
        ("read", "spark_catalog.shop.calls"),
        ("write", "spark_catalog.shop.acc"),
    ]
    assert lineage.gaps == ()


def test_a_multi_insert_whose_queries_are_not_all_in_the_log_is_a_gap() -> None:
    lineage = trace_texts(DELTA_MULTI_INSERT, _query("id#1L", "cost#2"))
    assert {edge.source_dataset for edge in lineage.edges} == {None}
    assert [gap.reason for gap in lineage.gaps] == ["unknown_source"]


def test_a_multi_insert_names_how_often_it_commits() -> None:
    facts = PlanText(DELTA_MULTI_INSERT).summary.facts
    found = [each for each in facts if isinstance(each, SnapshotRef) and each.role is SnapshotRole.REPEATED]
    assert [(each.table.location, each.version) for each in found] == [("file:///wh/acc", "2")]


MERGE_THAT_DELETES = """== Physical Plan ==
ReplaceData (5)
+- MergeRows (4)
   +- BroadcastHashJoin LeftOuter BuildRight (3)
      :- BatchScan lake.shop.bal (1)
      +- BatchScan lake.shop.subs (2)


(1) BatchScan lake.shop.bal
Output [3]: [sub#1L, cost#2, _file#3]
IcebergCopyOnWriteScan(table=lake.shop.bal, schemaId=0, snapshotId=5, branch=null, filters=, groupedBy=)

(2) BatchScan lake.shop.subs
Output [2]: [id#4L, __row_from_source#5]
IcebergScan(table=lake.shop.subs, schemaId=0, snapshotId=6, branch=null, filters=, runtimeFilters=, groupedBy=)

(3) BroadcastHashJoin
Left keys [1]: [sub#1L]
Right keys [1]: [id#4L]
Join type: LeftOuter
Join condition: None

(4) MergeRows
Input [5]: [sub#1L, cost#2, _file#3, id#4L, __row_from_source#5]
Arguments: isnotnull(__row_from_source#5), true, [discard(true), keep(Copy, true, 6, sub#1L, cost#2, _file#3)], \
[keep(Copy, true, 6, sub#1L, cost#2, _file#3)], false, [__row_operation#6, sub#7L, cost#8, _file#9]

(5) ReplaceData
Input [4]: [__row_operation#6, sub#7L, cost#8, _file#9]
Arguments: IcebergWrite(table=lake.shop.bal, format=PARQUET)
"""


def test_a_merge_that_only_deletes_assigns_no_column() -> None:
    lineage = trace_texts(MERGE_THAT_DELETES)
    assert (lineage.mode, lineage.gaps) == ("merge", ())
    assert {edge.target_column for edge in lineage.edges} == {None}
