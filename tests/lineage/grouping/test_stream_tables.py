"""Sinks that are a table's files: which table, by what else the application's log has."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage.catalog_settings import NO_SETTINGS, CatalogSettings
from eventlog_lineage.lineage.grouping.execution_summary import ExecutionSummary
from eventlog_lineage.lineage.grouping.stream_tables import with_table_sinks
from eventlog_lineage.lineage.stream_locations import StreamLocations
from eventlog_lineage.model import Dataset
from eventlog_lineage.plan.summary.plan_summary import PlanSummary

SHOP = CatalogSettings(warehouse="s3://lake/warehouse")


def sink(path: str, settings: CatalogSettings, *made: str, call: str = "toTable") -> str:
    runs = [ExecutionSummary(1, 1, "", 0, 1, PlanSummary("f"), changed=made, call=call)]
    streams = {"r": StreamLocations(sink=Dataset(path, "path", "", path))}
    found = with_table_sinks(streams, runs, settings)["r"].sink
    assert found is not None
    assert found.location == path
    return found.name


@pytest.mark.parametrize(
    ("path", "settings", "made", "name"),
    [
        ("s3://lake/warehouse/shop.db/t", SHOP, (), "spark_catalog.shop.t"),
        ("s3://lake/warehouse/t", SHOP, ("`default`.`t`",), "spark_catalog.default.t"),
        ("file:///home/etl/spark-warehouse/shop.db/t", NO_SETTINGS, (), "spark_catalog.shop.t"),
        ("hdfs://nn:8020/apps/shop/t", SHOP, ("`shop`.`t`",), "spark_catalog.shop.t"),
    ],
    ids=["in the warehouse", "default database", "default warehouse", "a database elsewhere"],
)
def test_a_sink_at_a_tables_location_is_the_table(
    path: str, settings: CatalogSettings, made: tuple[str, ...], name: str
) -> None:
    assert sink(path, settings, *made) == name


@pytest.mark.parametrize(
    ("path", "made"),
    [
        ("s3://lake/warehouse/t", ()),
        ("s3://lake/raw/shop.db/t", ()),
        ("s3://lake/raw/t", ("`a`.`t`", "`b`.`t`")),
        ("s3://lake/raw/other", ("`shop`.`t`",)),
    ],
)
def test_a_sink_that_is_no_tables_location_stays_a_path(path: str, made: tuple[str, ...]) -> None:
    assert sink(path, SHOP, *made) == path


def test_a_table_that_no_stream_makes_is_not_taken_for_a_path_of_its_name() -> None:
    assert sink("s3://lake/raw/t", SHOP, "`shop`.`t`", call="sql") == "s3://lake/raw/t"
