"""Tables of other systems that a plan prints without their server, from the text of real runs."""

from __future__ import annotations

import pytest

from eventlog_lineage.connectors.connector import SourceRule, as_settings, connectors
from eventlog_lineage.connectors.identify import is_unplaced
from eventlog_lineage.plan.printed.operator_lines import PrintedOperator
from eventlog_lineage.plan.summary.plan_facts import UnnamedRelation, UnplacedTable
from eventlog_lineage.plan.summary.scan_facts import scan_relations

SNOWFLAKE = (
    "net.snowflake.spark.snowflake.DefaultSource@7d317589, [sfurl=*********(redacted), dbtable=MART.CITIES, "
    "sfschema=SALES, sfdatabase=SHOP, sfpassword=*********(redacted)], Append\nLogicalRelation"
)
QUERY = (
    "JDBCRelation((\n  select * from sales.orders o\n  join crm.people p using (id)) SPARK_GEN_SUBQ_0) "
    "[numPartitions=1] "
)


def unplaced(name: str, arguments: str = "", printed: str = "") -> list[tuple[str, str]]:
    found = scan_relations([PrintedOperator(name, "", arguments, printed or name)])
    return [(each.connector, each.table) for each in found if isinstance(each, UnplacedTable)]


@pytest.mark.parametrize(
    ("name", "arguments", "printed", "tables"),
    [
        ("SaveIntoDataSourceCommand", SNOWFLAKE, "", [("snowflake", "MART.CITIES")]),
        ("Scan JDBCRelation((", "", f"Scan {QUERY}", [("jdbc", "sales.orders"), ("jdbc", "crm.people")]),
        ("Scan JDBC v1 Relation from v2 scan pg.sales.orders", "", "", [("jdbc", "pg.sales.orders")]),
        (
            "LogicalRelation",
            "JDBCRelation(sales.orders) [numPartitions=1], [id#1], false",
            "",
            [("jdbc", "sales.orders")],
        ),
        ("Scan ElasticsearchRelation(Map(es.resource -> orders, es.nodes -> e1),x,y)", "", "", []),
        ("Scan parquet spark_catalog.default.orders", "", "", []),
    ],
)
def test_a_table_without_its_server_is_a_fact(
    name: str, arguments: str, printed: str, tables: list[tuple[str, str]]
) -> None:
    assert unplaced(name, arguments, printed) == tables


@pytest.mark.parametrize("name", ["LogicalRelation", "DataSourceV2Relation"])
@pytest.mark.parametrize(
    ("relation", "expected"),
    [("org.example.Relation@1f3b", True), ("spark_catalog.default.orders", False)],
)
def test_a_logical_relation_that_is_printed_as_an_object_is_unnamed(name: str, relation: str, expected: bool) -> None:
    found = scan_relations([PrintedOperator(name, "", f"{relation}, [id#1L], false", "")])
    assert (UnnamedRelation() in found) is expected


@pytest.mark.parametrize(
    ("connector", "settings", "expected"),
    [
        ("redis", {}, True),
        ("redis", {"spark.redis.host": "r1"}, False),
        ("bigquery", {}, False),
        ("python", {}, True),
        ("snowflake", dict(as_settings([SourceRule("snowflake://acme", table="or*")], "app")), False),
    ],
)
def test_a_table_is_placed_by_settings_and_rules(connector: str, settings: dict[str, str], expected: bool) -> None:
    assert is_unplaced(connectors()[connector], "orders", "", settings) is expected
