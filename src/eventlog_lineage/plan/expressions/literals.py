r"""Find the brackets and keywords of an expression that belong to its literals.

`(status#1 = :()`, `concat(range [0, , qty#3)`: literals are printed raw. The brackets and keywords of an expression are
read from left to right, as structure or as part of a literal; of all readings that close every bracket, the one with
the fewest literal brackets is chosen. A bracket after text that cannot be a function's name, as in `:(` or `\\(`, is
more likely part of a literal, and so is a group without an operator: Spark prints groups only around binary operators.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .escapes import escaped

_TOKEN = re.compile(r"[()\[\]]|CASE WHEN | WHEN | THEN | ELSE | END(?!\w)|\bif (?=\()| else ")
_KEYWORD = re.compile(r"CASE WHEN | THEN | END(?!\w)| ELSE | else |\bif \(")
_NAME = re.compile(r"[^\s()\[\],=]*$")
_FUNCTION = re.compile(r"[A-Za-z_][\w$.<>:-]*$")
_OPERATOR = re.compile(
    r"(?:^| )(?:<=>|<=|>=|!=|<>|=|<|>|\+|-|\*|/|%|\|\||&|\||\^|AND|OR|LIKE|ILIKE|RLIKE|div|IN|INSET)(?: |$)"
)
_LISTED = re.compile(r"(?: IN | INSET | FILTER )$")
_POSTFIXED = re.compile(r"[\w)\]]$")
_CALL, _GROUP, _FILLED, _INDEX, _WHEN, _THEN, _ELSE, _IF, _OTHERWISE = range(9)
_CLOSED = -1
_OPENING = {"CASE WHEN ": _WHEN, "if ": _IF}
_AFTER = {
    (_CALL, ")"): _CLOSED,
    (_GROUP, ")"): _CLOSED,
    (_FILLED, ")"): _CLOSED,
    (_INDEX, "]"): _CLOSED,
    (_WHEN, " THEN "): _THEN,
    (_THEN, " WHEN "): _WHEN,
    (_THEN, " ELSE "): _ELSE,
    (_THEN, " END"): _CLOSED,
    (_ELSE, " END"): _CLOSED,
    (_IF, " else "): _OTHERWISE,
}
"""(open construct, word) to the construct that is open after the word."""
_LITERAL = 10
_FUNCTION_AS_LITERAL = 13
_ODD_NAME = 7
_NO_OPERATOR = 11
_OPEN = 30
_MOST_STATES = 48
_MOST_TOKENS = 4_000


class _Token(NamedTuple):
    word: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _State:
    """A partial reading: its cost, the open constructs, and the tokens that belong to literals (a linked list)."""

    cost: int
    stack: tuple[int, ...]
    literals: tuple[int, object] | None


@dataclass(frozen=True, slots=True)
class Escaped:
    """An expression with the structural characters of its literals escaped, and whether it is ambiguous."""

    text: str
    is_ambiguous: bool = False


def is_suspicious(text: str) -> bool:
    """Return whether the brackets or keywords of an expression are unbalanced.

    Args:
        text: An expression, or a list of expressions.
    """
    if text.count("(") != text.count(")") or text.count("[") != text.count("]"):
        return True
    return (_KEYWORD.search(text) is not None and not _keywords_fit(text)) or ")(" in text


def _keywords_fit(text: str) -> bool:
    words = [match[0] for match in _KEYWORD.finditer(text)]
    cases, ends = words.count("CASE WHEN "), words.count(" END")
    return cases == ends and words.count(" ELSE ") <= cases and words.count("if (") == words.count(" else ")


def escape_literals(text: str) -> Escaped:
    """Replace the structural characters in an expression's literals.

    Args:
        text: An expression without the alias at its end.

    Returns:
        The text, with the same length; unchanged if its brackets are balanced.
    """
    tokens = [_Token(match[0], *match.span()) for match in _TOKEN.finditer(text)]
    if len(tokens) > _MOST_TOKENS:
        return Escaped(text, is_ambiguous=True)
    best = _readings(text, tokens)
    literals = set(_chosen(best[0]))
    pieces = [
        escaped(token.word) if index in literals else text[token.start : token.end]
        for index, token in enumerate(tokens)
    ]
    whole: list[str] = []
    at = 0
    for token, piece in zip(tokens, pieces, strict=True):
        whole.extend((text[at : token.start], piece))
        at = token.end
    return Escaped("".join([*whole, text[at:]]))


def _chosen(state: _State) -> Iterator[int]:
    link = state.literals
    while link is not None:
        yield link[0]
        link = link[1]  # type: ignore[assignment]


def _readings(text: str, tokens: Sequence[_Token]) -> list[_State]:
    """Return the readings of an expression, the cheapest first."""
    states = [_State(0, (), None)]
    at = 0
    for index, token in enumerate(tokens):
        between = text[at : token.start]
        if _OPERATOR.search(between):
            states = [_with_operator(state) for state in states]
        at = token.end
        found: dict[tuple[int, ...], _State] = {}
        for state in states:
            for cost, stack in _structures(text, token, state.stack):
                _keep(found, _State(state.cost + cost, stack, state.literals))
            literal = _literal_cost(text, token)
            _keep(found, _State(state.cost + literal, state.stack, (index, state.literals)))
        states = sorted(found.values(), key=lambda state: state.cost)[:_MOST_STATES]
    finished = [_State(state.cost + _left_open(state.stack), (), state.literals) for state in states]
    return sorted(finished, key=lambda state: state.cost)


def _keep(found: dict[tuple[int, ...], _State], state: _State) -> None:
    known = found.get(state.stack)
    if known is None or state.cost < known.cost:
        found[state.stack] = state


def _left_open(stack: Sequence[int]) -> int:
    return _OPEN * sum(frame != _OTHERWISE for frame in stack)


def _with_operator(state: _State) -> _State:
    if not state.stack or state.stack[-1] != _GROUP:
        return state
    return _State(state.cost, (*state.stack[:-1], _FILLED), state.literals)


def _literal_cost(text: str, token: _Token) -> int:
    """Return the cost of reading a token as part of a literal."""
    if token.word != "(":
        return 0 if token.word in "[]" and not _is_index(text, token) else _LITERAL
    name = _name_before(text, token.start)
    if not name:
        return _LITERAL
    return _FUNCTION_AS_LITERAL if _FUNCTION.fullmatch(name) else _LITERAL - _ODD_NAME


def _is_index(text: str, token: _Token) -> bool:
    return token.word == "]" or _POSTFIXED.search(text, 0, token.start) is not None


def _name_before(text: str, at: int) -> str:
    match = _NAME.search(text, max(at - 200, 0), at)
    return match[0] if match else ""


def _structures(text: str, token: _Token, stack: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the structures that a token can be: the cost, and the constructs that are open after it."""
    if token.word == "(":
        name = _name_before(text, token.start)
        if name:
            yield (0 if _FUNCTION.fullmatch(name) else _ODD_NAME), (*stack, _CALL)
        else:
            filled = (stack and stack[-1] == _IF) or _LISTED.search(text, max(token.start - 9, 0), token.start)
            yield 0, (*stack, _FILLED if filled else _GROUP)
    elif token.word == "[":
        if _is_index(text, token):
            yield 0, (*stack, _INDEX)
    elif token.word in _OPENING:
        yield 0, (*stack, _OPENING[token.word])
    else:
        while stack and stack[-1] == _OTHERWISE:  # an IF ends with the construct around it
            stack = stack[:-1]
        after = _AFTER.get((stack[-1] if stack else -1, token.word))
        if after is not None:
            cost = _NO_OPERATOR if stack[-1] == _GROUP else 0
            yield cost, (*stack[:-1], after) if after >= 0 else stack[:-1]
