"""Apache Hudi (0.14 to 1.x): its commands, its MERGE, the facts that its jobs describe, and its timeline.

Text that Spark prints for all connectors belongs in the general packages.
"""

from __future__ import annotations

from eventlog_lineage.extensions import (
    Descriptions,
    FactScanner,
    FormatText,
    Metadata,
    OwnColumns,
    Passes,
    Storage,
    Streams,
    TableFormat,
    TableResolver,
    offset_of,
)

from . import facts, rules

FORMAT = TableFormat(
    name="hudi",
    commands=rules.COMMANDS,
    columns=OwnColumns(added=(r"_hoodie_\w+",)),
    tables=TableResolver(source=rules.name_source, scanned=rules.name_scan),
    text=FormatText(file_indexes=("HoodieFileIndex", "HoodieIncrementalFileIndex", "HoodieCDCFileIndex")),
    plan_facts=(
        FactScanner(("Hudi", "hudi"), facts.scan_columns),
        FactScanner(("AsSelectCommand",), facts.created_columns),
        FactScanner((rules.INCREMENTAL,), facts.streamed_tables),
        FactScanner((rules.FILE_INDEX,), facts.scanned_paths),
        FactScanner((rules.EMPTY,), facts.empty_tables),
    ),
    passes=Passes(
        plans=(rules.complete_merge,),
        write=(rules.bind_merge, facts.add_saved_changes, rules.without_metadata),
    ),
    descriptions=Descriptions(commit=facts.commit_of),
    storage=Storage(
        keeps_columns=True,
        save_options=rules.save_options,
        types={"tinyint": "int", "smallint": "int"},  # Avro has no smaller integers
    ),
    streams=Streams(
        classes=("HoodieStreamingSink",),
        hides_table=True,
        offset_version=offset_of("offsetCommitTime", "commitTime"),
    ),
    metadata=Metadata(read_commits=facts.read_commits),
)
