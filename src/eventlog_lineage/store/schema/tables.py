"""The tables of the store and of a harvest's output, each declared once; those of `declared_tables` are public, too.

DuckDB's DDL, the Arrow schemas of the Parquet files and `docs/tables.md` come from here.
"""

from __future__ import annotations

from eventlog_lineage.store.schema.declaration import (
    APP,
    EXECUTION,
    FLAG,
    LONG,
    NUMBER,
    OUTPUTS,
    SHOWN,
    TEXT,
    TEXTS,
    TIME,
    Column,
    Table,
)

from .declaration import DECLARATIONS, ORIGIN, TAGS

STATEMENT_FACTS = (
    Column("sql_text", TEXT, "The statement's SQL, redacted and cut at 10,000 characters; NULL if the log omits it."),
    Column(
        "user_name",
        TEXT,
        "Who sent the statement to a server (Connect, Thrift); NULL: the user of its application, if it is known.",
    ),
    Column("scheduler", TEXT, "airflow, dbt, databricks, oozie, synapse, glue …; NULL if no property names one."),
    Column("scheduler_task", TEXT, "The scheduler's task that ran it: `nightly.load_orders`, `model.shop.orders`."),
    Column("scheduler_run", TEXT, "The task's run, as the scheduler names it; dbt's target."),
)
"""Where a statement comes from: its SQL and its scheduler."""

COST = (
    Column(
        "executor_run_ms", LONG, "Time of executors in tasks; a root has that of its whole statement. NULL: unknown."
    ),
    Column("executor_cpu_ms", LONG, "CPU time of tasks, without native engines and Python workers."),
    Column("input_bytes", LONG, "Bytes read from storage."),
    Column("shuffle_read_bytes", LONG, "Bytes read from shuffles."),
    Column("shuffle_write_bytes", LONG, "Bytes written to shuffles."),
    Column("memory_spilled_bytes", LONG, "Bytes spilled to disk, as they were in memory."),
    Column("disk_spilled_bytes", LONG, "The same bytes, as they are on disk."),
)
"""What it costs; the fields of `RunCost`."""


SHOWN_COLUMNS = (
    Column("dataset", TEXT, "The dataset's canonical name."),
    Column("kind", TEXT, "table, path, topic, view, temp_view, jdbc, stream, exposure, other, symlink."),
    Column("format", TEXT, "parquet, csv, jdbc …; empty if no log has it."),
    Column("location", TEXT, "The URI of its files; empty if no log has it; of a symlink the canonical name."),
)
"""What a statement can show of a dataset."""

SEEN_DATASETS = Table("seen_datasets", "a dataset as the statements show it that used it last", SHOWN_COLUMNS)

SHOWN_DATASETS = Table(
    "shown_datasets",
    "what the statements of a lineage show of a dataset, or of a table the place of its files alone",
    (
        Column("lineage_id", TEXT, "The lineage."),
        *SHOWN_COLUMNS,
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
        Column("namespace", TEXT, "OpenLineage's namespace of its tables: metastore, address, warehouse, prefix."),
        Column("warehouse", TEXT, "The session catalog's folder of managed tables, a URI; empty for other catalogs."),
        Column("shown_at", TIME, "Start of the application."),
    ),
)


SCHEMA_VERSIONS = Table(
    "schema_versions",
    "a column of a version of a dataset's schema",
    (
        Column("dataset", TEXT, "The dataset."),
        Column("version", NUMBER, "From 1; a dataset that goes on under another name begins at 1 again."),
        Column("column_name", TEXT, "The column, nested fields dotted; a struct has a row of its own."),
        Column("ordinal", NUMBER, "Its position among the version's rows, from 1; the fields of a struct follow it."),
        Column("data_type", TEXT, "As Spark's catalog prints it; empty if no statement shows it."),
        Column("valid_from", TIME, "When the version began to hold."),
        Column("valid_to", TIME, "When it ended; NULL while it holds."),
        Column("evidence", TEXT, "What showed the column: create, replace, alter, overwrite, append, read, relation …"),
    ),
)

