"""Find the most plausible reading of a list whose names or literals contain brackets and commas.

`split_named` and similar functions try cheap ways to split first. If they fail, every comma of the list is a candidate:
of all ways to split the list into items, the one with the lowest cost is chosen. Names that contain what looks like the
end of an item cost most, then unmatched brackets, then brackets in names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from eventlog_lineage.attribute_patterns import ID, ID_START, NUMBER, SUFFIX
from eventlog_lineage.plan.grammar.attribute_ids import PLAIN_ATTRIBUTE, PLAN_ID

from .costs import COSTS, NEVER

_ID_END = re.compile(rf"#({NUMBER}){SUFFIX}$")
_ALIAS_END = re.compile(rf" AS (?:[^\s,()\[\]]+|\w+\([^\s()]*\)[^\s,()]*){ID}$")
_ID_BEFORE_ID = re.compile(rf"#{NUMBER}L?{ID_START}")
_SET = re.compile(rf"(?:{ID}(?:\.\w+|\[\w+\])*|\)) INSET ")
CALL = re.compile(r"[\w$.]+\(")
BRACKETS = re.compile(r"[()\[\]]")
_OPENED = {")": "(", "]": "["}
_KEYWORD = re.compile(r"CASE WHEN | THEN | END(?!\w)| ELSE | else |\bif \(")
_CASE_TOKEN = re.compile(r"[()\[\]]|, |(?<!')CASE WHEN | END(?!\w)")
_CASE_WORD = re.compile(r"(?<!')CASE WHEN | THEN | END(?!\w)")
# The description of a scan is code: `BatchScan[id#1] t (branch=null) [filters=]`.
_UNLIKELY_OPENING = re.compile(
    r"(?<![\w$.*^])(?<!\bIN )(?<!\bINSET )\((?!\w+=)(?:[^()\s#]*\)|, )"  # no operator: `()`, `(y)`, `(, `
    r"|[:/%|;?\\{}\]]\("  # neither a function's name nor a group
    r"|\(\]|\[\)|\\[)\[\]]"  # of regular expressions: `[(]`, `\\)`
)


class Balance:
    """Counts of a text's open brackets, and of closing brackets without an opening one."""

    __slots__ = ("closed", "round", "square")

    def __init__(self) -> None:
        self.round = self.square = self.closed = 0

    def add(self, text: str) -> None:
        """Count the brackets of the next part of the text."""
        if not BRACKETS.search(text):
            return
        for match in BRACKETS.finditer(text):
            bracket = match[0]
            if bracket == "(":
                self.round += 1
            elif bracket == "[":
                self.square += 1
            elif bracket == ")":
                self.closed += self.round == 0
                self.round -= self.round > 0
            else:
                self.closed += self.square == 0
                self.square -= self.square > 0

    @property
    def is_open(self) -> bool:
        """Whether a bracket is open."""
        return self.round > 0 or self.square > 0

    @property
    def unmatched(self) -> int:
        """The number of unmatched brackets."""
        return self.round + self.square + self.closed


def unmatched(text: str) -> int:
    """Return the number of unmatched brackets in a text.

    >>> unmatched("f(a[0]"), unmatched("f(a)")
    (1, 0)
    """
    balance = Balance()
    balance.add(text)
    return balance.unmatched


def is_crossed(text: str) -> bool:
    """Return whether a bracket closes one of the other kind: `listagg(a#1, ], [, 0, 0)`.

    >>> is_crossed("f(a, ], [, b)"), is_crossed("f(a), [b]")
    (True, False)
    """
    opened: list[str] = []
    for match in BRACKETS.finditer(text):
        if match[0] in "([":
            opened.append(match[0])
        elif opened and opened.pop() != _OPENED[match[0]]:
            return True
    return False


