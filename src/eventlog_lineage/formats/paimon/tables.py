"""Read Paimon's tables, which plans print without their catalog: scans, writes, and the rows of its writer."""

from __future__ import annotations

import re
from collections.abc import Mapping

from eventlog_lineage.datasets import naming
from eventlog_lineage.model import Dataset
from eventlog_lineage.operators.flow import Condition, Flow, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import refines
from eventlog_lineage.operators.scans import filters_on, predicate_columns, unnamed_source
from eventlog_lineage.operators.write_targets import is_truncated_query, items_of_query, names_of_query
from eventlog_lineage.plan.printed.detail_fields import DESCRIPTION

SAME_ROWS = re.compile(r"(?:\$branch_[^$.]+)?(?:\$(?:audit_log|binlog|ro))?$")
"""Suffixes of names for the same rows: a branch of the table, or its rows with further columns."""
PRINTED_OBJECT = "FileStoreTable@"
"""The text of a table that is printed only as an object."""

_SCAN_OBJECT = "class org.apache.paimon.spark.Paimon"
"""The description of the scans of row-level commands, up to 0.9."""

_CATALOG = ".paimon."
"""Part of the classes of Paimon's catalogs."""
_SCAN = re.compile(r"^Paimon\w*Scan$")
_SCAN_LINE = re.compile(r"^Paimon\w*Scan: (.*)$", re.DOTALL)
"""The same in tree strings."""
_BATCH_SCAN = re.compile(r"^BatchScan ([\w-]+\.[\w$-]+)$")
_SCANNED = re.compile(r"^\[([^\]]+)\]")
_PARTITIONS = re.compile(r"\b(?:Partition|Pushed)Filters: \[(.*?)\](?:, \w+: |$)", re.DOTALL)
_STORE = re.compile(r"^\w+(?:FileStore|Format|Object)?Table\[([\w$.`-]+)\]$")
WRITER = "org.apache.paimon.spark.commands.PaimonSparkWriter$$"
WRITERS_OWN = frozenset({"_bucket_", "_row_kind_"})
"""Columns that Paimon's commands add to the rows for their writer."""
_OBJECT_HINT = (
    "Paimon before 1.0 prints an object for the table, and neither the log nor the store shows which table it is: "
    "harvest the log of the application that creates it before this one, harvest with --table-metadata, "
    "or set spark.sql.ui.explainMode=extended, whose analyzed plan has the name"
)
_BARE_HINT = (
    "the system tables of Paimon before 1.0 are printed without their database, and the application uses no table, or "
    "several, of that name: give the tables distinct names"
)
_RELATION = re.compile(r"^RelationV2\[[^\]]*\] ([\w.$`-]+)")


def paimon_catalog(catalogs: Mapping[str, str]) -> str:
    """Return the name of the only Paimon catalog; the session catalog's if there are none or several."""
    names = [name for word, name in catalogs.items() if _CATALOG in word and name]
    return names[0] if len(names) == 1 else naming.SESSION_CATALOG


def full_name(name: str, catalogs: Mapping[str, str]) -> str:
    """Return the table of `BatchScan shop.orders` or of `shop.orders`, with its catalog's name."""
    name = SAME_ROWS.sub("", name.rpartition(" ")[2])
    return f"{paimon_catalog(catalogs)}.{name}" if name.count(".") == 1 else name