SCHEMA_CHANGES = Table(
    "schema_changes",
    "a change of a schema",
    (
        Column("dataset", TEXT, "The dataset; of a renamed table the new name."),
        Column("version", NUMBER, "The version that it made; for a dropped table the one that it ended."),
        Column("changed_at", TIME, "The end of the statement that made it, or the start of the one that showed it."),
        Column(
            "change",
            TEXT,
            "table_created, table_replaced, table_dropped, table_renamed, column_added, column_dropped, "
            "column_renamed, column_moved, type_changed, schema_conflict.",
        ),
        Column("column_name", TEXT, "The column, a renamed one by its new name; NULL for a change of the table."),
        Column("old_value", TEXT, "The old name, type or place; of a conflict a job and its columns."),
        Column("new_value", TEXT, "The new name, type or place; of a conflict the other job and its columns."),
        Column("nature", TEXT, "widening, narrowing or other; NULL if it is no change of a type."),
        Column("evidence", TEXT, "What showed it: create, replace, alter, overwrite, append, read, relation …"),
        Column("confidence", TEXT, "exact, or inferred where it was not read from a definition or list of columns."),
        *EXECUTION,
        Column("job_name", TEXT, "The job of the statement."),
        Column("detail", TEXT, "What the statement's plan prints of it."),
    ),
)

LINEAGE_CHANGES = Table(
    "lineage_changes",
    "a change of lineage between runs",
    (
        Column("job_name", TEXT, "The job."),
        Column("target_dataset", TEXT, "The dataset that both runs write."),
        Column("target_column", TEXT, "The target column; NULL for an influence on the whole target."),
        Column("changed_at", TIME, "Start of the first run that is different."),
        Column("change", TEXT, "edge_added, edge_removed or expression_changed."),
        Column("source_dataset", TEXT, "The source of an edge; NULL for a changed expression."),
        Column("source_column", TEXT, "The source column; NULL for a column without a source."),
        Column("dependency", TEXT, "DIRECT or INDIRECT; NULL for a changed expression."),
        Column("transformation", TEXT, "The kind of the edge; NULL for a changed expression."),
        Column("old_value", TEXT, "The expression before."),
        Column("new_value", TEXT, "The expression after."),
        *EXECUTION,
    ),
)

LINEAGE_SCHEMAS = Table(
    "lineage_schemas",
    "what a distinct combination of plans shows of a dataset's schema",
    (
        Column("lineage_id", TEXT, "Names the plans: types can differ where the lineage does not."),
        Column("position", NUMBER, "Order within it."),
        Column("dataset", TEXT, "The dataset, as the log names it."),
        Column("evidence", TEXT, "create, replace, alter, rename, drop, overwrite, append, merge, update, read …"),
        Column("extent", TEXT, "What the columns are: all, some, added …; or codes, renamed, dropped."),
        Column("columns", SHOWN, "The columns, with what names the way each is made."),
        Column("ordered", FLAG, "They are in the table's order."),
        Column("words", TEXTS, "Codes of V2 changes; a table's new name."),
        Column("detail", TEXT, "What the plan prints."),
    ),
)

SEEN_SCHEMAS = Table(
    "seen_schemas",
    "a schema in a table's own metadata, as a harvest read it",
    (
        Column("location", TEXT, "The URI of the table's files."),
        Column("schema_id", TEXT, "As the format numbers it: the table's version, or the schema's own number."),
        Column("changed_at", TIME, "When the table got it, UTC; NULL if the format does not record it."),
        Column("columns", SHOWN, "Its columns in order."),
        Column("comments", TEXTS, "The comments of its columns."),
    ),
)

