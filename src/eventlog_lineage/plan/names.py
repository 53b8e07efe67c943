"""Node names to canonical operators: `* Scan parquet db.t` is a `FileScan` of `parquet db.t`.

Rules look at canonical operators only; what engines and versions print differently is told
apart here, once.
"""

from __future__ import annotations

import re
from functools import lru_cache

from .nodes import Field

JOIN_TYPES = ("Inner", "Cross", "LeftOuter", "RightOuter", "FullOuter", "LeftSemi", "LeftAnti", "LeftSingle")

_JOINS = frozenset(
    {
        "BroadcastHashJoin",
        "BroadcastNestedLoopJoin",
        "CartesianProduct",
        "ShuffledHashJoin",
        "SortMergeJoin",
    }
)

_COMMAND_SUFFIX = re.compile(r"^Execute (.+)$", re.DOTALL)
_STAGE = re.compile(r"^(\w+QueryStage)(?: \d+)?$")

_RENAMED = {
    "AQEShuffleRead": "ShuffleRead",  # 3.2+; the same node was CustomShuffleReader in 3.0 and 3.1
    "CustomShuffleReader": "ShuffleRead",
    "PythonMapInArrow": "MapInArrow",  # 3.3 to 3.5
    "PythonMapInPandas": "MapInPandas",
    "OneRowRelation": "OneRowRelation",  # 4.1+; before, `Scan OneRowRelation`
}


def canonical(name: str, fields: dict[str, Field]) -> tuple[str, str]:
    """The canonical operator of a node, and what its name says beyond that.

    Args:
        name: The node's name as printed, without operator id, codegen mark and join type.
        fields: Its details; they tell file scans from other relations.

    Returns:
        (operator, argument): `("FileScan", "parquet db.t")` for `Scan parquet db.t`.
    """
    return _scan(name, fields) if name.startswith("Scan") else _canonical(name)


@lru_cache(maxsize=4096)
def _canonical(name: str) -> tuple[str, str]:
    if match := _COMMAND_SUFFIX.match(name):
        return match[1].strip(), "Execute"
    head, _, rest = name.partition(" ")
    if head in _JOINS:
        return head, rest
    if match := _STAGE.match(name):
        return "QueryStage", match[1]
    if head in {"BatchScan", "MicroBatchScan", "ContinuousScan"}:
        return head, rest.strip()
    if head in {"AppendData", "OverwriteByExpression", "OverwritePartitionsDynamic", "ReplaceData", "WriteDelta"}:
        return head, rest.strip()  # 4.2+ prints the table in the node's name
    return _RENAMED.get(name, name), ""


def _scan(name: str, fields: dict[str, Field]) -> tuple[str, str]:
    """Scans: `DataSourceScanExec.nodeName`, `HiveTableScanExec`, `RDDScanExec`, `InMemoryTableScanExec`."""
    rest = name[4:].strip()
    if rest.startswith("ExistingRDD"):
        return "ExistingRDDScan", rest[len("ExistingRDD") :].strip()
    if rest.startswith("In-memory table"):
        return "InMemoryTableScan", rest[len("In-memory table") :].strip()
    if rest.startswith("OneRowRelation"):
        return "OneRowRelation", ""
    if rest.startswith("hive "):
        return "HiveTableScan", rest[5:].strip()
    if not rest:
        return "ExternalRDDScan", ""
    return ("FileScan" if "Batched" in fields or "Location" in fields else "RelationScan"), rest
