"""A relation that nothing names is a gap and a dataset of its own, never a name that others have."""

from __future__ import annotations

import pytest

from eventlog_lineage.catalog.application_facts import CatalogSettings, ExecutionSummary
from eventlog_lineage.lineage.grouping.statement_groups import group_executions
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.lineage.statement import PrintedNames, StatementContext
from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.model import GapReason
from eventlog_lineage.plan.plan_text import PlanText

HASH = "org.apache.spark.sql.execution.datasources.v2.DataSourceV2Strategy$$Lambda$4154/0x1@2514707b"
SCANS = {
    "a connector that prints its table alone": ("BatchScan orders", ""),
    "a query of BigQuery": ("BatchScan QUERY", "Reading table [acme._results.b707505b-1], Read session Id : a/b"),
    "doris": ("BatchScan shop.orders", ""),
    "jdbc catalog of 3.5": ("Scan org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCScan$$anon$1@6a33beac", ""),
    "redis": ("Scan org.apache.spark.sql.redis.RedisSourceRelation@30fd723", ""),
}


def scan(name: str, description: str = "") -> str:
    details = f"{description}\n" if description else ""
    return f"== Physical Plan ==\n* {name} (1)\n\n\n(1) {name}\nOutput [2]: [id#1L, city#2]\n{details}\n"


def save(provider: str, options: str) -> str:
    return (
        "== Physical Plan ==\nExecute SaveIntoDataSourceCommand (1)\n   +- LocalRelation (2)\n\n\n"
        f"(1) Execute SaveIntoDataSourceCommand\nOutput: []\nArguments: {provider}@12ab, [{options}], Append\n\n"
        "(2) LocalRelation\nArguments: [id#1L, city#2]\n\n"
    )


def traced(text: str, application: str = "app_1") -> StatementLineage:
    return trace_texts(text, context=StatementContext(names=PrintedNames(application=application)))


def sources(lineage: StatementLineage) -> set[str]:
    return {edge.source_dataset for edge in lineage.edges if edge.source_dataset}


@pytest.mark.parametrize("printed", SCANS.values(), ids=SCANS)
def test_no_two_applications_share_a_relation_without_a_name(printed: tuple[str, str]) -> None:
    (first,), (second,) = (sources(traced(scan(*printed), app)) for app in ("app_1", "app_2"))
    assert "app_1" in first
    assert first != second


@pytest.mark.parametrize("printed", SCANS.values(), ids=SCANS)
def test_a_relation_without_a_name_is_a_gap(printed: tuple[str, str]) -> None:
    assert {gap.reason for gap in traced(scan(*printed)).gaps} == {GapReason.UNKNOWN_SOURCE}


@pytest.mark.parametrize("printed", SCANS.values(), ids=SCANS)
def test_a_plan_with_such_a_relation_has_its_application_as_evidence(printed: tuple[str, str]) -> None:
    summary = PlanText(scan(*printed)).summary
    (statement,) = group_executions(
        [ExecutionSummary(1, None, "", 0, 1, summary)], CatalogSettings(application="app_1")
    )
    assert statement.context.names.application == "app_1"


@pytest.mark.parametrize("name", ["BatchScan ice.shop.orders", "Scan JDBCRelation(orders) [numPartitions=1]"])
def test_runs_of_a_plan_that_names_all_share_a_lineage(name: str) -> None:
    executions = [ExecutionSummary(1, None, "", 0, 1, PlanText(scan(name)).summary)]
    first, second = (group_executions(executions, CatalogSettings(application=app)) for app in ("app_1", "app_2"))
    assert [each.lineage_id for each in first] == [each.lineage_id for each in second]