def is_suspicious(text: str) -> bool:
    """Return whether the brackets or keywords of an expression are unbalanced.

    >>> is_suspicious("(name = ) AND ("), is_suspicious("(name = x)")
    (True, False)
    """
    if text.count("(") != text.count(")") or text.count("[") != text.count("]") or unmatched(text):
        return True
    if (_KEYWORD.search(text) is not None and not _keywords_fit(text)) or ")(" in text or _has_comma_in_case(text):
        return True
    return _UNLIKELY_OPENING.search(text) is not None


def _keywords_fit(text: str) -> bool:
    words = [match[0] for match in _KEYWORD.finditer(text)]
    cases, ends = words.count("CASE WHEN "), words.count(" END")
    return cases == ends and words.count(" ELSE ") <= cases and words.count("if (") == words.count(" else ")


def _has_comma_in_case(text: str) -> bool:
    """Return whether a CASE has a comma outside its brackets, as of a literal: `CASE WHEN a#1 THEN x, y END`."""
    cases: list[int] = []
    depth = 0
    for match in _CASE_TOKEN.finditer(text) if "CASE WHEN " in text else ():
        token = match[0]
        if token == "CASE WHEN ":
            cases.append(depth)
        elif token == " END":
            del cases[-1:]
        elif token == ", ":
            if cases and depth <= cases[-1]:
                return True
        else:
            depth += 1 if token in "([" else -1
    return False


_NO_NAMES: Mapping[str, str] = {}
ItemCost = Callable[[], Callable[[str], int]]
"""Returns a function that takes the pieces of one item and returns the cost of an item that ends with each."""


def named_cost(
    known: Collection[str] = (),
    certain: Mapping[str, str] = _NO_NAMES,
    unused: Collection[str] = (),
    passed: Collection[str] | None = None,
) -> Callable[[str], int]:
    """Return a function that costs a named expression, piece by piece: an attribute, or `child AS name#id`.

    Args:
        known: Attributes that the plan certainly has, as printed.
        certain: Id to attribute, as printed, of those whose names are certain: an item that ends in such an id is the
            attribute, or its alias.
        unused: Attributes that only ever follow an AS: such an alias is more likely a literal's text.
        passed: The ids that an item without an alias can have; None for any.
    """
    return _NamedCost(known, certain, unused, passed).add


