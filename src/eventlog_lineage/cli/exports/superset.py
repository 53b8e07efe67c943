"""`export superset`: the panels as an import for Apache Superset."""

from __future__ import annotations

from pathlib import Path

import click

from eventlog_lineage.cli.options import examples, output_option, store_option
from eventlog_lineage.errors import DOCS, LineageError
from eventlog_lineage.output_file import replaced

from .shared import parquet_option


@click.command(
    help="Write a ZIP with a database, datasets, charts and a dashboard of the nine panels.\n\n"
    "`superset import-dashboards -p FILE` imports it, POST /api/v1/assets/import/ updates it.\n\n\b\n"
    f"See {DOCS}/dashboards.md",
    epilog=examples(
        "export superset --output lineage.zip", "export superset --output l.zip --parquet s3://bucket/lineage"
    ),
)
@parquet_option
@click.option(
    "--database",
    metavar="PATH",
    help="Path of lineage.duckdb as Superset's server sees it.  [default: that of the store]",
)
@output_option(
    "out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The file; it is replaced as a whole."
)
@store_option
def command(*, parquet: str, database: str | None, out: Path, store_dir: str) -> None:
    """Export."""
    from eventlog_lineage.export.dashboards.charts import panel_charts  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.export.dashboards.superset_import import superset_zip  # noqa: PLC0415
    from eventlog_lineage.store.queries.open_store import open_store  # noqa: PLC0415
    from eventlog_lineage.store.schema.database import DATABASE_NAME  # noqa: PLC0415

    with open_store(store_dir) as store:
        file = Path(database) if database else (store.store / DATABASE_NAME).absolute()
        packed = superset_zip(panel_charts(store, parquet), None if parquet else file)
    try:
        with replaced(out) as written:
            written.write_bytes(packed)
    except OSError as error:
        raise LineageError(f"cannot write: {error.strerror or error}", str(out)) from error
