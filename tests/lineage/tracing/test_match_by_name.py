"""Rows that a connector takes through an RDD: what the scans of the jobs and the attributes' names tell."""

from __future__ import annotations

import pytest

from eventlog_lineage.catalog.application_facts import ScannedTable
from eventlog_lineage.catalog.session_catalog import listed_columns
from eventlog_lineage.lineage.grouping.plan_links import scanned_tables
from eventlog_lineage.lineage.tracing.unbound_columns import match_names
from eventlog_lineage.model import INFERRED
from eventlog_lineage.operators.flow import Output
from eventlog_lineage.operators.scans import source
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.summary.plan_facts import TableColumns

B = ScannedTable("lake.db.b", "paimon", ("id", "name", "amount"), (("id", "name", "amount"),))
C = ScannedTable("lake.db.c", "paimon", ("id", "city"))


def told(
    opened: dict[int, str],
    *tables: ScannedTable,
    anchors: dict[int, Output] | None = None,
    row: dict[int, int] | None = None,
) -> set[tuple[str, ...]]:
    found = match_names(opened, tables, anchors or {}, row or {}, "Command")
    return {
        (opened[number], origin.dataset, origin.column, str(kind))
        for number, output in found.bindings.items()
        for origin, kind in output.derivation.sources
    }


def test_an_attribute_is_the_column_of_its_name_and_inferred() -> None:
    found = match_names({7: "name"}, (B,), {}, {}, "Command")
    ((key, influence),) = found.bindings[7].derivation.sources.items()
    assert (key[0].dataset, key[0].column, influence.confidence) == ("lake.db.b", "name", INFERRED)


def test_a_name_that_no_table_or_more_than_one_has_stays_open_and_is_a_gap() -> None:
    found = match_names({7: "id", 8: "town"}, (B, C), {}, {}, "Command")
    assert found.bindings == {}
    assert [gap.detail for gap in found.gaps] == [
        "id, town: no plan has the query; the jobs scan lake.db.b and lake.db.c"
    ]
    assert [read.dataset.name for read in found.reads] == ["lake.db.b", "lake.db.c"]


def test_a_table_whose_columns_no_plan_shows_gives_none() -> None:
    assert told({7: "name"}, ScannedTable("lake.db.d", "paimon")) == set()


def test_a_value_with_an_id_out_of_the_row_of_the_relations_ids_may_be_of_any_column() -> None:
    anchors = {10: Output("id", 10, source("lake.db.b", "id"))}
    row = {10: 0, 11: 1, 12: -1}
    found = told({11: "name", 12: "amount", 99: "id"}, B, anchors=anchors, row=row)
    assert found == {("name", "lake.db.b", "name", "IDENTITY")}


@pytest.mark.parametrize(
    ("row", "matched"),
    [
        ({10: 0, 11: 1, 90: 40}, {"id", "name"}),  # `now() AS amount`: a new id, far from those of the relation
        ({10: 0, 11: 20, 90: 40}, {"id", "name", "amount"}),  # no two ids show the relation's
        ({10: 5, 11: 6, 90: 7}, {"id", "name", "amount"}),
    ],
)
def test_ids_that_differ_as_the_columns_do_are_those_of_the_relation(row: dict[int, int], matched: set[str]) -> None:
    found = told({10: "id", 11: "name", 90: "amount"}, B, row=row)
    assert {name for name, *_ in found} == matched


def test_ids_show_what_is_computed_also_if_only_reads_list_the_columns() -> None:
    anchors = {10: Output("id", 10, source("lake.db.c", "id"))}
    assert told({11: "city"}, C, anchors=anchors, row={10: 0, 11: 1})
    assert told({11: "city"}, C, anchors=anchors, row={10: 0, 11: 30}) == set()


@pytest.mark.parametrize(
    ("name", "edges"),
    [
        ("upper(name)", {("name", "TRANSFORMATION")}),
        ("(amount * 2)", {("amount", "TRANSFORMATION")}),
        ("sum(amount)", {("amount", "AGGREGATION")}),
        ("concat(name, id)", {("name", "TRANSFORMATION"), ("id", "TRANSFORMATION")}),
        ("CASE WHEN (id > 1) THEN name END", set()),
        ("coalesce(name, id)", set()),
        ("count(1)", set()),
    ],
)
def test_an_expression_that_is_called_by_its_text_tells_its_columns(name: str, edges: set[tuple[str, str]]) -> None:
    assert {(column, kind) for _, _, column, kind in told({7: name}, B)} == edges


def test_the_count_of_a_column_is_masked() -> None:
    found = match_names({7: "count(name)"}, (B,), {}, {}, "Command")
    assert all(each.masking for each in found.bindings[7].derivation.sources.values())


def test_scans_are_tables_by_their_full_names() -> None:
    scans = (
        "BatchScan db.b",
        "Scan HudiFileGroup spark_catalog.db.h",
        "Scan parquet ",
        "Scan ExistingRDD",
        "Scan csv x",
    )
    known = {"db.b": ScannedTable("db.b", "", ("id",))}
    found = scanned_tables(scans, known, {"org.apache.paimon.spark.SparkCatalog": "lake"})
    assert [(table.name, table.columns) for table in found] == [("lake.db.b", ("id",)), ("spark_catalog.db.h", ())]


PAIMON = """== Physical Plan ==
* Project (2)
+- BatchScan db.b (1)


(1) BatchScan db.b
Output [2]: [id#1L, name#2]
PaimonScan: [b]

(2) Project [codegen id : 1]
Output [1]: [id#1L]
Input [2]: [id#1L, name#2]

"""
DEFINED = (
    "\nArguments: org.apache.paimon.spark.SparkCatalog@4a, db.b, [ColumnImpl(id,LongType,true,null,null,null,null),"
    " ColumnImpl(name,StringType,true,null,null,null,null)], TableSpec(Map(),Some(paimon),Map(),None,None,None,false)"
)
COMMAND = "== Physical Plan ==\nCreateTable (1)\n\n\n(1) CreateTable{}\n"
HUDI = "\nArguments: Relation spark_catalog.db.h[_hoodie_commit_time#3,id#4L,day#5] HudiFileGroup, false"


def test_scans_show_some_columns_definitions_and_relations_all() -> None:
    assert TableColumns("db.b", ("id", "name")) in PlanText(PAIMON).facts
    assert TableColumns("db.b", ("id", "name"), is_complete=True) in PlanText(COMMAND.format(DEFINED)).facts
    assert PlanText(COMMAND.format(HUDI)).facts == (
        TableColumns("spark_catalog.db.h", ("id", "day"), is_complete=True),
    )


def test_an_applications_plans_together_show_a_tables_columns() -> None:
    known = listed_columns(
        [
            PlanText(PAIMON).summary,
            PlanText(COMMAND.format(DEFINED)).summary,
        ]
    )
    assert known["db.b"] == ScannedTable("db.b", "", ("id", "name"), (("id", "name"),))
