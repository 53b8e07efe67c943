"""THE schema: every table of the store and of a harvest's output, declared once.

DuckDB's DDL, the Arrow schemas of the Parquet files and `docs/tables.md` come from here;
no column is named in a second list.
"""

from __future__ import annotations

from .declaration import APP, EXECUTION, FLAG, LONG, NUMBER, OUTPUTS, TEXT, TEXTS, TIME, Column, Table
from .execution_columns import COST, STATEMENT_FACTS
from .history_tables import LINEAGE_CHANGES, LINEAGE_SCHEMAS, SCHEMA_CHANGES, SCHEMA_VERSIONS, SEEN_SCHEMAS
from .shown_tables import SEEN_CATALOGS, SEEN_PLACES, SHOWN, SHOWN_DATASETS

EDGE = (
    Column("source_dataset", TEXT, "Where the value comes from; NULL for a column without a source."),
    Column("source_column", TEXT, "The source column, nested fields dotted."),
    Column("target_dataset", TEXT, "What is written; NULL for a query that only reads."),
    Column("target_column", TEXT, "The target column; NULL where the influence holds for the whole target."),
    Column("target_ordinal", NUMBER, "The target column's place, from 1."),
    Column("dependency", TEXT, "DIRECT or INDIRECT; NULL for a column without a source."),
    Column("transformation", TEXT, "IDENTITY, TRANSFORMATION, AGGREGATION, FILTER, JOIN, GROUP_BY, SORT, WINDOW …"),
    Column("masking", FLAG, "A hash, a mask or a count is applied on every path."),
    Column("expression", TEXT, "The whole derivation in the words of the source columns."),
    Column("confidence", TEXT, "exact, inferred or opaque."),
)
EDGE_COLUMNS = tuple(column.name for column in EDGE)

EDGE_KEY = ("source_dataset", "source_column", "target_dataset", "target_column", "dependency", "transformation")
"""Two edges of a job are one if they agree in these columns; the newest run decides on the others."""

_SPAN = (
    Column("first_seen", TIME, "Start of the first run that showed it."),
    Column("last_seen", TIME, "Start of the last run that showed it."),
    Column("run_count", LONG, "Succeeded runs that showed it."),
    Column("is_current", FLAG, "The job's last succeeded run showed it."),
)
_DATASET = (
    SHOWN[0],
    Column(
        "namespace",
        TEXT,
        "OpenLineage's namespace, as its agents make it: of the location where it is known, else the catalog's name.",
    ),
    Column("name", TEXT, "OpenLineage's name within the namespace: the location's path, else database and table."),
    *SHOWN[1:],
)
_USE = (
    Column("dataset", TEXT, "The dataset."),
    Column("direction", TEXT, "read or write."),
    Column(
        "mode",
        TEXT,
        "append, overwrite, create, merge, update, delete, maintenance …; empty for a read, view for "
        "a view that is read through: views are transparent, and table_lineage has no edge of them.",
    ),
)
_SNAPSHOT = (
    Column("snapshot_id", TEXT, "The snapshot read or made; NULL where it is unknown."),
    Column("snapshot_confidence", TEXT, "exact or inferred; NULL without a snapshot."),
)
_COUNTS = (
    Column("rows", LONG, "Rows read or written; NULL where the log has no metric."),
    Column("bytes", LONG, "Bytes read or written."),
    Column("files", LONG, "Files read or written."),
)

