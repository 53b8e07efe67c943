"""The door to plan text: read a text as what its place holds, a list of named columns, of calls, of sort keys.

Plan text is not quoted, so a comma can be part of an item. Two ways to split are tried, the cheapest first: by
brackets; by the ids at the ends of attributes. The count that Spark prints next to the label decides which one is
correct. Where literals and names contain what looks like structure, the names that the plan proves, and costs decide
(`readings`, `literals`); callers see none of that.

`Expression.toString` truncates the arguments of a function as it truncates lists, `coalesce(a#1, … 36 more fields)`
(`truncatedString`, `maxToStringFields`), also the values of `INSET`, which are literals.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice

from eventlog_lineage.attribute_patterns import ID

from .attribute_ids import PLAN_ID, attribute_of, ends_with_id, ids_in, imbalance, opening_bracket


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

    @property
    def relation_ids(self) -> range:
        """The ids of a relation's columns, with those of truncated ones; none if they are unknown.

        The attributes of a relation are made together: their ids follow each other (`AttributeReference`, 2.4 to 4.3).

        >>> Listed(("a#5", "b#6"), 2).relation_ids
        range(5, 9)
        """
        printed = self.ids
        whole = range(printed[0], printed[0] + self.size) if printed else range(0)
        return whole if printed == list(whole[: len(printed)]) else range(0)


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
    for direction in (" ASC NULLS FIRST", " ASC NULLS LAST", " DESC NULLS FIRST", " DESC NULLS LAST"):
        key = key.removesuffix(direction)
    return key


_INSET = " INSET "
"""Before values without brackets, `k#1 INSET a, b AS c#2` (`InSet.toString`, 4.0 to 4.3)."""
_SET = re.compile(rf"(?:{ID}[^\s,]*|\)) INSET ")
"""A named expression with such a set has an alias: an id among its values is a literal's, `k#1 INSET #2, a AS b#3`."""
_NAMED_COMMA = re.compile(r"(?<=[0-9Ls]), ")
_AFTER_COLUMN = re.compile(r"(?<=[0-9L]),(?! )")
_BETWEEN_CALLS = re.compile(r"(?<=\)), (?=[\w<>.$:]+\()")
_SUBQUERY_ID = re.compile(rf", {PLAN_ID}")
"""`Subquery scalar-subquery#2, [id=#3].max(v)` is one value: its comma does not separate items."""
_HIDDEN = re.compile(r"\.\.\. (\d+) more fields[\])]?$")


def split_items(text: str, count: int | None = None) -> list[str]:
    """Return the items of a list of expressions, separated by the commas outside brackets.

    Args:
        count: The number of items; None if Spark does not print it.

    Returns:
        The items. Their number differs from `count` if names or literals contain unbalanced brackets.

    >>> split_items("id#1L, concat(a#2, b#3) AS c#4")
    ['id#1L', 'concat(a#2, b#3) AS c#4']
    """
    if not text:
        return [""] if count == 1 else []
    if count == 1:
        return [text]
    if blanked := _without_subquery_ids(text):
        return _split_like(text, split_items(blanked, count))
    pieces = text.split(", ")
    if len(pieces) == count or not ("(" in text or "[" in text):
        return pieces
    return list(_outside_brackets(pieces))


def _outside_brackets(pieces: Sequence[str]) -> Iterator[str]:
    """Yield the items of a list by the pieces between its commas: an item has no open bracket."""
    start = depth = 0
    for end, piece in enumerate(pieces, 1):
        depth += imbalance(piece)
        if depth <= 0 or end == len(pieces):
            yield ", ".join(pieces[start:end]) if end - start > 1 else piece
            start, depth = end, 0


def split_named(text: str, count: int | None) -> list[str]:
    """Return the items of a list of named expressions: each is an attribute or ends in ` AS name#id`.

    Returns:
        The items; as many as `count` unless every way to split the text fails.

    >>> split_named("concat(a#2, , ) AS b#3, id#1L", 2)
    ['concat(a#2, , ) AS b#3', 'id#1L']
    """
    if blanked := _without_subquery_ids(text):
        return _split_like(text, split_named(blanked, count))
    items = split_items(text, count)
    if count is None:
        return merge_unnamed(items) if _INSET in text else items
    if len(items) == count and (_is_plain(text, count) or all(map(ends_with_id, items))):
        return items
    readings = [merge_unnamed(items), merge_unnamed(_NAMED_COMMA.split(text))]
    return next((reading for reading in (*readings, items) if reading and len(reading) == count), readings[1])


