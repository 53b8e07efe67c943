"""Delta Lake (2.1 to 4.x), including Databricks': its commands, table states, clones, change feeds and commits.

Text that Spark prints for all connectors belongs in the general packages.
"""

from __future__ import annotations

from eventlog_lineage.extensions import (
    Catalogs,
    Descriptions,
    FactScanner,
    FormatText,
    Metadata,
    Metrics,
    OwnColumns,
    Passes,
    Storage,
    Streams,
    TableFormat,
    TableResolver,
)

from . import commands, facts, rewritten_rows, rules

FORMAT = TableFormat(
    name="delta",
    commands=rules.COMMANDS,
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
            *rewritten_rows.TRACKING_COLUMNS,
        ),
        metadata=rewritten_rows.row_tracking,
    ),
    tables=TableResolver(source=rules.name_source),
    text=FormatText(
        file_indexes=("PreparedDeltaFileIndex", "Tahoe", "CdcAddFileIndex"),
        scans=r"\bDeltaCDFRelation\(",
        is_internal=commands.is_internal_query,
        varying={"Delta[version=": r"Delta\[version=\d+"},
        is_repeated=rules.is_repeated_filter,
        not_ids={"/_delta_log": r"(?<= State )#\d+(?= - )|(?<= Stats )#\d+(?= - )|(?<= Snapshot )#\d+(?= - )"},
        long_names={
            rules.FEED: rules.FEED
            + r"\(SnapshotWithSchemaMode\(Snapshot\(path=(?P<kept>.*?)/_delta_log,"
            + r".*?,(?:Some\(\d+\)|None),(?:Some\(\d+\)|None)\)(?=\s)"
        },
    ),
    plan_facts=(
        FactScanner(("/_delta_log",), facts.scan_states, is_exclusive=True),
        FactScanner(("Delta", ".delta."), facts.scan_tables),
        FactScanner(("Delta", ".delta."), facts.scan_columns),
        FactScanner((rewritten_rows.VIEW,), rewritten_rows.scan_viewed),
    ),
    passes=Passes(
        plans=(commands.name_loaded_table, facts.add_answered_tables),
        write=(
            commands.without_compactions,
            commands.without_paths_of_files,
            commands.add_clone_source,
            commands.leave_out_ignored_save,
            rewritten_rows.add_truncated_values,
            rewritten_rows.add_inserted_values,
            rewritten_rows.add_viewed_columns,
        ),
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
    streams=Streams(classes=("DeltaSource", "DeltaSink"), offset_version=facts.offset_version),
    catalogs=Catalogs(session="org.apache.spark.sql.delta.catalog.DeltaCatalog"),
    metadata=Metadata(setting="spark.databricks.delta.optimizeMetadataQuery.enabled", read_commits=facts.read_commits),
)
