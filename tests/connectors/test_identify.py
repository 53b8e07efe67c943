"""What connectors print, and the options and settings next to it, name the same table wherever it is used."""

from __future__ import annotations

import pytest

from eventlog_lineage.connectors.connector import (
    Request,
    SourceRule,
    as_settings,
    connectors,
    read_rule,
    requests_as_settings,
    source_settings,
)
from eventlog_lineage.connectors.identify import identify, identify_catalog_table
from eventlog_lineage.connectors.query import read_query
from eventlog_lineage.datasets.naming import separate_paths
from eventlog_lineage.datasets.openlineage import openlineage_name
from eventlog_lineage.errors import UsageError

JDBC = "org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog"
SETTINGS = {
    "spark.mongodb.read.connection.uri": "mongodb://h:27017",
    "spark.cassandra.connection.host": "c1,c2",
    "spark.redis.host": "r1",
    "spark.sql.catalog.pg": JDBC,
    "spark.sql.catalog.pg.url": "jdbc:postgresql://DB1/shop",
    "spark.sql.catalog.cass": "com.datastax.spark.connector.datasource.CassandraCatalog",
    "spark.sql.catalog.ch": "com.clickhouse.spark.ClickHouseCatalog",
    "spark.sql.catalog.ch.host": "ch1",
}


@pytest.mark.parametrize(
    ("printed", "namespace", "name"),
    [
        ("MongoTable()\nMongoScan{namespaceDescription=shop.orders}", "mongodb://h:27017", "shop.orders"),
        ("MongoTable()\nMongoScan{namespace=shop.orders}", "mongodb://h:27017", "shop.orders"),
        ("orders\nCassandra Scan: shop.orders\n - Cassandra Filters: []", "cassandra://c1:9042", "shop.orders"),
        ("orders\nReading table [acme.shop.orders], Read session Id : projects/x", "bigquery", "acme.shop.orders"),
        ("JDBC v1 Relation from v2 scan pg.sales.orders", "postgres://db1:5432", "shop.sales.orders"),
        ("JDBCTable(sales.daily,StructType(),org.x.JDBCOptions@1f)", "postgres://db1:5432", "shop.sales.daily"),
        ('JDBCRelation(sales."Order Notes") [numPartitions=1]', "jdbc", "sales.Order Notes"),
        ("JDBCRelation(`crm`.`activities`) [numPartitions=3] spark_catalog.default.t", "jdbc", "crm.activities"),
        ("Kudu impala::shop.orders", "kudu", "shop.orders"),
        (
            "KustoRelation(KustoCoordinates(https://c1.kusto.windows.net,c1,shop,Some(orders),None),,orders | take 1)",
            "azurekusto://c1.kusto.windows.net/shop",
            "orders",
        ),
        (
            "com.azure.cosmos.spark.items.acc.shop.orders",
            "azurecosmos://acc.documents.azure.com/dbs/shop",
            "/colls/orders",
        ),
        ("ElasticsearchRelation(Map(es.nodes -> e1, es.resource -> orders),x)", "elasticsearch://e1:9200", "orders"),
        ("`shop`.`orders`", "clickhouse", "shop.orders"),
        ("ClickHouseWrite(database=shop, table=orders)})", "clickhouse", "shop.orders"),
        ("ledger\nReadSchema: struct<id:int>", "python", "ledger"),
    ],
)
def test_a_printed_relation_is_a_table(printed: str, namespace: str, name: str) -> None:
    found = identify(printed, settings=SETTINGS)
    assert found is not None
    assert found.dataset is not None
    assert openlineage_name(found.dataset) == (namespace, name)


@pytest.mark.parametrize(
    ("provider", "options", "namespace", "name"),
    [
        ("org.apache.spark.sql.redis.DefaultSource", {"table": "orders"}, "redis://r1:6379", "orders"),
        (
            "net.snowflake.spark.snowflake.DefaultSource",
            {"dbtable": "MART.T", "sfschema": "SALES", "sfdatabase": "SHOP", "sfurl": "*********(redacted)"},
            "snowflake",
            "SHOP.MART.T",
        ),
        ("com.google.cloud.spark.bigquery.v2.Spark35BigQueryTableProvider", {"path": "a:s.t"}, "bigquery", "a.s.t"),
        (
            "org.apache.kudu.spark.kudu.DefaultSource",
            {"kudu.master": "k1:7051", "kudu.table": "impala::shop.orders"},
            "kudu://k1:7051",
            "shop.orders",
        ),
        ("com.microsoft.sqlserver.jdbc.spark.DefaultSource", {"dbtable": "[dbo].[t]"}, "jdbc", "dbo.t"),
        ("mongodb", {"collection": "t", "connection.uri": "mongodb://u:p@m:1/crm?x=y"}, "mongodb://m:1", "crm.t"),
        (
            "mongodb",
            {"collection": "t", "database": "own", "connection.uri": "mongodb://m:1/crm"},
            "mongodb://m:1",
            "own.t",
        ),
        (
            "jdbc",
            {"dbtable": "sales.orders", "url": "jdbc:mysql://u:p@db/shop"},
            "mysql://db:3306",
            "sales.orders",
        ),
    ],
)
def test_the_options_of_a_save_name_a_table(provider: str, options: dict[str, str], namespace: str, name: str) -> None:
    found = identify("", options, SETTINGS, provider)
    assert found is not None
    assert found.dataset is not None
    assert openlineage_name(found.dataset) == (namespace, name)


