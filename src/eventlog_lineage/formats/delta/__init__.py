"""Delta Lake (2.1 to 4.x), including Databricks': its commands, table states, clones, change feeds and commits.

Text that Spark prints for all connectors belongs in the general packages.
"""

from __future__ import annotations

from eventlog_lineage.extensions import (
    Catalogs,
    Descriptions,
    FactScanner,
    FormatPass,
    FormatText,
    Metadata,
    Metrics,
    OwnColumns,
    Storage,
    Streams,
    TableFormat,
    TableResolver,
    TextPattern,
)
from eventlog_lineage.formats.delta.commands import (
    add_clone_source,
    is_internal_query,
    mark_optional_save,
    name_loaded_table,
    without_compactions,
    without_paths_of_files,
)
from eventlog_lineage.formats.delta.facts import offset_version, read_commits

from .facts import add_answered_tables, scan_columns, scan_states, scan_tables
from .rewritten_rows import (
    TRACKING_COLUMNS,
    VIEW,
    add_inserted_values,
    add_truncated_values,
    add_viewed_columns,
    row_tracking,
    scan_viewed,
)
from .rules import COMMANDS, FEED, name_source

FORMAT = TableFormat(
    name="delta",
    commands=COMMANDS,
    columns=OwnColumns(
        hidden=(
            "__delta_internal_is_row_deleted",
            "__delta_internal_row_index",
            "_row_dropped_",
            "_source_row_present_",
            "_target_row_present_",
        ),
        added=(
            r"__delta_internal\w*",
            "_row_dropped_",
            "_change_type",
            "_commit_version",
            "_commit_timestamp",
            *TRACKING_COLUMNS,
        ),
        metadata=row_tracking,
    ),
    tables=TableResolver(source=name_source),
    text=FormatText(
        file_indexes=("PreparedDeltaFileIndex", "Tahoe", "CdcAddFileIndex"),
        scans=r"\bDeltaCDFRelation\(",
        is_internal=is_internal_query,
        varying=(TextPattern("Delta[version=", r"Delta\[version=\d+"),),
        not_ids=(
            TextPattern("/_delta_log", r"(?<= State )#\d+(?= - )|(?<= Stats )#\d+(?= - )|(?<= Snapshot )#\d+(?= - )"),
        ),
        long_names=(
            TextPattern(
                FEED, rf"{FEED}\(SnapshotWithSchemaMode\(.*?,(?:Some\(\d+\)|None),(?:Some\(\d+\)|None)\)(?=\s)"
            ),
        ),
    ),
    plan_facts=(
        FactScanner(("/_delta_log",), scan_states, is_exclusive=True),
        FactScanner(("Delta", ".delta."), scan_tables),
        FactScanner(("Delta", ".delta."), scan_columns),
        FactScanner((VIEW,), scan_viewed),
    ),
    passes=(
        FormatPass("plans", name_loaded_table),
        FormatPass("plans", add_answered_tables),
        FormatPass("write", without_compactions),
        FormatPass("write", without_paths_of_files),
        FormatPass("write", add_clone_source),
        FormatPass("write", mark_optional_save),
        FormatPass("write", add_truncated_values),
        FormatPass("write", add_inserted_values),
        FormatPass("write", add_viewed_columns),
    ),
    descriptions=Descriptions(planning="Filtering files for query", compaction="<br/>Optimizing ", prefix="Delta: "),
    metrics=Metrics(
        changes=(
            "number of files added.",
            "number of files removed.",
            "number of files added to target",
            "number of files removed to target",
            "number of files removed from target",
            "number of deletion vectors added",
            "number of deletion vectors updated",
            "number of deletion vectors removed",
        )
    ),
    storage=Storage(
        keeps_columns=True,
        data_files="parquet",
        replacing_option="overwriteschema",  # DeltaOptions.OVERWRITE_SCHEMA_OPTION
    ),
    streams=Streams(classes=("DeltaSource", "DeltaSink"), offset_version=offset_version),
    catalogs=Catalogs(session="org.apache.spark.sql.delta.catalog.DeltaCatalog"),
    metadata=Metadata(setting="spark.databricks.delta.optimizeMetadataQuery.enabled", read_commits=read_commits),
)
