"""A dashboard for Grafana (10 and later) with its DuckDB data source (`motherduck-duckdb-datasource`).

Grafana asks for the data source at the import (`__inputs`). The dashboard's uid is fixed: a second import updates it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .charts import Chart, PanelCharts

Json = dict[str, Any]

_PLUGIN = "motherduck-duckdb-datasource"
_SOURCE = {"type": _PLUGIN, "uid": "${DS_LINEAGE}"}
_TYPES = {"table": "table", "bars": "barchart", "tiles": "stat"}
_HEIGHTS = {"table": 10, "bars": 9, "tiles": 4}
_COLUMNS = 24
"""Columns of Grafana's grid; a chart's width counts twelfths."""


def grafana_dashboard(panels: Sequence[PanelCharts]) -> Json:
    """Return the dashboard's JSON model with all panels."""
    charts = [(each, chart) for each in panels for chart in each.charts]
    return {
        "__inputs": [
            {
                "name": "DS_LINEAGE",
                "label": "Lineage store (DuckDB)",
                "type": "datasource",
                "pluginId": _PLUGIN,
                "pluginName": "DuckDB",
            }
        ],
        "__requires": [{"type": "datasource", "id": _PLUGIN, "name": "DuckDB", "version": "0.1.0"}],
        "uid": "eventlog-lineage",
        "title": "Spark lineage",
        "tags": ["lineage", "spark"],
        "timezone": "utc",
        "schemaVersion": 39,
        "editable": True,
        "panels": _placed(charts),
    }


def _placed(charts: Sequence[tuple[PanelCharts, Chart]]) -> list[Json]:
    """Return the panels on the grid, from left to right and from the top."""
    placed: list[Json] = []
    x = y = height = 0
    for number, (each, chart) in enumerate(charts, start=1):
        width = chart.width * _COLUMNS // 12
        if x + width > _COLUMNS:
            x, y, height = 0, y + height, 0
        placed.append(
            _panel(each, chart, number) | {"gridPos": {"x": x, "y": y, "w": width, "h": _HEIGHTS[chart.kind]}}
        )
        x, height = x + width, max(height, _HEIGHTS[chart.kind])
    return placed


def _panel(each: PanelCharts, chart: Chart, number: int) -> Json:
    target = {"refId": "A", "datasource": _SOURCE, "rawSql": chart_query(each, chart), "format": "table"}
    return {
        "id": number,
        "type": _TYPES[chart.kind],
        "title": chart.title,
        "description": f"{each.panel.question} {each.panel.note}",
        "datasource": _SOURCE,
        "targets": [target | {"rawQuery": True, "editorMode": "code"}],
        "fieldConfig": {"defaults": {}, "overrides": []},
        "options": {"xField": chart.x, "stacking": "normal", "legend": {"showLegend": len(chart.values) > 1}}
        if chart.kind == "bars"
        else {},
    }


def chart_query(each: PanelCharts, chart: Chart) -> str:
    """Return the SQL of one chart: Grafana draws what a query returns.

    Args:
        each: The panel.
        chart: One of its charts.
    """
    where = f" WHERE {chart.where}" if chart.where else ""
    if chart.kind == "table":
        return f"SELECT * FROM ({each.query}){where} LIMIT 1000"
    sums = ", ".join(f'sum("{name}") AS "{name}"' for name in chart.values)
    if chart.kind == "tiles":
        return f"SELECT {sums} FROM ({each.query}){where}"
    is_time = each.columns[chart.x].startswith(("DATE", "TIMESTAMP"))
    x = f'CAST("{chart.x}" AS VARCHAR)'
    order = "1" if is_time else "2 DESC LIMIT 25"
    return f'SELECT {x} AS "{chart.x}", {sums} FROM ({each.query}){where} GROUP BY 1 ORDER BY {order}'
