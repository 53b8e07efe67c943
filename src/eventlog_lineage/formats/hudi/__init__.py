"""Apache Hudi (0.14 to 1.x): its commands, its MERGE, the facts that its jobs describe, and its timeline.

Text that Spark prints for all connectors belongs in the general packages.
"""

from __future__ import annotations

from eventlog_lineage import extensions

from . import facts, rules

FORMAT = extensions.TableFormat(
    name="hudi",
    commands=rules.COMMANDS,
    columns=extensions.OwnColumns(added=(r"_hoodie_\w+",)),
    tables=extensions.TableResolver(source=rules.name_source, scanned=rules.name_scan),
    text=extensions.FormatText(file_indexes=("HoodieFileIndex", "HoodieIncrementalFileIndex", "HoodieCDCFileIndex")),
    plan_facts=(
        extensions.FactScanner(("Hudi", "hudi"), facts.scan_columns),
        extensions.FactScanner(("AsSelectCommand",), facts.created_columns),
        extensions.FactScanner((rules.INCREMENTAL,), facts.streamed_tables),
        extensions.FactScanner((rules.FILE_INDEX,), facts.scanned_paths),
        extensions.FactScanner((rules.EMPTY,), facts.empty_tables),
    ),
    passes=(
        extensions.FormatPass("plans", rules.complete_merge),
        extensions.FormatPass("write", rules.bind_merge),
        extensions.FormatPass("write", facts.add_saved_changes),
        extensions.FormatPass("write", rules.without_metadata),
    ),
    descriptions=extensions.Descriptions(commit=facts.commit_of),
    storage=extensions.Storage(
        keeps_columns=True,
        save_options=rules.save_options,
        types={"tinyint": "int", "smallint": "int"},  # Avro has no smaller integers
    ),
    streams=extensions.Streams(
        classes=("HoodieStreamingSink",),
        hides_table=True,
        offset_version=extensions.offset_of("offsetCommitTime", "commitTime"),
    ),
    metadata=extensions.Metadata(read_commits=facts.read_commits),
)