def split_functions(text: str, count: int) -> list[str]:
    """Return the items of a list of unnamed expressions, whose literals and names may contain brackets.

    Returns:
        The items; as many as `count` unless every way to split the text fails.

    >>> split_functions("partial_sum(v#1), partial_max(concat(a#2, [))", 2)
    ['partial_sum(v#1)', 'partial_max(concat(a#2, [))']
    """
    items = split_items(text, count)
    if len(items) == count:
        return items
    calls = _BETWEEN_CALLS.split(text)
    return calls if len(calls) == count else items


def attribute_items(text: str) -> list[str]:
    """Return the items of a scan's list, which has no spaces after its commas.

    >>> attribute_items("id#1L,k#2,... 37 more fields")
    ['id#1L', 'k#2', '... 37 more fields']
    >>> attribute_items("p[q#1,k#2,... 37 more fields")
    ['p[q#1', 'k#2', '... 37 more fields']
    """
    items: list[str] = []
    current: list[str] = []
    depth = 0
    for piece in text.split(","):
        current.append(piece)
        depth += imbalance(piece)
        if depth <= 0 and (ends_with_id(piece) or hidden_items(piece)):
            items.append(",".join(current).strip())
            current, depth = [], 0
    rest = ",".join(current) if text else ""
    more = _AFTER_COLUMN.split(rest) if depth > 0 else [rest]  # a name has a bracket that nothing closes
    return [*items, *filter(None, map(str.strip, more))]


def hidden_items(text: str) -> int:
    """Return the number of items that Spark leaves out at the end of a list or a call; 0 for a complete one.

    >>> hidden_items("[a#1, ... 37 more fields]"), hidden_items("coalesce(a#1, ... 2 more fields)"), hidden_items("a#1")
    (37, 2, 0)
    """
    match = _HIDDEN.search(text)
    return int(match[1]) if match else 0


def without_truncation(items: list[str]) -> tuple[list[str], int]:
    """Split Spark's `... 37 more fields` off the end of a list.

    Returns:
        The printed items, and the number of missing ones (0 for a complete list).

    >>> without_truncation(["a#1", "... 37 more fields"])
    (['a#1'], 37)
    """
    missing = hidden_items(items[-1]) if items and items[-1].startswith("... ") else 0
    return (items[:-1] if missing else items), missing


def merge_unnamed(items: list[str]) -> list[str]:
    """Join each item without an id to the one after it: the name of a named expression is its end.

    >>> merge_unnamed(["k#1 INSET 1", "2 AS b#2", "c#3"])
    ['k#1 INSET 1, 2 AS b#2', 'c#3']
    >>> merge_unnamed(["k#1 INSET #2", "a AS b#3", "c#4"])
    ['k#1 INSET #2, a AS b#3', 'c#4']
    """
    merged: list[str] = []
    current: list[str] = []
    in_set = False
    for item in items:
        current.append(item)
        in_set = in_set or (_INSET in item and _SET.search(item) is not None)
        if ends_with_id(item) and (not in_set or " AS " in item):
            merged.append(", ".join(current))
            current, in_set = [], False
    return [*merged, ", ".join(current)] if current else merged


def _is_plain(text: str, count: int) -> bool:
    """Return whether a list certainly has `count` attributes: the number of commas and ids fits, without aliases."""
    return text.count("#") == count and text.count(", ") == count - 1 and " AS " not in text


def _without_subquery_ids(text: str) -> str:
    """Return a text of the same length with the ids of subqueries blanked; empty if there are none."""
    if "[id=#" not in text:
        return ""
    blank = _SUBQUERY_ID.sub(lambda match: "_" * len(match[0]), text)
    return blank if blank != text else ""


def _split_like(text: str, pieces: Sequence[str]) -> list[str]:
    """Split a text at the same offsets as another text of its length.

    Args:
        pieces: The pieces of the other text, without the separators between them.
    """
    items = []
    at = 0
    for piece in pieces:
        items.append(text[at : at + len(piece)])
        at += len(piece) + 2
    return items


_TRUNCATED = re.compile(r", ?\.\.\. (\d+) more fields\)")
_IN = " IN "
"""Before a list of values, which is printed without spaces, and truncated as arguments are (4.3; 3.5 prints all)."""
_WORD = re.compile(r"[\w.<>$]+$")
_LONGEST = 100_000
"""Limit of the characters of one call's visible arguments; Spark prints 24 arguments."""
_PAIRS = frozenset({"struct", "named_struct"})
_SEEDED = frozenset({"hash", "xxhash64"})
"""Functions whose last argument is the seed, `42`."""
_MIN_CONSECUTIVE = 3
"""Consecutive arguments that must follow the order of the input's columns."""
_MOST = 100
"""Limit of the truncated calls of one expression."""


