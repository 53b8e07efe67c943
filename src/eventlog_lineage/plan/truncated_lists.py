"""Find operators above truncated lists: attributes that no operator below prints may be in such a list."""

from __future__ import annotations

from collections.abc import Iterator

from .expressions.lists import without_truncation
from .nodes import Plan, PlanNode, walk

_MORE = " more fields"
_DEFAULT_ITEMS = 24


class TruncatedLists:
    """The truncated lists of a plan."""

    def __init__(self, plan: Plan) -> None:
        """Store a plan; it is searched on first use."""
        self._plan = plan
        self._known: set[int] | None = None

    def below(self, node: PlanNode) -> bool:
        """Return whether Spark truncated a list of an operator, or of an operator below it."""
        if self._known is None:
            self._known = self._found()
        return id(node) in self._known

    def is_literal(self, visible: int) -> bool:
        """Return whether `... 3 more fields` after a number of arguments is a literal and no truncation.

        Spark prints one item less than `spark.sql.debug.maxToStringFields`, which is 25 by default (`truncatedString`,
        2.4 to 4.3): a lower limit truncates the plan's lists after as many items.

        Args:
            visible: The number of arguments before it.
        """
        if visible >= _DEFAULT_ITEMS:
            return False
        return all(
            visible != len(without_truncation(list(field.items))[0])
            for node in self._nodes()
            for field in node.fields.values()
            if field.count is not None and without_truncation(list(field.items))[1]
        )

    def _nodes(self) -> Iterator[PlanNode]:
        for root in self._roots():
            yield from walk(root)

    def _roots(self) -> Iterator[PlanNode]:
        roots = (self._plan.root, *(subquery.root for subquery in self._plan.subqueries), *self._plan.orphans)
        return (root for root in roots if root is not None)

    def _found(self) -> set[int]:
        found: set[int] = set()
        for root in self._roots():
            for node in reversed(list(walk(root))):
                if _is_truncated(node) or any(id(child) in found for child in node.children):
                    found.add(id(node))
        return found


def _is_truncated(node: PlanNode) -> bool:
    return any(_MORE in field.text for field in node.fields.values())
