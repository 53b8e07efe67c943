"""Relations in the logical trees that commands print."""

from __future__ import annotations

import re
from collections.abc import Sequence

from eventlog_lineage.datasets import naming
from eventlog_lineage.model import INFERRED, Dataset, GapReason
from eventlog_lineage.operators.derivations.derivation import truncated
from eventlog_lineage.operators.flow import Flow, Output, Read
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import columns_flow, source, topics_flow, unnamed_source, without_suffix
from eventlog_lineage.operators.source_relations import logical_relation_flow
from eventlog_lineage.operators.write_targets import catalog_name, options_of, table_of
from eventlog_lineage.plan.grammar.symbols import EMPTY, Listed, is_list
from eventlog_lineage.plan.grammar.types import schema_names
from eventlog_lineage.plan.tree.nodes import PlanNode

_V2_TABLE = re.compile(
    r"(?:^|, |^RelationV2\[[^\]]*\] )((?:[\w-]+|`[^`]+`)(?:\.(?:[\w-]+|`[^`]+`)){2,})(?:,|$| [\w$.-]+,)"
)
_CATALOG = re.compile(r"^([\w$.]+Catalog[\w$]*)@[0-9a-f]+$")
_IDENTIFIER = re.compile(r"^[\w-]+(?:\.[\w$-]+)+$")
_OBJECT = re.compile(r"^[\w$.]+@[0-9a-f]+$")
"""A relation whose class has no text of its own (`Object.toString`)."""
_HIDDEN = "... 1 more fields"
_KEEPING = frozenset({"Filter", "GlobalLimit", "Join", "LocalLimit", "Sort", "SubqueryAlias"})
"""Operators of logical trees that name the columns that they use."""
_NOT_ANALYZED = "the plan was logged before it was analyzed, as Spark 3.0 and 3.1 do for views; later ones do not"


@operator("LogicalRelation", "HiveTableRelation", "DataSourceV2Relation", "RelationV2", "DataSourceV2ScanRelation")
def logical_relation(op: Operation) -> Flow:
    """Output a table's columns; the relation of a path does not print the path.

    `` Arguments: parquet, [id#1L, name#2], `cat`.`db`.`t`, <serde>, false ``. The attributes of a path's relation
    are those of scans in the application's other plans, which may show it.
    """
    parts = op.node.arguments
    listed = next(iter(op.node.lists), EMPTY)
    named = _attributes(op, listed)
    table = table_of(parts) or _v2_table(op)
    if (table is None or _prints_source(parts)) and (flow := _of_connector(op, parts, named)):
        return flow
    if table is not None:
        return _of_table(op, table, named)
    known = [each for each in named if each[1] >= 0]
    op.complete(listed if len(known) < len(named) else EMPTY, "columns of a relation")
    return op.unbound(known)


def _of_table(op: Operation, table: Dataset, named: Sequence[tuple[str, int]]) -> Flow:
    """Return the flow of a table's relation; a column that nothing names, with the id -1, is truncated."""
    hidden = {place: Output(name, -1, truncated(name, {})) for place, (name, each) in enumerate(named) if each < 0}
    columns = [name for name, _ in named]
    outputs = tuple(
        hidden.get(place) or Output(name, expr_id, source(table.name, name))
        for place, (name, expr_id) in enumerate(named)
    )
    read = Read(
        table,
        tuple(columns[: min(hidden, default=len(columns))]),  # the first ones, without a break
        op.node.name,
        is_truncated=bool(op.gaps or hidden),
    )
    return Flow(outputs=outputs, reads=(read,))


def _attributes(op: Operation, listed: Listed) -> list[tuple[str, int]]:
    """Return the name and the id of each column; `... 1 more fields` and -1 for one that nothing names.

    A truncated list continues with the `Schema:` of the `CatalogTable(…)` that 3.1 prints, or, below a projection, with
    the names that the rest of the plan prints.
    """
    printed = listed.attributes
    ids = listed.relation_ids
    schema = schema_names(op.node.text("Arguments"))
    if listed.missing and len(schema) == len(ids) and schema[: len(printed)] == listed.names:
        return list(zip(schema, ids, strict=True))
    if not listed.missing or not ids or not _is_projected(op):
        op.complete(listed, "columns of a relation")
        return printed
    known = ((op.plan.names.get(expr_id, ("",))[0], expr_id) for expr_id in ids[len(printed) :])
    return [*printed, *((name, expr_id) if name else (_HIDDEN, -1) for name, expr_id in known)]


def _is_projected(op: Operation) -> bool:
    """Return whether a projection with a complete list drops all columns of a relation that nothing names."""
    projections = (node for node in op.plan.operators_by_id.values() if node.operator in ("Aggregate", "Project"))
    whole = (node for node in projections if (columns := node.columns) and not columns.missing)
    return any(_leads_to(child, op.node) for node in whole for child in node.children)