@dataclass(frozen=True, slots=True)
class TruncatedCall:
    """A call without its last arguments.

    Attributes:
        missing: The number of missing arguments.
        opened: Offset of its bracket.
        end: Offset of the end of the visible arguments.
        visible: The number of visible arguments.
    """

    function: str
    missing: int
    opened: int
    end: int
    visible: int

    @property
    def is_certain(self) -> bool:
        """Whether no literal ends the arguments: in a struct, it would be a name without a value."""
        return self.function in _PAIRS and self.visible % 2 == 0


def truncated_calls(text: str) -> Iterator[TruncatedCall]:
    """Yield the calls of an expression whose arguments are truncated.

    >>> [(call.function, call.visible, call.missing) for call in truncated_calls("hash(a#1, b#2, ... 3 more fields)")]
    [('hash', 2, 3)]
    """
    for found in islice(_TRUNCATED.finditer(text), _MOST):
        opened = opening_bracket(text, found.start(), max(found.start() - _LONGEST, 0))
        if opened < 0 or " INSET " in _visible(text[opened + 1 : found.start()]):
            continue
        if text.endswith(_IN, 0, opened) and ids_in(text[opened : found.start()]):  # literals have no sources
            yield TruncatedCall(
                _IN.strip(), int(found[1]), opened, found.start(), text.count(",", opened, found.start()) + 1
            )
        elif name := _WORD.search(text, 0, opened):
            visible = len(split_items(text[opened + 1 : found.start()]))
            yield TruncatedCall(name[0], int(found[1]), opened, found.start(), visible)


def completed(text: str, call: TruncatedCall, attributes: Mapping[int, str]) -> str | None:
    """Return the expression with a call's missing arguments, if they follow from the order of the visible ones.

    `hash(c00#1, c01#2, … c23#24, ... 16 more fields)` over an input of c00 to c39: the arguments follow the input's
    columns, or those of the relation, whose ids follow each other; the missing ones are the next sixteen. In `struct`,
    every other argument is a name.

    Args:
        call: One of `truncated_calls(text)`.
        attributes: The input's attributes in order, id to name.

    Returns:
        The complete expression; None if the visible arguments are not in the input's order, or if the input has too
        few columns.
    """
    step = 2 if call.function in _PAIRS else 1
    visible = split_items(text[call.opened + 1 : call.end])
    complete = len(visible) // step * step  # the value of the last name may be truncated
    missing = call.missing + len(visible) - complete - (call.function in _SEEDED)
    if complete < _MIN_CONSECUTIVE * step or missing % step:
        return None
    groups = [", ".join(visible[index : index + step]) for index in range(0, complete, step)]
    in_order = groups[1:] if len(groups) > _MIN_CONSECUTIVE else groups  # a key or a separator can be the first
    ids = [ids_in(group) for group in in_order]
    if any(len(found) != 1 or found[0] not in attributes for found in ids):
        return None
    visible_ids = [found[0] for found in ids]
    following = _following(attributes, visible_ids, missing // step)
    forms = {_form(group, attributes[each], each) for group, each in zip(in_order, visible_ids, strict=True)}
    if len(forms) != 1 or len(following) * step != missing:
        return None
    (form,) = forms
    more = (form.format(name=attributes[expr_id], expr_id=expr_id) for expr_id in following)
    return f"{text[: call.opened + 1]}{', '.join((*groups, *more))}{text[text.index(')', call.end) :]}"


def _following(attributes: Iterable[int], visible: Sequence[int], count: int) -> Sequence[int]:
    """Return the attributes after the visible ones in the input's order, or by their ids; none if these differ."""
    found: set[tuple[int, ...]] = set()
    for order in (list(attributes), sorted(attributes)):
        end = order.index(visible[-1]) + 1
        if order[max(end - len(visible), 0) : end] == visible:
            found.add(tuple(order[end : end + count]))
    return found.pop() if len(found) == 1 else ()


def _form(group: str, name: str, expr_id: int) -> str:
    escaped = group.replace("{", "{{").replace("}", "}}")
    form = re.sub(rf"{re.escape(name)}#{expr_id}L?\b", "{name}#{expr_id}", escaped)
    return f"{{name}}{form.removeprefix(name)}" if form.startswith(f"{name}, ") else form


def _visible(text: str) -> str:
    """Return a text without what is in round brackets."""
    depth, kept = 0, []
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if not depth:
            kept.append(letter)
    return "".join(kept)