def test_a_catalogs_name_and_the_systems_are_one_table() -> None:
    table = identify_catalog_table("pg.sales.orders", SETTINGS)
    scan = identify("JDBC v1 Relation from v2 scan pg.sales.orders", settings=SETTINGS)
    assert scan is not None
    assert table == scan.dataset
    assert identify_catalog_table("spark_catalog.default.orders", SETTINGS) is None
    named = identify_catalog_table("cass.shop.orders", SETTINGS)
    assert named is not None
    assert named.name == "cassandra://c1:9042/shop.orders"


def test_of_two_jdbc_catalogs_the_one_that_alone_shows_the_namespace_has_the_table() -> None:
    two = {**SETTINGS, "spark.sql.catalog.my": JDBC, "spark.sql.catalog.my.url": "jdbc:mysql://m/crm"}
    unknown = identify("JDBCTable(crm.t,StructType())", settings=two)
    shown = identify("JDBCTable(crm.t,StructType())", settings={**two, "namespace.crm.t": "my"})
    assert unknown is not None
    assert shown is not None
    assert [each.dataset and each.dataset.name for each in (unknown, shown)] == [None, "mysql://m:3306/crm.t"]


def test_a_table_of_a_catalog_whose_url_is_redacted_has_the_name_of_the_catalog() -> None:
    hidden = {**SETTINGS, "spark.sql.catalog.pg.url": "*********(redacted)"}
    found = identify("JDBC v1 Relation from v2 scan pg.sales.orders", settings=hidden)
    assert found is not None
    assert (found.dataset and found.dataset.name, found.fields.get("url")) == ("pg.sales.orders", None)


@pytest.mark.parametrize(
    "relation", ["(select 1) SPARK_GEN_SUBQ_7", "a.t x join b.u y on x.i = y.i", "WITH t AS (x) (y)"]
)
def test_a_relation_can_be_sql(relation: str) -> None:
    found = identify(f"JDBCRelation({relation}) [numPartitions=1]", options={"driver": "org.postgresql.Driver"})
    assert found is not None
    assert found.dataset is None
    assert found.query is not None
    assert "SPARK_GEN_SUBQ" not in found.query.text


def test_a_rule_of_the_user_places_tables() -> None:
    rules = as_settings(
        [read_rule("table=sales.*,namespace=postgres://db1:5432,database=shop,application=night*")], "nightly"
    )
    found = identify("JDBCRelation(sales.orders) [numPartitions=1]", settings=dict(rules))
    other = identify("JDBCRelation(crm.orders) [numPartitions=1]", settings=dict(rules))
    assert found is not None
    assert other is not None
    assert [each.dataset and each.dataset.name for each in (found, other)] == [
        "postgres://db1:5432/shop.sales.orders",
        "jdbc:crm.orders",
    ]
    assert as_settings([read_rule({"namespace": "x://y", "application": "other"})], "nightly") == ()


@pytest.mark.parametrize("rule", ["table=x", "namespace=x://y,frob=1", {"namespace": ""}])
def test_a_wrong_rule_is_an_error(rule: str | dict[str, object]) -> None:
    with pytest.raises(UsageError, match="source"):
        read_rule(rule)


def test_a_request_shows_the_url_of_a_read() -> None:
    request = Request("jdbc", (("query", "select a from t where d = 20261127"), ("url", "jdbc:postgresql://db1/shop")))
    settings = dict(requests_as_settings([request]))
    printed = "JDBCRelation((select a from t where d = 20261126) SPARK_GEN_SUBQ_3) [numPartitions=1]"
    found = identify(printed, settings=settings)
    assert found is not None
    assert found.fields["url"] == "jdbc:postgresql://db1/shop"


