"""Which attributes the operators of a plan print, and which of them nothing below explains.

Lines of the extended, simple and cost modes leave out the results of aggregates and cut wide lists; the operators above
tell which attributes there must be.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from eventlog_lineage.plan.expressions.attribute_ids import CAPTURED_ID, read_attribute
from eventlog_lineage.plan.expressions.lists import split_items
from eventlog_lineage.plan.nodes import Field

from .operator_lines import Described

_ALIASED = re.compile(rf" AS [^,\[\]]*?{CAPTURED_ID}(?=[,\]])")
_REFERENCE = re.compile(rf"([\w.$-]+){CAPTURED_ID}(?!\w)")
_ORDERED = frozenset(
    {"ArrowWindowPython", "Project", "Sort", "TakeOrderedAndProject", "Window", "WindowGroupLimit", "WindowInPandas"}
)
"""Operators whose last list of arguments names what they take, not what they put out."""
_PASSING = frozenset({"Project", "InMemoryTableScan"})
"""Operators whose output list names attributes that come from below, next to aliases."""
_CLOSING = frozenset({"Expand", "HashAggregate", "ObjectHashAggregate", "Project", "SortAggregate"})
"""Operators that put out what they name and nothing else."""
_BY_PLACE = frozenset({"Except", "InMemoryRelation", "Intersect", "ReusedExchange", "Union"})
"""Operators that take their inputs' columns by their places."""
SYNTHETIC = 10**17
"""Ids from here on are no plan's: they stand for functions within an aggregate and for columns that were cut."""

Below = Mapping[int, Sequence[int]]


class Wanted:
    """The attributes that operators name and nothing below them prints."""

    def __init__(self, order: Sequence[int], below: Below, described: Mapping[int, Described]) -> None:
        printed = {at: _printed(described[at]) for at in order}
        parents = {child: at for at in order for child in below[at]}
        self._of: dict[int, dict[int, str]] = {at: {} for at in order}
        there: dict[int, set[int]] = {}
        for at in reversed(order):
            inner = set().union(*(there.pop(child) for child in below[at] if child in there)) if below[at] else set()
            references, made = printed[at]
            for number, name in references.items():
                if number not in inner and number not in made and below[at]:
                    self._of[at][number] = name
            there[at] = inner | made | references.keys()
        self._parents = parents
        self._printed = printed
        self._names = {at: described[at].name for at in order}

    def references_above(self, at: int) -> dict[int, str]:
        """Id to name of all that the operators above a place name, the nearest first."""
        found: dict[int, str] = {}
        parent = self._parents.get(at)
        while parent is not None:
            for number, name in self._printed[parent][0].items():
                found.setdefault(number, name)
            parent = self._parents.get(parent)
        return found

    def is_closed(self, at: int) -> bool:
        """Do the operators above name all that they take, so that what they do not name is not lost but dropped?"""
        parent = self._parents.get(at)
        while parent is not None and self._names[parent] not in _BY_PLACE:
            if self._names[parent] in _CLOSING:
                return True
            parent = self._parents.get(parent)
        return False

    def made(self, at: int) -> set[int]:
        """The ids of what an operator itself puts out, as far as its line prints them."""
        return self._printed[at][1]

    def above(self, at: int) -> dict[int, str]:
        """Id to name of what the operators above a place want and nobody has given yet, the nearest first."""
        found: dict[int, str] = {}
        parent = self._parents.get(at)
        while parent is not None:
            found.update(self._of[parent])
            parent = self._parents.get(parent)
        return found

    def given(self, numbers: Iterable[int]) -> None:
        """Takes note of attributes that an operator turned out to put out."""
        gone = set(numbers)
        for wanted in self._of.values():
            for number in gone & wanted.keys():
                del wanted[number]


def _printed(known: Described) -> tuple[dict[int, str], set[int]]:
    """The attributes that a line names, and those of them that it makes: aliases, the outputs of leaves."""
    references: dict[int, str] = {}
    made: set[int] = set()
    for label, field in known.fields.items():
        items = field.items if field.count is not None else (field.text,)
        for item in items:
            for match in _REFERENCE.finditer(item):
                references.setdefault(int(match[2]), match[1])
        if label == "Output":
            attributes = (read_attribute(item) for item in field.items)
            own = known.name not in _PASSING
            made.update(found[1] for found in attributes if found and (own or " AS " in found[0]))
        elif field.count is None:
            made.update(int(number) for number in _ALIASED.findall(field.text))
            made.update(_last_list(field.text) if known.name not in _ORDERED | _PASSING else ())
    keys = known.fields.get("Keys", Field("")).items
    for item in known.outputs or ():
        found = read_attribute(item)
        if found and item not in keys:  # a key is passed on
            made.add(found[1])
    return references, made


def _last_list(text: str) -> set[int]:
    """The ids of the last list of arguments: what Generate, Expand and Python functions put out."""
    lists = [part for part in split_items(text) if part.startswith("[") and "#" in part]
    return {int(match[2]) for match in _REFERENCE.finditer(lists[-1])} if lists else set()
