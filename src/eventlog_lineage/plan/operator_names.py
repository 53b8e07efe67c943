"""Map node names to canonical operators: `* Scan parquet db.t` is a `FileScan` of `parquet db.t`.

Rules get only canonical operators; differences between versions are resolved here, those of engines in `engines`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from eventlog_lineage.extensions import find_command
from eventlog_lineage.plan.engines.engine_operators import engine_of, spark_label

from .nodes import Field

JOIN_TYPES = ("Inner", "Cross", "LeftOuter", "RightOuter", "FullOuter", "LeftSemi", "LeftAnti", "LeftSingle")

JOINS = frozenset(
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
    """Return the canonical operator of a node, and the rest of its name.

    Args:
        name: The node's name as printed, without operator id, codegen mark and join type.
        fields: Its details; they distinguish file scans from other relations.

    Returns:
        (operator, argument): `("FileScan", "parquet db.t")` for `Scan parquet db.t`.

    >>> canonical("BatchScan ice.db.t", {}), canonical("Execute InsertIntoHadoopFsRelationCommand", {})
    (('BatchScan', 'ice.db.t'), ('InsertIntoHadoopFsRelationCommand', 'Execute'))
    """
    label = spark_label(name)
    if not label.startswith("Scan"):
        return _canonical(label)
    operator, argument = _scan(label, fields)
    if operator == "RelationScan" and engine_of(name):
        return "FileScan", argument  # engines replace only scans of files; Comet prints no location
    return operator, argument


@lru_cache(maxsize=4096)
def _canonical(name: str) -> tuple[str, str]:
    if match := _COMMAND_SUFFIX.match(name):
        return match[1].strip(), "Execute"
    head, _, rest = name.partition(" ")
    if (join := head.removesuffix("(skew=true)")) in JOINS:
        return join, rest
    if match := _STAGE.match(name):
        return "QueryStage", match[1]
    if head in {"BatchScan", "MicroBatchScan", "ContinuousScan"}:
        return head, rest.strip()
    if find_command(head).table_in_name:
        return head, rest.strip()  # 4.2+ prints the table in the node's name
    return _RENAMED.get(name, name), ""


def _scan(name: str, fields: dict[str, Field]) -> tuple[str, str]:
    """Return operator and argument of a scan (`DataSourceScanExec.nodeName`, `HiveTableScanExec`, `RDDScanExec`).

    Args:
        name: The node's name as Spark prints it.
        fields: Its details.
    """
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
