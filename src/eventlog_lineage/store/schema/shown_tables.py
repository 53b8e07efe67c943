"""Tables of what logs show of datasets and catalogs, from which their names and locations follow."""

from __future__ import annotations

from .declaration import TEXT, TIME, Column, Table

SHOWN = (
    Column("dataset", TEXT, "The dataset's canonical name."),
    Column("kind", TEXT, "table, path, topic, view, temp_view, jdbc, stream, other."),
    Column("format", TEXT, "parquet, csv, jdbc …; empty if no log has it."),
    Column("location", TEXT, "The URI of its files; empty if no log has it."),
)
"""What a statement can show of a dataset."""

SEEN_DATASETS = Table("seen_datasets", "a dataset as the statements show it that used it last", SHOWN)

SHOWN_DATASETS = Table(
    "shown_datasets",
    "what the statements of a lineage show of a dataset, or of a table the place of its files alone",
    (
        Column("lineage_id", TEXT, "The lineage."),
        *SHOWN,
        Column("shown_at", TIME, "Start of the last run of the lineage.", set_by_store=True),
    ),
)

SEEN_PLACES = Table(
    "seen_places",
    "a table and a place of its files, as the warehouse of an application has them",
    (
        Column("dataset", TEXT, "The table's name."),
        Column("location", TEXT, "The URI of its files."),
        Column("shown_at", TIME, "Start of the application."),
    ),
)

SEEN_CATALOGS = Table(
    "seen_catalogs",
    "a catalog of an application, as its settings show it",
    (
        Column("catalog", TEXT, "The catalog's name in Spark."),
        Column("namespace", TEXT, "OpenLineage's namespace of its tables: metastore, address or warehouse."),
        Column("shown_at", TIME, "Start of the application."),
    ),
)
