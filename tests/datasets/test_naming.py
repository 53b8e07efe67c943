"""Tables, paths and other datasets have one name, however the log prints them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventlog_lineage.catalog.application_facts import catalog_settings_of
from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.openlineage import openlineage_name
from eventlog_lineage.model import Dataset


@pytest.mark.parametrize(
    ("printed", "parts"),
    [
        ("db.t", ["db", "t"]),
        ("`db`.`a.b`", ["db", "a.b"]),
        ("`odd``name`", ["odd`name"]),
        ("cat.`db x`.t", ["cat", "db x", "t"]),
        ("", []),
    ],
)
def test_a_name_has_parts(printed: str, parts: list[str]) -> None:
    assert naming.split_name(printed) == parts


@pytest.mark.parametrize(
    ("printed", "name"),
    [
        ("t", "spark_catalog.default.t"),
        ("db.t", "spark_catalog.db.t"),
        ("cat.db.t", "cat.db.t"),
        ("cat.ns1.ns2.t", "cat.ns1.ns2.t"),
        ("`spark_catalog`.`db`.`t`", "spark_catalog.db.t"),
    ],
)
def test_a_tables_name_is_whole(printed: str, name: str) -> None:
    assert naming.table_name(printed) == name


def test_a_v2_table_is_named_within_its_catalog() -> None:
    assert naming.table_name("ns.t", catalog="lake") == "lake.ns.t"
    assert naming.table_name("t", database="sales") == "spark_catalog.sales.t"


@pytest.mark.parametrize(
    ("printed", "catalog", "name"),
    [
        ("ns.t", "ice", "ice.ns.t"),
        ("region.ns.t", "ice", "ice.region.ns.t"),
        ("ice.ns.t", "ice", "ice.ice.ns.t"),
        ("db.t", "spark_catalog", "spark_catalog.db.t"),
        ("other.db.t", "spark_catalog", "other.db.t"),
    ],
)
def test_a_name_next_to_its_catalog_begins_with_a_namespace(printed: str, catalog: str, name: str) -> None:
    assert naming.name_in_catalog(printed, catalog) == name


@pytest.mark.parametrize(
    ("printed", "name"),
    [("ns.t", "ice.ns.t"), ("region.ns.t", "ice.region.ns.t"), ("ice.ns.t", "ice.ns.t"), ("ice.r.ns.t", "ice.r.ns.t")],
)
def test_a_procedures_table_may_begin_with_its_catalog(printed: str, name: str) -> None:
    assert naming.name_for_procedure(printed, "ice") == name


def test_each_level_of_a_namespace_is_a_folder_of_an_iceberg_catalog() -> None:
    key = "spark.sql.catalog.ice"
    settings = {key: "org.apache.iceberg.spark.SparkCatalog", f"{key}.type": "hadoop", f"{key}.warehouse": "s3://b/w"}
    known = catalog_settings_of(settings)
    assert known.managed_location("ice.sales.t") == "s3://b/w/sales/t"
    assert known.managed_location("ice.region.sales.t") == "s3://b/w/region/sales/t"


@pytest.mark.parametrize(
    ("printed", "name"),
    [
        ("file:/data/x", "file:///data/x"),
        ("file:///data/x/", "file:///data/x"),
        ("/data/x", "file:///data/x"),
        ("s3a://bucket/key/x", "s3://bucket/key/x"),
        ("s3n://bucket//key", "s3://bucket/key"),
        ("S3://bucket/key", "s3://bucket/key"),
        ("hdfs://host:8020/path", "hdfs://host:8020/path"),
        ("hdfs:/path", "hdfs:/path"),
        ("abfss://c@acc.dfs.core.windows.net/p", "abfss://c@acc.dfs.core.windows.net/p"),
        ("gs://bucket/p", "gs://bucket/p"),
        ("dbfs:/mnt/x", "dbfs:/mnt/x"),
        ("s3://b/t/dt=2026-11-20", "s3://b/t"),
        ("s3://b/t/dt=2026-11-20/h=3/part-00000-0a1b.snappy.parquet", "s3://b/t"),
        ("file:/w/t/000000_0", "file:///w/t"),
        ("s3://bucket", "s3://bucket"),
        (" /data/x ", "file:///data/x"),
    ],
)
def test_a_path_is_a_uri_without_partitions_and_files(printed: str, name: str) -> None:
    assert naming.path_name(printed) == name


@given(st.text())
def test_a_paths_name_names_itself(path: str) -> None:
    name = naming.path_name(path)
    assert naming.path_name(name) == name


@given(st.text())
def test_any_text_has_names(text: str) -> None:
    naming.table_name(text)
    naming.short_name(text)
    naming.unnamed([text], text, "jdbc")
    for kind in ("table", "path", "topic", "jdbc"):
        for location in ("", text):
            namespace, name = openlineage_name(Dataset(text, kind, location=location))
            assert isinstance(namespace, str)
            assert isinstance(name, str)


def test_tables_know_their_place() -> None:
    table = naming.table("db.t", format="Parquet", location="s3a://b/t/")
    assert table == Dataset("spark_catalog.db.t", "table", "parquet", "s3://b/t")
    assert naming.path("s3a://b/t", format="CSV") == Dataset("s3://b/t", "path", "csv", "s3://b/t")


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("spark_catalog.default.orders", "orders"),
        ("s3://bucket/key/orders", "orders"),
        ("kafka://host:9092/clicks", "clicks"),
        ("jdbc:orders", "orders"),
        ("orders", "orders"),
    ],
)
def test_expressions_call_a_dataset_by_its_last_word(name: str, short: str) -> None:
    assert naming.short_name(name) == short


def test_names_of_any_length_are_read_in_linear_time() -> None:
    started = time.process_time()
    naming.path_name("s3://b/" + "dt=1/" * 50_000)
    naming.path_name("/" * 500_000)
    naming.split_name("`" * 200_001)
    naming.table_name("a." * 200_000)
    assert time.process_time() - started < 10
