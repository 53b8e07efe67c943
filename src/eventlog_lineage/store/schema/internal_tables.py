"""The store's internal tables: for folding in a harvest, and for answering questions."""

from __future__ import annotations

from eventlog_lineage.store.schema import tables
from eventlog_lineage.store.schema.declaration import APP, FLAG, LONG, NUMBER, TEXT, TIME, Column, Table

from .declaration import GIVEN_DECLARATIONS

LOG_GAPS = Table("log_gaps", "a gap that a harvest staged for one log or execution", tables.GAPS.columns, per_run=True)

PLACES = Table(
    "places",
    "a table and a place of its files, as all harvests saw them",
    (
        *tables.SEEN_PLACES.columns[:-1],
        Column("shown_at", TIME, "Start of the last run or application that showed it."),
    ),
)

CATALOGS = Table(
    "catalogs", "a catalog and a namespace of its tables, as all harvests saw them", tables.SEEN_CATALOGS.columns
)

DATASET_NAMES = Table(
    "dataset_names",
    "a name in the logs that is not the canonical one",
    (Column("name", TEXT, "As the logs name it."), Column("dataset", TEXT, "The canonical name.")),
)

PAST_RUNS = Table(
    "past_runs",
    "what is kept of the runs in a row of one lineage whose rows were dropped",
    (
        Column("job_name", TEXT, "The job."),
        tables.FINGERPRINT,
        Column("first_seen", TIME, "Start of the first of them."),
        Column("last_seen", TIME, "Start of the last of them."),
        Column("run_count", LONG, "How many they are."),
        Column("succeeded", FLAG, "Whether they succeeded."),
        Column("ended_at", TIME, "End of the first of them."),
        *APP,
        Column("execution_id", LONG, "The first of them."),
        Column("spark_version", TEXT, "The last one's."),
    ),
)

RUN_SERIES = Table(
    "run_series",
    "what the folded tables need of the runs in a row of one job with one lineage and one outcome",
    (
        Column("job_name", TEXT, "The job."),
        tables.FINGERPRINT,
        Column("succeeded", FLAG, "Whether they succeeded."),
        Column("first_seen", TIME, "Start of the first of them."),
        Column("last_seen", TIME, "Start of the last of them."),
        Column("run_count", LONG, "How many they are."),
        *APP,
        Column("execution_id", LONG, "The first of them."),
        Column("spark_version", TEXT, "The first one's."),
        Column("last_spark_version", TEXT, "The last one's."),
    ),
)

DROPPED_APPLICATIONS = Table(
    "dropped_applications",
    "an application attempt whose rows were dropped",
    (*APP, Column("started_at", TIME, "Its start; NULL if it is unknown."), Column("app_name", TEXT, "Its name.")),
)

_OBSERVATION = (
    Column("lineage_id", TEXT, "With position: what was shown."),
    Column("position", NUMBER, "With lineage_id: what was shown."),
    Column("job_name", TEXT, "The job."),
    Column("seen_at", TIME, "When it holds: a write's end, a read's start."),
    *APP,
    Column("execution_id", LONG, "The statement."),
)
_DESCRIPTION = Column("description", TEXT, "The statement's own words, where what it prints are hash codes.")

SCHEMA_OBSERVATIONS = Table(
    "schema_observations",
    "an observation without which a schema's history would be another one",
    (*_OBSERVATION, Column("dataset", TEXT, "The dataset, by its canonical name."), _DESCRIPTION),
)

SCHEMA_GAPS = Table(
    "schema_gaps",
    "a gap that follows from all observations of a dataset's schema",
    (Column("dataset", TEXT, "The dataset, by its canonical name."), *tables.GAPS.columns),
)

TABLE_SCHEMAS = Table(
    "table_schemas",
    "a schema in a table's own metadata, as the harvests with --table-metadata read it",
    tables.SEEN_SCHEMAS.columns,
)

SELECTED_OBSERVATIONS = Table(
    "selected_observations",
    "an observation that a schema's history is made from: of equal ones the first and the last are kept",
    (
        Column("dataset", TEXT, "The dataset, by its canonical name."),
        Column("content", TEXT, "Names what was shown."),
        Column("is_repeatable", FLAG, "A statement may show it again without a change; false for a definition."),
        Column("is_complete", FLAG, "It lists all columns."),
        Column("is_conflicting", FLAG, "Other observations of its time disagree."),
        *_OBSERVATION,
        _DESCRIPTION,
    ),
)

OBSERVED_UNTIL = Table(
    "observed_until",
    "the time of the last observation of a dataset, whether it is selected or not",
    (Column("dataset", TEXT, "The dataset, by its canonical name."), Column("seen_at", TIME, "When.")),
)

