"""Tables of JDBC catalogs, which commands print without the catalog's name."""

from __future__ import annotations

import pytest

from eventlog_lineage.catalog.application_facts import ExecutionSummary, catalog_settings_of
from eventlog_lineage.lineage.grouping.statement_groups import group_executions
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.lineage.trace_statement import trace
from eventlog_lineage.model import GapReason
from eventlog_lineage.plan.plan_text import PlanText

JDBC = "org.apache.spark.sql.execution.datasources.v2.jdbc"
SETTINGS = {
    f"spark.sql.catalog.{name}{key}": value
    for name in ("shop", "mart")
    for key, value in (("", f"{JDBC}.JDBCTableCatalog"), (".url", f"jdbc:postgresql://db1/{name}"))
}
SCAN = """== Physical Plan ==
* Scan JDBC v1 Relation from v2 scan {}.customers (1)


(1) Scan JDBC v1 Relation from v2 scan {}.customers [codegen id : 1]
Output [1]: [id#1L]
PushedFilters: []
ReadSchema: struct<id:bigint>

"""
INSERT = """== Physical Plan ==
AppendDataExecV1 (1)


(1) AppendDataExecV1
Arguments: JDBCTable(sales.totals,StructType(StructField(id,LongType,true)),x.JDBCOptions@5212bff3), \
Project [1 AS id#2L], org.x.Lambda@1, org.x.JDBCWriteBuilder$$anon$1@2

""".replace("\\\n", "")
CREATE = """== Physical Plan ==
CreateTableAsSelect (1)


(1) CreateTableAsSelect
Arguments: {}.JDBCTableCatalog@{}, sales.copies, Project [1 AS id#2L], TableSpec(Map()), false

"""


def last(*texts: str) -> StatementLineage:
    runs = [
        ExecutionSummary(number, number, "", number, number, PlanText(text).summary)
        for number, text in enumerate(texts)
    ]
    group = group_executions(runs, catalog_settings_of(SETTINGS))[-1]
    plans = {run.summary.fingerprint: PlanText(text) for run, text in zip(runs, texts, strict=True)}
    return trace(group, plans)


def scan(*tables: str) -> list[str]:
    return [SCAN.format(each, each) for each in tables]


@pytest.mark.parametrize("command", [INSERT, CREATE.format(JDBC, "1f")])
@pytest.mark.parametrize("shown", [["mart.sales"], ["mart.sales", "shop.sales"], []])
def test_a_table_that_several_catalogs_may_have_is_a_gap(command: str, shown: list[str]) -> None:
    lineage = last(*scan(*shown), command)
    assert lineage.target is not None
    assert lineage.target.name.startswith("unknown@")
    assert [gap.reason for gap in lineage.gaps if "several" in gap.detail] == [GapReason.UNKNOWN_TARGET]


@pytest.mark.parametrize("command", [INSERT, CREATE.format(JDBC, "1f")])
def test_the_only_catalog_with_tables_of_the_namespace_has_the_table(command: str) -> None:
    lineage = last(*scan("mart.sales", "shop.stock"), command)
    assert lineage.target is not None
    assert lineage.target.name.startswith("postgres://db1:5432/mart.sales.")


def test_an_object_is_not_the_catalog_that_has_the_table_of_another_object() -> None:
    read = SCAN.format("mart.sales", "mart.sales").replace("customers", "copies")
    lineage = last(CREATE.format(JDBC, "1f"), read, CREATE.format(JDBC, "2f"))
    assert lineage.target is not None
    assert (lineage.target.name, lineage.gaps[1:]) == ("postgres://db1:5432/shop.sales.copies", ())


VIEW = f"""== Physical Plan ==
Execute CreateViewCommand (1)
   +- CreateViewCommand (2)
         +- SubqueryAlias (4)
            +- DataSourceV2Relation (3)


(1) Execute CreateViewCommand
Output: []

(2) CreateViewCommand
Arguments: `v`, SELECT * FROM mart.sales.customers, false, true, LocalTempView, true

(3) DataSourceV2Relation
Arguments: JDBCTable(sales.customers,StructType(StructField(id,LongType,true)),x.JDBCOptions@d18a34ba), [id#3L], \
{JDBC}.JDBCTableCatalog@1f, sales.customers, []

(4) SubqueryAlias
Arguments: mart.sales.customers

"""


def test_an_object_below_the_alias_of_a_table_is_the_aliass_catalog() -> None:
    view, create = last(VIEW), last(VIEW, CREATE.format(JDBC, "1f"))
    assert {edge.source_dataset for edge in view.edges} == {"postgres://db1:5432/mart.sales.customers"}
    assert create.target is not None
    assert (create.target.name, view.gaps) == ("postgres://db1:5432/mart.sales.copies", ())


EXTENDED = f"""== Parsed Logical Plan ==
AppendData RelationV2[id#1L] mart.sales.totals mart.sales.totals, false
+- LocalRelation [id#2L]

== Analyzed Logical Plan ==
AppendData RelationV2[id#1L] mart.sales.totals mart.sales.totals, false
+- LocalRelation [id#2L]

== Optimized Logical Plan ==
AppendData RelationV2[id#1L] mart.sales.totals, false, {JDBC}.JDBCWriteBuilder$$anon$1@2, LocalRelation [id#2L]
+- LocalRelation [id#2L]

== Physical Plan ==
AppendDataExecV1 JDBCTable(sales.totals,StructType(StructField(id,LongType,true)),x.JDBCOptions@5212bff3), \
LocalRelation [id#2L], org.x.Lambda@1, {JDBC}.JDBCWriteBuilder$$anon$1@2
"""


def test_extended_text_names_the_catalog_of_a_write() -> None:
    lineage = last(*scan("shop.sales", "mart.sales"), EXTENDED)
    assert lineage.target is not None
    assert (lineage.target.name, lineage.gaps) == ("postgres://db1:5432/mart.sales.totals", ())
