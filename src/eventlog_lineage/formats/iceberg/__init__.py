"""Apache Iceberg (1.4 to 1.12): its procedures, scans, row-level plans and metadata files.

Text that Spark prints for all connectors belongs in the general packages.
"""

from __future__ import annotations

from eventlog_lineage import extensions

from . import facts, rules

_ROW_COLUMNS = ("_file", "_pos", "_spec_id", "_partition", "_deleted", "_row_id", "_last_updated_sequence_number")

_WORDS = ("Iceberg", "(branch=", "DeleteFromTable", "SparkPositionDeltaWrite", "CreateOrReplaceBranch", "SetProperty@")
FORMAT = extensions.TableFormat(
    name="iceberg",
    columns=extensions.OwnColumns(
        of_rows=_ROW_COLUMNS, added=(*_ROW_COLUMNS, "_change_type", "_change_ordinal", "_commit_snapshot_id")
    ),
    tables=extensions.TableResolver(source=rules.name_source),
    text=extensions.FormatText(
        varying=(extensions.TextPattern("napshotId=", r"napshotId=\d+"),),
        is_call_result=rules.is_call_result,
        merge_operator="MergeIntoIcebergTable",
    ),
    plan_facts=(extensions.FactScanner(_WORDS, facts.scan_tables),),
    passes=(extensions.FormatPass("write", rules.name_called_table),),
    scan_conditions=rules.scan_conditions,
    descriptions=extensions.Descriptions(maintained=rules.maintained_table),
    storage=extensions.Storage(
        keeps_columns=True,
        types={"tinyint": "int", "smallint": "int"},  # `SparkTypeToType.atomic` (1.12)
    ),
    streams=extensions.Streams(offset_version=extensions.offset_of("snapshot_id")),
    catalogs=extensions.Catalogs(folder=rules.catalog_folder, namespace=rules.catalog_namespace),
    metadata=extensions.Metadata(
        setting="spark.sql.iceberg.aggregate-push-down.enabled", read_commits=facts.read_commits, is_published_too=True
    ),
)