def name_scan(scan: str, catalogs: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the table of a scan in a job's RDD; the V2 scans of other connectors print its catalog."""
    match = _BATCH_SCAN.match(scan)
    return (naming.table_name(match[1], catalog=paimon_catalog(catalogs)), "paimon") if match else None


def catalog_folder(settings: Mapping[str, str], key: str) -> str | None:
    """Return the location pattern of the tables of a catalog without a metastore; None for others."""
    is_folder = _CATALOG in settings[key] and settings.get(f"{key}.metastore", "filesystem") == "filesystem"
    return "{database}.db/{table}" if is_folder else None


def scanned_table(op: Operation) -> Dataset | None:
    """Return the table of a scan: `BatchScan shop.orders`, or the name alone in its description (`BaseScan`, 1.x).

    Args:
        op: The scan, with `PaimonScan: [orders], DataFilters: […]` below its output; row-level commands up to 0.9 print
            `class org.apache.paimon.spark.PaimonSplitScan`.

    Returns:
        None for scans of other connectors; `unknown`, with a gap, for a name whose database is unknown.
    """
    match = _SCANNED.match(_described(op))
    is_object = bool(op.node.argument) and _SCAN_OBJECT in op.node.text(DESCRIPTION)
    if match is None and not is_object:
        return None
    name = op.node.argument or (match[1] if match else "")
    named = name_table(op, name)
    return named or unnamed_source(op, f"the scan prints {name} without its database", _BARE_HINT)


def name_table(op: Operation, name: str) -> Dataset | None:
    """Return the dataset of `shop.orders`, `orders$audit_log` …; None for an unknown name without a database."""
    words = naming.split_name(name)
    if not words:
        return None
    words[-1] = SAME_ROWS.sub("", words[-1])
    if len(words) == 1:
        known = op.plan.tables.of_unqualified(words[0])
        words = naming.split_name(known) if known else []
    if not words:
        return None
    quoted = ".".join(f"`{word}`" for word in words)
    full = naming.table_name(quoted, catalog=paimon_catalog(op.plan.catalogs))
    return Dataset(full, "table", "paimon")


def unnamed_table(op: Operation) -> Dataset | None:
    """Return the dataset of a table that is printed only as an object; None if no plan names it."""
    return name_table(op, op.plan.tables.unnamed)


def written_table(op: Operation, text: str) -> Dataset | None:
    """Return the table of `PrimaryKeyFileStoreTable[shop.orders]`, or of `RelationV2[id#1L] cat.db.t db.t`.

    Source: Paimon's `BaseTable.toString` of V1 writes, `DataSourceV2Relation.simpleString` of commands (1.4). Up to 0.9
    it is `SparkTable(org.apache.paimon.table.PrimaryKeyFileStoreTable@73396bdc)`, which another plan may name.
    """
    if PRINTED_OBJECT in text and not text.startswith("RelationV2["):
        return unnamed_table(op)
    match = _STORE.match(text) or _RELATION.match(text)
    return name_table(op, match[1]) if match else None


def partition_conditions(op: Operation, dataset: Dataset) -> list[Condition]:
    """Return the filters that only the scan applies: `PaimonScan: [orders], PartitionFilters: [Equal(day, 1)]`.

    Up to 1.3 they are all `PushedFilters`; filters of the query are repeated by a Filter above.
    """
    match = _PARTITIONS.search(_described(op))
    return filters_on(dataset, predicate_columns(match[1]) if match else ())


def _described(op: Operation) -> str:
    labeled = next((field.text for label, field in op.node.fields.items() if _SCAN.match(label)), "")
    match = None if labeled else _SCAN_LINE.match(op.node.text(DESCRIPTION))
    return match[1] if match else labeled


def owns_write(op: Operation) -> bool:
    """Return whether a write uses Paimon's connector: `PaimonWrite(table=shop.marked, …)`."""
    return "Paimon" in op.node.text("Arguments")


@refines("AppendDataExecV1", "OverwriteByExpressionExecV1")
def v1_write(op: Operation) -> Flow | None:
    """Name the table of a V1 write; its rows may be in no execution, so their attributes are unbound.

    `Arguments: PrimaryKeyFileStoreTable[shop.orders], Project [id#1L, k#2L], …`
    """
    parts = op.node.arguments
    target = written_table(op, parts[0]) if parts else None
    if target is not None:
        op = op.naming_arguments()
        rows = op.outputs(items_of_query(parts[1:]), op.unbound_arguments()) or None
        names, is_truncated = names_of_query(parts[1:]), is_truncated_query(parts[1:])
        return op.writes(Write(target, op.mode, rows, names, is_truncated=is_truncated))
    if parts and PRINTED_OBJECT in parts[0]:
        return op.unknown_target(_OBJECT_HINT)
    return None


@refines("SerializeFromObject")
def rows_of_writer(op: Operation) -> Flow | None:
    """Return the input rows of Paimon's writer (`PaimonSparkWriter$$Lambda` over `DeserializeToObject`).

    The writer's outputs are messages for its commit: its input rows are the written rows.
    """
    writers = [node for node in op.node.children if WRITER in node.text("Arguments")]
    rows = [row for node in writers for given in node.children for row in given.children]
    if len(rows) != 1:
        return None
    below = op.below(rows[0]).completed()
    return below.with_outputs(output for output in below.outputs if output.name not in WRITERS_OWN)
