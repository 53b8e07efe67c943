"""Views: what is written is the view itself."""

from __future__ import annotations

import re

from eventlog_lineage.datasets import naming
from eventlog_lineage.model import Dataset, GapReason
from eventlog_lineage.operators.arguments import arguments
from eventlog_lineage.operators.flow import Flow, Output, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.write_targets import session_table, written

_USER_COLUMN = re.compile(r"\(([^,()]+),(?:None|Some\()")


@operator("CreateViewCommand", "AlterViewAsCommand")
def create_view(at: Operation) -> Flow:
    """Writes a view, its columns those of the logical query below it.

    `` Arguments: `cat`.`db`.`v`, [(a,None)]?, <comment>?, <SQL>?, <allowExisting>, <replace>, PersistedView, … ``
    """
    below = at.raw_input.settled().sorted_by_user()
    parts = arguments(at.node)
    if not parts or not parts[0].startswith("`"):
        at.gap(GapReason.UNKNOWN_TARGET, at.node.text("Arguments"), "please report it with the plan's text")
        return below
    persisted = at.node.operator == "AlterViewAsCommand" or "PersistedView" in parts
    table, is_typed = session_table(at, parts[0]) if persisted else (None, False)
    name = table.name if table is not None else ".".join(naming.split_name(parts[0]))
    if "GlobalTempView" in parts and "." not in name:
        name = f"global_temp.{name}"
    target = Dataset(name, "view" if persisted else "temp_view")
    columns = _named(below.outputs, parts)
    return written(at, below, Write(target, "create", columns, node_name=at.node.name, is_typed=is_typed))


def _named(outputs: tuple[Output, ...], parts: list[str]) -> tuple[Output, ...]:
    """The view's columns, under the names of `CREATE VIEW v (a, b)` where it has some."""
    names = _USER_COLUMN.findall(parts[1]) if len(parts) > 1 and parts[1].startswith("[(") else []
    if len(names) != len(outputs):
        return outputs
    return tuple(Output(name, output.number, output.derivation) for name, output in zip(names, outputs, strict=True))