@dataclass(slots=True, eq=False)
class _NamedCost:
    """The cost of a named expression, as an attribute or as an expression with an alias; see `named_cost`."""

    _known: Collection[str]
    _certain: Mapping[str, str]
    _unused: Collection[str]
    _passed: Collection[str] | None
    _balance: Balance = field(default_factory=Balance)
    _opened: int = 0  # CASEs without their END
    _cases: int = 0  # those of them that have a THEN
    _name: Balance = field(default_factory=Balance)  # of the name after the cheapest AS so far
    _plain: int = 0  # the cost as an attribute, without its brackets
    _aliased: int = NEVER  # the cost with the cheapest AS so far, without the brackets of the name
    _inside_child: int = 0
    _in_set: bool = False  # `v#1 INSET a, b, c`: the values have no brackets
    _pieces: int = 0
    _top_comma: bool = False  # before any bracket and the alias: all of the expression is a literal
    _texts: list[str] = field(default_factory=list)
    _last: str = ""
    _alias: int = 0  # the cost of more pieces after an alias
    _alias_ids: set[int] = field(default_factory=set)  # of the aliases so far

    def add(self, piece: str) -> int:
        """Add the next piece, and return the cost of the item if it ends here."""
        if self._pieces:
            self._add_comma()
        self._plain += COSTS.id_in_name * piece.count(" AS ") if not self._balance.is_open else 0
        self._aliased += COSTS.comma_in_name * piece.count(" AS ")
        self._in_set = self._in_set or " INSET " in piece
        self._plain += COSTS.set_in_name if " INSET " in piece and _SET.search(piece) else 0
        self._name.add(piece)
        self._add_words(piece.split(" AS "))
        self._pieces += 1
        self._texts.append(piece)
        self._last = piece.rpartition(" AS ")[2]
        ending = _ID_END.search(piece)
        if ending is None:
            self._alias = 0
            return 0 if self._pieces == 1 and piece.startswith("... ") and piece.endswith(" more fields") else NEVER
        return self._ended(piece, ending)

    def _ended(self, piece: str, ending: re.Match[str]) -> int:
        """Return the cost of the item that ends with a piece, whose last word is an id."""
        attribute = self._certain.get(ending[0])
        if attribute is not None and ", " in attribute:
            piece, attribute = self._with_name(piece, attribute)
        is_alias = attribute is not None and piece.endswith((f" AS {attribute}", f" AS  {attribute}"))
        is_unused = bool(self._unused) and piece.rpartition(" AS ")[2] in self._unused and self._balance.is_open
        is_named = not is_unused and _ALIAS_END.search(piece) is not None
        self._alias = COSTS.certain_alias_in_child if is_alias else COSTS.alias_in_child if is_named else 0
        if is_unused:
            return min(self._cost_as_attribute(piece), self._aliased) + COSTS.unused
        aliased = self._cost_as_alias(int(ending[1]), is_named=is_named)
        if attribute is None:
            return self._cost_of_unknown(piece, ending, aliased)
        is_whole = self._pieces == attribute.count(", ") + 1 and piece.lstrip() == attribute  # after a space
        return 0 if is_whole else aliased if is_alias else NEVER

    def _cost_as_alias(self, expr_id: int, *, is_named: bool) -> int:
        cost = self._aliased + self._name.unmatched * COSTS.bracket_in_name
        cost += COSTS.alias_before if expr_id - 1 in self._alias_ids else 0
        if is_named:
            self._alias_ids.add(expr_id)
        return cost

    def _cost_of_unknown(self, piece: str, ending: re.Match[str], aliased: int) -> int:
        """Return the cost of an item whose id has no certain name."""
        if self._passed is not None and ending[1] not in self._passed:
            return aliased
        return min(self._cost_as_attribute(piece), aliased)

    def _with_name(self, piece: str, attribute: str) -> tuple[str, str | None]:
        """Return the end of the item that has all of a certain name with commas, and the attribute as this item has it.

        Args:
            attribute: The attribute. None is returned for it if the item does not end in it.
        """
        pieces = attribute.count(", ") + 1
        text = ", ".join(self._texts[-pieces:])
        return (text, attribute) if text.endswith(attribute) and self._pieces >= pieces else (piece, None)

    def _add_comma(self) -> None:
        """Add the costs of a comma between the last piece and the next one."""
        ended = _ID_END.search(self._last) is not None
        if ended:
            separated = COSTS.known_in_name if self._last in self._known else COSTS.id_in_name
        else:
            separated = 0 if self._in_set else COSTS.comma_in_name
        if self._balance.is_open or self._cases > 0:
            self._plain += 1
        else:
            self._plain += separated
            self._inside_child += separated + COSTS.id_in_child * ended
            if not (self._top_comma or self._in_set):
                self._top_comma = not any(map(BRACKETS.search, self._texts))
        self._inside_child += self._alias
        self._plain += self._alias
        self._aliased += COSTS.comma_in_name if self._name.is_open else separated

    def _add_words(self, words: Sequence[str]) -> None:
        """Add the parts of a piece between its ASs, each of which can be that of the alias."""
        for index, word in enumerate(words):
            self._balance.add(word)
            self._add_cases(word)
            if self._top_comma and any(match[0] in self._known for match in PLAIN_ATTRIBUTE.finditer(word)):
                self._inside_child += COSTS.known_in_literal
            if index < len(words) - 1:
                others = len(words) - index - 2
                found = self._balance.unmatched * COSTS.unmatched + self._inside_child + COSTS.comma_in_name * others
                found += COSTS.open_case * self._cases
                if found <= self._aliased + self._name.unmatched * COSTS.bracket_in_name:
                    self._aliased, self._name = found, Balance()
                    self._name.add(" AS ".join(words[index + 1 :]))
                self._inside_child += COSTS.comma_in_name if not self._balance.is_open else 0  # not the alias's AS

    def _add_cases(self, word: str) -> None:
        for match in _CASE_WORD.finditer(word):
            if match[0] == " THEN ":
                self._cases = self._opened
            else:
                self._opened = max(0, self._opened + (1 if match[0] != " END" else -1))
                self._cases = min(self._cases, self._opened)

    def _cost_as_attribute(self, piece: str) -> int:
        cost = self._plain + self._balance.unmatched * COSTS.bracket_in_attribute + COSTS.open_case * self._cases
        if self._known and self._pieces == 1 and piece not in self._known:
            cost += COSTS.unknown_before_id if _ID_BEFORE_ID.search(piece) else COSTS.unknown
        if self._pieces > 1 and piece in self._known:  # `concat_ws(:), c12#7, plain) AS w#8`
            cost += COSTS.known_in_name
        return cost


