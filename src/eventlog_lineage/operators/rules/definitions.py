"""DDL: create, alter and drop tables without rows."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from eventlog_lineage.datasets import naming
from eventlog_lineage.extensions import Command, find_command
from eventlog_lineage.model import Dataset
from eventlog_lineage.observed_schemas import (
    ColumnsAdded,
    ColumnsRetyped,
    HashedChanges,
    SchemaColumn,
    SchemaObservation,
    TableCreated,
    TableDropped,
    TableRenamed,
)
from eventlog_lineage.operators.commands import DEFINITIONS
from eventlog_lineage.operators.flow import Flow, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.source_relations import table_in_catalog
from eventlog_lineage.operators.write_targets import (
    JDBC_CATALOG,
    catalog_name,
    printed_catalog,
    session_table,
    table_spec,
)
from eventlog_lineage.plan.grammar.symbols import hidden_items, inner, is_list, read_arguments
from eventlog_lineage.plan.grammar.types import listed_fields

_PRINTED_NAME = re.compile(r"^[\w-]+(?:\.[\w-]+){2,}$")
_CHANGE = re.compile(r"TableChange\$(\w+@[0-9a-f]+)")
_DETAIL_LIMIT = 500

Parts = list[str]


@operator(*(each.name for each in DEFINITIONS))
def definition(op: Operation) -> Flow:
    """Write no rows; the table that is created, altered or dropped is the target.

    `` Arguments: `cat`.`db`.`t`, … `` for V1 commands, `Catalog@hash, ns.t, …` for V2.
    """
    parts = op.node.arguments
    target, rest, is_database_assumed = _target(op, parts)
    if target is None:
        return Flow(command=op.node.operator)
    known = find_command(op.node.operator)
    spec = table_spec(op.node.text("Arguments"))
    target = replace(target, format=target.format or spec.format)
    write = Write(
        target,
        known.mode,
        location=spec.location,
        managed=spec.managed,
        is_database_assumed=is_database_assumed,
        definition=_observe(known, target, rest),
    )
    return op.writes(write)


def _target(op: Operation, parts: Parts) -> tuple[Dataset | None, Parts, bool]:
    """Return the table, the arguments after its name, and whether it is printed without its database."""
    table, is_database_assumed = session_table(op, parts)
    if table is not None or len(parts) < 2:
        return table, parts[1:], is_database_assumed
    printed = printed_catalog(parts[0])
    if printed is None:
        named = _PRINTED_NAME.match(parts[0])  # `TruncateTableExec` prints `Table.name`
        return (naming.table(parts[0]) if named else None), parts[1:], False
    if (path := naming.path_table(parts[1])) is not None:
        return path, parts[2:], False
    class_name, catalog = printed
    if class_name == JDBC_CATALOG and (table := table_in_catalog(op, parts[1], class_name)) is not None:
        return table, parts[2:], False
    name = naming.name_in_catalog(parts[1], catalog or catalog_name(op, class_name))
    return Dataset(name, "table"), parts[2:], False


def _observe(known: Command, target: Dataset, rest: Parts) -> SchemaObservation | None:
    """Return the command's observation of the table's schema; None for partitions, properties and locations."""
    detail = f"{known.name} {', '.join(rest)}".strip()[:_DETAIL_LIMIT]
    match known.schema_effect:
        case "dropped":
            return TableDropped(dataset=target.name, detail=detail)
        case "renamed" if rest:
            return TableRenamed(dataset=target.name, new_name=_new_name(target, rest[0]), detail=detail)
        case "changed" if changes := tuple(_CHANGE.findall(", ".join(rest))):
            return HashedChanges(dataset=target.name, changes=changes, detail=detail)
        case "added":
            return ColumnsAdded(dataset=target.name, columns=_listed(rest), detail=detail)
        case "retyped" if columns := _columns(listed_fields(rest)):
            return ColumnsRetyped(dataset=target.name, columns=columns, detail=detail)
        case "created" | "copied" | "replaced":
            return _created(known, target, rest, detail)
    return None


def _created(known: Command, target: Dataset, rest: Parts, detail: str) -> TableCreated:
    """Return the observation of a new table; V2 prints columns, V1 (`CreateDataSourceTableCommand`) does not."""
    columns = _listed(rest)
    is_complete = bool(columns) and not any(hidden_items(part) for part in rest if is_list(part))
    return TableCreated(
        dataset=target.name,
        replaces=known.schema_effect == "replaced",
        columns=columns,
        is_complete=is_complete,
        ordered=is_complete,
        if_not_exists=known.schema_effect == "created" and rest[-1:] == ["true"],
        detail=detail,
    )


def _new_name(target: Dataset, printed: str) -> str:
    """Return a table's new name: `` `remade` `` (V1, with or without its database), `ns.t2` (V2).

    Args:
        target: The table, for the catalog and the database of a new name that is printed without them.
    """
    words = naming.split_name(printed) if printed.startswith("`") else printed.split(".")
    own = naming.split_name(target.name)
    return ".".join((*own[: max(len(own) - len(words), 0)], *words)) if len(words) < len(own) else ".".join(words)


def _listed(rest: Parts) -> tuple[SchemaColumn, ...]:
    for part in rest:
        fields = listed_fields(read_arguments(inner(part))) if is_list(part) else []
        if fields:
            return _columns(fields)
    return ()


def _columns(fields: Iterable[tuple[str, str]]) -> tuple[SchemaColumn, ...]:
    return tuple(SchemaColumn(name, kind) for name, kind in fields)
