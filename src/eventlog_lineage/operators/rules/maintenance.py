"""Upkeep of tables: what is compacted, cleaned or restored keeps its values."""

from __future__ import annotations

import re

from ...datasets import naming
from ...model import Dataset
from ...plan.nodes import walk
from ..arguments import arguments
from ..flow import Flow, Write
from ..operation import Operation
from ..registry import operator
from ..targets import table_in

_PROCEDURE = re.compile(r"\.(?:iceberg|paimon|hudi)\.")


@operator("OptimizeTableCommand", "VacuumTableCommand", "RestoreTableCommand", "DeltaGenerateCommand", "Call")
def maintenance(at: Operation) -> Flow:
    """Names the table that it tends; what its executions read and write is no lineage.

    Delta's commands print a `DeltaTableV2(` or, as a child, a `ResolvedTable`; Iceberg's procedures are a `Call`
    (3.5, 4.0) whose arguments begin with the table's name: `…RewriteDataFilesProcedure@24ec7177, [shop.orders,null]`.
    """
    target = _target(at)
    if target is None:
        return Flow(command=at.node.operator)
    return Flow(write=Write(target, "maintenance", (), node_name=at.node.name), command=at.node.operator)


def _target(at: Operation) -> Dataset | None:
    for node in walk(at.node):
        text = node.text("Arguments")
        if node.operator == "Call":
            return _called(at, arguments(node))
        if found := table_in(text):
            return found
    return None


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
