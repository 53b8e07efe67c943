"""Find the attributes that the operators of a plan name and no operator below binds.

Lines of the extended, simple and cost modes omit the results of aggregates and truncate wide lists; the operators above
show which attributes must exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from eventlog_lineage.plan.expressions.attribute_ids import CAPTURED_ID, read_attribute
from eventlog_lineage.plan.expressions.lists import split_items
from eventlog_lineage.plan.nodes import Field

from .described_operator import DescribedOperator

_ALIASED = re.compile(rf" AS [^,\[\]]*?{CAPTURED_ID}(?=[,\]])")
_REFERENCE = re.compile(rf"([\w.$-]+){CAPTURED_ID}(?!\w)")
_ORDERED = frozenset(
    {"ArrowWindowPython", "Project", "Sort", "TakeOrderedAndProject", "Window", "WindowGroupLimit", "WindowInPandas"}
)
"""Operators whose last list of arguments names their inputs, not their outputs."""
_PASSING = frozenset({"Project", "InMemoryTableScan"})
"""Operators whose output list names attributes from below, next to aliases."""
_NAMING_ALL = frozenset({"Expand", "HashAggregate", "ObjectHashAggregate", "Project", "SortAggregate"})
"""Operators that output only what they name."""
_BY_POSITION = frozenset({"Except", "InMemoryRelation", "Intersect", "ReusedExchange", "Union"})
"""Operators that match their inputs' columns by position."""
SYNTHETIC = 10**17
"""First id that is in no plan: such ids are assigned to functions of aggregates and to truncated columns."""

Below = Mapping[int, Sequence[int]]
"""Index of an operator to the indexes of its inputs."""


class MissingAttributes:
    """The attributes that operators name and no operator below prints."""

    def __init__(self, order: Sequence[int], below: Below, described: Mapping[int, DescribedOperator]) -> None:
        printed = {at: _printed(described[at]) for at in order}
        parents = {child: at for at in order for child in below[at]}
        self._requested: dict[int, dict[int, str]] = {at: {} for at in order}
        printed_below: dict[int, set[int]] = {}
        for at in reversed(order):
            inner = (
                set().union(*(printed_below.pop(child) for child in below[at] if child in printed_below))
                if below[at]
                else set()
            )
            references, produced = printed[at]
            for expr_id, name in references.items():
                if expr_id not in inner and expr_id not in produced and below[at]:
                    self._requested[at][expr_id] = name
            printed_below[at] = inner | produced | references.keys()
        self._parents = parents
        self._printed = printed
        self._names = {at: described[at].name for at in order}

    def references_above(self, at: int) -> dict[int, str]:
        """Return all attributes that the operators above an operator name, the nearest first: id to name."""
        found: dict[int, str] = {}
        parent = self._parents.get(at)
        while parent is not None:
            for expr_id, name in self._printed[parent][0].items():
                found.setdefault(expr_id, name)
            parent = self._parents.get(parent)
        return found

    def is_projected_above(self, at: int) -> bool:
        """Return whether the operators above name all columns they use: others are dropped, not truncated."""
        parent = self._parents.get(at)
        while parent is not None and self._names[parent] not in _BY_POSITION:
            if self._names[parent] in _NAMING_ALL:
                return True
            parent = self._parents.get(parent)
        return False

    def produced(self, at: int) -> set[int]:
        """Return the ids of an operator's own outputs, as far as its line prints them."""
        return self._printed[at][1]

    def requested_above(self, at: int) -> dict[int, str]:
        """Return the unbound attributes that operators above request, the nearest first: id to name."""
        found: dict[int, str] = {}
        parent = self._parents.get(at)
        while parent is not None:
            found.update(self._requested[parent])
            parent = self._parents.get(parent)
        return found

    def requested_by(self, at: int) -> Mapping[int, str]:
        """Return the attributes that an operator names and nothing below it binds: id to name."""
        return self._requested[at]

    def mark_bound(self, ids: Iterable[int]) -> None:
        """Mark attributes as bound: an operator outputs them."""
        bound = set(ids)
        for requested in self._requested.values():
            for expr_id in bound & requested.keys():
                del requested[expr_id]


def _printed(operator: DescribedOperator) -> tuple[dict[int, str], set[int]]:
    """Return the attributes that a line names, and the ids of those that it produces: aliases, outputs of leaves."""
    references: dict[int, str] = {}
    produced: set[int] = set()
    for label, field in operator.fields.items():
        items = field.items if field.count is not None else (field.text,)
        for item in items:
            for match in _REFERENCE.finditer(item):
                references.setdefault(int(match[2]), match[1])
        if label == "Output":
            attributes = (read_attribute(item) for item in field.items)
            own = operator.name not in _PASSING
            produced.update(found[1] for found in attributes if found and (own or " AS " in found[0]))
        elif field.count is None:
            produced.update(int(expr_id) for expr_id in _ALIASED.findall(field.text))
            produced.update(_last_list(field.text) if operator.name not in _ORDERED | _PASSING else ())
    keys = operator.fields.get("Keys", Field("")).items
    if operator.name == "TakeOrderedAndProject":
        listed = operator.fields["Arguments"].text.rpartition("], [")[2].removesuffix("]")
        references.update({found[1]: found[0] for item in split_items(listed) if (found := read_attribute(item))})
    for item in operator.outputs or ():
        found = read_attribute(item)
        if found and item not in keys:  # a key is passed on
            produced.add(found[1])
    return references, produced


def _last_list(text: str) -> set[int]:
    """Return the ids of the last list of arguments: the outputs of Generate, Expand and Python functions."""
    lists = [part for part in split_items(text) if part.startswith("[") and "#" in part]
    return {int(match[2]) for match in _REFERENCE.finditer(lists[-1])} if lists else set()
