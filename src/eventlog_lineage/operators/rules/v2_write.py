"""Writes through V2 connectors."""

from __future__ import annotations

import re
from dataclasses import replace

from eventlog_lineage.connectors.identify import jdbc_table, split_table
from eventlog_lineage.datasets import naming
from eventlog_lineage.model import Dataset, GapReason
from eventlog_lineage.operators.flow import Flow, Output, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.source_relations import requested_target, table_in_catalog, written_by_connector
from eventlog_lineage.operators.write_targets import (
    JDBC_CATALOG,
    catalog_name,
    columns_of,
    listed_query,
    name_in_write,
    names_of_query,
    printed_catalog,
    table_spec,
    without_required_order,
    written_table,
)
from eventlog_lineage.plan.grammar.symbols import EXPRESSIONS, is_list, read
from eventlog_lineage.plan.printed.operator_lines import PrintedRelation, read_relation
from eventlog_lineage.plan.summary.scan_facts import DEFAULT_WRITE

_UNNAMED_HINT = (
    "this connector does not print the table that it writes, and options override its settings: set "
    "spark.sql.ui.explainMode=extended"
)
_STAGED = re.compile(r"\bStaged\w*Table\w*@")
"""A table that a CTAS creates: the outer execution names it."""
_NOOP = re.compile(r"\bNoop(?:Write|Table)\b|^noop-table$")


@operator("AppendData", "InsertOnlyMerge", "OverwriteByExpression", "OverwritePartitionsDynamic")
def v2_write(op: Operation) -> Flow:
    """Write its input to the table that the text of the connector's `Write` names, if it does.

    `Arguments: [Lambda@…,] IcebergWrite(table=local.db.t, format=PARQUET)`; 4.2+ prints the table in the node's
    name. A logical plan has the table as a relation: `RelationV2[id#1L, name#2] cat.db.t, false`. The noop source
    writes nothing. A MERGE that only inserts is an `InsertOnlyMerge` from 4.2 on, before an `AppendData`.
    """
    below = without_required_order(op.raw_input)
    text = op.node.text("Arguments")
    if (relation := read_relation(text)) and naming.is_plain_name(relation.identifier):
        return _into_relation(op, below, relation)
    if _NOOP.search(text) or _NOOP.search(op.node.argument):
        return below
    target = _target(op, below)
    return op.writes(Write(target, op.mode, columns_of(below.outputs)), below) if target is not None else below


def _target(op: Operation, below: Flow) -> Dataset | None:
    target, is_declared = _of_connector(op)
    name = "" if is_declared else op.node.argument or name_in_write(op.node.text("Arguments"))
    if target is None and name:
        found = naming.path(name) if naming.is_location(name) else written_table(op, name)
        target = op.known(found, "no plan of the application names this table with its catalog", below)
    return target or requested_target(op) or _unnamed_target(op, below, is_declared=is_declared)


def _unnamed_target(op: Operation, below: Flow, *, is_declared: bool) -> Dataset | None:
    """Return the dataset of a connector's write that nothing names, with a gap: options of a save override settings.

    Args:
        is_declared: Whether a connector declares the text of the write.
    """
    text = op.node.text("Arguments")
    op.gap(GapReason.UNKNOWN_TARGET, text or op.node.argument, _UNNAMED_HINT)
    if not is_declared and DEFAULT_WRITE not in text:
        return None
    return naming.unnamed((each.name for each in below.outputs), op.plan.application, "target")


def _of_connector(op: Operation) -> tuple[Dataset | None, bool]:
    """Return the table of a write, and whether a connector declares it: `ClickHouseWrite(database=db, table=t)`."""
    text = op.node.text("Arguments")
    if op.node.argument and ("@" not in text or DEFAULT_WRITE in text):
        text = op.node.argument
    name, _, description = text.partition(" ")
    is_name = name.isidentifier() and description in {"", name}  # extended text prints the table twice
    return written_by_connector(op, f"{op.node.operator} {name}" if is_name else text)


def _into_relation(op: Operation, below: Flow, relation: PrintedRelation) -> Flow:
    listed = read(EXPRESSIONS, relation.columns)
    op.complete(listed, "columns")
    columns = columns_of(below.outputs, listed.names)
    target = naming.table(relation.identifier)
    return op.writes(Write(target, op.mode, columns), below)


@operator("AppendDataExecV1", "OverwriteByExpressionExecV1")
def v1_fallback_write(op: Operation) -> Flow:
    """Name the table; the query is one line of a logical plan, and from 3.5 on also a nested execution.

    `Arguments: JDBCTable(APP.jv2,StructType(…),…), Project [id#1L, k#2L], …`
    """
    parts = op.node.arguments
    target, _ = written_by_connector(op, parts[0]) if parts else (None, False)
    if parts and _STAGED.search(parts[0]):
        return Flow(command=op.node.operator)
    target = op.known(target, "this connector does not print its table")
    write = Write(target, op.mode, None, names_of_query(parts[1:]), is_truncated=listed_query(parts[1:]).missing > 0)
    op = op.naming_arguments()
    return op.writes(write).with_outputs(op.outputs(listed_query(parts[1:]), op.unbound_arguments()))


@operator("CreateTableAsSelect", "AtomicCreateTableAsSelect", "ReplaceTableAsSelect", "AtomicReplaceTableAsSelect")
def v2_create_table_as_select(op: Operation) -> Flow:
    """Name the table, without its catalog's name; since 3.5 the query runs in nested executions.

    `Arguments: <CatalogClass>@hash, ns.t, [partitioning]?, <one line of a logical plan>, TableSpec(…), …`; Databricks
    prints the command's output, `[num_affected_rows#213L, …]`, first.
    """
    below = op.input
    parts = op.node.arguments
    parts = parts[1:] if parts and is_list(parts[0]) else parts
    if len(parts) < 2:
        return op.unknown_target(below=below)
    target = _catalog_table(op, parts[0], parts[1])
    columns: tuple[Output, ...] | None = columns_of(below.outputs) or None
    spec = table_spec(op.node.text("Arguments"))
    write = Write(
        replace(target, format=target.format or spec.format),
        op.mode,
        columns,
        names_of_query(parts[2:]),
        location=spec.location,
        managed=spec.managed and "Create" in op.node.operator,
        is_optional="Create" in op.node.operator and parts[-1] == "true",
        is_truncated=listed_query(parts[2:]).missing > 0,
    )
    return op.writes(write, below)


def _catalog_table(op: Operation, catalog: str, name: str) -> Dataset:
    """Return the table of `JDBCTableCatalog@3a02864d` and `APP.JC`; the settings show the catalog of the class."""
    class_name, known = printed_catalog(catalog) or ("", naming.SESSION_CATALOG)
    if class_name == JDBC_CATALOG and (table := table_in_catalog(op, name, class_name)) is not None:
        return table
    if class_name == JDBC_CATALOG and class_name not in op.plan.catalogs:
        return jdbc_table(split_table(name))
    if (path := naming.path_table(name)) is not None:
        return path
    return Dataset(naming.name_in_catalog(name, known or catalog_name(op, class_name)), "table")
