"""Apache Paimon (0.9 and 1.x): its commands, table objects, sinks and snapshots.

Text that Spark prints for all connectors belongs in the general packages.
"""

from __future__ import annotations

from eventlog_lineage.extensions import (
    Catalogs,
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
    offset_of,
)
from eventlog_lineage.formats.paimon.facts import read_commits
from eventlog_lineage.formats.paimon.rules import COMMANDS
from eventlog_lineage.formats.paimon.tables import (
    STREAM_SINK,
    complete_merge,
    infer_columns,
    name_changed_table,
    name_merge_target,
    name_stream_sink,
)

from .facts import scan_columns, scan_layouts, scan_tables
from .object_tables import name_objects
from .tables import (
    SAME_ROWS,
    catalog_folder,
    full_name,
    name_scan,
    name_table,
    owns_write,
    partition_conditions,
    scanned_table,
)

FORMAT = TableFormat(
    name="paimon",
    commands=COMMANDS,
    columns=OwnColumns(
        of_rows=(
            "__paimon_file_path",
            "__paimon_row_index",
            "__paimon_partition",
            "__paimon_bucket",
            "__paimon_level",
            "__paimon_sequence_number",
        ),
        added=("rowkind", "_SEQUENCE_NUMBER"),
    ),
    tables=TableResolver(
        source=scanned_table,
        owns_write=owns_write,
        written=name_table,
        scanned=name_scan,
        full_name=full_name,
        objects=name_objects,
    ),
    text=FormatText(same_rows=SAME_ROWS.pattern, scans=r"\bPaimon\w*Scan\b"),
    plan_facts=(
        FactScanner(("aimon", "FileStoreTable["), scan_tables),
        FactScanner(("aimon",), scan_columns),
        FactScanner(("org.apache.paimon.",), scan_layouts),
    ),
    passes=(
        FormatPass("plans", name_merge_target),
        FormatPass("plans", complete_merge),
        FormatPass("plans", name_changed_table),
        FormatPass("write", infer_columns),
        FormatPass("write", name_stream_sink),
    ),
    scan_conditions=partition_conditions,
    metrics=Metrics(snapshot="scanned snapshot id"),
    storage=Storage(keeps_columns=True),
    streams=Streams(classes=(STREAM_SINK,), offset_version=offset_of("snapshotId")),
    catalogs=Catalogs(folder=catalog_folder),
    metadata=Metadata(read_commits=read_commits),
)
