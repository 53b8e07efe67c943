"""Of a driver's configuration only what lineage needs is kept, and never a secret."""

from __future__ import annotations

import pytest

from eventlog_lineage.events.assembly import platform_of_version
from eventlog_lineage.events.decoding.spark_conf import engine_of, kept_settings, platform_of, without_credentials


def test_only_allowed_properties_are_kept() -> None:
    kept = kept_settings(
        {
            "spark.app.name": "nightly",
            "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
            "spark.sql.catalog.lake.type": "rest",
            "spark.sql.catalog.lake.credential": "id:secret",
            "spark.sql.catalog.lake.token": "abc",
            "spark.sql.catalog.lake.s3.secret-access-key": "abc",
            "spark.sql.ui.explainMode": "extended",
            "spark.hadoop.fs.s3a.secret.key": "abc",
            "spark.my.password": "hunter2",
            "spark.executorEnv.TOKEN": "abc",
            "spark.sql.shuffle.partitions": "200",
            "spark.sql.extensions": 7,
        }
    )
    assert kept == {
        "spark.app.name": "nightly",
        "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.lake.type": "rest",
        "spark.sql.ui.explainMode": "extended",
    }


@pytest.mark.parametrize(
    ("uri", "kept"),
    [
        ("s3://lake/warehouse", "s3://lake/warehouse"),
        ("https://me:pass@host:8181/api?token=abc", "https://host:8181/api"),
        ("thrift://a:9083,thrift://me:p@b:9083", "thrift://a:9083,thrift://b:9083"),
        ("jdbc:postgresql://h:5432/db?user=me&password=a,b", "jdbc:postgresql://h:5432/db"),
        ("jdbc:postgresql://me:p/w@h:5432/db", "jdbc:postgresql://h:5432/db"),
        ("jdbc:sqlserver://h:1433;databaseName=x;user=me;password=p", "jdbc:sqlserver://h:1433;databaseName=x"),
        ("jdbc:oracle:thin:scott/tiger@//h:1521/orcl", "jdbc:oracle:thin:@//h:1521/orcl"),
        ("jdbc:oracle:thin:@h:1521:orcl", "jdbc:oracle:thin:@h:1521:orcl"),
        ("jdbc:db2://h:50000/S:user=u;password=p;", "jdbc:db2://h:50000/S"),
        ("jdbc:teradata://h/DATABASE=fin,USER=u,PASSWORD=p", "jdbc:teradata://h;DATABASE=fin"),
        (
            "jdbc:snowflake://a.snowflakecomputing.com/?user=u&db=S&schema=x",
            "jdbc:snowflake://a.snowflakecomputing.com/;db=S",
        ),
        ("jdbc:sqlserver://;serverName=h;user=u;databaseName=d", "jdbc:sqlserver://;serverName=h;databaseName=d"),
        ("jdbc:sqlite:/data/dt=1/x.db", "jdbc:sqlite:/data/dt=1/x.db"),
        ("abfss://container@account.dfs.core.windows.net/wh", "abfss://container@account.dfs.core.windows.net/wh"),
        ("hdfs://nn:8020/user/a@b", "hdfs://nn:8020/user/a@b"),
        ("file:/tmp/warehouse", "file:/tmp/warehouse"),
    ],
)
def test_uris_lose_users_passwords_and_parameters(uri: str, kept: str) -> None:
    assert without_credentials(uri) == kept
    assert kept_settings({"spark.sql.catalog.c.uri": uri})["spark.sql.catalog.c.uri"] == kept


def test_long_values_are_cut() -> None:
    assert len(kept_settings({"spark.sql.extensions": "x" * 5000})["spark.sql.extensions"]) == 1000


@pytest.mark.parametrize(
    ("properties", "engine"),
    [
        ({}, ""),
        ({"spark.plugins": "com.nvidia.spark.SQLPlugin"}, "rapids"),
        ({"spark.plugins": "com.nvidia.spark.SQLPlugin", "spark.rapids.sql.enabled": "false"}, ""),
        ({"spark.plugins": "a.B,org.apache.gluten.GlutenPlugin"}, "gluten"),
        ({"spark.plugins": "io.glutenproject.GlutenPlugin"}, "gluten"),
        ({"spark.plugins": "org.apache.spark.CometPlugin"}, "comet"),
        ({"spark.sql.extensions": "org.apache.spark.sql.blaze.BlazeSparkSessionExtension"}, "auron"),
        ({"spark.databricks.clusterUsageTags.sparkVersion": "13.3.x-photon-scala2.12"}, "photon"),
        ({"spark.databricks.clusterUsageTags.runtimeEngine": "PHOTON"}, "photon"),
    ],
)
def test_the_engine_is_told_by_plugins_and_tags(properties: dict[str, str], engine: str) -> None:
    assert engine_of(properties) == engine


@pytest.mark.parametrize(
    ("name", "platform"),
    [
        ("spark.databricks.clusterUsageTags.clusterId", "databricks"),
        ("spark.databricks.delta.optimizeWrite.enabled", ""),
        ("spark.dataproc.engine", "dataproc"),
        ("spark.synapse.workspace.name", "synapse"),
        ("spark.glue.JOB_NAME", "glue"),
        ("spark.app.name", ""),
    ],
)
def test_the_platform_is_told_by_names_of_properties(name: str, platform: str) -> None:
    assert platform_of({name: "x"}) == platform


@pytest.mark.parametrize(
    ("version", "platform"),
    [
        ("3.5.1", "oss"),
        ("4.1.0-preview1", "oss"),
        ("", "oss"),
        ("3.3.0-amzn-0", "emr"),
        ("3.5.4-amzn-0-custom", "emr"),
        ("2.4.7.7.1.7.0-551", "cloudera"),
        ("3.3.2.3.3.7190.0-91", "oss"),
        ("3.4.1.5.3-130868713", "synapse"),
    ],
)
def test_the_platform_is_told_by_the_version(version: str, platform: str) -> None:
    assert platform_of_version(version) == platform