def test_requests_that_place_a_table_differently_show_nothing() -> None:
    both = [Request("jdbc", (("dbtable", "t"), ("url", f"jdbc:postgresql://db{number}/shop"))) for number in (1, 2)]
    assert requests_as_settings(both) == ()


def test_only_settings_of_connectors_are_evidence() -> None:
    assert (
        source_settings({**SETTINGS, "spark.app.name": "x", "spark.sql.catalog.ice": "org.apache.iceberg.X"})
        == SETTINGS
    )


@pytest.mark.parametrize("name", sorted(connectors()))
def test_a_connector_says_what_system_it_is_and_where_its_texts_are_from(name: str) -> None:
    connector = connectors()[name]
    assert connector.system
    assert connector.evidence in {"log", "class"}
    assert connector.providers or connector.tables


@pytest.mark.parametrize(
    ("namespace", "table", "name"),
    [
        ("mysql://m1:3306", "tickets", "crm.tickets"),
        ("mysql://m1:3306", "`desk`.`tickets`", "desk.tickets"),
        ("mariadb://m1:3306", "crm.tickets", "crm.tickets"),
        ("postgres://p1:5432", "sales.orders", "crm.sales.orders"),
        ("postgres://p1:5432", "other.sales.orders", "other.sales.orders"),
    ],
)
def test_a_rule_places_tables_as_the_url_of_their_product_does(namespace: str, table: str, name: str) -> None:
    settings = dict(as_settings([SourceRule(namespace, "crm")], "app"))
    found = identify(f"JDBCRelation({table}) [numPartitions=1]", settings=settings)
    assert found is not None
    assert found.dataset is not None
    assert found.dataset.name == f"{namespace}/{name}"


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("jdbc:bigquery://https://www.googleapis.com/bigquery/v2:443;ProjectId=p1;OAuthType=3", "bigquery:p1.s.t"),
        ("jdbc:db2://d1:50000/SAMPLE:user=u;password=pw;", "db2://d1:50000/SAMPLE.s.t"),
        ("jdbc:h2:tcp://h:9092/~/a", "h2://h:9092/~/a.s.t"),
        ("jdbc:hive2://h:10000/dw;principal=hive/_HOST@R", "hive2://h:10000/s.t"),
        ("jdbc:informix-sqli://h:1526/db:INFORMIXSERVER=x", "informix-sqli://h:1526/db.s.t"),
        ("jdbc:jtds:sqlserver://h/shop;instance=x", "sqlserver://h:1433/shop.s.t"),
        ("jdbc:mysql://(host=m1,port=3307),address=(host=M2)(port=3308)/crm?x=y", "mysql://m1:3307,m2:3308/s.t"),
        ("jdbc:oracle:thin:@h:1521:ORCL", "oracle://h:1521/ORCL.s.t"),
        ("jdbc:oracle:thin:@//h:1521/ORCL", "oracle://h:1521/ORCL.s.t"),
        ("jdbc:oracle:thin:spark/pw@h/ORCL", "oracle://h:1521/ORCL.s.t"),
        ("jdbc:oracle:thin:@tcps://adb.acme.com:1522/high?wallet_location=/w", "oracle://adb.acme.com:1522/high.s.t"),
        (
            "jdbc:oracle:thin:@(DESCRIPTION=(ADDRESS=(HOST=h)(PORT=1522))(CONNECT_DATA=(SERVICE_NAME=S)))",
            "oracle://h:1522/S.s.t",
        ),
        ("jdbc:postgresql:///shop", "postgres://localhost:5432/shop.s.t"),
        ("jdbc:sap://h:30015/?databaseName=HDB", "sap://h:30015/HDB.s.t"),
        (
            "jdbc:snowflake://acme.snowflakecomputing.com/?db=SHOP&warehouse=W",
            "snowflake://acme.snowflakecomputing.com/SHOP.s.t",
        ),
        ("jdbc:sqlserver://;serverName=h;databaseName=d", "sqlserver://h:1433/d.s.t"),
        ("jdbc:sqlserver://h;instanceName=i;database=d", "sqlserver://h\\i:1433/d.s.t"),
        ("jdbc:teradata://h/DATABASE=fin,USER=u,PASSWORD=pw", "teradata://h:1025/s.t"),
        ("jdbc:trino://h/hive/sales", "trino://h:443/hive.s.t"),
    ],
)
def test_a_table_of_a_jdbc_catalog_is_in_the_database_of_its_url(url: str, name: str) -> None:
    found = identify_catalog_table("c.s.t", {"spark.sql.catalog.c": JDBC, "spark.sql.catalog.c.url": url})
    assert found is not None
    assert found.name == name


