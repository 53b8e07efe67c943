"""Read the lists of logical plans that Spark truncated: relations, projections, rows without duplicates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from eventlog_lineage.attribute_patterns import ID
from eventlog_lineage.plan.grammar.attribute_ids import ID_PATTERN
from eventlog_lineage.plan.grammar.symbols import Listed, hidden_items

MORE = " more fields"
"""The end of a truncated list, `... 37 more fields`."""
_RELATION = re.compile(
    rf"(?<![\w'])(?:HiveTable)?Relation(?:V2)?\b[^\n]*?\[(?P<listed>[^\[\]\n#]+{ID}[^\[\]\n]*)\]"
    rf"(?:, (?:Partition Cols: )?\[(?P<partitions>[^\[\]\n#]+{ID}[^\[\]\n]*)\])?"
)
_PROJECTED = re.compile(r"^[ :+-]*Project \[([^\n]*), \.\.\. \d+ more fields\]$", re.MULTILINE)
_DEDUPLICATED = re.compile(
    r"(?m)^(?:\w+Command [^\n]*\n\+- )?Deduplicate [^\n]*\n(?: *\+- (?:Filter|SubqueryAlias) [^\n]*\n)* *\+- Relation\b"
)


class LogicalLists:
    """The truncated lists of logical plans."""

    def __init__(self, plans: Sequence[str] = ()) -> None:
        """Read the optimized and the analyzed plan."""
        self._plans = [
            (list(_relations(plan)), frozenset(match[1] for match in _PROJECTED.finditer(plan)), plan)
            for plan in plans
            if MORE in plan
        ]
        self.has_distinct_rows = any(_DEDUPLICATED.search(plan) for _, _, plan in self._plans)

    def relation_of(self, expr_id: int) -> range:
        """Return the ids of the columns of an attribute's relation; none if unknown. Metadata columns have others."""
        known = (ids for relations, *_ in self._plans for ids in relations if expr_id in ids)
        return max(known, key=lambda ids: ids.start, default=range(0))

    def lacks_projection(self, columns: Listed, *, is_cached: bool) -> bool:
        """Return whether a relation is read without a projection to certain columns: the planner added it.

        The optimizer removes a projection to all columns in their order (`ProjectRemoval`, `RemoveNoopOperators`). The
        optimized plan does not have the projections of a cached plan.

        Args:
            is_cached: Whether the projection is in the plan of a cache.
        """
        text, expr_id = ", ".join(columns), columns.attributes[0][1]
        if is_cached and any(text in names for _, names, _ in self._plans):
            return False
        return any(
            text not in names and (f"InMemoryRelation [{text}, " in plan or any(expr_id in ids for ids in relations))
            for relations, names, plan in self._plans
        )


def _relations(plan: str) -> Iterator[range]:
    """Yield the ids of each relation's columns.

    >>> list(_relations("HiveTableRelation `d`.`t`, serde, [a#5, ... 1 more fields], [ds#7]"))
    [range(5, 8)]
    """
    for match in _RELATION.finditer(plan):
        ids = [int(each) for each in ID_PATTERN.findall(match["listed"])]
        whole = range(ids[0], ids[0] + len(ids) + hidden_items(match["listed"]))
        if ids == list(whole[: len(ids)]):
            partitions = [int(each) for each in ID_PATTERN.findall(match["partitions"] or "")]
            follow = partitions == list(range(whole.stop, whole.stop + len(partitions)))
            yield range(whole.start, whole.stop + len(partitions) * follow)
