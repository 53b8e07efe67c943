"""Hudi's own commands (1.x): INSERT, UPDATE, DELETE, MERGE, procedures."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from eventlog_lineage.datasets import naming
from eventlog_lineage.extensions import Command, Query, Rows, SaveOptions, Target, commands_of
from eventlog_lineage.model import Dataset, GapReason
from eventlog_lineage.operators.assigned_columns import assigned, clauses
from eventlog_lineage.operators.flow import Flow, Output, Write
from eventlog_lineage.operators.joins import join_conditions
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.rules.create_table_as_select import create_table_as_select
from eventlog_lineage.operators.rules.definitions import definition
from eventlog_lineage.operators.rules.no_lineage import no_lineage
from eventlog_lineage.operators.scans import unnamed_source
from eventlog_lineage.operators.write_targets import columns_of, static_partitions, with_static_partitions
from eventlog_lineage.plan.grammar.attribute_ids import read_attribute
from eventlog_lineage.plan.grammar.symbols import is_list

COMMANDS = (
    Command("InsertIntoHoodieTableCommand", rows=Rows.BELOW),
    Command("CreateHoodieTableAsSelectCommand", target=Target.IN_JOBS),
    Command("MergeIntoHoodieTableCommand", "merge", rows=Rows.OWN | Rows.JOBS, query=Query.ATTRIBUTES),
    Command("UpdateHoodieTableCommand", "update", rows=Rows.OWN),
    Command("DeleteHoodieTableCommand", "delete", rows=Rows.OWN),
    Command("CallProcedureHoodieCommand", "maintenance"),
    Command("CreateHoodieTableCommand", "create", "created"),
    Command("CreateHoodieTableLikeCommand", "create", "copied"),
    Command("DropHoodieTableCommand", "drop", "dropped"),
    Command("AlterHoodieTableRenameCommand", "alter", "renamed"),
    Command("AlterHoodieTableAddColumnsCommand", "alter", "added"),
    Command("AlterTableCommand", "alter", "changed"),
    Command("TruncateHoodieTableCommand", "truncate"),
    *commands_of(
        """
        AlterHoodieTableAddPartitionCommand AlterHoodieTableChangeColumnCommand AlterHoodieTableDropPartitionCommand
        CreateIndexCommand DropIndexCommand RepairHoodieTableCommand
        """,
        "alter",
    ),
    *commands_of("CompactionHoodiePathCommand CompactionHoodieTableCommand RefreshIndexCommand", "maintenance"),
)


_RELATION = re.compile(r"^Relation (?P<name>[\w`.-]+)\[(?P<columns>[^\]]*)\]", re.DOTALL)
_PATH = re.compile(r"\bpath=([^,\]]+)")
_MERGE = re.compile(r"^MergeIntoTable (\(.*\))$", re.DOTALL)
_PROCEDURE_ARGUMENTS = re.compile(r"ProcedureArgs\(\w+,\{(?P<indexes>[^}]*)\},\[(?P<values>.*)\]\)")
_READ_ONLY = re.compile(r"\.(?:Show|Help|Stats|Validate)\w*Procedure@")
_SCAN = re.compile(r"^(?:Batch)?Scan (?i:hudi)\w* ([\w-]+(?:\.[\w$-]+)+)$")
_OPERATION = "hoodie.datasource.write.operation"
_PARTITIONS = "hoodie.datasource.write.partitionpath.field"
_OPERATIONS = {
    "insert_overwrite": "overwrite",
    "insert_overwrite_table": "overwrite",
    "delete": "delete",
    "delete_partition": "delete",
}
"""Hudi's operations that differ from the save mode (`WriteOperationType`, 0.x and 1.x)."""
OWN = "_hoodie_"
"""Prefix of Hudi's metadata columns."""
FILE_INDEX = "Location: Hoodie"
"""Begin of a scan's location in formatted and extended text."""
EMPTY = "org.apache.hudi.EmptyRelation@"
"""A relation of a table without commits, which prints no name."""
_EMPTY = re.compile(rf"{re.escape(EMPTY)}[0-9a-f]+")


