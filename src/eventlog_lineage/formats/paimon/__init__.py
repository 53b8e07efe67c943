"""Apache Paimon (0.9 and 1.x): its commands, table objects, sinks and snapshots.

Text that Spark prints for all connectors belongs in the general packages.
"""

from __future__ import annotations

from eventlog_lineage import extensions

from . import facts, object_tables, rules, tables

FORMAT = extensions.TableFormat(
    name="paimon",
    commands=rules.COMMANDS,
    columns=extensions.OwnColumns(
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
    tables=extensions.TableResolver(
        source=tables.scanned_table,
        owns_write=tables.owns_write,
        written=tables.name_table,
        scanned=tables.name_scan,
        full_name=tables.full_name,
        objects=object_tables.name_objects,
    ),
    text=extensions.FormatText(same_rows=tables.SAME_ROWS.pattern, scans=r"\bPaimon\w*Scan\b"),
    plan_facts=(
        extensions.FactScanner(("aimon", "FileStoreTable["), facts.scan_tables),
        extensions.FactScanner(("aimon",), facts.scan_columns),
        extensions.FactScanner(("org.apache.paimon.",), facts.scan_layouts),
    ),
    passes=(
        extensions.FormatPass("plans", tables.name_merge_target),
        extensions.FormatPass("plans", tables.complete_merge),
        extensions.FormatPass("plans", tables.name_changed_table),
        extensions.FormatPass("write", tables.infer_columns),
        extensions.FormatPass("write", tables.name_stream_sink),
    ),
    scan_conditions=tables.partition_conditions,
    metrics=extensions.Metrics(snapshot="scanned snapshot id"),
    storage=extensions.Storage(keeps_columns=True),
    streams=extensions.Streams(classes=(tables.STREAM_SINK,), offset_version=extensions.offset_of("snapshotId")),
    catalogs=extensions.Catalogs(folder=tables.catalog_folder),
    metadata=extensions.Metadata(read_commits=facts.read_commits),
)
