"""Read the names of Iceberg's tables in scans, rewrites and imports; the locations that follow from its catalogs."""

from __future__ import annotations

import re
from collections.abc import Mapping

from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.openlineage import folder_namespace, metastore_namespace
from eventlog_lineage.model import Dataset, GapReason, Transformation
from eventlog_lineage.operators.flow import Condition, Flow, Read, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import refines
from eventlog_lineage.operators.rules.commands.maintenance import procedure_catalog
from eventlog_lineage.operators.rules.writes.v2_write import v2_write
from eventlog_lineage.operators.scans import source
from eventlog_lineage.plan.printed.detail_fields import DESCRIPTION
from eventlog_lineage.plan.tree.nodes import walk


def is_catalog(implementation: str) -> bool:
    """Return whether a class is one of Iceberg's catalogs."""
    return ".iceberg." in implementation


def catalog_folder(settings: Mapping[str, str], key: str) -> str | None:
    """Return the location pattern of the tables of a catalog of type `hadoop`; None for others.

    Each level of a namespace is a folder (`HadoopCatalog.defaultWarehouseLocation`, Iceberg 1.12).
    """
    is_folder = is_catalog(settings[key]) and settings.get(f"{key}.type") == "hadoop"
    return "{namespace}/{table}" if is_folder else None


def catalog_namespace(settings: Mapping[str, str], key: str, metastore: str) -> str | None:
    """Return the namespace of a catalog's tables (`IcebergHandler`); None for catalogs of other formats."""
    if not is_catalog(settings[key]):
        return None
    kind = settings.get(f"{key}.type", "").lower()
    made_by = settings.get(f"{key}.catalog-impl", "")
    address = settings.get(f"{key}.uri", "")
    if kind in {"rest", "nessie"} or made_by.endswith("RESTCatalog"):
        return address
    if kind == "hadoop":
        return folder_namespace(settings.get(f"{key}.warehouse", ""))
    return metastore_namespace(address or metastore) if not made_by else ""


_CHANGELOG = re.compile(r"^(?:Iceberg\w*\(table=)?([\w-]+(?:\.[\w-]+)+)(?:, | \[)fromSnapshotId=")
"""The table whose changes `orders.changes` contains: its rows, with further columns."""
_STREAMED = re.compile(r"^(?:Iceberg\w+\(table=)?((?:[\w-]+\.){2,}[\w-]+)(?:,| \(branch=)")
_FILTERS = re.compile(r"\bfilters=(.*?)(?:, runtimeFilters=|, groupedBy=)", re.DOTALL)
_PREDICATE = re.compile(r"(?:^|[(, ])([A-Za-z_][\w.]*) (?:<=|>=|!=|=|<|>|IN |STARTS WITH|IS NULL)")
_REWRITTEN = "IcebergStagedScan("
"""Files that are rewritten (1.11 on Spark 4.1 and later): the table's maintenance."""
_FILES = re.compile(r"^`?(\w+)`?\.`?([^`]+)`?$")
_MAKING = re.compile(r"\.iceberg\.spark\.procedures\.(SnapshotTable|AddFiles)Procedure@\w+, \[([^,\]]+),([^,\]]+)")


def name_source(op: Operation) -> Dataset | None:
    """Return the table of a scan of changes, or of a micro-batch.

    A micro-batch prints `cat.db.t (branch=null) [filters=…]`, or from 1.11 on Spark 4.1 on `IcebergScan(table=cat.db.t,
    …)`, whose snapshot is the newest one, not the one that the batch read.
    """
    described = op.node.text(DESCRIPTION)
    if op.node.operator in {"MicroBatchScan", "ContinuousScan"}:
        match = _STREAMED.match(described)
    else:
        match = _CHANGELOG.match(described) if op.node.operator == "BatchScan" else None
    return naming.table(match[1], format="iceberg") if match else None


def scan_conditions(op: Operation, dataset: Dataset) -> list[Condition]:
    """Return the filters that a scan applies: `filters=day = '2026-11-02', id IS NOT NULL, groupedBy=`.

    Spark repeats filters that a scan applies only partially; `IS NOT NULL` on join keys is added by Spark.
    """
    match = _FILTERS.search(op.node.text(DESCRIPTION))
    names = dict.fromkeys(_PREDICATE.findall(match[1])) if match else {}
    return [Condition(source(dataset.name, name), Transformation.FILTER) for name in names]


@refines("AppendData", "OverwriteByExpression", "OverwritePartitionsDynamic")
def rewrite_files(op: Operation) -> Flow | None:
    """Read a write of rewritten files as maintenance of their table."""
    if not any(_REWRITTEN in node.text(DESCRIPTION) for node in walk(op.node)):
        return None
    flow = v2_write(op)
    if flow.write is None:
        return flow
    write = Write(flow.write.target, "maintenance", (), node_name=op.node.name)
    return Flow(write=write, command=op.node.operator)


def _files(argument: str) -> Dataset:
    """Return the files in `` parquet.`/data/plain` ``, each word quoted or not."""
    match = _FILES.match(argument)
    return naming.path(match[2], format=match[1].lower()) if match else naming.path(argument)


_PACKAGE = "org.apache.iceberg"


@refines("Call")
def take_over(op: Operation) -> Flow | None:
    """Read a procedure that imports the files of another table: `SnapshotTableProcedure@7a, [shop.plain,…]`.

    `AddFilesProcedure` has the target first. The imported table is one of the session catalog
    (`BaseTableCreationSparkAction`), for procedures of all catalogs.
    """
    match = _MAKING.search(op.node.text("Arguments"))
    if match is None:
        return None
    first, second = match[2].strip("`'\" "), match[3].strip("`'\" ")
    snapshot = match[1] == "SnapshotTable"
    argument, target = (first, second) if snapshot else (second, first)
    known = {name for word, name in op.plan.catalogs.items() if is_catalog(word)}
    in_session = snapshot and naming.SESSION_CATALOG in known
    catalog = naming.SESSION_CATALOG if in_session else procedure_catalog(op, _PACKAGE)
    if not catalog:
        return Flow(command=op.node.operator)
    path = "/" in argument
    read = Read(_files(argument) if path else naming.table(argument), (), op.node.name)
    name = naming.name_for_procedure(target, catalog)
    mode = "create" if snapshot else "append"
    op.gap(
        GapReason.UNKNOWN_SOURCE,
        f"the procedure prints no columns of {name}, which are those of {read.dataset.name}",
        "nothing to do: the columns of both have the same names",
    )
    write = Write(Dataset(name, "table", "iceberg"), mode, (), node_name=op.node.name)
    return Flow(reads=(read,), write=write, command=op.node.operator)
