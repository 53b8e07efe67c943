"""DDL: tables that are made, changed and dropped without rows."""

from __future__ import annotations

import re
from dataclasses import replace

from ...datasets import naming
from ...model import Dataset
from ..arguments import arguments
from ..flow import Flow, Write
from ..operation import Operation
from ..registry import operator
from ..targets import table_of, table_spec

_MODES = {"Create": "create", "Drop": "drop", "Alter": "alter", "Rename": "alter", "Truncate": "truncate"}
_PARTS = frozenset(
    """
    CreateOrReplaceBranch CreateOrReplaceTag DropBranch DropIdentifierFields DropPartitionField DropPartitions DropTag
    """.split()
)
"""Commands that make or drop a part of a table: the table is altered."""
_V2_NAME = re.compile(r"^[\w$.-]+(?:@[0-9a-f]+|\(([\w-]+)\))$")


@operator(
    "AddPartitionField",
    "AddPartitions",
    "AlterHoodieTableAddColumnsCommand",
    "AlterHoodieTableChangeColumnCommand",
    "AlterHoodieTableDropPartitionCommand",
    "AlterHoodieTableRenameCommand",
    "AlterTable",
    "AlterTableAddColumnsCommand",
    "AlterTableAddPartitionCommand",
    "AlterTableChangeColumnCommand",
    "AlterTableCommand",
    "AlterTableDropPartitionCommand",
    "AlterTableRenameCommand",
    "AlterTableRenamePartitionCommand",
    "AlterTableSerDePropertiesCommand",
    "AlterTableSetLocationCommand",
    "AlterTableSetPropertiesCommand",
    "AlterTableUnsetPropertiesCommand",
    "CreateDataSourceTableCommand",
    "CreateHoodieTableCommand",
    "CreateHoodieTableLikeCommand",
    "CreateOrReplaceBranch",
    "CreateOrReplaceTag",
    "CreateTable",
    "CreateTableCommand",
    "CreateTableLike",
    "CreateTableLikeCommand",
    "DropBranch",
    "DropHoodieTableCommand",
    "DropIdentifierFields",
    "DropPartitionField",
    "DropPartitions",
    "DropTable",
    "DropTableCommand",
    "DropTag",
    "DropView",
    "RenameTable",
    "RepairHoodieTableCommand",
    "RepairTable",
    "RepairTableCommand",
    "ReplacePartitionField",
    "ReplaceTable",
    "SetIdentifierFields",
    "SetWriteDistributionAndOrdering",
    "TruncateHoodieTableCommand",
    "TruncatePartition",
    "TruncateTable",
    "TruncateTableCommand",
)
def definition(at: Operation) -> Flow:
    """Writes no rows; the table that is made, changed or dropped is the target.

    `` Arguments: `cat`.`db`.`t`, … `` for V1 commands, `Catalog@hash, ns.t, …` for V2.
    """
    target = _target(at)
    if target is None:
        return Flow(command=at.node.operator)
    named = "" if at.node.operator in _PARTS else at.node.operator
    mode = next((word for prefix, word in _MODES.items() if named.startswith(prefix)), "alter")
    spec = table_spec(at.node.text("Arguments"))
    target = replace(target, format=target.format or spec.format)
    write = Write(target, mode, (), location=spec.location, node_name=at.node.name, managed=spec.managed)
    return Flow(write=write, command=at.node.operator)


def _target(at: Operation) -> Dataset | None:
    parts = arguments(at.node)
    table = table_of(parts[:1])
    if table is not None or len(parts) < 2:
        return table
    match = _V2_NAME.match(parts[0])
    if not match:
        return None
    catalog = match[1] or at.plan.catalogs.get(parts[0].partition("@")[0], naming.SESSION_CATALOG)
    return Dataset(naming.table_name(parts[1], catalog=catalog), "table")