_BATCH = (
    *APP,
    Column("stream_query_id", TEXT, "The streaming query, the same over its restarts."),
    Column("stream_run_id", TEXT, "Its start."),
    Column("stream_batch_id", LONG, "The micro-batch."),
    Column("query_name", TEXT, "The query's name; empty where it has none."),
    Column("execution_id", LONG, "The micro-batch's own SQL execution; NULL where the log has none."),
    Column("started_at", TIME, "UTC, when the batch was triggered."),
    Column("source_number", NUMBER, "The source's place among the query's sources, from 1."),
    Column("source_dataset", TEXT, "The dataset read; NULL for a connector that prints its class only."),
    Column("source_description", TEXT, "The source as the progress event describes it."),
    Column("start_offset", TEXT, "Where the batch began, as printed; NULL for the first one."),
    Column("end_offset", TEXT, "Where it ended, as printed."),
    Column("input_rows", LONG, "Rows read from the source."),
    Column("sink_dataset", TEXT, "The dataset written; NULL where nothing is kept or the sink prints its class only."),
    Column("sink_description", TEXT, "The sink as the progress event describes it."),
    Column("output_rows", LONG, "Rows written; NULL where the sink does not count them."),
)

APPLICATIONS = Table(
    "applications",
    "an application attempt",
    (
        *APP,
        Column("app_name", TEXT, "The application's name."),
        Column("user_name", TEXT, "Who ran it."),
        Column("spark_version", TEXT, "As in the log, vendor suffixes included."),
        Column("platform", TEXT, "oss, databricks, emr, dataproc, synapse …"),
        Column("engine", TEXT, "spark, rapids, gluten, comet, auron or photon."),
        Column("started_at", TIME, "UTC."),
        Column("ended_at", TIME, "UTC; NULL while it runs or where the log breaks off."),
        Column("complete", FLAG, "The log has its end."),
        Column("log_path", TEXT, "The log it was read from."),
    ),
    per_run=True,
)

EXECUTIONS = Table(
    "executions",
    "a SQL execution",
    (
        *EXECUTION,
        Column("root_execution_id", LONG, "The execution whose statement it belongs to; itself for a root."),
        Column(
            "job_name",
            TEXT,
            "The job: the application's name and statement without what varies.",
            set_by_store=True,
        ),
        Column("description", TEXT, "The job description or the call site."),
        Column("started_at", TIME, "UTC."),
        Column("ended_at", TIME, "UTC; NULL without an End event."),
        Column("duration_ms", LONG, "From start to end."),
        Column("status", TEXT, "succeeded, failed, running or unknown."),
        Column("error", TEXT, "The error message of a failed one."),
        Column("plan_fingerprint", TEXT, "Names the plan whatever its attribute ids; see plan_nodes."),
        Column(
            "lineage_fingerprint",
            TEXT,
            "Names the statement's lineage whatever its literals; NULL for children.",
            set_by_store=True,
        ),
        Column("lineage_id", TEXT, "Names the plans of the statement; NULL for children."),
        Column("rows_written", LONG, "NULL where the log has no metric."),
        Column("bytes_written", LONG, "NULL where the log has no metric."),
        Column("files_written", LONG, "NULL where the log has no metric."),
        Column("stream_query_id", TEXT, "The streaming query of a micro-batch."),
        Column("stream_batch_id", LONG, "The micro-batch."),
        *STATEMENT_FACTS,
        *COST,
    ),
    per_run=True,
)

PLAN_NODES = Table(
    "plan_nodes",
    "an operator of a distinct plan",
    (
        Column("plan_fingerprint", TEXT, "The plan."),
        Column("node_id", NUMBER, "The node's number in this table's numbering, root first."),
        Column("parent_id", NUMBER, "The consumer; NULL for the root."),
        Column("position", NUMBER, "Which child of its parent, from 0."),
        Column("operator", TEXT, "The canonical operator."),
        Column("node_name", TEXT, "As the plan prints it."),
        Column("dataset", TEXT, "What a scan or a write names."),
        Column("outputs", OUTPUTS, "Its output attributes; ids are numbered within the plan, from 1."),
        Column("detail", TEXT, "Its arguments as printed, cut: with these numbers, and `…` for what varies by run."),
    ),
)

