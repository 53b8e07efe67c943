"""Apache Hudi (0.14 to 1.x): its commands, its MERGE, the facts that its jobs describe, and its timeline.

Text that Spark prints for all connectors belongs in the general packages.
"""

from __future__ import annotations

from eventlog_lineage.extensions import (
    Descriptions,
    FactScanner,
    FormatPass,
    FormatText,
    Metadata,
    OwnColumns,
    Storage,
    Streams,
    TableFormat,
    TableResolver,
    offset_of,
)
from eventlog_lineage.formats.hudi.facts import add_saved_changes, read_commits
from eventlog_lineage.formats.hudi.rules import INCREMENTAL, bind_merge, complete_merge, without_metadata

from .facts import commit_of, created_columns, empty_tables, scan_columns, scanned_paths, streamed_tables
from .rules import COMMANDS, EMPTY, FILE_INDEX, name_scan, name_source, save_options

FORMAT = TableFormat(
    name="hudi",
    commands=COMMANDS,
    columns=OwnColumns(added=(r"_hoodie_\w+",)),
    tables=TableResolver(source=name_source, scanned=name_scan),
    text=FormatText(file_indexes=("HoodieFileIndex", "HoodieIncrementalFileIndex", "HoodieCDCFileIndex")),
    plan_facts=(
        FactScanner(("Hudi", "hudi"), scan_columns),
        FactScanner(("AsSelectCommand",), created_columns),
        FactScanner((INCREMENTAL,), streamed_tables),
        FactScanner((FILE_INDEX,), scanned_paths),
        FactScanner((EMPTY,), empty_tables),
    ),
    passes=(
        FormatPass("plans", complete_merge),
        FormatPass("write", bind_merge),
        FormatPass("write", add_saved_changes),
        FormatPass("write", without_metadata),
    ),
    descriptions=Descriptions(commit=commit_of),
    storage=Storage(
        keeps_columns=True,
        save_options=save_options,
        types={"tinyint": "int", "smallint": "int"},  # Avro has no smaller integers
    ),
    streams=Streams(
        classes=("HoodieStreamingSink",),
        hides_table=True,
        offset_version=offset_of("offsetCommitTime", "commitTime"),
    ),
    metadata=Metadata(read_commits=read_commits),
)