@pytest.mark.parametrize(
    ("provider", "options", "target"),
    [
        ("org.apache.spark.sql.redis.DefaultSource", "table=orders, key.column=city", "redis:orders"),
        ("com.microsoft.kusto.spark.datasource.DefaultSource", "kustotable=orders", "kusto:orders"),
        ("net.snowflake.spark.snowflake.DefaultSource", "dbtable=COPIES, sfschema=SALES", "snowflake:SALES.COPIES"),
        ("com.google.cloud.spark.bigquery.v2.Spark35BigQueryTableProvider", "path=a.b.c", "bigquery:a.b.c"),
        ("org.elasticsearch.spark.sql.DefaultSource15", "path=city-totals", "elasticsearch:city-totals"),
        ("com.databricks.spark.xml.DefaultSource", "rowtag=a, path=/data/totals", "file:///data/totals"),
        (
            "org.apache.spark.sql.execution.datasources.jdbc.JdbcRelationProvider",
            "url=*********(redacted), dbtable=sales.daily",
            "jdbc:sales.daily",
        ),
    ],
)
def test_a_save_is_named_by_its_provider(provider: str, options: str, target: str) -> None:
    lineage = traced(save(provider, options))
    assert lineage.target is not None
    assert lineage.target.name == target


def test_a_save_of_a_class_that_names_no_system_is_a_gap() -> None:
    lineage = traced(save("org.example.spark.DefaultSource", "table=orders").replace("example", "source"))
    assert lineage.target is None
    assert {gap.reason for gap in lineage.gaps} == {GapReason.UNKNOWN_TARGET}


@pytest.mark.parametrize(
    "arguments", ["a ledger", f"{HASH}, org.acme.Write(table=orders)", f"{HASH}, Write(table=a.b)"]
)
def test_a_write_without_a_catalog_is_no_table_of_the_session_catalog(arguments: str) -> None:
    text = (
        "== Physical Plan ==\nAppendData (2)\n+- Scan parquet c.d.t (1)\n\n\n(1) Scan parquet c.d.t\n"
        "Output [1]: [id#1L]\nLocation: InMemoryFileIndex [file:/t]\n\n(2) AppendData\nInput [1]: [id#1L]\n"
        f"Arguments: {arguments}\n\n"
    )
    lineage = traced(text)
    assert lineage.target is None
    assert {gap.reason for gap in lineage.gaps} == {GapReason.UNKNOWN_TARGET}


@pytest.mark.parametrize("relation", ["SnowflakeRelation", "org.apache.spark.sql.redis.RedisSourceRelation@1eb4552"])
def test_a_relation_of_a_saves_query_without_a_name_is_its_applications(relation: str) -> None:
    text = (
        save("org.apache.spark.sql.redis.DefaultSource", "table=copies")
        .replace("(2) LocalRelation\nArguments: [", f"(2) LogicalRelation\nArguments: {relation}, [")
        .replace("LocalRelation (2)", "LogicalRelation (2)")
        .replace("city#2]\n", "city#2], false\n")
    )
    execution = ExecutionSummary(1, None, "", 0, 1, PlanText(text).summary)
    (statement,) = group_executions([execution], CatalogSettings(application="app_1"))
    assert statement.context.names.application == "app_1"
    assert all("app_1" in name for name in sources(traced(text)))
    assert sources(traced(text))


def test_a_relation_next_to_its_table_is_the_table() -> None:
    lineage = traced(scan("Scan org.apache.spark.sql.redis.RedisSourceRelation@30fd723 spark_catalog.default.people"))
    assert (sources(lineage), lineage.gaps) == ({"spark_catalog.default.people"}, ())


@pytest.mark.parametrize("name", ["default.people", "spark_catalog.default.people"])
def test_an_insert_into_a_relation_next_to_its_table_writes_the_table(name: str) -> None:
    insert = (
        "== Physical Plan ==\nExecute InsertIntoDataSourceCommand (1)\n   +- LocalRelation (2)\n\n\n"
        "(1) Execute InsertIntoDataSourceCommand\nOutput: []\n"
        f"Arguments: Relation {name}[id#1L,city#2] org.apache.spark.sql.redis.RedisSourceRelation@30fd723, false\n\n"
        "(2) LocalRelation\nArguments: [id#1L, city#2]\n\n"
    )
    target = traced(insert).target
    assert target is not None
    assert target.name == "spark_catalog.default.people"


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ("database=shop, table=orders, acme.addr=h1", "acme:shop.orders"),
        ("database=shop, table=mart.orders", "acme:mart.orders"),
        ("projectid=p, instanceid=i, databaseid=d, table=t", "acme:p.i.d.t"),
    ],
)
def test_a_table_of_a_connector_that_nothing_declares_is_in_its_database(options: str, name: str) -> None:
    target = traced(save("com.acme.DefaultSource", options)).target
    assert target is not None
    assert target.name == name


