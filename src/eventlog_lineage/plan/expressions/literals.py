r"""Find the brackets, commas and keywords of an expression that belong to its literals.

`(status#1 = :()`, `concat(range [0, , qty#3)`: literals are printed raw. The brackets, commas and keywords of an
expression are read from left to right, as structure or as part of a literal; of all readings that close every bracket,
the cheapest is chosen: the one with the fewest brackets in literals. A bracket after text that cannot be a function's
name, as in `:(` or `\\(`, is more likely part of a literal, and so is a group without an operator: Spark prints groups
only around binary operators. A known function has as many arguments as it is printed with.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from eventlog_lineage.attribute_patterns import NUMBER

from .arities import ARGUMENTS, FUNCTIONS, index_of
from .attribute_ids import PLAN_ID
from .escapes import escaped
from .lists import split_items
from .literal_states import State, indexes_in

_TOKEN = re.compile(rf", {PLAN_ID}|[()\[\]]|, |CASE WHEN | WHEN | THEN | ELSE | END(?!\w)|\bif (?=\()| else ")
_NAME = re.compile(r"[^\s()\[\],=]*$")
_FUNCTION = re.compile(r"-?\.?(?:[A-Za-z_][\w$.<>:-]*|<lambda>)$")
_OPERATOR = re.compile(
    r"(?:^| )(?:<=>|<=|>=|!=|<>|=|<|>|\+|-|\*|/|%|\|\||&|\||\^|AND|OR|LIKE|ILIKE|RLIKE|div|IN|INSET)(?: |$)"
)
_LISTED = re.compile(r"(?: IN | INSET | FILTER )$")
_FIELD_NAME = re.compile(r"(\bStructField\()([^,\n]*[()\[\]][^,\n]*)(?=,\w+Type\b)")
"""A field of a schema that an evaluator prints, `StructField(s(,StringType,true)` (`StructField.toString`, 4.0+)."""
_SORT_KEY = re.compile(r" (?:ASC|DESC) NULLS (?:FIRST|LAST)$")
_FILTERED = re.compile(r"\) FILTER $")
_POSTFIXED = re.compile(r"[\w)\]]$")
_AFTER_CALL = re.compile(r"$|[\s,)\].\[(>#]")
"""What follows the end of a call or a group: another argument, an operator, a field, the id of a name."""
_ATTRIBUTE_END = re.compile(rf"#{NUMBER}L?(?:\.\w+|\[\d+\])*$")
_OFFSETS = re.compile(r", 0, 0[,)]")
"""The last arguments of an aggregate, `listagg(x#1, ], [, x#1 ASC NULLS FIRST, 0, 0)`."""
_CALL, _GROUP, _FILLED, _LIST, _INDEX, _WHEN, _THEN, _ELSE, _IF, _OTHERWISE, _INSET = range(11)
_UNCLOSED = frozenset((_OTHERWISE, _INSET))
"""The value of an IF and the values of an INSET have no closing word: they end where what is around them does."""
_COUNTED = 100
"""Frames from this number on are calls of known functions: the function's index and its arguments so far."""
_MOST_COUNTED = 20
_ITEMS = 1_000_000
"""The frame of a list, plus its items so far."""
_CLOSED = -1
_DELIMITER = _COUNTED + FUNCTIONS.index("listagg") * _MOST_COUNTED + 2
"""The frame of the second argument of `listagg(x#1, delimiter, order#2 ASC NULLS FIRST, 0, 0)`."""
_OPENING = {"CASE WHEN ": _WHEN, "if ": _IF}
_AFTER = {
    (_CALL, ")"): _CLOSED,
    (_GROUP, ")"): _CLOSED,
    (_FILLED, ")"): _CLOSED,
    (_LIST, ")"): _CLOSED,
    (_INDEX, "]"): _CLOSED,
    (_WHEN, " THEN "): _THEN,
    (_THEN, " WHEN "): _WHEN,
    (_THEN, " ELSE "): _ELSE,
    (_THEN, " END"): _CLOSED,
    (_ELSE, " END"): _CLOSED,
    (_IF, " else "): _OTHERWISE,
}
"""(open frame, token that ends it) to the frame that is open after the token."""
_LITERAL = 40
_FUNCTION_AS_LITERAL = 52
_KNOWN_FUNCTION = 4
_NO_FUNCTION_NAME = 28
_NO_OPERATOR = 44
_COMMA_AS_LITERAL = 16
_COMMA_AT_TOP = 36
_BESIDE = 4
"""A comma between a literal's brackets is more likely part of the literal: `listagg(x#1, ], [, x#1 ASC …)`."""
_OTHER_COUNT = 24
_BACKSLASH_AT_END = 8
_WORD_AFTER_END = 14
_AFTER_BRACKET = 2
_AFTER_WORD = 1
_AFTER_ATTRIBUTE = 20
_OPEN = 120
_MOST_STATES = (64, 512)
"""Readings that are followed at once: more of them where the first ones are all unlikely."""
_FEW_STATES = 16
_MANY_TOKENS = 1_000
_MOST_WORK = 100_000
"""Limit of the tokens times the readings of the second attempt."""
_UNLIKELY = 240
"""A reading of this cost, or a higher one, may not be the cheapest if others were given up."""
_MOST_TOKENS = 6_000