@operator("InsertIntoHoodieTableCommand")
def insert(op: Operation) -> Flow:
    """Write its input to the relation that it prints: `Relation cat.db.t[id#1L,…] parquet, [day=…], <overwrite>`.

    1.x adds the partition columns with a value at the end of the query, 0.x does not.
    """
    below = op.input
    parts = op.node.arguments
    match = _RELATION.match(parts[0]) if parts else None
    if match is None:
        return op.unknown_target(below=below)
    listed = map(read_attribute, map(str.strip, match["columns"].split(",")))  # no space between them
    names = [item[0] for item in listed if item]
    static = static_partitions(parts[1]) if len(parts) > 1 and is_list(parts[1]) else []
    columns = _inserted(below, names, static)
    mode = "overwrite" if parts[-1] == "true" else "append"
    return op.writes(Write(naming.table(match["name"], format="hudi"), mode, columns), below)


def _inserted(below: Flow, listed: Sequence[str], static: Sequence[tuple[str, str]]) -> tuple[Output, ...]:
    """Return the columns of a table with the written values, in the table's order.

    Args:
        listed: The names of the table's columns, with Hudi's own.
    """
    rows = [output for output in below.outputs if not output.name.startswith(OWN)]
    names = [name for name in listed if not name.startswith(OWN)]
    fixed = {name.lower() for name, _ in static}
    given = [name for name in names if name.lower() not in fixed]
    names = given if len(rows) < len(names) else sorted(names, key=lambda name: name.lower() in fixed)
    order = {name: place for place, name in enumerate(listed)}
    values = sorted(columns_of(rows, names), key=lambda column: order.get(column.name, len(order)))
    return with_static_partitions(tuple(values), static)


@operator("UpdateHoodieTableCommand")
def update(op: Operation) -> Flow:
    """Write the changed rows of the table that its query scans; the command prints no name.

    0.x has no query below it, `UpdateTable [assignment(amount#1, …)], (id#2L = 3)`: a separate execution saves the
    rows (`saved_changes.py`).
    """
    below = op.input
    target = changed_table(below)
    if target is None:
        return replace(op.unknown_target(below=below), command=op.node.operator)
    columns = assigned([each for each in below.outputs if not each.name.startswith(OWN)], target.name)
    return op.writes(Write(target, "update", columns), below)


@operator("DeleteHoodieTableCommand")
def delete(op: Operation) -> Flow:
    """Delete the rows that its query selects: `HoodieCatalogTable@…, [path=file:/x, …]`.

    0.x has no query below it, `DeleteFromTable (id#2L > 1)`, as with UPDATE.
    """
    below = op.input
    match = _PATH.search(op.node.text("Arguments"))
    target = changed_table(below) or (naming.path(match[1], format="hudi") if match else None)
    if target is None:
        return replace(op.unknown_target(below=below), command=op.node.operator)
    return op.writes(Write(target, "delete"), below)


def name_source(op: Operation) -> Dataset | None:
    """Return the table of `Scan org.apache.hudi.EmptyRelation@40a4c41`, which has no rows; None for other scans.

    It is known if an UPDATE or DELETE of the application reads the same object (`changed_tables`).
    """
    name = empty_relation(op.node.argument)
    if not name:
        return None
    if table := op.plan.tables.of_unqualified(name):
        return naming.path(table, format="hudi") if "/" in table else naming.table(table, format="hudi")
    return unnamed_source(op, op.node.argument, "Hudi prints no name for a table without rows")


def empty_relation(printed: str) -> str:
    """Return the object of a table without commits, `org.apache.hudi.EmptyRelation@40a4c41`; empty for other scans."""
    match = _EMPTY.search(printed)
    return match[0] if match else ""


def changed_table(below: Flow) -> Dataset | None:
    """Return the table whose rows are read with their record keys; None for `EmptyRelation`, which has no name."""
    read = [read.dataset for read in below.reads if any(column.startswith(OWN) for column in read.columns)]
    return read[0] if read and read[0].kind != "other" else None


