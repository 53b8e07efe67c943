"""Apache Hudi (0.14 to 1.x): its commands, its MERGE, the facts that its jobs describe, and its timeline.

Text that Spark prints for all connectors belongs in the general packages.
"""

from __future__ import annotations

from eventlog_lineage.extensions import FactScanner, FormatPass, TableFormat, offset_of

from .commands import COMMANDS
from .commits import read_commits
from .incremental_reads import INCREMENTAL
from .job_facts import commit_of
from .merge import bind_merge, complete_merge
from .plan_facts import created_columns, empty_tables, scan_columns, scanned_paths, streamed_tables
from .queried_rows import without_metadata
from .rules import EMPTY, FILE_INDEX, name_scan, name_source, save_options
from .saved_changes import add_saved_changes

FORMAT = TableFormat(
    name="hudi",
    commands=COMMANDS,
    added_columns=(r"_hoodie_\w+",),
    keeps_columns=True,
    file_indexes=("HoodieFileIndex", "HoodieIncrementalFileIndex", "HoodieCDCFileIndex"),
    name_source=name_source,
    name_scan=name_scan,
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
    save_options=save_options,
    stored_types={"tinyint": "int", "smallint": "int"},  # Avro has no smaller integers
    stream_classes=("HoodieStreamingSink",),
    hides_stream_table=True,
    offset_version=offset_of("offsetCommitTime", "commitTime"),
    table_commit=commit_of,
    read_commits=read_commits,
)
