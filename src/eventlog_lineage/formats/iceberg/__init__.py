"""Apache Iceberg (1.4 to 1.12): its procedures, scans, row-level plans and metadata files.

Text that Spark prints for all connectors belongs in the general packages.
"""

from __future__ import annotations

from eventlog_lineage.extensions import (
    Catalogs,
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

_ROW_COLUMNS = ("_file", "_pos", "_spec_id", "_partition", "_deleted", "_row_id", "_last_updated_sequence_number")

_WORDS = ("Iceberg", "(branch=", "DeleteFromTable", "SparkPositionDeltaWrite", "CreateOrReplaceBranch", "SetProperty@")
FORMAT = TableFormat(
    name="iceberg",
    columns=OwnColumns(
        of_rows=_ROW_COLUMNS, added=(*_ROW_COLUMNS, "_change_type", "_change_ordinal", "_commit_snapshot_id")
    ),
    tables=TableResolver(source=rules.name_source),
    text=FormatText(
        varying={"napshotId=": r"napshotId=\d+"},
        is_call_result=rules.is_call_result,
        is_internal=rules.is_internal_query,
        merge_operator="MergeIntoIcebergTable",
    ),
    plan_facts=(FactScanner(_WORDS, facts.scan_tables),),
    passes=Passes(write=(rules.name_called_table,)),
    scan_conditions=rules.scan_conditions,
    descriptions=Descriptions(maintained=rules.maintained_table),
    storage=Storage(
        keeps_columns=True,
        types={"tinyint": "int", "smallint": "int"},  # `SparkTypeToType.atomic` (1.12)
    ),
    streams=Streams(offset_version=offset_of("snapshot_id")),
    catalogs=Catalogs(folder=rules.catalog_folder, namespace=rules.catalog_namespace),
    metadata=Metadata(
        setting="spark.sql.iceberg.aggregate-push-down.enabled", read_commits=facts.read_commits, is_published_too=True
    ),
)