SCHEMA_DIGESTS = Table(
    "schema_digests",
    "what a dataset's history was made from last",
    (Column("dataset", TEXT, "The dataset, by its canonical name."), Column("digest", TEXT, "Names the observations.")),
)

STORE_FACTS = Table(
    "store_facts",
    "a fact about the store itself",
    (
        Column("fact", TEXT, "schema_version, job_name_rule or landing_files."),
        Column("value", TEXT, "Its value; the rule's patterns are one a line."),
    ),
)

TRACE_NAMES = Table(
    "trace_names",
    "a name or an ending of a name that a question may use for a dataset",
    (
        Column("name", TEXT, "In lower case."),
        Column("dataset_number", LONG, "The dataset."),
        Column("whole", FLAG, "The dataset's whole name or alias, not an ending."),
    ),
)

TRACE_DATASETS = Table(
    "trace_datasets",
    "a dataset, as questions number it",
    (
        Column("dataset_number", LONG, "From 1, in the order of the names."),
        Column("dataset", TEXT, "The canonical name."),
    ),
)

TRACE_COLUMNS = Table(
    "trace_columns",
    "a column that a current edge or a statement names",
    (
        Column("node", LONG, "The dataset's number times 2^24, plus the column's number within it, from 1."),
        Column("dataset_number", LONG, "The dataset."),
        Column("column_name", TEXT, "The column, nested fields dotted."),
    ),
)

TRACE_EDGES = Table(
    "trace_edges",
    "a current edge between columns, as questions follow it",
    (
        Column("source_node", LONG, "The source column."),
        Column("target_node", LONG, "The target column; the dataset's number times 2^24 for the whole dataset."),
        Column("edge", LONG, "The row of column_lineage, by its rowid."),
        Column("direct", FLAG, "Whether the dependency is DIRECT."),
        Column("way", NUMBER, "0 both ways; 1 only upstream, 2 only downstream, for parent and child fields."),
    ),
)

TRACE_PAIRS = Table(
    "trace_pairs",
    "two datasets with a current edge between them",
    (
        Column("source_number", LONG, "The dataset read."),
        Column("target_number", LONG, "The dataset written."),
        Column("direct", FLAG, "Whether a column's edge between them is DIRECT."),
    ),
)

TRACE_TABLES = (TRACE_NAMES, TRACE_DATASETS, TRACE_COLUMNS, TRACE_EDGES, TRACE_PAIRS)
"""The tables that are made from the public ones."""

INTERNAL_TABLES = (
    tables.LINEAGES,
    tables.LINEAGE_EDGES,
    tables.LINEAGE_IO,
    tables.LINEAGE_JOINS,
    tables.LINEAGE_SCHEMAS,
    tables.LINEAGE_GAPS,
    tables.IO_METRICS,
    tables.RUN_SNAPSHOTS,
    tables.BATCH_SOURCES,
    LOG_GAPS,
    tables.SHOWN_DATASETS,
    tables.SEEN_DATASETS,
    PLACES,
    CATALOGS,
    DATASET_NAMES,
    PAST_RUNS,
    RUN_SERIES,
    DROPPED_APPLICATIONS,
    SCHEMA_OBSERVATIONS,
    SCHEMA_GAPS,
    TABLE_SCHEMAS,
    SELECTED_OBSERVATIONS,
    OBSERVED_UNTIL,
    SCHEMA_DIGESTS,
    GIVEN_DECLARATIONS,
    STORE_FACTS,
    *TRACE_TABLES,
)

STORED_TABLES = tuple(table for table in (*tables.PUBLIC_TABLES, *INTERNAL_TABLES) if table not in tables.PUBLIC_VIEWS)
"""What is stored; everything else in lineage.duckdb is a view or a macro over it."""

RUN_TABLES = (
    tables.APPLICATIONS,
    tables.EXECUTIONS,
    tables.IO_METRICS,
    tables.RUN_SNAPSHOTS,
    tables.BATCH_SOURCES,
    LOG_GAPS,
)
"""The stored tables whose rows belong to single runs: Parquet files by day, and views over them in lineage.duckdb."""

DATABASE_TABLES = tuple(table for table in STORED_TABLES if table not in RUN_TABLES)
"""The stored tables that are tables of lineage.duckdb."""

KEPT_TABLES = tuple(table for table in DATABASE_TABLES if table not in (*tables.PUBLIC_TABLES, *TRACE_TABLES))
"""The internal tables that are Parquet files too: from these and the public ones, lineage.duckdb can be made again."""
