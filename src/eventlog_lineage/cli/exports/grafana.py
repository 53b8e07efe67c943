"""`export grafana`: the panels as a dashboard for Grafana."""

from __future__ import annotations

from pathlib import Path

import click

from eventlog_lineage.cli.options import examples, store_option
from eventlog_lineage.errors import DOCS

from .shared import out_option, parquet_option, write_text


@click.command(
    help="Write a Grafana dashboard with the nine panels, as JSON.\n\n"
    "Import it in Grafana and choose a DuckDB data source that opens the store's lineage.duckdb.\n\n\b\n"
    f"See {DOCS}/dashboards.md",
    epilog=examples("export grafana --output lineage.json", "export grafana --parquet s3://bucket/lineage"),
)
@parquet_option
@out_option
@store_option
def command(*, parquet: str, out: Path | None, store_dir: str) -> None:
    """Export."""
    import json  # noqa: PLC0415 - help needs none of it

    from eventlog_lineage.export.dashboards.charts import panel_charts  # noqa: PLC0415
    from eventlog_lineage.export.dashboards.grafana_model import grafana_dashboard  # noqa: PLC0415
    from eventlog_lineage.store.queries.open_store import open_store  # noqa: PLC0415

    with open_store(store_dir) as store:
        dashboard = grafana_dashboard(panel_charts(store, parquet))
    write_text(out, [json.dumps(dashboard, indent=1), "\n"])
