"""Writes through V2 connectors."""

from __future__ import annotations

import re
from dataclasses import replace

from eventlog_lineage.connectors.identify import jdbc_table, split_table
from eventlog_lineage.datasets import naming
from eventlog_lineage.extensions import find_command
from eventlog_lineage.model import Dataset, GapReason
from eventlog_lineage.operators.flow import Flow, Output, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.source_relations import (
    requested_target,
    table_in_catalog,
    written_by_connector,
)
from eventlog_lineage.operators.write_targets import (
    JDBC_CATALOG,
    catalog_name,
    columns_of,
    is_truncated_query,
    items_of_query,
    names_of_query,
    stored_table_name,
    table_spec,
    without_required_order,
    written,
    written_table,
)
from eventlog_lineage.plan.grammar.symbols import EXPRESSIONS, is_list, read
from eventlog_lineage.plan.summary.scan_facts import DEFAULT_WRITE

_UNNAMED_HINT = (
    "this connector does not print the table that it writes, and options override its settings: set "
    "spark.sql.ui.explainMode=extended"
)
_NAMED_WRITE = re.compile(r"\(table=([^,)]+)")
_WORD = re.compile(r"^\w+$")
_STAGED = re.compile(r"\bStaged\w*Table\w*@")
"""A table that a CTAS creates: the outer execution names it."""
_PATH = re.compile(r"/|[a-z][\w+.-]*:/")
_NOOP = re.compile(r"\bNoop(?:Write|Table)\b|^noop-table$")
_CATALOG = re.compile(r"^([\w$.]+)(?:@[0-9a-f]+|\(([\w-]+)\))$")
_RELATION = re.compile(r"^RelationV2\[(?P<columns>[^\]]*)\] (?P<table>[\w.$-]+)")
"""The table of a write in a logical plan."""


@operator("AppendData", "OverwriteByExpression", "OverwritePartitionsDynamic")
def v2_write(op: Operation) -> Flow:
    """Write its input to the table that the text of the connector's `Write` names, if it does.

    `Arguments: [Lambda@…,] IcebergWrite(table=local.db.t, format=PARQUET)`; 4.2+ prints the table in the node's
    name. A logical plan has the table as a relation: `RelationV2[id#1L, name#2] cat.db.t, false`. The noop source
    writes nothing.
    """
    below = without_required_order(op.raw_input)
    text = op.node.text("Arguments")
    if match := _RELATION.match(text):
        return _into_relation(op, below, match)
    if _NOOP.search(text) or _NOOP.search(op.node.argument):
        return below
    target, is_declared = _of_connector(op)
    match = _NAMED_WRITE.search(text)
    name = "" if is_declared else op.node.argument or (match[1] if match else "")
    if not name and target is None:
        target = requested_target(op) or _unnamed_target(op, below, is_declared=is_declared)
    if not name and target is None:
        return below
    target = target or (naming.path(name) if _PATH.match(name) else written_table(op, name))
    if target is None:
        op.gap(GapReason.UNKNOWN_TARGET, text, "no plan of the application names this table with its catalog")
        return below
    return written(
        op, below, Write(target, find_command(op.node.operator).mode, columns_of(below.outputs), node_name=op.node.name)
    )


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
    return written_by_connector(op, f"{op.node.operator} {text}" if _WORD.match(text) else text)


def _into_relation(op: Operation, below: Flow, relation: re.Match[str]) -> Flow:
    listed = read(EXPRESSIONS, relation["columns"])
    op.complete(listed, "columns")
    names = [name for name, _ in listed.attributes]
    columns = columns_of(below.outputs, names)
    target = naming.table(relation["table"])
    return written(op, below, Write(target, find_command(op.node.operator).mode, columns, node_name=op.node.name))


@operator("AppendDataExecV1", "OverwriteByExpressionExecV1")
def v1_fallback_write(op: Operation) -> Flow:
    """Name the table; the query is one line of a logical plan, and from 3.5 on also a nested execution.

    `Arguments: JDBCTable(APP.jv2,StructType(…),…), Project [id#1L, k#2L], …`
    """
    parts = op.node.arguments
    target, _ = written_by_connector(op, parts[0]) if parts else (None, False)
    if parts and _STAGED.search(parts[0]):
        return Flow(command=op.node.operator)
    if target is None:
        op.gap(GapReason.UNKNOWN_TARGET, op.node.text("Arguments"), "this connector does not print its table")
        return Flow(command=op.node.operator)
    mode, is_truncated = find_command(op.node.operator).mode, is_truncated_query(parts[1:])
    write = Write(target, mode, None, names_of_query(parts[1:]), node_name=op.node.name, is_truncated=is_truncated)
    op = op.naming_arguments()
    return Flow(op.outputs(items_of_query(parts[1:]), op.unbound_arguments()), write=write, command=op.node.operator)


@operator("CreateTableAsSelect", "AtomicCreateTableAsSelect", "ReplaceTableAsSelect", "AtomicReplaceTableAsSelect")
def v2_create_table_as_select(op: Operation) -> Flow:
    """Name the table, without its catalog's name; since 3.5 the query runs in nested executions.

    `Arguments: <CatalogClass>@hash, ns.t, [partitioning]?, <one line of a logical plan>, TableSpec(…), …`; Databricks
    prints the command's output, `[num_affected_rows#213L, …]`, first.
    """
    below = op.raw_input.completed().sorted_by_user()
    parts = op.node.arguments
    parts = parts[1:] if parts and is_list(parts[0]) else parts
    if len(parts) < 2:
        op.gap(GapReason.UNKNOWN_TARGET, op.node.text("Arguments"), "please report it with the plan's text")
        return below
    target = _catalog_table(op, parts[0], parts[1])
    columns: tuple[Output, ...] | None = columns_of(below.outputs) or None
    spec = table_spec(op.node.text("Arguments"))
    write = Write(
        replace(target, format=target.format or spec.format),
        find_command(op.node.operator).mode,
        columns,
        names_of_query(parts[2:]),
        location=spec.location,
        node_name=op.node.name,
        managed=spec.managed and "Create" in op.node.operator,
        is_optional="Create" in op.node.operator and parts[-1] == "true",
        is_truncated=is_truncated_query(parts[2:]),
    )
    return written(op, below, write)


def _catalog_table(op: Operation, catalog: str, name: str) -> Dataset:
    """Return the table of `JDBCTableCatalog@3a02864d` and `APP.JC`; the settings show the catalog of the class."""
    match = _CATALOG.match(catalog)
    if match and match[1] == JDBC_CATALOG:
        return table_in_catalog(op, name) or jdbc_table(split_table(name))
    if (path := naming.path_table(name)) is not None:
        return path
    known = match and (match[2] or catalog_name(op, match[1]))
    return Dataset(stored_table_name(name, match[1] if match else "", known or naming.SESSION_CATALOG), "table")
