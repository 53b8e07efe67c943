"""A dashboard for Apache Superset: the ZIP that its `import-dashboards` reads (Superset 4 to 6, export version 1.0.0).

The files are JSON, which is YAML. Ids are UUIDs of the charts' names. The metadata name no type, so that both importers
take the ZIP: that of dashboards, which adds what is missing, and that of assets (`/api/v1/assets/import/`), which
replaces what has the same id (`ImportAssetsCommand`, Superset 2 to 6).
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from .charts import Chart, PanelCharts

Json = dict[str, Any]

_NAMESPACE = uuid5(NAMESPACE_URL, "eventlog-lineage/dashboards")
_VERSION = "1.0.0"
_ROOT = "eventlog_lineage"
_TIME = "1980-01-01T00:00:00+00:00"
"""The time in the metadata, fixed: the same store is exported to the same bytes."""
_HEIGHTS = {"table": 50, "bars": 50, "tiles": 20}


def superset_zip(panels: Sequence[PanelCharts], database: Path | None) -> bytes:
    """Return the ZIP of a dashboard with all panels.

    Args:
        panels: The panels.
        database: The store's `lineage.duckdb`; None for panels over Parquet, which need no file.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in _files(panels, database):
            text = json.dumps(content, ensure_ascii=True, indent=1)
            archive.writestr(zipfile.ZipInfo(f"{_ROOT}/{name}.yaml", (1980, 1, 1, 0, 0, 0)), text)
    return packed.getvalue()


def _files(panels: Sequence[PanelCharts], database: Path | None) -> Iterator[tuple[str, Json]]:
    yield "metadata", {"version": _VERSION, "timestamp": _TIME}
    yield "databases/lineage", _database(database)
    for each in panels:
        yield f"datasets/lineage/{each.panel.name}", _dataset(each)
    for each in panels:
        for chart in each.charts:
            yield f"charts/{chart.name}", _chart(each, chart)
    yield "dashboards/lineage", _dashboard(panels)


def _id(name: str) -> str:
    return str(uuid5(_NAMESPACE, name))


def _database(database: Path | None) -> Json:
    uri = f"duckdb:///{database}" if database else "duckdb:///:memory:"
    arguments = {"connect_args": {"read_only": True}} if database else {}
    return {
        "database_name": "Spark lineage",
        "sqlalchemy_uri": uri,
        "cache_timeout": None,
        "expose_in_sqllab": True,
        "allow_run_async": False,
        "allow_ctas": False,
        "allow_cvas": False,
        "allow_dml": False,
        "allow_csv_upload": False,
        "extra": {"engine_params": arguments, "metadata_params": {}, "schemas_allowed_for_csv_upload": []},
        "uuid": _id("database"),
        "version": _VERSION,
    }


def _dataset(each: PanelCharts) -> Json:
    columns = [
        {
            "column_name": name,
            "is_dttm": kind.startswith(("DATE", "TIMESTAMP")),
            "is_active": True,
            "type": kind,
            "groupby": True,
            "filterable": True,
        }
        for name, kind in each.columns.items()
    ]
    summed = dict.fromkeys(name for chart in each.charts for name in chart.values)
    metrics = [
        {"metric_name": f"sum_{name}", "verbose_name": name, "metric_type": "sum", "expression": f'sum("{name}")'}
        for name in summed
    ]
    return {
        "table_name": f"lineage: {each.panel.title}",
        "main_dttm_col": None,
        "description": f"{each.panel.question} {each.panel.note}",
        "default_endpoint": None,
        "offset": 0,
        "cache_timeout": None,
        "schema": "main",
        "sql": each.query,
        "params": None,
        "template_params": None,
        "filter_select_enabled": True,
        "fetch_values_predicate": None,
        "extra": None,
        "uuid": _id(f"dataset {each.panel.name}"),
        "metrics": metrics,
        "columns": columns,
        "version": _VERSION,
        "database_uuid": _id("database"),
    }


