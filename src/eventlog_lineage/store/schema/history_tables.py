"""The tables of schemas and of lineage over time (SEMANTICS.md, "Schemas over time")."""

from __future__ import annotations

from .declaration import EXECUTION, FLAG, NUMBER, SHOWN, TEXT, TEXTS, TIME, Column, Table

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
