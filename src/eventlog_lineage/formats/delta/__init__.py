"""Delta Lake (2.1 to 4.x), including Databricks': its commands, table states, clones, change feeds and commits.

Text that Spark prints for all connectors belongs in the general packages.
"""

from __future__ import annotations

from eventlog_lineage import extensions

from . import commands, facts, rewritten_rows, rules

FORMAT = extensions.TableFormat(
    name="delta",
    commands=rules.COMMANDS,
    columns=extensions.OwnColumns(
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
    tables=extensions.TableResolver(source=rules.name_source),
    text=extensions.FormatText(
        file_indexes=("PreparedDeltaFileIndex", "Tahoe", "CdcAddFileIndex"),
        scans=r"\bDeltaCDFRelation\(",
        is_internal=commands.is_internal_query,
        varying=(extensions.TextPattern("Delta[version=", r"Delta\[version=\d+"),),
        not_ids=(
            extensions.TextPattern(
                "/_delta_log", r"(?<= State )#\d+(?= - )|(?<= Stats )#\d+(?= - )|(?<= Snapshot )#\d+(?= - )"
            ),
        ),
        long_names=(
            extensions.TextPattern(
                rules.FEED,
                rules.FEED
                + r"\(SnapshotWithSchemaMode\(Snapshot\(path=(?P<kept>.*?)/_delta_log,"
                + r".*?,(?:Some\(\d+\)|None),(?:Some\(\d+\)|None)\)(?=\s)",
            ),
        ),
    ),
    plan_facts=(
        extensions.FactScanner(("/_delta_log",), facts.scan_states, is_exclusive=True),
        extensions.FactScanner(("Delta", ".delta."), facts.scan_tables),
        extensions.FactScanner(("Delta", ".delta."), facts.scan_columns),
        extensions.FactScanner((rewritten_rows.VIEW,), rewritten_rows.scan_viewed),
    ),
    passes=(
        extensions.FormatPass("plans", commands.name_loaded_table),
        extensions.FormatPass("plans", facts.add_answered_tables),
        extensions.FormatPass("write", commands.without_compactions),
        extensions.FormatPass("write", commands.without_paths_of_files),
        extensions.FormatPass("write", commands.add_clone_source),
        extensions.FormatPass("write", commands.mark_optional_save),
        extensions.FormatPass("write", rewritten_rows.add_truncated_values),
        extensions.FormatPass("write", rewritten_rows.add_inserted_values),
        extensions.FormatPass("write", rewritten_rows.add_viewed_columns),
    ),
    descriptions=extensions.Descriptions(
        planning="Filtering files for query", compaction="<br/>Optimizing ", prefix="Delta: "
    ),
    metrics=extensions.Metrics(
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
    storage=extensions.Storage(
        keeps_columns=True,
        data_files="parquet",
        replacing_option="overwriteschema",  # DeltaOptions.OVERWRITE_SCHEMA_OPTION
    ),
    streams=extensions.Streams(classes=("DeltaSource", "DeltaSink"), offset_version=facts.offset_version),
    catalogs=extensions.Catalogs(session="org.apache.spark.sql.delta.catalog.DeltaCatalog"),
    metadata=extensions.Metadata(
        setting="spark.databricks.delta.optimizeMetadataQuery.enabled", read_commits=facts.read_commits
    ),
)
