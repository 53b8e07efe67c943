"""The tables of what is declared: owners, descriptions, exposures, tags."""

from __future__ import annotations

from eventlog_lineage.store.schema.declaration import FLAG, LONG, NUMBER, TEXT, Column, Table

ORIGIN = Column("origin", TEXT, "log: shown by an event log; manual: declared in a file.", older="'log'")
"""Where an edge is from."""

DECLARATIONS = Table(
    "declarations",
    "what a file declares of a dataset, a column, a job or an exposure",
    (
        Column("kind", TEXT, "dataset, column, job or exposure."),
        Column("dataset", TEXT, "The dataset, or the exposure as a dataset; NULL for a job."),
        Column("column_name", TEXT, "The column; NULL for other kinds."),
        Column("job_name", TEXT, "The job; NULL for other kinds."),
        Column("owner", TEXT, "Who is responsible; empty if it is not declared."),
        Column("contact", TEXT, "Whom to call: a channel, an address."),
        Column("description", TEXT, "What it is."),
        Column("type", TEXT, "What an exposure is: dashboard, notebook, ml …"),
        Column("url", TEXT, "Where it is."),
        Column("due_seconds", LONG, "The longest time between two writes; NULL if it is not declared."),
        Column("origin", TEXT, "file or dbt."),
    ),
)

TAGS = Table(
    "tags",
    "a classification of a column, or of a dataset as a whole",
    (
        Column("dataset", TEXT, "The dataset."),
        Column("column_name", TEXT, "The column; NULL for the dataset as a whole."),
        Column("tag", TEXT, "The classification."),
        Column("origin", TEXT, "file, dbt, rule (a pattern of names) or derived (along DIRECT edges)."),
        Column("source_dataset", TEXT, "Of a derived tag: the dataset where it begins."),
        Column("source_column", TEXT, "Of a derived tag: the column where it begins."),
        Column("via", TEXT, "Of a derived tag: the last column on a path, as dataset.column."),
        Column("masked", FLAG, "Every path from where it begins hashes, masks or counts."),
    ),
)

GIVEN_DECLARATIONS = Table(
    "given_declarations",
    "a declaration as its file has it",
    (
        Column("position", NUMBER, "Order within the files."),
        Column("kind", TEXT, "Thing, DeclaredEdge or TagRule."),
        Column("content", TEXT, "Its fields, as JSON."),
    ),
)
