"""The panels as dashboards: every chart's SQL runs over the database and over Parquet, with the columns it draws."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sqlglot

from eventlog_lineage.cli.main import run
from eventlog_lineage.export.dashboards import PanelCharts, panel_charts, superset_zip
from eventlog_lineage.store.panels import PANELS
from eventlog_lineage.store.queries.open_store import open_store
from support.stores.shop import open_shop

DATABASE = Path("/data/lineage.duckdb")
GRAFANA = Path(__file__).parents[2] / "scripts" / "dashboards" / "grafana.json"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dashboards") / "it's a store"
    open_shop(folder)
    return folder


def panels(store: Path, parquet: str = "") -> list[PanelCharts]:
    with open_store(store) as opened:
        return panel_charts(opened, parquet)


def unpacked(packed: bytes) -> dict[str, Any]:
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        return {name: json.loads(archive.read(name)) for name in archive.namelist()}


def test_every_panel_is_drawn() -> None:
    assert [panel.name for panel in PANELS if not panel.charts or not panel.columns] == []


def test_a_chart_draws_columns_of_its_panel(store: Path) -> None:
    for each in panels(store):
        for chart in each.panel.charts:
            assert {*chart.values, *filter(None, [chart.x])} <= each.columns.keys()


def test_a_panels_query_gives_the_same_rows_over_the_database_and_over_parquet(store: Path) -> None:
    with open_store(store) as opened, duckdb.connect() as plain:
        for own, files in zip(panel_charts(opened), panel_charts(opened, str(store)), strict=True):
            answer = opened.ask(own.query)
            assert answer.names == tuple(own.columns)
            assert plain.execute(files.query).fetchall() == answer.rows
            assert not [kind for kind in own.columns.values() if kind.endswith("[]")]


@pytest.mark.parametrize("parquet", ["", "s3://bucket/lineage"])
def test_supersets_parser_reads_every_query(store: Path, parquet: str) -> None:
    """Superset parses a dataset's SQL with sqlglot before it runs it."""
    for each in panels(store, parquet):
        assert sqlglot.parse_one(each.query, dialect="duckdb").find(sqlglot.exp.Select)


def test_the_grafana_dashboard_shows_every_chart_by_the_query_of_its_panel(store: Path) -> None:
    """The file is written by hand: a panel's query that changes is changed there, too."""
    drawn = {panel["title"]: panel["targets"][0]["rawSql"] for panel in json.loads(GRAFANA.read_text())["panels"]}
    with open_store(store) as opened:
        for each in panel_charts(opened):
            for chart in each.panel.charts:
                assert each.query in drawn[chart.title]
                names = opened.ask(drawn.pop(chart.title)).names
                assert names == (
                    {"table": (*each.columns,), "tiles": chart.values}.get(chart.kind) or (chart.x, *chart.values)
                )
    assert not drawn


def test_the_superset_import_refers_to_what_it_contains(store: Path) -> None:
    files = unpacked(superset_zip(panels(store), DATABASE))
    ids = {content["uuid"] for content in files.values() if "uuid" in content}
    assert len(ids) == len(files) - 1
    for content in files.values():
        assert {content[key] for key in ("database_uuid", "dataset_uuid") if key in content} <= ids
    dashboard = files["eventlog_lineage/dashboards/lineage.yaml"]["position"]
    drawn = [item["meta"]["uuid"] for item in dashboard.values() if isinstance(item, dict) and item["type"] == "CHART"]
    charts = {content["uuid"] for name, content in files.items() if "/charts/" in name}
    assert sorted(drawn) == sorted(charts)
    assert files["eventlog_lineage/databases/lineage.yaml"]["sqlalchemy_uri"] == "duckdb:////data/lineage.duckdb"


def test_a_superset_chart_names_metrics_and_columns_of_its_dataset(store: Path) -> None:
    files = unpacked(superset_zip(panels(store), DATABASE))
    datasets = {content["uuid"]: content for name, content in files.items() if "/datasets/" in name}
    for chart in (content for name, content in files.items() if "/charts/" in name):
        dataset, params = datasets[chart["dataset_uuid"]], chart["params"]
        metrics = {metric["metric_name"] for metric in dataset["metrics"]}
        columns = {column["column_name"] for column in dataset["columns"]}
        assert {*params.get("metrics", []), *filter(None, [params.get("metric")])} <= metrics
        assert {*params.get("all_columns", []), *filter(None, [params.get("x_axis")])} <= columns


def test_a_second_export_has_the_same_bytes(store: Path) -> None:
    assert superset_zip(panels(store), DATABASE) == superset_zip(panels(store), DATABASE)


def test_the_command_writes_the_import(store: Path, tmp_path: Path) -> None:
    assert run(["export", "superset", "--out", str(tmp_path / "lineage.zip"), "--store", str(store)]) == 0
    database = unpacked((tmp_path / "lineage.zip").read_bytes())["eventlog_lineage/databases/lineage.yaml"]
    assert database["sqlalchemy_uri"] == f"duckdb:///{store}/lineage.duckdb"