@operator("MergeIntoHoodieTableCommand")
def merge_into(op: Operation) -> Flow:
    """Assign the values of the clauses to target columns, by attribute id; the table is not printed.

    Arguments: MergeIntoTable (id#1L = id#2L), [updateaction(None, assignment(id#1L, id#2L), …)], [insertaction(…)]. The
        source's attributes are those of its resolved relation, which other plans may name. The statement's jobs show
        the target (`merge.py`).
    """
    parts = op.node.arguments
    match = _MERGE.match(parts[0]) if parts else None
    if match is None:
        return op.unknown_target(below=Flow())
    op = op.naming_arguments()
    scope = op.unbound_arguments()
    conditions = join_conditions(op, match[1], scope)
    given, values = clauses(op, parts[1:], scope)
    op.gap(
        GapReason.UNKNOWN_TARGET,
        op.node.text("Arguments"),
        "Hudi's MERGE does not print its table; the jobs of its commit name it, unless the log was cut",
    )
    return Flow(outputs=tuple(values), conditions=(*conditions, *given), command="MergeIntoHoodieTableCommand")


@operator("CallProcedureHoodieCommand")
def call_procedure(op: Operation) -> Flow:
    """Maintain a table: `RunCompactionProcedure@…, ProcedureArgs(true,{op=0, table=1},[scheduleAndExecute,shop.t])`.

    Procedures that show, help or validate change nothing.
    """
    if _READ_ONLY.search(op.node.text("Arguments")):
        return Flow(command=op.node.operator)
    match = _PROCEDURE_ARGUMENTS.search(op.node.text("Arguments"))
    values = match["values"].split(",") if match else []
    for name, _, index in (item.strip().partition("=") for item in (match["indexes"].split(",") if match else [])):
        if name == "table" and index.isdigit() and int(index) < len(values):
            target = naming.table(values[int(index)].strip(), format="hudi")
            return op.writes(Write(target, "maintenance"))
    return Flow(command=op.node.operator)


@operator("CompactionHoodiePathCommand")
def compact_path(op: Operation) -> Flow:
    """Maintain the table of a path: `Arguments: /data/shop/orders, RUN`, of `RUN COMPACTION ON '/data/shop/orders'`."""
    parts = op.node.arguments
    if not parts:
        return Flow(command=op.node.operator)
    return op.writes(Write(naming.path(parts[0], format="hudi"), "maintenance"))


operator(
    "CompactionShowHoodiePathCommand",
    "CompactionShowHoodieTableCommand",
    "ShowHoodieTablePartitionsCommand",
    "ShowIndexesCommand",
)(no_lineage)
operator(
    "AlterHoodieTableAddColumnsCommand",
    "AlterHoodieTableAddPartitionCommand",
    "AlterHoodieTableChangeColumnCommand",
    "AlterHoodieTableDropPartitionCommand",
    "AlterHoodieTableRenameCommand",
    "CompactionHoodieTableCommand",
    "CreateHoodieTableCommand",
    "CreateHoodieTableLikeCommand",
    "CreateIndexCommand",
    "DropHoodieTableCommand",
    "DropIndexCommand",
    "RefreshIndexCommand",
    "RepairHoodieTableCommand",
    "TruncateHoodieTableCommand",
)(definition)
operator("CreateHoodieTableAsSelectCommand")(create_table_as_select)


def save_options(options: Mapping[str, str]) -> SaveOptions | None:
    """Return mode and table from the options of a save; Hudi's options begin with `hoodie.`."""
    if not any(name.startswith("hoodie.") for name in options):
        return None
    fields = (field.partition(":")[0].strip() for field in options.get(_PARTITIONS, "").split(","))
    return SaveOptions(
        _OPERATIONS.get(options.get(_OPERATION, ""), ""),
        options.get("hoodie.table.name", ""),
        tuple(field for field in fields if field),
    )


def name_scan(scan: str, _: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the table of `Scan HudiFileGroup spark_catalog.shop.updates`, the name of a scan in a job's RDD.

    Args:
        _: Catalogs, which Hudi does not need.
    """
    match = _SCAN.match(scan)
    return (naming.table_name(match[1]), "hudi") if match else None
