"""The arguments of operators: `FORMS` is the only place that knows how an operator prints them, in both text forms.

Source: `TreeNode.argString` of each operator (2.4 to 4.3), which omits empty lists and missing options, so that
positions shift. Literals and names can contain brackets and commas, but a sort key ends in ` NULLS FIRST`, a window's
column in ` AS name#id`, and the last list of `Expand` and `Generate` has only attributes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import cache, lru_cache
from itertools import chain, groupby
from typing import NamedTuple

from eventlog_lineage.attribute_patterns import ID

from .attribute_ids import escaped
from .literals import escape_items
from .readings import best_items, sort_cost, unmatched
from .symbols import (
    ATTRIBUTES,
    EMPTY,
    ENDING_IN_IDS,
    EXPRESSIONS,
    NAMED,
    ROWS,
    SORT_KEYS,
    Listed,
    Symbol,
    inner,
    is_list,
    read,
    read_arguments,
    split_items,
)

JOIN_TYPES = ("Inner", "Cross", "LeftOuter", "RightOuter", "FullOuter", "LeftSemi", "LeftAnti", "LeftSingle")

_TOP = re.compile(r"(-?\d+, (?:offset=\d+, )?)\[(.* NULLS (?:FIRST|LAST))\], \[(.*)\]$", re.DOTALL)
_SORT = re.compile(r"\[(.* NULLS (?:FIRST|LAST))\](, (?:true|false), -?\d+)$", re.DOTALL)
_GENERATOR = re.compile(r"[^\s,\[\]/`]+\((?!.*: struct<start:)", re.DOTALL)
"""The beginning of a generator, which is a call; a write's arguments begin with a path or a table. The arguments of
merged sessions also begin with a call, and have the type of a session (`MergingSessionsExec`, 3.2 to 4.3).
"""
_OUTER = re.compile(r"(?:, \[\d[\d, ]*\])?, (?:true|false), (?:[^\s,\[\]]+, )?\[")
"""What is before the columns of a generator: a logical `Generate` prints the positions of the columns that are not
needed, and its alias: `, [0, 1], false, t, [`."""
_ATTRIBUTE = re.compile(rf"(?P<name>[^\s,()\[\]]+){ID}")
_BETWEEN = "], ["


class Slot(NamedTuple):
    """An argument of an operator.

    Attributes:
        role: What the argument is to the operator: `keys`, `columns`.
        symbol: What a list holds; None for a value that is not a list.
        is_required: Other arguments leave it its place: Spark omits empty lists and missing options.
        values: The values that it can have; any without them.
    """

    role: str
    symbol: Symbol | None
    is_required: bool = True
    values: frozenset[str] | None = None

    def accepts(self, argument: str) -> bool:
        """Return whether a printed argument can be this one."""
        if self.symbol is None:
            return not is_list(argument) and (self.values is None or argument in self.values)
        if self.is_required or not is_list(argument):
            return is_list(argument)
        is_truncated, is_sorted = argument.endswith(" more fields]"), argument.endswith(_SORTED)
        return is_truncated or is_sorted == (self.symbol is SORT_KEYS)


def _list(symbol: Symbol, role: str) -> Slot:
    return Slot(role, symbol)


def _optional(slot: Slot) -> Slot:
    return slot._replace(is_required=False)


def _flag(role: str) -> Slot:
    return Slot(role, None, is_required=False, values=frozenset(("true", "false")))


_SORTED = (" NULLS FIRST]", " NULLS LAST]")
_COLUMNS = _list(ATTRIBUTES, "columns")
_KEYS = _list(EXPRESSIONS, "keys")

_FORMS = {
    "Aggregate": (_optional(_KEYS), _list(NAMED, "columns")),
    "AggregateInPandas ArrowAggregatePython": (_optional(_KEYS), _list(EXPRESSIONS, "calls"), _list(NAMED, "columns")),
    "BatchEvalPython ArrowEvalPython": (_list(EXPRESSIONS, "calls"), _COLUMNS),
    "BatchEvalPythonUDTF ArrowEvalPythonUDTF": (Slot("call", None), _optional(_list(ATTRIBUTES, "required")), _COLUMNS),
    "BinBy": (_list(ATTRIBUTES, "distributed"), _list(ATTRIBUTES, "scaled"), _COLUMNS),
    "CTERelationRef": (Slot("definition", None), _flag("is_resolved"), _COLUMNS),
    "Deduplicate DeduplicateWithinWatermark StreamingDeduplicate StreamingDeduplicateWithinWatermark": (_KEYS,),
    "Expand": (_optional(_list(ROWS, "rows")), _COLUMNS),
    "FlatMapGroupsInPandas FlatMapGroupsInArrow FlatMapCoGroupsInPandas FlatMapCoGroupsInArrow": (
        _optional(_KEYS),
        _optional(_list(EXPRESSIONS, "right_keys")),
        _COLUMNS,
    ),
    "Generate": (Slot("generator", None), _optional(_list(ATTRIBUTES, "required")), _flag("is_outer"), _COLUMNS),
    "HiveScriptTransformation SparkScriptTransformation ScriptTransformation": (
        _optional(_list(EXPRESSIONS, "input")),
        Slot("script", None),
        _COLUMNS,
    ),
    "InMemoryRelation LogicalRDD LogicalRelation LocalRelation View": (_COLUMNS,),
    "MapInPandas MapInArrow": (Slot("function", None), _COLUMNS),
    "Project SerializeFromObject": (_list(NAMED, "columns"),),
    "Sort": (_list(SORT_KEYS, "keys"), _flag("is_global")),
    "StreamingSymmetricHashJoin": (_KEYS, _list(EXPRESSIONS, "right_keys")),
    "TakeOrderedAndProject": (_list(SORT_KEYS, "keys"), _optional(_list(NAMED, "columns"))),
    "Window WindowInPandas ArrowWindowPython RunningWindowFunction": (
        _list(ENDING_IN_IDS, "columns"),
        _optional(_list(EXPRESSIONS, "partition")),
        _optional(_list(SORT_KEYS, "order")),
    ),
    "WindowGroupLimit": (_optional(_list(EXPRESSIONS, "partition")), _list(SORT_KEYS, "order")),
}
FORMS: Mapping[str, tuple[Slot, ...]] = {
    operator: form for operators, form in _FORMS.items() for operator in operators.split()
}
"""Operator to its arguments in order, in both text forms; engines' arguments are converted to it."""