def _leads_to(node: PlanNode, relation: PlanNode) -> bool:
    if node is relation:
        return True
    return node.operator in _KEEPING and any(_leads_to(child, relation) for child in node.children)


def _prints_source(parts: Sequence[str]) -> bool:
    """Return whether a relation prints a source of its own next to a catalog's table: `CREATE TABLE t USING jdbc`."""
    return bool(parts) and parts[0].startswith(("JDBCRelation(", "JDBCTable("))


def _of_connector(op: Operation, parts: Sequence[str], attributes: Sequence[tuple[str, int]]) -> Flow | None:
    """Return the flow of a relation that a connector declares, or of one that prints only an object."""
    printed = parts[0] if parts else ""
    options = next((each for each in parts[2:] if is_list(each) and "=" in each), "")
    topics = topics_flow(op, printed, attributes)
    flow = topics or logical_relation_flow(op, printed, attributes, options_of(options))
    if flow is not None or not _OBJECT.match(printed):
        return flow
    dataset = unnamed_source(op, printed[:200], "the relation prints no name", columns=[name for name, _ in attributes])
    return columns_flow(op, (dataset,), attributes)


def _v2_table(op: Operation) -> Dataset | None:
    if named := _of_catalog(op):
        return named
    if path := _path("".join(op.node.arguments[-1:])):
        return naming.path(path)
    match = _V2_TABLE.search(op.node.text("Arguments"))
    if match is None:
        return None
    return naming.table(without_suffix(match[1].replace("`", "")))


def _path(name: str) -> str:
    """Return the path of a table that is read by it; Spark 4.1 prints the folder as a database, `` ice.`/x`.t ``."""
    words = naming.split_name(name) if "`" in name else []
    at = next((at for at, word in enumerate(words[:-1]) if naming.is_location(word)), len(words))
    return name if naming.is_location(name) else "/".join(words[at:])


def _of_catalog(op: Operation) -> Dataset | None:
    """Return the table of `<Table>@hash, [id#1L], <Catalog>@hash, ns.t, []`, a V2 relation in a command (4.1+).

    A table that prints its name, `ice.ns.t, [id#1L], <Catalog>@hash, ns.t, []`, has its catalog in it. One that is read
    by its path (Iceberg's `PathIdentifier`) prints that.
    """
    parts = op.node.arguments
    if len(parts) > 1 and is_list(parts[1]) and naming.is_location(parts[0]):
        return naming.path(parts[0])
    catalog = _CATALOG.match(parts[2]) if len(parts) > 3 and is_list(parts[1]) else None
    if catalog is None or not _IDENTIFIER.match(parts[3]):
        return None
    printed = parts[0].replace("`", "")
    if printed.endswith(f".{parts[3]}") and _IDENTIFIER.match(printed):
        return naming.table(without_suffix(printed))
    return naming.table(without_suffix(f"{catalog_name(op, catalog[1])}.{parts[3]}"))


def _named_by_user(op: Operation, name: str) -> Dataset:
    """Return the table or the temporary view that a parsed query names."""
    known = op.plan.tables.of_session(name)
    parts = naming.split_name(known or name)
    if (known and len(parts) == 1) or parts[:-1] == ["global_temp"]:
        return Dataset(".".join(parts).lower(), "temp_view")
    return naming.table(known or name)


@operator("UnresolvedRelation")
def unresolved_relation(op: Operation) -> Flow:
    """Output the columns that the query names: a parsed query does not print the table's other columns.

    For views of 3.0 and 3.1 (`plan.unresolved` resolves the names). If the query names no database, it is the view's;
    that of a temporary view is the session's.
    """
    if "Name" not in op.node.fields:
        op.gap(GapReason.UNKNOWN_SOURCE, op.node.text("Arguments"), _NOT_ANALYZED)
        return Flow()
    if "Star" in op.node.fields:
        op.gap(GapReason.UNKNOWN_SOURCE, f"the columns of {op.node.text('Name')}.*", _NOT_ANALYZED)
    table = _named_by_user(op, op.node.text("Name"))
    named = op.node.attributes("Output")
    outputs = tuple(Output(name, expr_id, source(table.name, name, confidence=INFERRED)) for name, expr_id in named)
    read = Read(table, tuple(name for name, _ in named), op.node.name, is_truncated=True)
    unqualified = op.node.attributes("Unqualified")
    if unqualified:
        names = ", ".join(name for name, _ in unqualified)
        op.gap(GapReason.UNKNOWN_SOURCE, f"the query does not qualify {names} with a table", _NOT_ANALYZED)
    unknown = tuple(Output(name, expr_id, truncated(name, {})) for name, expr_id in unqualified)
    return Flow(outputs=(*outputs, *unknown), reads=(read,))