class _Token(NamedTuple):
    word: str
    start: int
    end: int


_Stack = tuple[int, ...]
"""The frames that are open."""

_Structure = Callable[[_Stack], "tuple[int, _Stack] | None"]


@dataclass(frozen=True, slots=True)
class Escaped:
    """An expression whose literals have no structural characters.

    Attributes:
        text: The cheapest reading.
        other: A different reading of the same cost; None if there is none.
    """

    text: str
    other: str | None = None


@lru_cache(maxsize=1024)
def escape_literals(text: str) -> Escaped:
    """Replace the structural characters in an expression's literals.

    Args:
        text: An expression without the alias at its end.

    Returns:
        The text, as long as before; unchanged if its brackets fit together.
    """
    return _escaped(_FIELD_NAME.sub(lambda match: f"{match[1]}{escaped(match[2])}", text), ())


@lru_cache(maxsize=1024)
def escape_items(text: str, count: int | None) -> list[str]:
    """Return the items of a list of expressions without names, the structural characters of their literals replaced.

    Args:
        text: The list without its brackets.
        count: The number of items; None if Spark does not print it.
    """
    return split_items(_escaped(text, (_ITEMS,), count).text)


def _escaped(text: str, opened: tuple[int, ...], count: int | None = None) -> Escaped:
    tokens = [_Token(match[0], *match.span()) for match in _TOKEN.finditer(text) if "=#" not in match[0]]
    if len(tokens) > _MOST_TOKENS:
        return Escaped(text)
    best = _best_reading(text, tokens, opened, count)
    read = _with_literals(text, tokens, set(indexes_in(best.literals)))
    other = _with_literals(text, tokens, set(indexes_in(best.other))) if best.is_tied else None
    return Escaped(read, other if other != read else None)


def _with_literals(text: str, tokens: Sequence[_Token], literals: set[int]) -> str:
    pieces: list[str] = []
    at = 0
    for index, token in enumerate(tokens):
        if index in literals:
            pieces.extend((text[at : token.start], escaped(token.word)))
            at = token.end
    return "".join([*pieces, text[at:]])


def _is_between(tokens: Sequence[_Token]) -> bool:
    """Return whether nothing is between three tokens: `], [`."""
    before, token, after = tokens
    return before.end == token.start and token.end == after.start