LABELS: Mapping[str, Symbol] = {
    **dict.fromkeys(("Output", "Results", "Keys"), NAMED),
    **dict.fromkeys(("Input", "Left output", "Right output", "Aggregate Attributes"), ATTRIBUTES),
    **dict.fromkeys(("Functions", "Left keys", "Right keys"), EXPRESSIONS),
}
"""Label of a counted list in formatted text to what the list holds."""


@cache
def slot_of(operator: str, role: str) -> Slot | None:
    """Return the argument of an operator that has a role; None if it has no such argument."""
    return next((slot for slot in FORMS.get(operator, ()) if slot.role == role), None)


def read_role(operator: str, text: str, role: str) -> Listed:
    """Return a list among an operator's arguments, by its role; empty if it is not printed."""
    slot, argument = slot_of(operator, role), read_form(operator, text).get(role, "")
    return read(slot.symbol, inner(argument)) if slot and slot.symbol and argument else EMPTY


@cache
def lists_of(operator: str, *symbols: Symbol) -> tuple[str, ...]:
    """Return the roles of an operator's lists that hold one of some symbols."""
    return tuple(slot.role for slot in FORMS.get(operator, ()) if slot.symbol in symbols)


@lru_cache(maxsize=512)
def read_form(operator: str, text: str) -> Mapping[str, str]:
    """Return an operator's printed arguments by their roles; empty for an operator without a form.

    >>> read_form("Sort", "[a#1 ASC NULLS FIRST], true, 0")["is_global"]
    'true'
    """
    form = FORMS.get(operator, ())
    if len(form) == 1 and form[0].symbol is NAMED:
        return {form[0].role: text}
    return _assigned(form, read_arguments(text))[2]


def _assigned(form: tuple[Slot, ...], arguments: Sequence[str]) -> tuple[int, int, dict[str, str]]:
    """Return how many required and how many arguments are found, and those: each the first one that is possible."""
    if not form:
        return 0, 0, {}
    slot, rest = form[0], form[1:]
    without = _assigned(rest, arguments)
    at = next((at for at, argument in enumerate(arguments) if slot.accepts(argument)), -1)
    if at < 0:
        return without
    required, count, found = _assigned(rest, arguments[at + 1 :])
    if (required + slot.is_required, count + 1) < without[:2]:
        return without
    return required + slot.is_required, count + 1, {slot.role: arguments[at], **found}


