"""Apache Iceberg (1.4 to 1.12): its procedures, scans, row-level plans and metadata files.

Text that Spark prints for all connectors belongs in the general packages.
"""

from __future__ import annotations

from eventlog_lineage.extensions import FactScanner, TableFormat, TextPattern, offset_of

from .catalogs import catalog_folder, catalog_namespace
from .commits import read_commits
from .plan_facts import scan_tables
from .procedures import is_call_result, maintained_table
from .tables import name_source, scan_conditions

_ROW_COLUMNS = ("_file", "_pos", "_spec_id", "_partition", "_deleted", "_row_id", "_last_updated_sequence_number")

_WORDS = ("Iceberg", "(branch=", "DeleteFromTable", "SparkPositionDeltaWrite", "CreateOrReplaceBranch", "SetProperty@")
FORMAT = TableFormat(
    name="iceberg",
    row_columns=_ROW_COLUMNS,
    added_columns=(*_ROW_COLUMNS, "_change_type", "_change_ordinal", "_commit_snapshot_id"),
    keeps_columns=True,
    stored_types={"tinyint": "int", "smallint": "int"},  # `SparkTypeToType.atomic` (1.12)
    metadata_setting="spark.sql.iceberg.aggregate-push-down.enabled",
    name_source=name_source,
    scan_conditions=scan_conditions,
    plan_facts=(FactScanner(_WORDS, scan_tables),),
    varying=(TextPattern("napshotId=", r"napshotId=\d+"),),
    is_call_result=is_call_result,
    merge_operator="MergeIntoIcebergTable",
    maintained_table=maintained_table,
    catalog_folder=catalog_folder,
    catalog_namespace=catalog_namespace,
    offset_version=offset_of("snapshot_id"),
    read_commits=read_commits,
    is_published_too=True,
)