PRINTED = "JDBCRelation(sales.orders) [numPartitions=1]"


@pytest.mark.parametrize(
    "plan",
    [
        scan(f"Scan {PRINTED} spark_catalog.default.orders"),
        scan(f"Scan {PRINTED} default.orders"),
        (
            "== Physical Plan ==\nExecute InsertIntoDataSourceCommand (1)\n   +- LocalRelation (2)\n\n\n"
            "(1) Execute InsertIntoDataSourceCommand\nOutput: []\n"
            f"Arguments: Relation spark_catalog.default.orders[id#1L,city#2] {PRINTED}, false\n\n"
            "(2) LocalRelation\nArguments: [id#1L, city#2]\n\n"
        ),
        (
            "== Physical Plan ==\nExecute CreateViewCommand (1)\n   +- CreateViewCommand (2)\n"
            "         +- LogicalRelation (3)\n\n\n(1) Execute CreateViewCommand\nOutput: []\n\n"
            "(2) CreateViewCommand\nArguments: `o`, false, false, LocalTempView, UNSUPPORTED, true\n\n"
            "(3) LogicalRelation\n"
            f"Arguments: {PRINTED}, [id#1L, city#2], `spark_catalog`.`default`.`orders`, false\n\n"
        ),
    ],
)
def test_the_name_that_the_session_catalog_has_for_a_table_of_a_server_is_another_name_of_it(plan: str) -> None:
    found = [each for each in traced(plan).datasets if each.kind == "symlink"]
    assert [(each.name, each.location) for each in found] == [("spark_catalog.default.orders", "jdbc:sales.orders")]


DORIS = "BatchScan shop.orders[id#1L] class org.apache.doris.spark.read.DorisScan RuntimeFilters: []"


@pytest.mark.parametrize("plan", [scan(f"Scan {PRINTED} "), f"== Physical Plan ==\n{DORIS}\n"])
def test_a_table_of_a_server_without_another_name_has_no_symlink(plan: str) -> None:
    lineage = traced(plan)
    assert lineage.datasets
    assert all(each.kind != "symlink" for each in lineage.datasets)


@pytest.mark.parametrize(
    ("schema", "option", "columns"),
    [
        ("", "query -> select id, amount + fee as s from sales.orders where open > 5", {"id", "s"}),
        ("", "dbtable -> (select id, amount + fee as s from sales.orders where open > 5) x", {"id", "s"}),
        ("", "query -> select * from sales.orders where open > 5", set()),
        ("StructType(StructField(s,LongType,true)) ", "query -> select fee s from sales.orders where open > 5", {"s"}),
    ],
)
def test_a_temporary_view_of_sql_has_its_columns_tables_and_conditions(
    schema: str, option: str, columns: set[str]
) -> None:
    lineage = traced(
        "== Physical Plan ==\nExecute CreateTempViewUsing (1)\n   +- CreateTempViewUsing (2)\n\n\n"
        "(1) Execute CreateTempViewUsing\nOutput: []\n\n(2) CreateTempViewUsing\nArguments: [tableIdent:`v` "
        f"{schema}replace:false provider:jdbc Map(url -> *********(redacted), {option}, user -> u)\n\n"
    )
    assert lineage.gaps == ()
    assert [each.dataset.name for each in lineage.accesses if each.direction == "read"] == ["jdbc:sales.orders"]
    assert {edge.target_column for edge in lineage.edges if edge.target_column} == columns
    assert {edge.source_column for edge in lineage.edges if edge.target_column is None} == (
        {"open"} if columns else set()
    )
