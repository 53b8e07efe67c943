"""The door to plan text: read a text as what its place holds, a list of named columns, of calls, of sort keys.

Most texts split at their commas. Where literals and names contain what looks like structure, the count that Spark
prints, the names that the plan proves, and costs decide (`lists`, `readings`, `literals`); callers see none of that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from .attribute_ids import attribute_of
from .lists import attribute_items, merge_unnamed, split_functions, split_items, split_named, without_truncation
from .readings import best_items, call_cost, named_cost


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an operator's details, `Output [2]: [id#1L, name#2]`.

    Attributes:
        text: The text after the label; without the outer brackets if `count` is known.
        count: The number of items that Spark prints next to the label; None without one.
        items: The items of a counted list.
    """

    text: str
    count: int | None = None
    items: tuple[str, ...] = ()


_COLLECTION = re.compile(r"(?:List|ArrayBuffer|Vector|Stream|WrappedArray)\(")
_DIRECTIONS = (" ASC NULLS FIRST", " ASC NULLS LAST", " DESC NULLS FIRST", " DESC NULLS LAST")


class Symbol(Enum):
    """What a text holds."""

    EXPRESSIONS = "expressions, `a#1, (b#2 + 1)`"
    NAMED = "named expressions, `a#1, (b#2 + 1) AS c#3`"
    ATTRIBUTES = "attributes, `a#1, b#2L`"
    SORT_KEYS = "sort keys, `a#1 ASC NULLS FIRST`"
    ROWS = "lists, `[a#1, 0], [a#1, 1]`"
    ENDING_IN_IDS = "attributes and named expressions of a resolved plan: an item without an id belongs to the next"
    TIGHT = "attributes of a scan, without spaces: `a#1,b#2L`"


EXPRESSIONS, NAMED, ATTRIBUTES, SORT_KEYS, ROWS, ENDING_IN_IDS, TIGHT = Symbol


@dataclass(frozen=True, slots=True)
class Listed:
    """A list as printed.

    Attributes:
        items: The printed items; sort keys have no direction.
        missing: The number of items that Spark truncated after them.
    """

    items: tuple[str, ...] = ()
    missing: int = 0

    def __iter__(self) -> Iterator[str]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    @property
    def attributes(self) -> list[tuple[str, int]]:
        """Name and id of each item; the text and -1 for one that is not an attribute."""
        return [attribute_of(item) for item in self.items]

    @property
    def names(self) -> list[str]:
        """The name of each item; the text of one that is not an attribute."""
        return [name for name, _ in self.attributes]

    @property
    def ids(self) -> list[int]:
        """The id of each item; -1 for one that is not an attribute."""
        return [expr_id for _, expr_id in self.attributes]

    @property
    def size(self) -> int:
        """The number of items before Spark truncated the list."""
        return len(self.items) + self.missing


EMPTY = Listed()


def read(symbol: Symbol, text: str) -> Listed:
    """Read a list without its brackets.

    >>> read(NAMED, "a#1, upper(b#2) AS c#3, ... 2 more fields")
    Listed(items=('a#1', 'upper(b#2) AS c#3'), missing=2)
    """
    return listed(split(symbol, text), symbol)


def split(symbol: Symbol, text: str) -> list[str]:
    """Return the items of a list as printed, `... 2 more fields` included."""
    if symbol is TIGHT:
        return attribute_items(text)
    if symbol is ENDING_IN_IDS:
        return merge_unnamed(split_named(text, None))
    return split_named(text, None) if symbol is NAMED else split_items(text)


def read_counted(symbol: Symbol, text: str, count: int) -> tuple[str, ...]:
    """Return the items of a list whose number Spark prints; another number if every way to read the text fails."""
    return tuple(split_functions(text, count) if symbol is EXPRESSIONS else split_named(text, count))


def has_reading(symbol: Symbol, text: str, count: int) -> bool:
    """Return whether a text can be read as a list of `count` items, whatever its names and literals contain."""
    return bool(best_items(text, count, call_cost if symbol is EXPRESSIONS else named_cost))


def listed(items: Sequence[str], symbol: Symbol = EXPRESSIONS) -> Listed:
    """Return the items of a list, with the number of those that Spark truncated."""
    printed, missing = without_truncation(list(items))
    return Listed(tuple(map(directionless, printed) if symbol is SORT_KEYS else printed), missing)


def read_arguments(text: str) -> list[str]:
    """Return the arguments of an operator, a command or a call: values, and lists in brackets."""
    return split_items(text) if text else []


def is_list(argument: str) -> bool:
    """Return whether an argument is a list in brackets.

    >>> is_list("[a#1, b#2]"), is_list("a#1")
    (True, False)
    """
    return argument.startswith("[") and argument.endswith("]")


def inner(argument: str) -> str:
    """Return a list without its brackets.

    >>> inner("[a#1, b#2]")
    'a#1, b#2'
    """
    return argument[1:-1] if is_list(argument) else argument


def inner_collection(row: str) -> str:
    """Return a list in a list without its brackets; up to 3.1 it prints as a Scala collection, `List(v#1, null)`.

    >>> inner_collection("ArrayBuffer(v#1, 0)"), inner_collection("[v#1, 0]")
    ('v#1, 0', 'v#1, 0')
    """
    collection = _COLLECTION.match(row)
    return row[collection.end() : -1] if collection and row.endswith(")") else inner(row)


def items_of(argument: str) -> tuple[str, ...]:
    """Return the items of a list in brackets as printed, `... 2 more fields` included."""
    return tuple(split(EXPRESSIONS, inner(argument)))


def directionless(key: str) -> str:
    """Return a sort key without its direction.

    >>> directionless("a#1 ASC NULLS FIRST")
    'a#1'
    """
    for direction in _DIRECTIONS:
        key = key.removesuffix(direction)
    return key
