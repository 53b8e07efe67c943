"""Datasets and catalogs are named as OpenLineage's agents name them."""

from __future__ import annotations

import pytest

from eventlog_lineage.datasets.naming import jdbc, path, table
from eventlog_lineage.datasets.openlineage import catalog_namespaces, openlineage_name
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


def test_a_table_is_named_by_its_files() -> None:
    known = table("sales.daily", location="s3a://lake/warehouse/sales.db/daily")
    assert openlineage_name(known) == ("s3://lake", "warehouse/sales.db/daily")


@pytest.mark.parametrize(
    ("dataset", "namespace", "name"),
    [
        (Dataset("spark_catalog.db.t", "table"), "spark_catalog", "db.t"),
        (Dataset("spark_catalog.db.v", "view"), "spark_catalog", "db.v"),
        (Dataset("lake.a.b.t", "table"), "lake", "a.b.t"),
        (Dataset("t", "table"), "spark_catalog", "t"),
        (Dataset("kafka://host:9092/clicks", "topic"), "kafka://host:9092", "clicks"),
        (Dataset("kafka://a:9092,b:9092/clicks", "topic"), "kafka://a:9092", "clicks"),
        (Dataset("v", "temp_view"), "temp_view", "v"),
        (Dataset("bigquery:p.d.t", "other"), "bigquery", "p.d.t"),
    ],
)
def test_what_has_no_files_is_named_within_its_catalog_or_service(dataset: Dataset, namespace: str, name: str) -> None:
    assert openlineage_name(dataset) == (namespace, name)


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
    assert openlineage_name(jdbc(relation, url)) == (namespace, name)


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
