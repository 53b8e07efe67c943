"""Complete the partition filters of scans that Spark cut (`spark.sql.maxMetadataStringLength`, 100 characters).

The optimized plan prints the whole condition above the table: `Filter (dt#5 > …)`, `+- Relation db.t[id#1,dt#5]`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from eventlog_lineage.attribute_patterns import ID
from eventlog_lineage.plan.expressions.attribute_ids import CAPTURED_ID
from eventlog_lineage.plan.expressions.types import struct_fields
from eventlog_lineage.plan.formatted.outline import TreeLine

_CUT = re.compile(r"(?<=, PartitionFilters: )\[(?P<cut>.*\.\.\.)(?=, PushedFilters: )", re.DOTALL)
_ATTRIBUTE = re.compile(rf"[\w.$-]+{ID}")
_IDS = re.compile(CAPTURED_ID)
_SCHEMA = ", ReadSchema: "
_PRUNING = "dynamicpruning"


def with_partition_filters(lines: Sequence[TreeLine], optimized: Sequence[TreeLine]) -> list[TreeLine]:
    """Return the lines of a physical plan, with the attributes of filters that Spark cut.

    Args:
        lines: The lines of the physical plan.
        optimized: The lines of the optimized plan.
    """
    return [
        replace(line, label=_completed(line.label, optimized)) if line.label.startswith("FileScan ") else line
        for line in lines
    ]


def _completed(label: str, optimized: Sequence[TreeLine]) -> str:
    match = _CUT.search(label)
    _, found, schema = label.rpartition(_SCHEMA)
    if match is None or not found or "..." in schema:
        return label
    data = {name.lower() for name, _ in struct_fields(schema)}
    own = set(_IDS.findall(label.partition("] Batched: ")[0]))
    names = {
        name
        for condition, table in pairwise(each.label for each in optimized)
        if condition.startswith("Filter ") and table.startswith("Relation ") and _PRUNING not in condition
        if own and own <= set(ids := _IDS.findall(table))
        for name in _ATTRIBUTE.findall(condition)
        if _IDS.findall(name)[-1] in ids and name.rpartition("#")[0].lower() not in data
    }
    names.update(name for name in _ATTRIBUTE.findall(match["cut"]) if names)
    return f"{label[: match.start()]}[{', '.join(sorted(names))}]{label[match.end() :]}" if names else label
