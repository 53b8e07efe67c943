"""Rules for Iceberg's tables and procedures; `create_changelog_view` keeps the positions of columns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.openlineage import folder_namespace, metastore_namespace
from eventlog_lineage.lineage.tracing.statement_trace import StatementTrace
from eventlog_lineage.model import Dataset, Gap, GapReason
from eventlog_lineage.operators.flow import Condition, Flow, Output, Read, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import refines
from eventlog_lineage.operators.rules.logical_relation import logical_relation
from eventlog_lineage.operators.rules.maintenance import call_arguments, maintenance, parsed_call, procedure_catalog
from eventlog_lineage.operators.rules.merge_rows import listed_outputs
from eventlog_lineage.operators.rules.v2_write import v2_write
from eventlog_lineage.operators.scans import filters_on, source
from eventlog_lineage.operators.write_targets import without_required_order
from eventlog_lineage.plan.grammar.attribute_ids import attribute_of
from eventlog_lineage.plan.grammar.symbols import Listed, read_arguments
from eventlog_lineage.plan.printed.formatted import DESCRIPTION
from eventlog_lineage.plan.summary.plan_facts import TRUNCATED
from eventlog_lineage.plan.tree.nodes import PlanNode, walk


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
    return filters_on(dataset, _PREDICATE.findall(match[1]), match[1]) if match else []


@refines("AppendData", "InsertOnlyMerge", "OverwriteByExpression", "OverwritePartitionsDynamic")
def rewrite_files(op: Operation) -> Flow | None:
    """Read a write of rewritten files as maintenance of their table."""
    if not any(_REWRITTEN in node.text(DESCRIPTION) for node in walk(op.node)):
        return None
    flow = v2_write(op)
    if flow.write is None:
        return flow
    return op.writes(Write(flow.write.target, "maintenance"))


def _files(argument: str) -> Dataset:
    """Return the files in `` parquet.`/data/plain` ``, each word quoted or not."""
    match = _FILES.match(argument)
    return naming.path(match[2], format=match[1].lower()) if match else naming.path(argument)


_IMPORTS = {"snapshot": ("source_table", "table"), "add_files": ("table", "source_table")}
"""The procedures that import the files of another table, or of a folder, with the names of their first arguments."""


@refines("Call")
def take_over(op: Operation) -> Flow | None:
    """Read a procedure that imports the files of another table: `SnapshotTableProcedure@7a, [shop.plain,…]`.

    The imported table is one of the session catalog (`BaseTableCreationSparkAction`), for procedures of all catalogs.
    """
    match = _MAKING.search(op.node.text("Arguments"))
    if match is None:
        return None
    procedure = "snapshot" if match[1] == "SnapshotTable" else "add_files"
    known = {name for word, name in op.plan.catalogs.items() if is_catalog(word)}
    in_session = procedure == "snapshot" and naming.SESSION_CATALOG in known
    catalog = naming.SESSION_CATALOG if in_session else procedure_catalog(op, "org.apache.iceberg")
    if not catalog:
        return Flow(command=op.node.operator)
    return _importing(procedure, catalog, [("", match[2]), ("", match[3])])


@refines("CallStatement")
def parsed_take_over(op: Operation) -> Flow | None:
    """Read the parsed CALL of extended text that imports files: `[lake, system, add_files], [NamedArgument(…), …]`."""
    words, values = call_arguments(op)
    if len(words) != 3 or words[2] not in _IMPORTS:
        return None
    return _importing(words[2], words[0], values)


def _importing(procedure: str, catalog: str, values: Sequence[tuple[str, str]]) -> Flow | None:
    """Return the flow of one of `_IMPORTS`, with its arguments: (name or empty, value); None if they are truncated."""
    in_order = (value for name, value in values if not name)
    found = dict(zip(_IMPORTS[procedure], in_order, strict=False)) | {name: value for name, value in values if name}
    if not found.keys() >= {"table", "source_table"}:
        return None
    argument = found["source_table"].strip("'\" ")
    files = _files(argument) if "/" in argument else naming.table(argument.replace("`", ""))
    name = naming.name_for_procedure(found["table"].strip("`'\" "), catalog)
    gap = Gap(
        GapReason.UNKNOWN_SOURCE,
        _CALL_NODE,
        f"the procedure prints no columns of {name}, which are those of {files.name}",
        "nothing to do: the columns of both have the same names",
    )
    mode = "create" if procedure == "snapshot" else "append"
    write = Write(Dataset(name, "table", "iceberg"), mode, (), node_name=_CALL_NODE)
    return Flow(reads=(Read(files, (), _CALL_NODE),), write=write, command=_CALL_NODE, gaps=(gap,))


_CALL_NODE = "Call"
_ANALYZED_CALL = re.compile(
    r"\n +\+- Call (?P<catalog>[\w-]+)\.system\.(?!ancestors_of\b|create_changelog_view\b)(?P<name>\w+)"
    r"\((?P<arguments>[^\n]*)\)\n +\+- ResolvedProcedure [^\n]*\.iceberg\."
)


def name_called_table(trace: StatementTrace) -> StatementTrace:
    """Name the table of a procedure from the analyzed plan: from Spark 4.0 on, the physical plan has its rows only."""
    called = _ANALYZED_CALL.search(trace.texts[0].text)
    if called is None or trace.root.write is not None:
        return trace
    catalog, values = called["catalog"], [("", value) for value in read_arguments(called["arguments"])]
    if called["name"] in _IMPORTS and (imported := _importing(called["name"], catalog, values)):
        return trace.with_root(imported)
    first = values[0][1] if values else ""
    table = Dataset(naming.name_for_procedure(first.strip("`'\" "), catalog), "table", "iceberg")
    return trace.with_root(Flow(write=Write(table, "maintenance", (), node_name=_CALL_NODE), command=_CALL_NODE))


_MAINTAINING = re.compile(
    r"^(?:Rewriting|Expiring|Removing|Deleting|Computing)\b[^\n]* (?:in|from|for) ([\w-]+(?:\.[\w-]+){2,})"
    r"(?: \([^()\n]*\))?$"
)
_CALLED = re.compile(
    r"== Physical Plan ==\nCommandResult[^\n]*\n +\+- LocalTableScan[^\n]*\n\s*\(1\) CommandResult\nOutput \[\d+\]: "
    r"\[(?P<output>[^\n]*)\]\n"
)
_COUNT = re.compile(r"(?:(?:rewritten|deleted|removed|added|migrated|imported)_\w+_count|orphan_file_location)$")
_RESULTS = frozenset(
    {
        ("previous_snapshot_id", "current_snapshot_id"),
        ("source_snapshot_id", "current_snapshot_id"),
        ("branch_updated", "previous_ref", "updated_ref"),
        ("current_snapshot_id", "total_records_count", "total_data_files_count"),
        ("latest_version", "file_list_location"),
        ("statistics_file",),
        ("partition_statistics_file",),
    }
)
"""The columns of procedures that change a table's metadata only (Iceberg 1.4 to 1.12): rollbacks and
`set_current_snapshot`; `cherrypick_snapshot` and `publish_changes`; `fast_forward`; `register_table`;
`rewrite_table_path`; statistics."""
_CALL = re.compile(
    r"CALL\s+`?(\w+)`?\.`?system`?\.`?(?!create_changelog_view\b)\w+`?\s*\((.*)\)\s*;?\s*$", re.IGNORECASE | re.DOTALL
)
_TABLE_ARGUMENT = re.compile(r"^\s*'([^']+)'|\b(?:table|branch_table)\s*=>\s*'([^']+)'", re.IGNORECASE)


def is_call_result(physical: str) -> bool:
    """Return whether the rows of a plan are a procedure's result; on Spark 4 only that is an execution."""
    found = _CALLED.match(physical)
    if found is None:
        return False
    names = tuple(attribute_of(item)[0] for item in found["output"].split(", "))
    return names in _RESULTS or any(map(_COUNT.match, names))