def call_cost() -> Callable[[str], int]:
    """Return a function that costs a function call, or another unnamed expression, piece by piece."""
    balance = Balance()
    first = True

    def add(piece: str) -> int:
        nonlocal first
        if first and not CALL.match(piece):
            balance.closed += 1
        first = False
        balance.add(piece)
        return balance.unmatched * COSTS.unmatched

    return add


def argument_cost() -> Callable[[str], int]:
    """Return a function that costs an argument of an operator, which can be a list, piece by piece."""
    balance = Balance()
    is_list: bool | None = None

    def add(piece: str) -> int:
        nonlocal is_list
        is_list = piece.startswith("[") if is_list is None else is_list
        balance.add(piece)
        return balance.unmatched * COSTS.unmatched + (COSTS.half_a_list if is_list and not piece.endswith("]") else 0)

    return add


def sort_cost() -> Callable[[str], int]:
    """Return a function that costs a sort key, which ends in its direction, piece by piece."""
    balance = Balance()

    def add(piece: str) -> int:
        balance.add(piece)
        return balance.unmatched * COSTS.unmatched if piece.endswith((" NULLS FIRST", " NULLS LAST")) else NEVER

    return add


_SUBQUERY = re.compile(rf"(ubquery [\w-]+#{NUMBER})(, {PLAN_ID})")
_MOST_PIECES = 3_000
_LONGEST_ITEM = 400
"""Limit of the pieces between commas in one item."""
_MOST_STATES = 200_000


def best_items(text: str, count: int | None, item_cost: ItemCost) -> list[str]:
    """Return the items of the cheapest reading of a list.

    Args:
        count: The number of items; None if Spark does not print it.
        item_cost: The cost of an item: `named_cost`, `call_cost`, `sort_cost` or `argument_cost`.

    Returns:
        The items; empty if no reading has that count, or if the list is too long to try.

    >>> best_items("a (b#1, upper(c#2) AS d#3", 2, named_cost)
    ['a (b#1', 'upper(c#2) AS d#3']
    """
    return best_readings(text, count, item_cost)[0]


def has_reading(text: str, count: int, *, are_named: bool) -> bool:
    """Return whether a text can be read as a list of `count` items, whatever its names and literals contain."""
    return bool(best_items(text, count, named_cost if are_named else call_cost))


def best_readings(text: str, count: int | None, item_cost: ItemCost) -> tuple[list[str], list[str]]:
    """Return the items of the cheapest reading of a list, and those of another one that is as cheap.

    Returns:
        The items of both; empty if there is no such reading.
    """
    pieces = _without_subqueries(text).split(", ")
    if len(pieces) > _MOST_PIECES:
        return [], []
    costs = _costs(pieces, item_cost)
    starts, other = _cheapest(costs, len(pieces), 0)
    if count is not None and starts and len(starts) != count:
        few = 0 < len(pieces) * count <= _MOST_STATES
        starts, other = _cheapest(costs, len(pieces), count) if few else ([], [])
    elif count is not None and len(other) != count:
        other = []
    return _items_at(text, pieces, starts), _items_at(text, pieces, other)


