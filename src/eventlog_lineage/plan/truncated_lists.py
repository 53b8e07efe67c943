"""Find operators above truncated lists: attributes that no operator below prints may be in such a list."""

from __future__ import annotations

from .nodes import Plan, PlanNode, walk

_MORE = " more fields"


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

    def _found(self) -> set[int]:
        found: set[int] = set()
        roots = [self._plan.root, *(subquery.root for subquery in self._plan.subqueries), *self._plan.orphans]
        for root in roots:
            for node in reversed(list(walk(root)) if root is not None else []):
                if _is_truncated(node) or any(id(child) in found for child in node.children):
                    found.add(id(node))
        return found


def _is_truncated(node: PlanNode) -> bool:
    return any(_MORE in field.text for field in node.fields.values())
