"""DDL: tables that are made, changed and dropped without rows."""

from __future__ import annotations

import re
from dataclasses import replace

from eventlog_lineage.datasets import naming
from eventlog_lineage.extensions import Command, find_command
from eventlog_lineage.model import Dataset, Evidence, Extent, SchemaColumn, SchemaSign
from eventlog_lineage.operators.arguments import arguments, inner, is_list
from eventlog_lineage.operators.flow import Flow, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.write_targets import catalog_name, session_table, table_spec
from eventlog_lineage.plan.expressions.catalyst_types import listed_fields
from eventlog_lineage.plan.expressions.lists import split_items

_V2_NAME = re.compile(r"^[\w$.-]+(?:@[0-9a-f]+|\(([\w-]+)\))$")
_CHANGE = re.compile(r"TableChange\$(\w+@[0-9a-f]+)")
_DETAIL_LIMIT = 500

Parts = list[str]


@operator(
    "AddPartition",
    "AddPartitionField",
    "AddPartitions",
    "AlterTable",
    "AlterTableAddColumnsCommand",
    "AlterTableAddPartitionCommand",
    "AlterTableChangeColumnCommand",
    "AlterTableChangeColumnCommentsCommand",
    "AlterTableClusterBy",
    "AlterTableCollation",
    "AlterTableCommand",
    "AlterTableDropPartitionCommand",
    "AlterTableRecoverPartitionsCommand",
    "AlterTableRenameCommand",
    "AlterTableRenamePartitionCommand",
    "AlterTableSerDePropertiesCommand",
    "AlterTableSetLocationCommand",
    "AlterTableSetPropertiesCommand",
    "AlterTableUnsetPropertiesCommand",
    "AtomicReplaceTable",
    "CommentOnTable",
    "CreateDataSourceTableCommand",
    "CreateOrReplaceBranch",
    "CreateOrReplaceTag",
    "CreateTable",
    "CreateTableCommand",
    "CreateTableLike",
    "CreateTableLikeCommand",
    "DropBranch",
    "DropIdentifierFields",
    "DropPartition",
    "DropPartitionField",
    "DropPartitions",
    "DropTable",
    "DropTableCommand",
    "DropTag",
    "DropView",
    "RecoverPartitions",
    "RenamePartition",
    "RenamePartitions",
    "RenameTable",
    "RenameV2View",
    "RepairTable",
    "RepairTableCommand",
    "ReplacePartitionField",
    "ReplaceTable",
    "SetIdentifierFields",
    "SetWriteDistributionAndOrdering",
    "TruncatePartition",
    "TruncateTable",
    "TruncateTableCommand",
)
def definition(at: Operation) -> Flow:
    """Writes no rows; the table that is made, changed or dropped is the target.

    `` Arguments: `cat`.`db`.`t`, … `` for V1 commands, `Catalog@hash, ns.t, …` for V2.
    """
    parts = arguments(at.node)
    target, rest, is_typed = _target(at, parts)
    if target is None:
        return Flow(command=at.node.operator)
    known = find_command(at.node.operator)
    spec = table_spec(at.node.text("Arguments"))
    target = replace(target, format=target.format or spec.format)
    write = Write(target, known.mode, (), location=spec.location, node_name=at.node.name, managed=spec.managed)
    write = replace(write, is_typed=is_typed)
    write = replace(write, definition=_sign(known, target, rest))
    return Flow(write=write, command=at.node.operator)


def _target(at: Operation, parts: Parts) -> tuple[Dataset | None, Parts, bool]:
    """The table, the arguments behind its name, and whether it lacks its database."""
    table, is_typed = session_table(at, parts[0]) if parts else (None, False)
    if table is not None or len(parts) < 2:
        return table, parts[1:], is_typed
    match = _V2_NAME.match(parts[0])
    if not match:
        return None, [], False
    return Dataset(naming.table_name(parts[1], catalog=_catalog(at, parts[0], match)), "table"), parts[2:], False


def _catalog(at: Operation, text: str, match: re.Match[str]) -> str:
    return match[1] or catalog_name(at, text.partition("@")[0])


def _sign(known: Command, target: Dataset, rest: Parts) -> SchemaSign | None:
    """What the command says of the table's schema; None for partitions, properties, locations."""
    detail = f"{known.name} {', '.join(rest)}".strip()[:_DETAIL_LIMIT]
    if known.schema == "dropped":
        return SchemaSign(target.name, Evidence.DROP, Extent.DROPPED, detail=detail)
    if known.schema == "renamed":
        return _renamed(target, rest, detail)
    if known.schema == "changed":
        words = tuple(_CHANGE.findall(", ".join(rest)))
        return SchemaSign(target.name, Evidence.ALTER, Extent.CODES, words=words, detail=detail) if words else None
    if known.schema == "added":
        return SchemaSign(target.name, Evidence.ALTER, Extent.ADDED, _listed(rest), detail=detail)
    if known.schema == "retyped":
        return _changed(target, rest, detail)
    return _made(known, target, rest, detail) if known.schema else None


def _made(known: Command, target: Dataset, rest: Parts, detail: str) -> SchemaSign:
    """V2 commands print their columns; those of V1 (`CreateDataSourceTableCommand`) do not."""
    evidence = Evidence.REPLACE if known.schema == "replaced" else Evidence.CREATE
    words = ("if not exists",) if known.schema == "created" and rest[-1:] == ["true"] else ()
    columns = _listed(rest)
    extent = Extent.ALL if columns else Extent.NONE
    return SchemaSign(target.name, evidence, extent, columns, ordered=bool(columns), words=words, detail=detail)


def _renamed(target: Dataset, rest: Parts, detail: str) -> SchemaSign | None:
    """`` `remade`, false `` (V1, with or without its database), `ns.t2` (V2)."""
    if not rest:
        return None
    words = naming.split_name(rest[0]) if rest[0].startswith("`") else rest[0].split(".")
    own = naming.split_name(target.name)
    name = ".".join((*own[: max(len(own) - len(words), 0)], *words)) if len(words) < len(own) else ".".join(words)
    return SchemaSign(target.name, Evidence.RENAME, Extent.RENAMED, words=(name,), detail=detail)


def _changed(target: Dataset, rest: Parts, detail: str) -> SchemaSign | None:
    """`a, StructField(a,IntegerType,true)`: V1 changes comments, and in some versions types."""
    fields = listed_fields(rest)
    if not fields:
        return None
    columns = tuple(SchemaColumn(name, kind) for name, kind in fields)
    return SchemaSign(target.name, Evidence.ALTER, Extent.RETYPED, columns, detail=detail)


def _listed(rest: Parts) -> tuple[SchemaColumn, ...]:
    for part in rest:
        fields = listed_fields(split_items(inner(part))) if is_list(part) else []
        if fields:
            return tuple(SchemaColumn(name, kind) for name, kind in fields)
    return ()