class Part(NamedTuple):
    """A part of an operator's arguments.

    Attributes:
        kind: `text`, `expression`, `named` (a list of named expressions), `keys` (sort keys), `values` (expressions
            without names, their literals escaped).
        items: The part, or its items.
        before: What is printed before it.
        after: What is printed after it.
    """

    kind: str
    items: tuple[str, ...]
    before: str = ""
    after: str = ""


NamedItems = Callable[[str], list[str]]


def argument_form(text: str, named_items: NamedItems, known: Set[str]) -> list[Part] | None:
    """Return the parts of an operator's arguments.

    Returns:
        The parts, whose texts joined are the arguments; None for arguments of another form.
    """
    if match := _TOP.match(text):
        return [_text(match[1]), _keys(match[2]), _text(", "), _named(match[3], named_items)]
    if match := _SORT.match(text):
        return [_keys(match[1]), _text(match[2])]
    return _listing_form(text, named_items, known) if text.endswith("]") else None


def _listing_form(text: str, named_items: NamedItems, known: Set[str]) -> list[Part] | None:
    """Return the parts of arguments that end with a list of columns."""
    if text.startswith("[[") and "]], [" in text:
        return _expand(text, named_items, known)
    return _generate(text, named_items, known) if _GENERATOR.match(text) and _OUTER.search(text) else None


def _text(text: str) -> Part:
    return Part("text", (text,))


def _named(text: str, named_items: NamedItems) -> Part:
    return Part("named", tuple(named_items(text)) if text else (), "[", "]")


def _keys(text: str) -> Part:
    return Part("keys", tuple(best_items(text, None, sort_cost) or [text]), "[", "]")


def _expand(text: str, named_items: NamedItems, known: Set[str]) -> list[Part] | None:
    """Split `[[v#1, k#2, 0], [v#1, null, 1]], [v#1, k#3, spark_grouping_id#4L]`: rows are as long as the last list."""
    end = text.rindex("]], [")
    named = _named(text[end + 5 : -1], named_items)
    parts = [_text("[")]
    for index, row in enumerate(_rows(text[2:end], len(named.items))):
        cells = _between_known(row, len(named.items), known)
        cells = cells or escape_items(row, len(named.items))
        if len(cells) != len(named.items):
            return None
        parts += [_text(", ")] if index else []
        parts.append(Part("values", tuple(cells), "[", "]"))
    return [*parts, _text("], "), named]


def _rows(text: str, size: int) -> Iterator[str]:
    """Yield the rows of an Expand; the name of a column in an UNPIVOT can contain their border."""
    row = ""
    for piece in text.split(_BETWEEN):
        row = f"{row}{_BETWEEN}{piece}" if row else piece
        if row.count(", ") >= size - 1:
            yield row
            row = ""
    if row:
        yield row


def _between_known(row: str, size: int, known: Set[str]) -> list[str]:
    """Return the cells of a row of an UNPIVOT whose literals have commas: what is between its columns is one literal.

    A row that its brackets divide into its cells has no such literal: columns within calls do not begin cells,
    `[null, substr(a#1, b#2, 7), 3]`.

    Args:
        row: The row; the attributes in it are escaped.
    """
    pieces = row.split(", ")
    if len(pieces) <= size or (not unmatched(row) and len(split_items(row)) == size):
        return []
    runs = groupby(pieces, key=known.__contains__)
    cells = list(chain.from_iterable(run if is_column else [", ".join(run)] for is_column, run in runs))
    others = {cell: escaped(cell) if ", " in cell else cell for cell in cells if cell not in known}
    if len(cells) != size or not known.isdisjoint(match[0] for cell in others for match in _ATTRIBUTE.finditer(cell)):
        return []
    return [others.get(cell, cell) for cell in cells]


def _generate(text: str, named_items: NamedItems, known: Set[str]) -> list[Part]:
    """Split `explode(items#1), [id#2L], false, [item#3]`; an empty list of needed columns is not printed."""
    match = list(_OUTER.finditer(text))[-1]
    head, generated = text[: match.start()], text[match.end() : -1]
    last = [_text(match[0][:-1]), _named(generated, named_items)]
    if head.endswith("]"):
        for border in _positions(head, ", ["):
            items = named_items(head[border + 3 : -1])
            if items and all(item in known for item in items):
                return [Part("expression", (head[:border],)), _text(", "), Part("named", tuple(items), "[", "]"), *last]
    return [Part("expression", (head,)), *last]


def _positions(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)