def is_internal_query(text: str) -> bool:
    """Return whether a plan is a query of a procedure over a list of files (`SparkTableUtil`, 1.4 to 1.12)."""
    return "org.apache.iceberg.spark.SparkTableUtil" in text


def maintained_table(description: str) -> str:
    """Return the table that a description names; empty for others.

    `Rewriting 1 files (…) in lake.shop.orders`, `Deleting orphan files (…) from lake.shop.orders` and `Computing table
    stats for lake.shop.orders (…)` are Iceberg's own. `CALL lake.system.rollback_to_snapshot('shop.orders', 1)` is the
    statement, where its SQL is the description (`spark-sql`, Thrift servers).
    """
    match = _MAINTAINING.match(description)
    if match:
        return match[1]
    call = _CALL.match(description.strip())
    argument = _TABLE_ARGUMENT.search(call[2]) if call is not None else None
    if call is None or argument is None:
        return ""
    words = (argument[1] or argument[2]).replace("`", "").split(".")
    return ".".join(words if words[0] == call[1] else (call[1], *words))


_VIEW = re.compile(r"\.CreateChangelogViewProcedure@\w+, \[[^,\]]+,(?P<view>[^,\]]+)")
_PARSED_VIEW = re.compile(
    r"\bcreate_changelog_view\], \[(?:.*\bNamedArgument\(changelog_view,|PositionalArgument\([^()]*\), "
    r"PositionalArgument\()(?P<view>[^()]+)\)"
)