EDGE = (
    Column("source_dataset", TEXT, "Where the value comes from; NULL for a column without a source."),
    Column(
        "source_column",
        TEXT,
        "The source column, nested fields dotted; NULL without a source, or where the source is a whole dataset.",
    ),
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
    SHOWN_COLUMNS[0],
    Column(
        "namespace",
        TEXT,
        "OpenLineage's namespace, as its agents make it: of the location where it is known, else the catalog's name.",
    ),
    Column("name", TEXT, "OpenLineage's name within the namespace: the location's path, else database and table."),
    *SHOWN_COLUMNS[1:],
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
        Column("agents", TEXT, "Lineage agents in the driver: kyuubi, openlineage, spline; empty for none."),
        Column("code_version", TEXT, "A version, an image or a file that names one; NULL where no setting does."),
        Column("started_at", TIME, "UTC."),
        Column("ended_at", TIME, "UTC; NULL while it runs or where the log breaks off."),
        Column("complete", FLAG, "The log has its end."),
        Column("log_path", TEXT, "The log it was read from."),
        Column(
            "origin", TEXT, "spark for an event log, openlineage for events that a producer reports.", older="'spark'"
        ),
    ),
    per_run=True,
)

EXECUTIONS = Table(
    "executions",
    "a SQL execution",
    (
        *EXECUTION,
        Column("root_execution_id", LONG, "The execution whose statement it belongs to; itself for a root."),
        Column("job_name", TEXT, "The application's name and the statement, without what varies.", set_by_store=True),
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
        Column("location_confidence", TEXT, "exact, or inferred from the warehouse; NULL without a location."),
        Column("catalog_name", TEXT, "The catalog of a table or view; NULL for other kinds of datasets."),
        Column("schema_name", TEXT, "The database or namespace of a table or view, its parts joined by dots."),
        Column("table_name", TEXT, "The name of a table or view without catalog and schema."),
        Column(
            "system", TEXT, "Where it is: postgres, mongodb, kafka, s3, the scheme of its name; of a table its format."
        ),
    ),
)

DATASET_ALIASES = Table(
    "dataset_aliases",
    "a name that a dataset also goes by",
    (
        Column("dataset", TEXT, "The canonical name."),
        Column("alias", TEXT, "The other name."),
        Column("kind", TEXT, "What the alias is: location, table, short, catalog (of a database)."),
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
    (Column("job_name", TEXT, "The job."), *EDGE, *_SPAN, ORIGIN),
)

_PAIR = (
    Column("job_name", TEXT, "The job."),
    Column("source_dataset", TEXT, "The dataset read."),
    Column("target_dataset", TEXT, "The dataset written."),
    Column("mode", TEXT, "How it is written."),
)
TABLE_LINEAGE = Table("table_lineage", "a dataset-to-dataset edge of a job", (*_PAIR, *_SPAN, ORIGIN))

_JOIN = (
    Column("left_dataset", TEXT, "A dataset; of the two columns the left one comes first by its name."),
    Column("left_column", TEXT, "Its column, nested fields dotted."),
    Column("right_dataset", TEXT, "The dataset that it is joined with; the same one in a join with itself."),
    Column("right_column", TEXT, "The column that it is compared with."),
    Column("operator", TEXT, "=, <=>, <, <=, >, >=, != …, or the function that compares the two."),
    Column("expression", TEXT, "The condition, in the words of the source columns."),
)

COLUMN_JOINS = Table(
    "column_joins",
    "two columns that a job joins with each other",
    (*_JOIN, Column("job_name", TEXT, "The job."), *_SPAN[:3]),
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
    (FINGERPRINT, *_USE, Column("columns", TEXTS, "The columns read or written.")),
)

LINEAGE_JOINS = Table("lineage_joins", "two columns that a distinct lineage joins", (FINGERPRINT, *_JOIN))

LINEAGE_GAPS = Table(
    "lineage_gaps", "something that could not be resolved in a distinct lineage", (FINGERPRINT, *GAPS.columns[3:])
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
    COLUMN_JOINS,
    STREAM_BATCHES,
    SCHEMA_VERSIONS,
    SCHEMA_CHANGES,
    LINEAGE_CHANGES,
    DECLARATIONS,
    TAGS,
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
    LINEAGE_JOINS,
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
