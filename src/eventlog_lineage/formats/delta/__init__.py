"""Delta Lake (2.1 to 4.x), including Databricks': its commands, table states, clones, change feeds and commits.

Text that Spark prints for all connectors belongs in the general packages.
"""

from __future__ import annotations

from eventlog_lineage.extensions import FactScanner, FormatPass, TableFormat, TextPattern

from .answered_aggregates import add_answered_tables
from .clones import add_clone_source, name_loaded_table
from .commands import COMMANDS
from .commits import offset_version, read_commits
from .compactions import without_compactions
from .inserted_rows import add_inserted_values
from .internal_queries import is_internal_query
from .optional_writes import mark_optional_save
from .plan_facts import scan_columns, scan_states, scan_tables
from .rewritten_rows import add_truncated_values
from .row_tracking import TRACKING_COLUMNS, row_tracking
from .tables import FEED, name_source
from .wide_views import VIEW, add_viewed_columns, scan_viewed

FORMAT = TableFormat(
    name="delta",
    commands=COMMANDS,
    hidden_columns=(
        "__delta_internal_is_row_deleted",
        "__delta_internal_row_index",
        "_row_dropped_",
        "_source_row_present_",
        "_target_row_present_",
    ),
    added_columns=(
        r"__delta_internal\w*",
        "_row_dropped_",
        "_change_type",
        "_commit_version",
        "_commit_timestamp",
        *TRACKING_COLUMNS,
    ),
    file_metadata=row_tracking,
    keeps_columns=True,
    data_files="parquet",
    file_indexes=("PreparedDeltaFileIndex", "Tahoe", "CdcAddFileIndex"),
    metadata_setting="spark.databricks.delta.optimizeMetadataQuery.enabled",
    name_source=name_source,
    plan_facts=(
        FactScanner(("/_delta_log",), scan_states, is_exclusive=True),
        FactScanner(("Delta", ".delta."), scan_tables),
        FactScanner(("Delta", ".delta."), scan_columns),
        FactScanner((VIEW,), scan_viewed),
    ),
    internal_query=is_internal_query,
    planning_description="Filtering files for query",
    compaction_description="<br/>Optimizing ",
    change_metrics=(
        "number of files added.",
        "number of files removed.",
        "number of files added to target",
        "number of files removed to target",
        "number of files removed from target",
        "number of deletion vectors added",
        "number of deletion vectors updated",
        "number of deletion vectors removed",
    ),
    passes=(
        FormatPass("plans", name_loaded_table),
        FormatPass("plans", add_answered_tables),
        FormatPass("write", without_compactions),
        FormatPass("write", add_clone_source),
        FormatPass("write", mark_optional_save),
        FormatPass("write", add_truncated_values),
        FormatPass("write", add_inserted_values),
        FormatPass("write", add_viewed_columns),
    ),
    description_prefix="Delta: ",
    stream_classes=("DeltaSource", "DeltaSink"),
    offset_version=offset_version,
    read_commits=read_commits,
    replacing_option="overwriteschema",  # DeltaOptions.OVERWRITE_SCHEMA_OPTION
    session_catalog="org.apache.spark.sql.delta.catalog.DeltaCatalog",
    varying=(TextPattern("Delta[version=", r"Delta\[version=\d+"),),
    not_ids=(
        TextPattern("/_delta_log", r"(?<= State )#\d+(?= - )|(?<= Stats )#\d+(?= - )|(?<= Snapshot )#\d+(?= - )"),
    ),
    long_names=(
        TextPattern(FEED, rf"{FEED}\(SnapshotWithSchemaMode\(.*?,(?:Some\(\d+\)|None),(?:Some\(\d+\)|None)\)(?=\s)"),
    ),
)
