"""Apache Paimon (0.9 and 1.x): its commands, table objects, sinks and snapshots.

Text that Spark prints for all connectors belongs in the general packages.
"""

from __future__ import annotations

from eventlog_lineage.extensions import (
    Catalogs,
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
    offset_of,
)

from . import facts, object_tables, rules, tables

FORMAT = TableFormat(
    name="paimon",
    commands=rules.COMMANDS,
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
        source=tables.scanned_table,
        owns_write=tables.owns_write,
        written=tables.name_table,
        scanned=tables.name_scan,
        full_name=tables.full_name,
        objects=object_tables.name_objects,
    ),
    text=FormatText(same_rows=tables.SAME_ROWS.pattern, scans=r"\bPaimon\w*Scan\b"),
    plan_facts=(
        FactScanner(("aimon", "FileStoreTable["), facts.scan_tables),
        FactScanner(("aimon",), facts.scan_columns),
        FactScanner(("org.apache.paimon.",), facts.scan_layouts),
    ),
    passes=Passes(
        plans=(tables.name_merge_target, tables.complete_merge, tables.name_changed_table),
        write=(tables.infer_columns, tables.name_stream_sink),
    ),
    scan_conditions=tables.partition_conditions,
    metrics=Metrics(snapshot="scanned snapshot id"),
    storage=Storage(keeps_columns=True),
    streams=Streams(classes=(tables.STREAM_SINK,), offset_version=offset_of("snapshotId")),
    catalogs=Catalogs(folder=tables.catalog_folder),
    metadata=Metadata(read_commits=facts.read_commits),
)
