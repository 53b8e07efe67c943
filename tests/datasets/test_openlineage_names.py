"""Datasets and catalogs are named as OpenLineage's agents name them."""

from __future__ import annotations

import pytest

from eventlog_lineage.connectors.identify import jdbc_table, split_table
from eventlog_lineage.datasets.naming import path, table
from eventlog_lineage.datasets.openlineage import catalog_namespaces, dataset_at, openlineage_name
from eventlog_lineage.model import Dataset

ICEBERG = "org.apache.iceberg.spark.SparkCatalog"


@pytest.mark.parametrize(
    ("location", "namespace", "name"),
    [
        ("file:/data/x", "file", "/data/x"),
        ("/data/x/", "file", "/data/x"),
        ("file:/", "file", "/"),
        ("s3a://bucket/key/x", "s3://bucket", "key/x"),
        ("s3://bucket", "s3://bucket", "/"),
        ("gs://bucket/key", "gs://bucket", "key"),
        ("abfs://c@acc.dfs.core.windows.net/p/q", "abfss://c@acc.dfs.core.windows.net", "p/q"),
        ("wasb://c@acc.blob.core.windows.net/p", "wasbs://c@acc.blob.core.windows.net", "p"),
        ("hdfs://host:8020/x", "hdfs://host:8020", "/x"),
        ("hdfs:/x", "hdfs", "/x"),
        ("dbfs:/mnt/x", "dbfs", "/mnt/x"),
        ("oss://bucket/key", "oss://bucket", "/key"),
    ],
)
def test_files_have_a_namespace_and_a_path(location: str, namespace: str, name: str) -> None:
    assert openlineage_name(path(location)) == (namespace, name)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("postgres://db:5432/shop.sales.orders", "jdbc"),
        ("jdbc:sales.orders", "jdbc"),
        ("sqlite:/data/x.db/main.orders", "jdbc"),
        ("h2:mem:x/APP.ORDERS", "jdbc"),
        ("mongodb://db:27017/shop.orders", "other"),
        ("cassandra://db:9042/shop.orders", "other"),
        ("azurecosmos://a.documents.azure.com/dbs/shop/colls/orders", "other"),
        ("azurekusto://a.kusto.windows.net/shop/orders", "other"),
        ("snowflake://acme/SHOP.SALES.ORDERS", "other"),
        ("bigquery:acme.shop.orders", "other"),
        ("redis://cache:6379/orders", "other"),
        ("pulsar://p:6650/tenant/space/orders", "other"),
        ("python:ledger", "other"),
        ("kafka://a:9092/clicks", "topic"),
        ("s3://lake/orders", "path"),
        ("file:///data/orders", "path"),
        ("lake.shop.orders", "table"),
    ],
)
def test_a_dataset_of_an_event_is_that_of_a_log(name: str, kind: str) -> None:
    assert dataset_at(*openlineage_name(Dataset(name, kind))).name == name


def test_the_agents_name_of_a_collection_has_no_password() -> None:
    found = dataset_at("mongodb://user:secret@db:27017/shop", "orders")
    assert found.name == "mongodb://db:27017/shop.orders"


def test_a_table_is_named_by_its_files() -> None:
    known = table("sales.daily", location="s3a://lake/warehouse/sales.db/daily")
    assert openlineage_name(known) == ("s3://lake", "warehouse/sales.db/daily")


@pytest.mark.parametrize(
    ("dataset", "namespace", "name"),
    [
        (Dataset("spark_catalog.db.t", "table"), "spark://spark_catalog", "db.t"),
        (Dataset("spark_catalog.db.v", "view"), "spark://spark_catalog", "db.v"),
        (Dataset("lake.a.b.t", "table"), "spark://lake", "a.b.t"),
        (Dataset("t", "table"), "spark://spark_catalog", "t"),
        (Dataset("kafka://host:9092/clicks", "topic"), "kafka://host:9092", "clicks"),
        (Dataset("kafka://a:9092,b:9092/clicks", "topic"), "kafka://a:9092", "clicks"),
        (Dataset("v", "temp_view"), "temp_view", "v"),
        (Dataset("bigquery:p.d.t", "other"), "bigquery", "p.d.t"),
    ],
)
def test_what_has_no_files_is_named_within_its_catalog_or_service(dataset: Dataset, namespace: str, name: str) -> None:
    assert openlineage_name(dataset) == (namespace, name)


