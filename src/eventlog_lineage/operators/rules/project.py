"""`Project`: computes columns."""

from __future__ import annotations

from ...plan.items import split_named
from ..arguments import inner
from ..flow import Flow
from ..operation import Operation
from ..registry import operator

_PARTITION_KEY = " AS hash_partition_key#"
"""The column that Gluten adds between two steps of an aggregation, for its shuffle."""


@operator("Project")
def project(at: Operation) -> Flow:
    """Outputs its expressions over the input; a logical tree has them in `Arguments` (and cuts them).

    `Output [2]: [id#1L, (amount#2 * 2) AS twice#3]`
    """
    items = list(at.node.items("Output"))
    below = at.raw_input if any(_PARTITION_KEY in item for item in items[:1]) else at.input
    if not items and "Arguments" in at.node.fields:
        items = at.whole(split_named(inner(at.node.text("Arguments")), None), "columns")
    return below.with_outputs(at.outputs(items, below.scope))