DATASETS = Table(
    "datasets",
    "a dataset",
    (
        *_DATASET,
        Column("first_seen", TIME, "The first statement that used it."),
        Column("last_seen", TIME, "The last statement that used it."),
        Column("catalog_name", TEXT, "The catalog of a table or view; NULL for other kinds of datasets."),
        Column("schema_name", TEXT, "The database or namespace of a table or view, its parts joined by dots."),
        Column("table_name", TEXT, "The name of a table or view without catalog and schema."),
    ),
)

DATASET_ALIASES = Table(
    "dataset_aliases",
    "a name that a dataset also goes by",
    (
        Column("dataset", TEXT, "The canonical name."),
        Column("alias", TEXT, "The other name."),
        Column("kind", TEXT, "What the alias is: location, table, short."),
    ),
)

DATASET_IO = Table(
    "dataset_io",
    "a statement's read or write of a dataset",
    (*EXECUTION, *_USE, Column("columns", TEXTS, "The columns read or written."), *_COUNTS, *_SNAPSHOT),
    per_run=True,
)

COLUMN_LINEAGE = Table(
    "column_lineage",
    "an edge of a job's lineage, over all its runs",
    (Column("job_name", TEXT, "The job."), *EDGE, *_SPAN),
)

TABLE_LINEAGE = Table(
    "table_lineage",
    "a dataset-to-dataset edge of a job",
    (
        Column("job_name", TEXT, "The job."),
        Column("source_dataset", TEXT, "The dataset read."),
        Column("target_dataset", TEXT, "The dataset written."),
        Column("mode", TEXT, "How it is written."),
        *_SPAN,
    ),
)

GAPS = Table(
    "gaps",
    "something that could not be resolved",
    (
        *EXECUTION,
        Column("reason", TEXT, "The kind of gap."),
        Column("operator", TEXT, "The operator, as the plan prints it."),
        Column("detail", TEXT, "What exactly."),
        Column("hint", TEXT, "What the user can do."),
    ),
    per_run=True,
)

STREAM_BATCHES = Table("stream_batches", "a source of a micro-batch of a streaming query", _BATCH, per_run=True)

HARVESTS = Table(
    "harvests",
    "a harvest",
    (
        Column("harvest_id", LONG, "From 1."),
        Column("started_at", TIME, "UTC."),
        Column("finished_at", TIME, "UTC."),
        Column("logs_seen", LONG, "Logs found at the sources."),
        Column("logs_read", LONG, "Logs that were new or had grown."),
        Column("logs_unchanged", LONG, "Logs that were as the store knew them."),
        Column("logs_failed", LONG, "Logs that gave nothing at all."),
        Column("bytes_read", LONG, "Bytes read from the logs, compressed as they are."),
        Column("executions", LONG, "SQL executions found."),
        Column("edges", LONG, "Distinct edges found."),
        Column("gaps", LONG, "Gaps found."),
        Column("version", TEXT, "The program's version."),
    ),
)

HARVESTED_LOGS = Table(
    "harvested_logs",
    "a log's state",
    (
        Column("log_path", TEXT, "The log: a file, or a rolling log's folder."),
        *APP,
        Column("size", LONG, "Bytes of all its files."),
        Column("modified_at", TIME, "UTC, of its newest file."),
        Column("state", TEXT, "complete, in_progress, truncated, compacted or unreadable."),
        Column("harvest_id", LONG, "The harvest that read it last.", set_by_store=True),
        Column("error", TEXT, "Why it is truncated or unreadable."),
    ),
    is_compressed=True,
)

FINGERPRINT = Column("lineage_fingerprint", TEXT, "Names the lineage, whatever its literals.")

TRACED_AT = Column("traced_at", TIME, "Start of the run whose plans were read: the first one.")

LINEAGES = Table(
    "lineages",
    "the lineage of a distinct combination of plans",
    (
        Column("lineage_id", TEXT, "Names the plans of a statement, whatever their attribute ids."),
        FINGERPRINT,
        Column("command", TEXT, "The command or `query`."),
        Column("target_dataset", TEXT, "What it writes, NULL for a query."),
        Column("mode", TEXT, "How it writes; empty for a query."),
        TRACED_AT,
    ),
)