def _best_reading(text: str, tokens: Sequence[_Token], opened: tuple[int, ...], count: int | None) -> State:
    """Return the cheapest reading of an expression, or of a list.

    Args:
        text: The expression or the list.
        tokens: Its brackets, commas and keywords.
        opened: The frames that are open at the start.
        count: The number of a list's items, if it is known.
    """
    few, many = _MOST_STATES
    best, is_certain = _cheapest(text, tokens, opened, count, few if len(tokens) < _MANY_TOKENS else _FEW_STATES)
    more = min(many, _MOST_WORK // max(len(tokens), 1))
    if is_certain or best.cost < _UNLIKELY or more <= few:
        return best
    other, _ = _cheapest(text, tokens, opened, count, more)
    return min(other, best, key=lambda state: state.cost)


def _cheapest(
    text: str, tokens: Sequence[_Token], opened: tuple[int, ...], count: int | None, most: int
) -> tuple[State, bool]:
    """Return the cheapest of the readings that are followed, and whether all of them are.

    Args:
        text: The expression or the list.
        tokens: Its brackets, commas and keywords.
        opened: The frames that are open at the start.
        count: The number of a list's items, if it is known.
        most: The number of readings that are followed at once.
    """
    states = [State(0, opened, None)]
    is_certain = True
    at, opening = 0, -1
    remaining = Counter(token.word for token in tokens)
    for index, token in enumerate(tokens):
        remaining[token.word] -= 1
        if operator := _OPERATOR.search(text, at, token.start):
            inset = " INSET " in text[operator.start() : token.start]
            states = [_with_operator(state, inset) for state in states]
        if _SORT_KEY.search(text, at, token.start):
            states = [_with_sort_key(state) for state in states]
        filtered = token.word == "(" and _FILTERED.search(text, max(token.start - 9, 0), token.start) is not None
        at = token.end
        opening = token.end if token.word == "if " else opening
        found: dict[tuple[int, ...], State] = {}
        literal = _as_literal(text, token)
        is_between = 0 < index < len(tokens) - 1 and _is_between(tokens[index - 1 : index + 2])
        structure = _structure(text, token)
        for state in states:
            is_inside = filtered and state.last_literal == index - 1
            if after := structure(state.stack):
                _keep(found, state.extended(after[0] + is_inside * _LITERAL, after[1]))
            is_beside = is_between and state.last_literal == index - 1
            cost = literal + (_comma_as_literal(state.stack) - _BESIDE * is_beside if token.word == ", " else 0)
            cost += _OPEN if token.start == opening and state.stack[-1:] == (_IF,) else 0
            _keep(found, state.with_literal(cost, index))
        states = list(found.values())
        if len(states) > most:
            is_certain = False
            states = sorted(states, key=lambda state: state.cost + _least_cost_to_close(state.stack, remaining))[:most]
    finished: dict[tuple[int, ...], State] = {}
    for state in states:
        _keep(finished, state.extended(_cost_of_open_frames(state.stack, count), ()))
    return finished[()], is_certain


def _least_cost_to_close(stack: Sequence[int], remaining: Mapping[str, int]) -> int:
    """Return the least cost of the open frames that have no end among the tokens that follow.

    Args:
        stack: The open frames.
        remaining: Token to how often it follows.
    """
    ifs = stack.count(_IF)
    cases = sum(map(stack.count, (_WHEN, _THEN, _ELSE)))
    groups = len(stack) - ifs - cases - sum(map(stack.count, (_INDEX, _OTHERWISE, _INSET)))
    groups -= bool(stack) and stack[0] >= _ITEMS
    closing = remaining[")"]
    open_ones = max(ifs - remaining[" else "], 0) + max(cases - remaining[" END"], 0) + max(groups - closing, 0)
    return _OPEN * open_ones + _LITERAL * max(closing - groups - remaining["("], 0)


def _keep(found: dict[tuple[int, ...], State], state: State) -> None:
    known = found.get(state.stack)
    if known is None or state.cost < known.cost:
        found[state.stack] = state
    elif state.cost == known.cost and not known.is_tied and state.literals != known.literals:
        found[state.stack] = State(known.cost, known.stack, known.literals, state.literals, is_tied=True)


def _cost_of_open_frames(stack: Sequence[int], count: int | None) -> int:
    """Return the cost of frames that are open at the end, and of a list with another number of items.

    Args:
        stack: The open frames.
        count: The number of the list's items, if it is known.
    """
    items = stack[0] - _ITEMS + 1 if stack and stack[0] >= _ITEMS else 0
    missed = abs(items - count) if count is not None else 0
    return _OPEN * (missed + sum(frame not in _UNCLOSED and frame < _ITEMS for frame in stack))


def _with_operator(state: State, inset: bool) -> State:
    stack = state.stack
    if stack and stack[-1] == _GROUP:
        stack = (*stack[:-1], _FILLED)
    if inset and not (stack and stack[-1] == _INSET):
        stack = (*stack, _INSET)
    return state.extended(0, stack)


def _with_sort_key(state: State) -> State:
    """Return a reading after a sort key: one that has it as the delimiter of a list is wrong."""
    frame = next((frame for frame in reversed(state.stack) if frame not in _UNCLOSED), 0)
    return state.extended(_OPEN if frame == _DELIMITER else 0, state.stack)


def _as_literal(text: str, token: _Token) -> int:
    """Return the cost of reading a token as part of a literal; of a comma, what is before it adds to the cost.

    Args:
        text: The expression.
        token: The token.
    """
    if token.word in {")", ", "}:
        is_after = _OFFSETS.match(text, max(token.start - 3, 0)) or _OFFSETS.match(text, token.start)
        is_after = is_after or _ATTRIBUTE_END.search(text, max(token.start - 60, 0), token.start)
        after = _AFTER_ATTRIBUTE if is_after else 0
        if after or token.word == ", ":
            return after + _LITERAL * (token.word == ")")
        before = text[token.start - 1 : token.start]
        return _LITERAL + (_AFTER_BRACKET if before == ")" else _AFTER_WORD if before.isalnum() else 0)
    if token.word != "(":
        return 0 if token.word in "[]" and not _is_index(text, token) else _LITERAL
    name = _name_before(text, token.start)
    if not name:
        return _LITERAL
    if not _FUNCTION.fullmatch(name):
        return _LITERAL - _NO_FUNCTION_NAME
    return _FUNCTION_AS_LITERAL + (_KNOWN_FUNCTION if index_of(name) is not None else 0)


def _comma_as_literal(stack: tuple[int, ...]) -> int:
    """Return the cost of reading a comma as part of a literal; a comma outside all brackets certainly is."""
    if not stack:
        return _COMMA_AT_TOP
    return 0 if stack[-1] == _INSET else _COMMA_AS_LITERAL


def _is_index(text: str, token: _Token) -> bool:
    return token.word == "]" or _POSTFIXED.search(text, max(token.start - 2, 0), token.start) is not None


def _name_before(text: str, at: int) -> str:
    match = _NAME.search(text, max(at - 200, 0), at)
    return match[0] if match else ""


def _structure(text: str, token: _Token) -> _Structure:
    """Return what a token is as structure: from the open frames before it, its cost and the frames after it.

    Args:
        text: The expression.
        token: The token.
    """
    if token.word == "(":
        return _opening(text, token)
    if token.word == "[":
        is_index = _is_index(text, token)
        return lambda stack: (0, (*stack, _INDEX)) if is_index else None
    if (opened := _OPENING.get(token.word)) is not None:
        return lambda stack: (0, (*stack, opened))
    if token.word == ", ":
        return lambda stack: _after_comma(_without_unclosed(stack))
    cost = _BACKSLASH_AT_END if text.startswith("\\", token.start - 1) else 0
    cost += _WORD_AFTER_END if token.word == ")" and not _AFTER_CALL.match(text, token.end) else 0
    return lambda stack: _after_end(token.word, cost, _without_unclosed(stack))


def _opening(text: str, token: _Token) -> _Structure:
    """Return what an opening bracket is as structure: a call, a list or a group.

    Args:
        text: The expression.
        token: The bracket.
    """
    name = _name_before(text, token.start)
    if not name or name == "-":
        if _LISTED.search(text, max(token.start - 9, 0), token.start):
            return lambda stack: (0, (*stack, _LIST))
        return lambda stack: (0, (*stack, _FILLED if stack and stack[-1] == _IF else _GROUP))
    index = index_of(name)
    call = _CALL if index is None else _COUNTED + index * _MOST_COUNTED + 1
    cost = 0 if _FUNCTION.fullmatch(name) else _NO_FUNCTION_NAME
    return lambda stack: (cost, (*stack, call))


def _without_unclosed(stack: _Stack) -> _Stack:
    while stack and stack[-1] in _UNCLOSED:
        stack = stack[:-1]
    return stack


def _after_comma(stack: _Stack) -> tuple[int, _Stack] | None:
    frame = stack[-1] if stack else -1
    if frame >= _ITEMS:
        return 0, (*stack[:-1], frame + 1)
    if frame >= _COUNTED:
        return 0, (*stack[:-1], frame + (frame % _MOST_COUNTED < _MOST_COUNTED - 1))
    return (0, stack) if frame in (_CALL, _LIST) else None


def _after_end(word: str, cost: int, stack: _Stack) -> tuple[int, _Stack] | None:
    """Return the cost of a closing bracket or keyword, and the frames after it; None if it ends no frame.

    Args:
        word: The bracket or the keyword.
        cost: What it costs after and before its neighbours.
        stack: The frames before it.
    """
    frame = stack[-1] if stack else -1
    if _ITEMS > frame >= _COUNTED and word == ")":
        counts = ARGUMENTS[FUNCTIONS[(frame - _COUNTED) // _MOST_COUNTED]]
        return cost + (0 if frame % _MOST_COUNTED in counts else _OTHER_COUNT), stack[:-1]
    after = _AFTER.get((frame, word))
    if after is None:
        return None
    cost += _NO_OPERATOR if frame == _GROUP else 0
    return cost, (*stack[:-1], after) if after >= 0 else stack[:-1]