def _items_at(text: str, pieces: Sequence[str], starts: Sequence[int]) -> list[str]:
    items, at = [], 0
    for start, end in zip(starts, [*starts[1:], len(pieces)], strict=False):
        size = sum(map(len, pieces[start:end])) + 2 * (end - start)
        items.append(text[at : at + size - 2])
        at += size
    return items


def _without_subqueries(text: str) -> str:
    """Return a text of the same length with the commas of `Subquery scalar-subquery#2, [id=#3]` blanked."""
    return _SUBQUERY.sub(lambda match: match[1] + "_" * len(match[2]), text) if "[id=#" in text else text


def _costs(pieces: Sequence[str], item_cost: ItemCost) -> list[list[tuple[int, int]]]:
    """Return, per end, the starts of the items that can end there, with their costs."""
    ending: list[list[tuple[int, int]]] = [[] for _ in range(len(pieces) + 1)]
    for start in range(len(pieces)):
        add = item_cost()
        least = NEVER
        for end in range(start, min(start + _LONGEST_ITEM, len(pieces))):
            cost = add(pieces[end])
            if cost < NEVER and cost <= least + COSTS.unmatched * 4:
                least = min(least, cost)
                ending[end + 1].append((start, cost))
    return ending


_Best = tuple[int, int, int]
"""The cost of a reading up to an end, its items (negative), and the start of its last item."""


def _cheapest(ending: Sequence[Sequence[tuple[int, int]]], size: int, count: int) -> tuple[list[int], list[int]]:
    """Return the starts of the items of the cheapest reading and of one as cheap; the first one has the most items.

    Args:
        ending: The result of `_costs`.
        count: The number of items; 0 for any number.
    """
    best: list[dict[int, _Best]] = [{0: (0, 0, -1)}] + [{} for _ in range(size)]
    tied: dict[tuple[int, int], int] = {}
    for end in range(1, size + 1):
        for start, cost in ending[end]:
            for items, before in best[start].items():
                if (number := items + 1 if count else 0) <= count:
                    _keep(best[end], tied, (end, number), (before[0] + cost, before[1] - 1, start))
    if count not in best[size]:
        return [], []
    starts = _traced(best, size, count)
    ends = [(end, at if count else 0) for at, end in enumerate((*starts[1:], size), 1)]
    for at in reversed(range(len(starts))):
        if (other := tied.get(ends[at])) is not None:
            return starts, [*_traced(best, other, max(ends[at][1] - 1, 0)), other, *starts[at + 1 :]]
    return starts, []


def _keep(best: dict[int, _Best], tied: dict[tuple[int, int], int], place: tuple[int, int], found: _Best) -> None:
    """Keep a reading up to an end if it is the cheapest one, or the start of its last item if it is as cheap.

    Args:
        best: The best readings up to the end, by their items; updated.
        tied: (end, items) to the start of the last item of another reading of the same cost; updated.
        place: The end, and the number of items; 0 for any number.
    """
    known = best.get(place[1])
    if known is None or found < known:
        best[place[1]] = found
        tied.pop(place, None)
    if known is not None and found[0] == known[0]:
        tied[place] = max(found, known)[2]


def _traced(best: Sequence[Mapping[int, _Best]], end: int, items: int) -> list[int]:
    """Return the starts of the best reading's items up to an end.

    Args:
        best: End and number of items to the best reading up to there.
        items: The number of items up to the end; 0 for any number.
    """
    starts = []
    while end > 0:
        end, items = best[end][items][2], max(items - 1, 0)
        starts.append(end)
    return starts[::-1]
