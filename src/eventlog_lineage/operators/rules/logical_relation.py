"""Relations in the logical trees that commands print."""

from __future__ import annotations

import re

from ...datasets import naming
from ...model import Dataset, GapReason
from ...plan.items import split_items
from ...plan.lexer import read_attribute
from ..arguments import arguments, lists
from ..flow import Flow, Output, Read
from ..operation import Operation
from ..registry import operator
from ..relations import scan_flow, source
from ..targets import table_of


@operator("LogicalRelation", "HiveTableRelation", "DataSourceV2Relation", "RelationV2", "DataSourceV2ScanRelation")
def logical_relation(at: Operation) -> Flow:
    """Outputs a table's columns; a path's relation does not say its path.

    `` Arguments: parquet, [id#1L, name#2], `cat`.`db`.`t`, <serde>, false ``. The attributes of a path's relation
    are those of the scans in the application's other plans, which may tell it.
    """
    parts = arguments(at.node)
    attributes = lists(at.node)
    items = at.whole(split_items(attributes[0]), "columns of a relation") if attributes else []
    named = [read_attribute(item) or (item, -1) for item in items]
    table = table_of(parts) or _v2_table(at.node.text("Arguments"))
    if table is None:
        return Flow(outputs=tuple(Output(name, number, at.open_value(name, number)) for name, number in named))
    outputs = tuple(Output(name, number, source(table.name, name)) for name, number in named)
    read = Read(table, tuple(name for name, _ in named), at.node.name, is_cut=bool(at.gaps))
    return Flow(outputs=outputs, reads=(read,))


def _v2_table(text: str) -> Dataset | None:
    match = re.search(r"(?:^|, )([\w-]+\.[\w-]+\.[\w.-]+)(?:,|$)", text)
    return naming.table(match[1]) if match else None


@operator("UnresolvedRelation")
def unresolved_relation(at: Operation) -> Flow:
    """A relation that was not looked up yet: the table is known, its columns are not.

    `Arguments: [db, t], [], false` in the views of 3.0 and 3.1, whose commands print the parsed query; 2.4 prints the
    quoted name.
    """
    at.gap(GapReason.UNKNOWN_SOURCE, at.node.text("Arguments"), "the plan was logged before it was analysed")
    attributes = lists(at.node)
    parts = split_items(attributes[0]) if attributes else []
    name = ".".join(f"`{part}`" for part in parts) or at.node.text("Arguments").partition(",")[0]
    if not name.startswith("`"):
        return Flow()
    dataset = naming.table(name)
    return scan_flow(dataset, (), (), at.node.name)
