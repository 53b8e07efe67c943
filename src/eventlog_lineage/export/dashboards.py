"""A store for other programs: a table as CSV, one database file, the panels as an import for Superset."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, UUID, uuid5

import duckdb

from eventlog_lineage.errors import LineageError
from eventlog_lineage.safe_text import replaced, spreadsheet_cell, temporary_folder
from eventlog_lineage.store.panels import PANELS, Chart, Panel
from eventlog_lineage.store.queries.open_store import OpenStore
from eventlog_lineage.store.schema.creation import make_schema, make_views, migrate
from eventlog_lineage.store.schema.database import (
    DATABASE_NAME,
    move_database,
    open_for_writing,
    together,
    writable_path,
)
from eventlog_lineage.store.schema.internal_tables import RUN_TABLES
from eventlog_lineage.store.schema.relations import (
    RUNS_FOLDER,
    comment_on,
    create_table,
    day_files,
    quoted,
    read_files,
    stored_name,
)
from eventlog_lineage.store.schema.tables import PUBLIC_TABLES
from eventlog_lineage.store.versions.folder import copy_file

if TYPE_CHECKING:
    from eventlog_lineage.store.schema.declaration import Table


LINEAGE = "column_lineage"

_CHUNK = 10_000
_ENDS = {"column_lineage", "table_lineage"}
"""Tables with a source and a target dataset: OpenLineage's names and the systems of both follow their own columns."""


def csv_lines(store: OpenStore, table: str = LINEAGE, *, raw: bool = False, current: bool = False) -> Iterator[str]:
    r"""Return a table's lines, the header first; each ends in `\r\n`.

    Args:
        raw: Write texts as they are. Else a text that a spreadsheet would take for a formula begins with `'`, and
            control and invisible characters are escaped.
        current: Only rows with `is_current`, in tables that have it.
    """
    text = str if raw else spreadsheet_cell
    columns = [str(row[0]) for row in store.ask(f"DESCRIBE {quoted(table)}").rows]
    cursor = store.connection.execute(_query(table, columns, current=current))
    yield _line([name for name, *_ in cursor.description or ()], text)
    while rows := cursor.fetchmany(_CHUNK):
        yield "".join(_line(row, text) for row in rows)


def _query(table: str, columns: Sequence[str], *, current: bool) -> str:
    where = " WHERE l.is_current" if current and "is_current" in columns else ""
    if table not in _ENDS:
        return f"SELECT l.* FROM {quoted(table)} l{where} ORDER BY ALL"
    names = ", ".join(f'{end}.namespace AS {end}_namespace, {end}."name" AS {end}_name' for end in ("source", "target"))
    names += "".join(f', {end}."system" AS {end}_system' for end in ("source", "target"))
    joins = " ".join(f"LEFT JOIN datasets {end} ON {end}.dataset = l.{end}_dataset" for end in ("source", "target"))
    return f"SELECT l.*, {names} FROM {quoted(table)} l {joins}{where} ORDER BY ALL"


def _line(values: Sequence[object], text: Callable[[str], str]) -> str:
    line = StringIO()
    csv.writer(line, lineterminator="\r\n").writerow([_cell(value, text) for value in values])
    return line.getvalue()


def _cell(value: object, text: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return text(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, (list, dict, tuple)):
        return text(json.dumps(value, ensure_ascii=False, default=str))
    return value


def write_database(store: OpenStore, out: Path) -> None:
    """Write all tables, views and macros of a store to one file; the runs are tables in it, not views over Parquet.

    Raises:
        LineageError: The file cannot be written.
    """
    try:
        with replaced(out) as written, temporary_folder() as scratch:
            database = writable_path(written)
            copy_file(store.version / DATABASE_NAME, database)
            _fill(store.version, database, scratch)
            move_database(database, written)
    except (OSError, duckdb.Error) as error:
        words = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise LineageError(f"cannot write: {words}", str(out)) from None


def _fill(version: Path, database: Path, scratch: Path) -> None:
    """Make tables of the views over a version's runs, in a copy of its database."""
    with open_for_writing(database, scratch) as connection:
        connection.execute("SET preserve_insertion_order = true")  # traces name edges by their row numbers
        with together(connection):
            make_schema(connection)
            for table in RUN_TABLES:
                connection.execute(f"DROP VIEW {stored_name(table)}")
                _store_runs(connection, table, [file for _, file in day_files(version, table)])
            migrate(connection)
            make_views(connection, over_files=False)
            connection.execute(f"DELETE FROM store_facts WHERE fact = '{RUNS_FOLDER}'")
        connection.execute("CHECKPOINT")


def _store_runs(connection: duckdb.DuckDBPyConnection, table: Table, files: Sequence[str]) -> None:
    connection.execute(create_table(table, stored_name(table)))
    connection.execute(comment_on(table, stored_name(table)))
    if files:
        connection.execute(f"INSERT INTO {stored_name(table)} BY NAME FROM {read_files(files, by_name=True)}")


@dataclass(frozen=True, slots=True)
class PanelCharts:
    """A panel with its charts and its query as a dashboard runs it.

    Attributes:
        query: The panel's query; lists are texts, and tables are Parquet files if the dashboard reads these.
        columns: Name and DuckDB type of each column, in order.
    """

    panel: Panel
    query: str
    columns: Mapping[str, str]


def panel_charts(store: OpenStore, parquet: str = "") -> list[PanelCharts]:
    """Return all panels as a dashboard shows them.

    Args:
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
    return PanelCharts(panel, query, shown)


def _tables(query: str, parquet: str) -> str:
    """Return the WITH clause that replaces the tables of a query, if these are Parquet files."""
    if not parquet:
        return ""
    folder = parquet.rstrip("/").replace("'", "''")
    used = [table.name for table in PUBLIC_TABLES if re.search(rf"\b{table.name}\b", query)]
    files = (
        f"\"{name}\" AS (FROM read_parquet('{folder}/{name}/**/*.parquet', hive_partitioning = true))" for name in used
    )
    return "WITH " + ",\n".join(files) + "\n"


Json = dict[str, Any]

_NAMESPACE = uuid5(NAMESPACE_URL, "eventlog-lineage/dashboards")
_VERSION = "1.0.0"
_ROOT = "eventlog_lineage"
_TIME = "1980-01-01T00:00:00+00:00"
"""The time in the metadata, fixed: the same store is exported to the same bytes."""
_ROW_HEIGHTS = {"table": 50, "bars": 50, "tiles": 20}


def superset_zip(panels: Sequence[PanelCharts], database: Path | None) -> bytes:
    """Return the ZIP of a dashboard with all panels; over Parquet it needs no database."""
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
        for chart in each.panel.charts:
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
    summed = dict.fromkeys(name for chart in each.panel.charts for name in chart.values)
    metrics = [
        {"metric_name": f"sum_{name}", "verbose_name": name, "metric_type": "sum", "expression": f'sum("{name}")'}
        for name in summed
    ]
    return {
        "table_name": f"lineage: {each.panel.title}",
        "description": f"{each.panel.question} {each.panel.note}",
        "schema": "main",
        "sql": each.query,
        "filter_select_enabled": True,
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
    """Return the parameters of a chart's kind."""
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
        "position": _position([chart for each in panels for chart in each.panel.charts]),
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
                    "height": _ROW_HEIGHTS[chart.kind],
                },
            }
    return position