LINEAGE_EDGES = Table(
    "lineage_edges",
    "an edge of a distinct lineage",
    (
        FINGERPRINT,
        Column("position", NUMBER, "Order within it."),
        *EDGE,
        Column("pattern", TEXT, "The expression with its literals blanked."),
        TRACED_AT,
    ),
)

LINEAGE_IO = Table(
    "lineage_io",
    "a dataset that a distinct lineage reads or writes",
    (
        FINGERPRINT,
        *_USE,
        Column("columns", TEXTS, "The columns read or written."),
    ),
)

LINEAGE_GAPS = Table(
    "lineage_gaps",
    "something that could not be resolved in a distinct lineage",
    (FINGERPRINT, *GAPS.columns[3:]),
)

IO_METRICS = Table(
    "io_metrics",
    "what one execution moved from or to a dataset",
    (
        *EXECUTION,
        Column("dataset", TEXT, "As the log names it; empty for a write: it is the statement's target."),
        Column("direction", TEXT, "read or write."),
        *_COUNTS,
    ),
    per_run=True,
)

RUN_SNAPSHOTS = Table(
    "run_snapshots",
    "a snapshot of a dataset that a statement read or made",
    (
        *EXECUTION,
        Column("dataset", TEXT, "As the log names it."),
        Column("direction", TEXT, "read or write."),
        *_SNAPSHOT,
    ),
    per_run=True,
)

TABLE_COMMITS = Table(
    "table_commits",
    "a snapshot of a table, from the table's own metadata",
    (
        Column("location", TEXT, "The URI of the table's files."),
        Column("snapshot_id", TEXT, "As the format numbers it."),
        Column("committed_at", TIME, "UTC."),
        Column("app_id", TEXT, "The application that made it; NULL if the format does not record it."),
        Column("stream_query_id", TEXT, "The streaming query that made it; NULL otherwise."),
        Column("stream_batch_id", LONG, "Its micro-batch."),
        Column("is_commit", FLAG, "Whether the snapshot was made then; else it only became current."),
        Column("is_current", FLAG, "Whether the table has the snapshot from then on."),
        Column("files", LONG, "Data files of the snapshot; NULL if the format does not record them."),
        Column("bytes", LONG, "Bytes of its files; NULL if the format does not record them."),
    ),
)

BATCH_SOURCES = Table("batch_sources", "a source of a micro-batch, as its log names it", _BATCH, per_run=True)

PUBLIC_TABLES = (
    APPLICATIONS,
    EXECUTIONS,
    PLAN_NODES,
    DATASETS,
    DATASET_ALIASES,
    DATASET_IO,
    COLUMN_LINEAGE,
    TABLE_LINEAGE,
    STREAM_BATCHES,
    SCHEMA_VERSIONS,
    SCHEMA_CHANGES,
    LINEAGE_CHANGES,
    GAPS,
    HARVESTS,
    HARVESTED_LOGS,
)
"""What CONTRACT.md promises, in DuckDB and as Parquet."""

PUBLIC_VIEWS = (DATASET_IO, STREAM_BATCHES, GAPS)
"""Those of `PUBLIC_TABLES` that are views in DuckDB: their size would follow the runs. Tables in Parquet."""

HARVEST_TABLES = (
    APPLICATIONS,
    EXECUTIONS,
    PLAN_NODES,
    SHOWN_DATASETS,
    SEEN_PLACES,
    SEEN_CATALOGS,
    LINEAGES,
    LINEAGE_EDGES,
    LINEAGE_IO,
    LINEAGE_SCHEMAS,
    LINEAGE_GAPS,
    IO_METRICS,
    RUN_SNAPSHOTS,
    BATCH_SOURCES,
    TABLE_COMMITS,
    SEEN_SCHEMAS,
    GAPS,
    HARVESTED_LOGS,
)
"""What the Spark job hands to the store: one Parquet dataset each in a staging folder."""
