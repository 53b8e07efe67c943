"""Delta Lake (2.1 to 4.x), Databricks' included."""

from __future__ import annotations

from eventlog_lineage.extensions import TableFormat

from .commands import COMMANDS
from .tables import name_source

FORMAT = TableFormat(
    name="delta",
    commands=COMMANDS,
    added_columns=(r"__delta_internal\w*", "_row_dropped_", "_change_type", "_commit_version", "_commit_timestamp"),
    keeps_columns=True,
    file_indexes=("PreparedDeltaFileIndex", "Tahoe", "CdcAddFileIndex"),
    metadata_setting="spark.databricks.delta.optimizeMetadataQuery.enabled",
    name_source=name_source,
)
