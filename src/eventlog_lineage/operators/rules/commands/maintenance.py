"""Upkeep of tables: what is compacted, cleaned or restored keeps its values."""

from __future__ import annotations

import re

from eventlog_lineage.datasets import naming
from eventlog_lineage.model import Dataset
from eventlog_lineage.operators.arguments import arguments, lists
from eventlog_lineage.operators.flow import Flow, Read, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.write_targets import table_in, table_of
from eventlog_lineage.plan.expressions.lists import split_items
from eventlog_lineage.plan.nodes import walk

_ARGUMENT = re.compile(r"^(?:Paimon)?(?:PositionalArgument\(|NamedArgument\((\w+),)(.*)\)$", re.DOTALL)
_MAKING = re.compile(r"\.iceberg\.spark\.procedures\.(SnapshotTable|AddFiles)Procedure@\w+, \[([^,\]]+),([^,\]]+)")
_PLACE = re.compile(r"^(?:/|[a-z][a-z0-9+.-]*:/)\S+$")
_PROCEDURE = re.compile(r"\.(?:iceberg|paimon|hudi)\.")


@operator("OptimizeTableCommand", "VacuumTableCommand", "RestoreTableCommand", "DeltaGenerateCommand", "Call")
def maintenance(at: Operation) -> Flow:
    """Names the table that it tends; what its executions read and write is no lineage.

    Delta's commands print a `DeltaTableV2(` or, as a child, a `ResolvedTable`, up to 2.x its name or its place
    (`` `shop`.`orders`, 168.0, false ``); Iceberg's procedures are a `Call`
    (3.5, 4.0) whose arguments begin with the table's name: `…RewriteDataFilesProcedure@24ec7177, [shop.orders,null]`.
    `snapshot` and `add_files` write a table that reads another one.
    """
    if at.node.operator == "Call" and (match := _MAKING.search(at.node.text("Arguments"))):
        return _taken_over(at, match)
    target = _target(at)
    if target is None:
        return Flow(command=at.node.operator)
    return Flow(write=Write(target, "maintenance", (), node_name=at.node.name), command=at.node.operator)


def _taken_over(at: Operation, match: re.Match[str]) -> Flow:
    """A table that takes over another one's files: `SnapshotTableProcedure@7a, [shop.plain,shop.snapped,null]`.

    `AddFilesProcedure` has its own table first. The table whose files they are is the session catalog's
    (`BaseTableCreationSparkAction`), whatever catalog the procedure belongs to.
    """
    first, second = match[2].strip("`'\" "), match[3].strip("`'\" ")
    snapshot = match[1] == "SnapshotTable"
    source, target = (first, second) if snapshot else (second, first)
    known = [name for word, name in at.plan.catalogs.items() if ".iceberg." in word] or [naming.SESSION_CATALOG]
    catalog = naming.SESSION_CATALOG if snapshot and naming.SESSION_CATALOG in known else known[0]
    path = "/" in source
    read = Read(naming.path(source.rpartition(".")[2]) if path else naming.table(source), (), at.node.name)
    name = naming.table_name(target, catalog=catalog)
    mode = "create" if snapshot else "append"
    write = Write(Dataset(name, "table", "iceberg"), mode, (), node_name=at.node.name)
    return Flow(reads=(read,), write=write, command=at.node.operator)


@operator("CallStatement", "PaimonCallStatement")
def parsed_call(at: Operation) -> Flow:
    """Names the table of a CALL as it was written; the analyzed plan of extended text has a description in its place.

    `Arguments: [lake, system, rewrite_data_files], [NamedArgument(table,shop.orders), NamedArgument(options,…)]`, or a
    list of `PositionalArgument(shop.orders)`; Paimon's have a word more. The procedure's name begins with the catalog.
    """
    called, *rest = lists(at.node) or [""]
    words = called.split(", ")
    values = [match for part in rest for item in split_items(part) if (match := _ARGUMENT.match(item))]
    named = [match[2] for match in values if match[1] == "table"] or [match[2] for match in values if not match[1]]
    name = named[0].strip("'\"` ") if named else ""
    if "." not in name or len(words) < 3:
        return Flow(command="Call")
    full = naming.table_name(name, catalog=words[0])
    return Flow(write=Write(Dataset(full, "table"), "maintenance", (), node_name="Call"), command="Call")


def _target(at: Operation) -> Dataset | None:
    for node in walk(at.node):
        text = node.text("Arguments")
        if node.operator == "Call":
            return _called(at, arguments(node))
        if found := table_in(text) or _named(arguments(node)):
            return found
    return None


def _named(parts: list[str]) -> Dataset | None:
    """The table of Delta's commands up to 2.x: `Option[String]` for a path, `Option[TableIdentifier]` for a table."""
    place = next((part for part in parts[:1] if _PLACE.match(part)), "")
    return naming.path(place, format="delta") if place else table_of(parts)


def _called(at: Operation, parts: list[str]) -> Dataset | None:
    procedure = next((part for part in parts if _PROCEDURE.search(part)), "")
    if not procedure or not parts[-1].startswith("["):
        return None
    name = parts[-1].strip("[]").split(",")[0].strip("`'\" ")
    package = procedure.partition(".spark.")[0]
    catalogs = [found for word, found in at.plan.catalogs.items() if word.startswith(package)]
    words = naming.split_name(name)
    if len(words) < 2:
        return None
    return Dataset(naming.table_name(name, catalog=catalogs[0] if catalogs else naming.SESSION_CATALOG), "table")