@refines("Call")
def changelog_view(op: Operation) -> Flow | None:
    """Read the table of `CreateChangelogViewProcedure@40fd4abb, [shop.orders,changes,null,…]`, and write its view.

    The view is temporary, `orders_changes` if the CALL does not name it (Iceberg 1.2 to 1.12).
    """
    match = _VIEW.search(op.node.text("Arguments"))
    return _of_view(op, maintenance(op), "" if match["view"] == "null" else match["view"]) if match else None


@refines("CallStatement")
def parsed_changelog_view(op: Operation) -> Flow | None:
    """Read the parsed CALL of extended text: `[lake, system, create_changelog_view], [NamedArgument(table,…), …]`."""
    text = op.node.text("Arguments")
    if "create_changelog_view]" not in text:
        return None
    match = _PARSED_VIEW.search(text)
    return _of_view(op, parsed_call(op), match["view"] if match else "")


def _of_view(op: Operation, called: Flow, view: str) -> Flow:
    """Return the flow of a view of the table that a procedure names; `view` is empty for the default name."""
    if called.write is None:
        return called
    table = called.write.target
    name = ".".join(naming.split_name(view.strip("'\" "))) or f"{naming.split_name(table.name)[-1]}_changes"
    flow = op.writes(Write(Dataset(name, "temp_view"), "create"), Flow(reads=(Read(table, (), op.node.name),)))
    return replace(flow, command=called.command)


_KIND = "_change_type#"
_CODE = ("MapPartitions", "DeserializeToObject")
_BETWEEN = frozenset({"Sort", "Exchange", "Project", "RepartitionByExpression", "SubqueryAlias", "AdaptiveSparkPlan"})
_CHANGES = re.compile(
    r"\[fromSnapshotId=|^IcebergChangelogScan\(|\bSparkChangelogTable@"
    r"|_commit_snapshot_id#\d+L?\],? [\w.-]+\.changes\b"
)


@refines("SerializeFromObject")
def keep_columns(op: Operation) -> Flow | None:
    """Return the unchanged columns of `ChangelogIterator`, which drops rows and renames the kinds of changes.

    `SerializeFromObject`, `MapPartitions` and `DeserializeToObject` over the sorted rows of a table's changes
    (`CreateChangelogViewProcedure`, 1.3+). The procedure requires the sort.
    """
    rows = _sorted_rows(op.node)
    if rows is None:
        return None
    below = without_required_order(op.below(rows))
    values = {output.name: output.derivation for output in below.outputs}
    columns = op.node.listed("columns")
    listed = listed_outputs(op, Listed(tuple(item.rpartition(" AS ")[2] for item in columns), columns.missing))
    if any(name not in values for name, _ in listed):
        return None
    return below.with_outputs(Output(name, expr_id, values[name]) for name, expr_id in listed)


_SUFFIX = ".changes"


@refines("DataSourceV2Relation", "RelationV2")
def relation_of_changes(op: Operation) -> Flow | None:
    """Name the table of its changes in the view that `create_changelog_view` makes, a command from 4.0 on.

    `SparkChangelogTable@36b2d6f9, [id#1L, _change_type#2], org.apache.iceberg.spark.SparkCatalog@5cf7dc97,
    shop.orders.changes, []`, or up to Spark 4.0 `RelationV2[…, _commit_snapshot_id#2L] lake.shop.orders.changes`.
    """
    if not _CHANGES.search(op.node.text("Arguments")):
        return None
    flow = logical_relation(op)
    if len(flow.reads) != 1 or not flow.reads[0].dataset.name.endswith(_SUFFIX):
        return flow
    table = naming.table(flow.reads[0].dataset.name.removesuffix(_SUFFIX), format="iceberg")
    outputs = (replace(each, derivation=source(table.name, each.name)) for each in flow.outputs if each.expr_id >= 0)
    truncated = (each for each in flow.outputs if each.expr_id < 0)
    return replace(flow, outputs=(*outputs, *truncated), reads=(replace(flow.reads[0], dataset=table),))


def _sorted_rows(node: PlanNode) -> PlanNode | None:
    """Return the sort of a table's changes that the code below an operator reads; None for other code."""
    for name in (*_CODE, "Sort"):
        if len(node.children) != 1 or node.children[0].operator != name:
            return None
        node = node.children[0]
    if not _sorts_changes(node):
        return None
    scan = node
    while scan.operator in _BETWEEN and len(scan.children) == 1:
        scan = scan.children[0]
    printed = scan.text(DESCRIPTION) or scan.text("Arguments")
    return node if _CHANGES.search(printed) else None


def _sorts_changes(node: PlanNode) -> bool:
    """Return whether a sort has the kind of a change among its keys, which Spark truncates after 25."""
    keys = node.text("Arguments")
    return _KIND in keys or (TRUNCATED in keys and any(each.startswith(_KIND) for each in node.items("Input")))