def test_a_read_has_each_path_of_a_list() -> None:
    printed = "XmlRelation(com.databricks.spark.xml.Lambda@1,Some(/data/a.xml,s3a://b/c.xml),Map(),null)"
    found = identify(printed)
    assert found is not None
    assert found.dataset is not None
    assert [each.name for each in separate_paths(found.dataset)] == ["file:///data/a.xml", "s3://b/c.xml"]


def test_a_save_of_the_old_mongodb_connector_is_where_the_output_is() -> None:
    uris = {f"spark.mongodb.{end}.uri": f"mongodb://h:1/shop.{end}" for end in ("input", "output")}
    own = {"spark.mongodb.output.uri": "mongodb://h:2/mart.ids"}
    saves = [identify("", options, uris, "com.mongodb.spark.sql.DefaultSource", "write") for options in ({}, own)]
    names = [each.dataset.name for each in saves if each is not None and each.dataset is not None]
    assert names == ["mongodb://h:1/shop.output", "mongodb://h:2/mart.ids"]


SHC = "org.apache.spark.sql.execution.datasources.hbase.DefaultSource"
CATALOG = '{"table":{"namespace":"%s", "name":"orders"}, "rowkey":"k", "columns":{"id":{"cf":"rowkey", "col":"k"}}}'


@pytest.mark.parametrize(
    ("provider", "options", "name"),
    [
        (SHC, {"catalog": CATALOG % "shop"}, "hbase:shop:orders"),
        (SHC, {"catalog": CATALOG % "default"}, "hbase:orders"),
        ("com.singlestore.spark.DefaultSource", {"path": "shop.orders"}, "singlestore:shop.orders"),
        ("com.springml.spark.sftp.DefaultSource", {"path": "/in/a.csv", "host": "s1"}, "sftp://s1/in/a.csv"),
        ("org.apache.phoenix.spark.DefaultSource", {"table": "S.T", "zkurl": "zk1:2181"}, "phoenix://zk1/S.T"),
    ],
)
def test_a_save_names_its_table(provider: str, options: dict[str, str], name: str) -> None:
    found = identify("", options, provider=provider, direction="write")
    assert found is not None
    assert found.dataset is not None
    assert found.dataset.name == name


@pytest.mark.parametrize(
    ("printed", "name"),
    [
        (f"HBaseRelation(Map(catalog -> {CATALOG % 'shop'}),None)", "hbase:shop:orders"),
        ("PhoenixRelation(S.T,zk1:2181,false)", "phoenix://zk1/S.T"),
    ],
)
def test_a_relation_prints_its_catalog(printed: str, name: str) -> None:
    found = identify(printed)
    assert found is not None
    assert found.dataset is not None
    assert found.dataset.name == name


@pytest.mark.parametrize(
    ("relation", "table"),
    [
        ("sales.orders as o", "sales.orders"),
        ("[sales].[orders] AS [o]", "sales.orders"),
        ('"Sales"."Order Items" oi', "Sales.Order Items"),
        ("sales.orders o with (nolock)", "sales.orders"),
        ("sales . orders", "sales.orders"),
    ],
)
def test_an_alias_is_no_part_of_a_table(relation: str, table: str) -> None:
    found = identify(f"JDBCRelation({relation}) [numPartitions=1]")
    assert found is not None
    assert (found.dataset and found.dataset.name, found.query) == (f"jdbc:{table}", None)


@pytest.mark.parametrize(
    "relation",
    [
        "sales.orders PARTITION (p1)",
        "sales.orders t tablesample system (10)",
        "sales.orders where id > 5",
        "sales.orders limit 5",
        "sales.orders;",
        "/* hint */ sales.orders",
        "only sales.orders",
        "sales.orders for system_time as of '2026-01-01'",
    ],
)
def test_what_follows_a_table_is_sql(relation: str) -> None:
    found = identify(f"JDBCRelation({relation}) [numPartitions=1]")
    assert found is not None
    assert found.query is not None
    query = read_query(found.query.text, found.query.dialect)
    assert (query.tables, query.unparsed) == ((("sales", "orders"),), "")


@pytest.mark.parametrize(
    ("printed", "name", "query"),
    [
        ('SqlDWRelation("sales"."orders")', "synapse:sales.orders", None),
        ("SqlDWRelation((select id from s.t) u)", None, "(select id from s.t) u"),
    ],
)
def test_a_relation_of_synapse_is_a_table_or_sql(printed: str, name: str | None, query: str | None) -> None:
    found = identify(printed)
    assert found is not None
    assert (found.dataset and found.dataset.name, found.query and found.query.text) == (name, query)
