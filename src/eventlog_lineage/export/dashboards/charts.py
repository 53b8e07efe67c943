"""How the panels are drawn, whatever program draws them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from eventlog_lineage.store.panels import PANELS, Panel
from eventlog_lineage.store.queries.open_store import OpenStore
from eventlog_lineage.store.schema.tables import PUBLIC_TABLES

Kind = Literal["table", "bars", "tiles"]


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart over the rows of a panel.

    Attributes:
        name: Unique among all charts; what ids are made of.
        title: Above the chart.
        kind: Rows as a table, bars along `x`, or one number.
        x: The column along which the bars are; empty for other kinds.
        values: The columns whose sums are drawn, stacked.
        where: A condition on the panel's rows; empty for all.
        width: Of twelve.
    """

    name: str
    title: str
    kind: Kind
    x: str = ""
    values: tuple[str, ...] = ()
    where: str = ""
    width: int = 12


@dataclass(frozen=True, slots=True)
class PanelCharts:
    """A panel with its charts and its query as a dashboard runs it.

    Attributes:
        panel: The question.
        query: The panel's query; lists are texts, and tables are Parquet files if the dashboard reads these.
        columns: Name and DuckDB type of each column, in order.
        charts: How its rows are drawn.
    """

    panel: Panel
    query: str
    columns: Mapping[str, str]
    charts: tuple[Chart, ...]


_STATUS = ("succeeded", "failed", "unfinished")

CHARTS: Mapping[str, tuple[Chart, ...]] = {
    "nights": (
        Chart("nights_statements", "Statements by night", "bars", "day", _STATUS, width=6),
        Chart("nights_seconds", "Seconds by night", "bars", "day", ("seconds",), width=6),
    ),
    "failures": (Chart("failures", "Last failures, and who waits for them", "table"),),
    "late": (Chart("late", "Late tables", "table"),),
    "do_not_break": (
        Chart("do_not_break_bars", "Columns with the most dependants", "bars", "column_name", ("columns",), width=6),
        Chart("do_not_break", "Columns that must not break", "table", width=6),
    ),
    "personal_data": (Chart("personal_data", "Personal data that arrives unmasked", "table"),),
    "changes": (Chart("changes", "Changes, and what they broke", "table"),),
    "removable": (Chart("removable", "What can be removed", "table"),),
    "cost": (
        Chart("cost_jobs", "Seconds by job", "bars", "name", ("seconds",), "kind = 'job'", width=6),
        Chart("cost", "Cost of jobs and datasets", "table", width=6),
    ),
    "trust": (
        Chart("trust_exact", "Exact edges", "tiles", "", ("count",), "topic = 'edges' AND item = 'exact'", 3),
        Chart("trust_opaque", "Opaque edges", "tiles", "", ("count",), "topic = 'edges' AND item = 'opaque'", 3),
        Chart("trust_gaps", "Gaps", "tiles", "", ("count",), "topic = 'gaps'", 3),
        Chart("trust_harvests", "Harvests", "tiles", "", ("count",), "topic = 'harvests'", 3),
        Chart("trust", "How sure this is", "table"),
    ),
}
"""The charts of each panel, by the panel's name."""


def panel_charts(store: OpenStore, parquet: str = "") -> list[PanelCharts]:
    """Return all panels as a dashboard shows them.

    Args:
        store: The store, for the types of the columns.
        parquet: Where dashboards find the store's Parquet folders, a path or an address such as `s3://bucket/lineage`;
            empty for dashboards that read `lineage.duckdb`.
    """
    return [_panel(store, panel, parquet) for panel in PANELS]


def _panel(store: OpenStore, panel: Panel, parquet: str) -> PanelCharts:
    types = {str(name): str(kind) for name, kind, *_ in store.ask(f"DESCRIBE {panel.query}").rows}
    lists = [name for name, kind in types.items() if kind.endswith("[]")]
    texts = ", ".join(f'array_to_string("{name}", \', \') AS "{name}"' for name in lists)
    replaced = f" REPLACE ({texts})" if texts else ""
    query = f"{_tables(panel.query, parquet)}SELECT *{replaced} FROM (\n{panel.query.strip()}\n)"
    shown = {name: "VARCHAR" if name in lists else kind for name, kind in types.items()}
    return PanelCharts(panel, query, shown, CHARTS[panel.name])


def _tables(query: str, parquet: str) -> str:
    """Return the WITH clause that replaces the tables of a query, if these are Parquet files.

    Args:
        query: The chart's query.
        parquet: The folder of Parquet files; empty for the database.
    """
    if not parquet:
        return ""
    folder = parquet.rstrip("/").replace("'", "''")
    used = [table.name for table in PUBLIC_TABLES if re.search(rf"\b{table.name}\b", query)]
    files = (
        f"\"{name}\" AS (FROM read_parquet('{folder}/{name}/**/*.parquet', hive_partitioning = true))" for name in used
    )
    return "WITH " + ",\n".join(files) + "\n"