def _chart(each: PanelCharts, chart: Chart) -> Json:
    return {
        "slice_name": chart.title,
        "description": f"{each.panel.question} {each.panel.note}",
        "viz_type": _VISUALS[chart.kind],
        "params": {"viz_type": _VISUALS[chart.kind], "adhoc_filters": _filters(chart), **_drawn(each, chart)},
        "cache_timeout": None,
        "uuid": _id(f"chart {chart.name}"),
        "version": _VERSION,
        "dataset_uuid": _id(f"dataset {each.panel.name}"),
    }


_VISUALS = {"table": "table", "bars": "echarts_timeseries_bar", "tiles": "big_number_total"}


def _filters(chart: Chart) -> list[Json]:
    if not chart.where:
        return []
    return [{"expressionType": "SQL", "clause": "WHERE", "sqlExpression": chart.where}]


def _drawn(each: PanelCharts, chart: Chart) -> Json:
    """Return the parameters of a chart's kind.

    Args:
        each: The panel's charts.
        chart: The chart.
    """
    if chart.kind == "table":
        return {"query_mode": "raw", "all_columns": list(each.columns), "row_limit": 1000, "order_by_cols": []}
    metrics = [f"sum_{name}" for name in chart.values]
    if chart.kind == "tiles":
        return {"metric": metrics[0], "header_font_size": 0.4}
    is_time = each.columns[chart.x].startswith(("DATE", "TIMESTAMP"))
    return {
        "x_axis": chart.x,
        "time_grain_sqla": "P1D" if is_time else None,
        "metrics": metrics,
        "groupby": [],
        "stack": "Stack" if len(metrics) > 1 else None,
        "row_limit": 1000 if is_time else 25,
        "orientation": "vertical" if is_time else "horizontal",
        "show_legend": len(metrics) > 1,
        "truncate_metric": True,
        "x_axis_sort": None if is_time else metrics[0],
        "x_axis_sort_asc": False,
    }


def _dashboard(panels: Sequence[PanelCharts]) -> Json:
    return {
        "dashboard_title": "Spark lineage",
        "description": "The nine panels of eventlog-lineage.",
        "css": "",
        "slug": "spark-lineage",
        "uuid": _id("dashboard"),
        "position": _position([chart for each in panels for chart in each.charts]),
        "metadata": {"timed_refresh_immune_slices": [], "expanded_slices": {}, "refresh_frequency": 0},
        "version": _VERSION,
    }


def _position(charts: Sequence[Chart]) -> Json:
    """Return the grid: charts from left to right, twelve columns to a row."""
    rows: list[list[Chart]] = []
    for chart in charts:
        if not rows or sum(each.width for each in rows[-1]) + chart.width > 12:
            rows.append([])
        rows[-1].append(chart)
    names = [f"ROW-{number}" for number in range(len(rows))]
    position: Json = {
        "DASHBOARD_VERSION_KEY": "v2",
        "ROOT_ID": {"type": "ROOT", "id": "ROOT_ID", "children": ["GRID_ID"]},
        "GRID_ID": {"type": "GRID", "id": "GRID_ID", "children": names, "parents": ["ROOT_ID"]},
        "HEADER_ID": {"type": "HEADER", "id": "HEADER_ID", "meta": {"text": "Spark lineage"}},
    }
    for name, row in zip(names, rows, strict=True):
        parents = ["ROOT_ID", "GRID_ID"]
        ids = [f"CHART-{chart.name}" for chart in row]
        meta: Mapping[str, Any] = {"background": "BACKGROUND_TRANSPARENT"}
        position[name] = {"type": "ROW", "id": name, "children": ids, "parents": parents, "meta": meta}
        for key, chart in zip(ids, row, strict=True):
            position[key] = {
                "type": "CHART",
                "id": key,
                "children": [],
                "parents": [*parents, name],
                "meta": {
                    "chartId": UUID(_id(f"chart {chart.name}")).int % 2**31,
                    "uuid": _id(f"chart {chart.name}"),
                    "sliceName": chart.title,
                    "width": chart.width,
                    "height": _HEIGHTS[chart.kind],
                },
            }
    return position