@pytest.mark.parametrize(
    ("dataset", "catalog", "namespace", "name"),
    [
        (Dataset("spark_catalog.sales.v", "view"), "file:/data/wh", "file", "/data/wh/sales.db/v"),
        (Dataset("spark_catalog.default.v", "view"), "file:/data/wh", "file", "/data/wh/v"),
        (Dataset("spark_catalog.sales.v", "view"), "s3://lake/wh", "s3://lake", "wh/sales.db/v"),
        (Dataset("spark_catalog.sales.t", "table"), "hdfs://nn:8020/wh", "hdfs://nn:8020", "/wh/sales.db/t"),
        (Dataset("spark_catalog.sales.v", "view"), "hive://meta:9083", "hive://meta:9083", "sales.v"),
        (Dataset("lake.a.b.t", "table"), "s3://lake/ice", "s3://lake", "ice/a/b/t"),
        (Dataset("lake.a.t", "table"), "https://catalog/api", "https://catalog/api", "a.t"),
        (Dataset("lake.a.t", "table"), "arn:aws:glue:eu-west-1:1", "arn:aws:glue:eu-west-1:1", "a.t"),
    ],
)
def test_what_a_warehouse_has_is_named_by_its_folder_there(
    dataset: Dataset, catalog: str, namespace: str, name: str
) -> None:
    assert openlineage_name(dataset, {dataset.name.partition(".")[0]: catalog}) == (namespace, name)


@pytest.mark.parametrize(
    ("url", "relation", "namespace", "name"),
    [
        ("", "orders", "jdbc", "orders"),
        ("jdbc:postgresql://db:5432/shop?user=x", "public.orders", "postgres://db:5432", "shop.public.orders"),
        ("jdbc:postgresql://db/shop", "orders", "postgres://db:5432", "shop.orders"),
        ("jdbc:postgresql://a:1,b/shop", "orders", "postgres://a:1,b:5432", "shop.orders"),
        ("jdbc:mysql://db:3306/shop", "orders", "mysql://db:3306", "shop.orders"),
        ("jdbc:mysql://db/shop", "other.orders", "mysql://db:3306", "other.orders"),
        ("jdbc:mysql:replication://db/shop", "orders", "mysql://db:3306", "shop.orders"),
        ("jdbc:oracle:thin:@//db:1521/orcl", "shop.orders", "oracle://db:1521", "orcl.shop.orders"),
        ("jdbc:oracle:thin:@db:1521:orcl", "shop.orders", "oracle://db:1521", "orcl.shop.orders"),
        ("jdbc:sqlserver://db:1433", "dbo.orders", "sqlserver://db:1433", "dbo.orders"),
        ("jdbc:trino://db/hive", "s.orders", "trino://db:443", "hive.s.orders"),
        ("jdbc:Snowflake://acc.snowflakecomputing.com", "D.S.T", "snowflake://acc.snowflakecomputing.com", "D.S.T"),
    ],
)
def test_a_jdbc_table_is_named_by_its_product_and_server(url: str, relation: str, namespace: str, name: str) -> None:
    assert openlineage_name(jdbc_table(split_table(relation), url)) == (namespace, name)


@pytest.mark.parametrize(
    ("settings", "namespaces"),
    [
        ({}, {}),
        ({"spark.sql.warehouse.dir": "file:/data/warehouse"}, {"spark_catalog": "file:/data/warehouse"}),
        ({"spark.sql.warehouse.dir": "s3a://lake/wh/"}, {"spark_catalog": "s3://lake/wh"}),
        ({"spark.sql.warehouse.dir": "hdfs://nn:8020/wh"}, {"spark_catalog": "hdfs://nn:8020/wh"}),
        (
            {
                "spark.sql.catalogImplementation": "hive",
                "spark.hadoop.hive.metastore.uris": "thrift://meta:9083,thrift://other:9083",
                "spark.sql.warehouse.dir": "/wh",
            },
            {"spark_catalog": "hive://meta:9083"},
        ),
        (  # without Hive support the metastore is not asked
            {"spark.hadoop.hive.metastore.uris": "thrift://meta:9083", "spark.sql.warehouse.dir": "/wh"},
            {"spark_catalog": "file:/wh"},
        ),
        (
            {
                "spark.sql.catalog.lake": ICEBERG,
                "spark.sql.catalog.lake.type": "hadoop",
                "spark.sql.catalog.lake.warehouse": "s3a://lake/ice",
            },
            {"lake": "s3://lake/ice"},
        ),
        (
            {
                "spark.sql.catalog.lake": ICEBERG,
                "spark.sql.catalog.lake.type": "hive",
                "spark.sql.catalog.lake.uri": "thrift://meta:9083",
            },
            {"lake": "hive://meta:9083"},
        ),
        (
            {
                "spark.sql.catalog.lake": ICEBERG,
                "spark.sql.catalog.lake.catalog-impl": "org.apache.iceberg.rest.RESTCatalog",
                "spark.sql.catalog.lake.uri": "https://catalog/api",
            },
            {"lake": "https://catalog/api"},
        ),
        (  # Glue's namespace is an ARN, which no log shows
            {
                "spark.sql.catalog.lake": ICEBERG,
                "spark.sql.catalog.lake.catalog-impl": "org.apache.iceberg.aws.glue.GlueCatalog",
                "spark.sql.catalog.lake.warehouse": "s3://lake/ice",
            },
            {},
        ),
    ],
)
def test_settings_name_catalogs(settings: dict[str, str], namespaces: dict[str, str]) -> None:
    assert catalog_namespaces(settings) == namespaces
