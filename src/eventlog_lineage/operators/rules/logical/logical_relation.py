"""Relations in the logical trees that commands print."""

from __future__ import annotations

import re

from eventlog_lineage.datasets import naming
from eventlog_lineage.model import Dataset, GapReason
from eventlog_lineage.operators.arguments import arguments, is_list, lists
from eventlog_lineage.operators.derivations.derivation import INFERRED, truncated
from eventlog_lineage.operators.flow import Flow, Output, Read
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import source, without_suffix
from eventlog_lineage.operators.write_targets import JDBC_CATALOG, catalog_name, table_of
from eventlog_lineage.plan.expressions.attribute_ids import read_attribute
from eventlog_lineage.plan.expressions.lists import split_items

_V2_TABLE = re.compile(
    r"(?:^|, |^RelationV2\[[^\]]*\] )((?:[\w-]+|`[^`]+`)(?:\.(?:[\w-]+|`[^`]+`)){2,})(?:,|$| [\w$.-]+,)"
)
_CATALOG = re.compile(r"^([\w$.]+Catalog[\w$]*)@[0-9a-f]+$")
_IDENTIFIER = re.compile(r"^[\w-]+(?:\.[\w$-]+)+$")
_NOT_ANALYZED = "the plan was logged before it was analyzed, as Spark 3.0 and 3.1 do for views; later ones do not"


@operator("LogicalRelation", "HiveTableRelation", "DataSourceV2Relation", "RelationV2", "DataSourceV2ScanRelation")
def logical_relation(op: Operation) -> Flow:
    """Output a table's columns; the relation of a path does not print the path.

    `` Arguments: parquet, [id#1L, name#2], `cat`.`db`.`t`, <serde>, false ``. The attributes of a path's relation
    are those of scans in the application's other plans, which may show it.
    """
    parts = arguments(op.node)
    attributes = lists(op.node)
    items = op.printed_items(split_items(attributes[0]), "columns of a relation") if attributes else []
    named = [read_attribute(item) or (item, -1) for item in items]
    table = table_of(parts) or _v2_table(op)
    if table is None:
        return Flow(outputs=tuple(Output(name, expr_id, op.unbound_value(name, expr_id)) for name, expr_id in named))
    outputs = tuple(Output(name, expr_id, source(table.name, name)) for name, expr_id in named)
    read = Read(table, tuple(name for name, _ in named), op.node.name, is_truncated=bool(op.gaps))
    return Flow(outputs=outputs, reads=(read,))


def _v2_table(op: Operation) -> Dataset | None:
    if named := _of_catalog(op):
        return named
    match = _V2_TABLE.search(op.node.text("Arguments"))
    if match is None:
        return None
    if match[1].partition(".")[0] == op.plan.catalogs.get(JDBC_CATALOG):
        return Dataset(match[1], "jdbc", "jdbc")
    return naming.table(without_suffix(match[1].replace("`", "")))


def _of_catalog(op: Operation) -> Dataset | None:
    """Return the table of `<Table>@hash, [id#1L], <Catalog>@hash, ns.t, []`, a V2 relation in a command (4.1+).

    A table that prints its name, `ice.ns.t, [id#1L], <Catalog>@hash, ns.t, []`, has its catalog in it.
    """
    parts = arguments(op.node)
    catalog = _CATALOG.match(parts[2]) if len(parts) > 3 and is_list(parts[1]) else None
    if catalog is None or not _IDENTIFIER.match(parts[3]):
        return None
    printed = parts[0].replace("`", "")
    if printed.endswith(f".{parts[3]}") and _IDENTIFIER.match(printed):
        return naming.table(without_suffix(printed))
    return naming.table(without_suffix(f"{catalog_name(op, catalog[1])}.{parts[3]}"))


@operator("UnresolvedRelation")
def unresolved_relation(op: Operation) -> Flow:
    """Output the columns that the query names: a parsed query does not print the table's other columns.

    For views of 3.0 and 3.1 (`plan.unresolved` resolves the names). If the query names no database, it is the view's.
    """
    if "Name" not in op.node.fields:
        op.gap(GapReason.UNKNOWN_SOURCE, op.node.text("Arguments"), _NOT_ANALYZED)
        return Flow()
    if "Star" in op.node.fields:
        op.gap(GapReason.UNKNOWN_SOURCE, f"the columns of {op.node.text('Name')}.*", _NOT_ANALYZED)
    table = naming.table(op.node.text("Name"))
    named = [read_attribute(item) or (item, -1) for item in op.node.items("Output")]
    outputs = tuple(Output(name, expr_id, source(table.name, name, confidence=INFERRED)) for name, expr_id in named)
    read = Read(table, tuple(name for name, _ in named), op.node.name, is_truncated=True)
    unqualified = [read_attribute(item) or (item, -1) for item in op.node.items("Unqualified")]
    if unqualified:
        names = ", ".join(name for name, _ in unqualified)
        op.gap(
            GapReason.UNKNOWN_SOURCE,
            f"the query does not qualify {names} with a table",
            _NOT_ANALYZED,
            f"the query does not say whose columns {names} are",
        )
    unknown = tuple(Output(name, expr_id, truncated(name, {})) for name, expr_id in unqualified)
    return Flow(outputs=(*outputs, *unknown), reads=(read,))
