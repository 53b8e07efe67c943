"""Apache Paimon (0.9 and 1.x): its commands, table objects, sinks and snapshots.

Text that Spark prints for all connectors belongs in the general packages.
"""

from __future__ import annotations

from eventlog_lineage.extensions import FactScanner, FormatPass, TableFormat, offset_of

from .commands import COMMANDS
from .commits import read_commits
from .layouts import scan_layouts
from .object_targets import (
    STREAM_SINK,
    complete_merge,
    infer_columns,
    name_changed_table,
    name_merge_target,
    name_stream_sink,
)
from .plan_facts import SAME_ROWS, scan_columns, scan_tables
from .tables import catalog_folder, full_name, name_scan, name_table, owns_write, partition_conditions, scanned_table

FORMAT = TableFormat(
    name="paimon",
    commands=COMMANDS,
    row_columns=(
        "__paimon_file_path",
        "__paimon_row_index",
        "__paimon_partition",
        "__paimon_bucket",
        "__paimon_level",
        "__paimon_sequence_number",
    ),
    added_columns=("rowkind", "_SEQUENCE_NUMBER"),
    keeps_columns=True,
    prints_objects=True,
    same_rows=SAME_ROWS.pattern,
    name_source=scanned_table,
    owns_write=owns_write,
    name_table=name_table,
    name_scan=name_scan,
    full_name=full_name,
    snapshot_metric="scanned snapshot id",
    scan_conditions=partition_conditions,
    catalog_folder=catalog_folder,
    stream_classes=(STREAM_SINK,),
    offset_version=offset_of("snapshotId"),
    read_commits=read_commits,
    passes=(
        FormatPass("plans", name_merge_target),
        FormatPass("plans", complete_merge),
        FormatPass("plans", name_changed_table),
        FormatPass("write", infer_columns),
        FormatPass("write", name_stream_sink),
    ),
    plan_facts=(
        FactScanner(("aimon", "FileStoreTable["), scan_tables),
        FactScanner(("aimon",), scan_columns),
        FactScanner(("org.apache.paimon.",), scan_layouts),
    ),
)
