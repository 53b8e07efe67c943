"""Parse tokens into expressions, without recursion and without errors.

A bracket or keyword that does not match is part of a literal: it becomes text. Constructs that are unclosed at the end
are flattened into a phrase, so that no reference is lost. A named expression, `(amount#46 * 2) AS twice#51`, is split
at its alias first; a finished bracket becomes a call, a group, a window or a filtered aggregate.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain

from eventlog_lineage.attribute_patterns import ID

from . import tokens
from .attribute_ids import id_at_end, imbalance, read_attribute, unescaped
from .expression import (
    Alias,
    AttributeReference,
    Call,
    CaseWhen,
    Expression,
    FilteredAggregate,
    GetField,
    GetItem,
    LambdaFunction,
    LambdaVariable,
    Literal,
    Phrase,
    SubqueryExpression,
    WindowExpression,
    is_sort_order,
)
from .tokens import AttributeNames, Token, is_known

_VALUE = re.compile(rf"{ID}(?:\[\w+\]|\.\w+)*")
"""The end of an attribute, with an index or a field: `#180[0]`, `#12.city`."""


def split_alias(text: str, names: AttributeNames) -> tuple[str, str, int] | None:
    """Split `child AS name#id` before the name that the plan has for the id, or at the alias's AS.

    Returns:
        (child's text, name, id); None for text that does not end in an alias.

    >>> split_alias("(a#1 AS x#2 + 1) AS b#3L", {})
    ('(a#1 AS x#2 + 1)', 'b', 3)
    """
    if " AS " not in text:
        return None
    ending = id_at_end(text, len(text))
    if not ending:
        return None
    expr_id = int(ending[1])
    for known in names.get(expr_id, ()):
        if text.endswith(f" AS {known}", 0, ending.start()):
            return text[: ending.start() - len(known) - 4], known, expr_id
    at = _alias_word(text, ending.start())
    return (text[:at], unescaped(text[at + 4 : ending.start()]), expr_id) if at >= 0 else None


def _alias_word(text: str, end: int) -> int:
    """Return the offset of the AS of an alias whose name is not among the plan's; -1 if there is none.

    The AS of a type, `CAST(x AS DECIMAL(12,2))`, is in brackets and part of a name. An alias of an alias has an id
    before its AS; otherwise the name starts after the first AS and may contain another one.
    """
    first = last_named = -1
    depth = done = 0
    at = text.find(" AS ", 0, end)
    while at >= 0:
        depth += imbalance(text, done, at)
        done = at
        if depth == 0:
            first = at if first < 0 else first
            last_named = at if _VALUE.fullmatch(text, max(text.rfind("#", 0, at), 0), at) else last_named
        at = text.find(" AS ", at + 1, end)
    if first < 0:
        at = text.rfind(" AS ", 0, end)
        return at if text.count("(", at, end) == text.count(")", at, end) else -1
    return last_named if last_named >= 0 else first


_WINDOW_SPEC = "windowspecdefinition"
_OPEN, _CLOSE, _COMMA, _SPACE, _FILTER = (Literal(text) for text in ("(", ")", ", ", " ", " FILTER "))


def phrase(parts: Sequence[Expression]) -> Expression:
    """Return a sequence of parts as one expression."""
    if not parts:
        return Literal("")
    return parts[0] if len(parts) == 1 else Phrase(tuple(parts))


def call_of(function: str, arguments: list[Expression], last: Sequence[Expression]) -> Expression:
    """Return a call."""
    if arguments or last:
        arguments.append(phrase(last))
    if function == "lambdafunction" and arguments:
        variables = tuple(part.expr_id for part in arguments[1:] if isinstance(part, LambdaVariable))
        return LambdaFunction(arguments[0], variables)
    return Call(function, tuple(arguments))


def group_of(arguments: Sequence[Expression], last: Sequence[Expression]) -> Expression:
    """Return a group as a phrase, with the commas of a list as text.

    Args:
        arguments: All items of the list except the last.
    """
    return Phrase((_OPEN, *_with_commas(arguments), *last, _CLOSE))


def _with_commas(arguments: Sequence[Expression]) -> list[Expression]:
    return [each for argument in arguments for each in (argument, _COMMA)]


def absorb_window(parts: list[Expression], call: Expression) -> bool:
    """Combine the function before `windowspecdefinition(k#2, …)` with the window specification; False for other calls.

    Args:
        parts: The parts before the call; updated if the call is a window specification.
    """
    if not (isinstance(call, Call) and call.function == _WINDOW_SPEC and len(parts) >= 2 and parts[-1] == _SPACE):
        return False
    parts.pop()
    function = parts.pop()
    partition: list[Expression] = []
    order: list[Expression] = []
    frame = ""
    for argument in call.arguments:
        if isinstance(argument, Call) and argument.function == "specifiedwindowframe":
            frame = ", ".join(map(_plain, argument.arguments))
        elif is_sort_order(argument):
            order.append(argument)
        else:
            partition.append(argument)
    parts.append(WindowExpression(function, tuple(partition), tuple(order), frame))
    return True


def _plain(expression: Expression) -> str:
    if isinstance(expression, Literal):
        return expression.text
    return f"{expression.function}()" if isinstance(expression, Call) else "…"


def absorb_filter(parts: list[Expression], arguments: Sequence[Expression], last: Sequence[Expression]) -> bool:
    """Combine a function with its condition, `sum(x#1) FILTER (WHERE (y#2 > 1))`; False for other groups.

    Args:
        parts: The parts before the group; updated if the group is a filter's condition.
        arguments: All items of the group except the last.
    """
    if len(parts) < 2 or parts[-1] != _FILTER:
        return False
    inner = [*_with_commas(arguments), *last]
    if inner and isinstance(inner[0], Phrase):  # `WHERE x#1 INSET a, b`: the commas are not the group's
        inner = [*inner[0].parts, *inner[1:]]
    first = inner[0] if inner else None
    if not (isinstance(first, Literal) and first.text.startswith("WHERE ")):
        return False
    rest = first.text.removeprefix("WHERE ")
    condition = phrase([Literal(rest), *inner[1:]] if rest else inner[1:])
    parts.pop()
    parts[-1] = FilteredAggregate(parts[-1], condition)
    return True


def condition_and_value(parts: Sequence[Expression]) -> tuple[Expression, Expression]:
    """Split `if (cond) value`: the group, a space, the rest."""
    if len(parts) < 2:
        return phrase(parts), Literal("")
    rest = list(parts[1:])
    first = rest[0]
    if isinstance(first, Literal):
        text = first.text.removeprefix(" ")
        rest = [Literal(text), *rest[1:]] if text else rest[1:]
    return parts[0], phrase(rest)


_RESULT_ID = re.compile(rf"(?:{ID})+")
_POSTFIXED = (AttributeReference, LambdaVariable, SubqueryExpression, GetField, GetItem, Call)
_INVOKING = frozenset(("invoke(", "static_invoke(", "staticinvoke("))
_METHOD = re.compile(r"\.[A-Za-z_]\w*\(")
_MOST_ALIASES = 8
"""Limit of nested aliases; Spark prints two, for pushed-down aggregates (4.x)."""


def parse_expression(text: str, names: AttributeNames) -> Expression:
    """Parse an expression as Spark prints it (`Expression.toString`, 2.x to 4.3).

    Args:
        text: The expression, with or without ` AS name#id` at its end.
        names: The plan's attributes: only these are references.

    Returns:
        The expression; a `Phrase` with every reference for text outside the grammar.

    >>> parse_expression("upper(a#1)", {1: ("a",)})
    Call(function='upper', arguments=(AttributeReference(expr_id=1, name='a'),))
    """
    attribute = read_attribute(text)
    if attribute and is_known(*attribute, names):
        return AttributeReference(attribute[1], attribute[0])
    aliases: list[tuple[str, int]] = []
    while len(aliases) < _MOST_ALIASES and (alias := split_alias(text, names)):
        text, name, expr_id = alias
        aliases.append((name, expr_id))
    expression = _Reader(text, names).read(tokens.tokenize(text, names))
    for name, expr_id in reversed(aliases):
        expression = Alias(expression, name, expr_id)
    return expression


class _Frame:
    """An unclosed bracket, CASE or IF, with the parts read so far.

    Attributes:
        word: The word that opened it, with a function's name.
        state: The part of a CASE or an IF: `when`, `then`, `else`; `if`.
        parts: The parts of the current argument, condition or value.
        branches: The complete branches of a CASE or an IF.
    """

    __slots__ = ("arguments", "branches", "condition", "kind", "parts", "state", "word")

    def __init__(self, kind: str, word: str, state: str = "") -> None:
        self.kind = kind
        self.word = word
        self.state = state
        self.parts: list[Expression] = []
        self.arguments: list[Expression] = []
        self.branches: list[tuple[Expression, Expression]] = []
        self.condition: Expression | None = None

    def pieces(self) -> list[Expression]:
        """Return all parts of a frame that is never closed."""
        condition = () if self.condition is None else (self.condition,)
        return [Literal(self.word), *chain(*self.branches), *condition, *self.arguments, *self.parts]


class _Reader:
    """A shift-reduce reader: one frame per bracket or keyword, reduced at its end."""

    def __init__(self, text: str, names: AttributeNames) -> None:
        self._text = text
        self._names = names
        self._at = 0
        self._in_literals = 0  # brackets that opened in a literal
        self._top = _Frame("top", "")
        self._stack = [self._top]

    def read(self, found: Sequence[Token]) -> Expression:
        """Read all tokens and return the expression."""
        for token in found:
            if token[1] >= self._at:
                _HANDLERS[token[0]](self, token)
        self._shift_text(len(self._text))
        return self._finish()

    def _finish(self) -> Expression:
        """Add unclosed frames to the frame around them; an IF ends with the frame around it."""
        tail: list[Expression] = []  # in reverse, so that it grows cheaply at its beginning
        for frame in reversed(self._stack[1:]):
            if frame.kind == "if" and frame.state == "else":
                tail = [CaseWhen(tuple(frame.branches), phrase([*frame.parts, *reversed(tail)]))]
            else:
                tail.extend(reversed(frame.pieces()))
        return phrase([*self._stack[0].parts, *reversed(tail)])

    def _shift_text(self, end: int) -> None:
        if end > self._at:
            self._top.parts.append(Literal(self._text[self._at : end]))
            self._at = end

    def _push(self, frame: _Frame, end: int) -> None:
        self._stack.append(frame)
        self._top = frame
        self._at = end

    def _pop(self, end: int) -> list[Expression]:
        """Leave the current frame at the end of its last word; return the parts of the frame around it."""
        self._stack.pop()
        self._top = self._stack[-1]
        self._at = end
        return self._top.parts

    def _value(self, value: Expression, token: Token) -> None:
        self._shift_text(token.start)
        self._top.parts.append(value)
        self._at = token.end
        self._postfix()

    def _attribute(self, token: Token) -> None:
        _, start, end, expr_id = token
        self._value(
            AttributeReference(expr_id, unescaped(self._text[start : self._text.rindex("#", start, end)])), token
        )

    def _lambda(self, token: Token) -> None:
        name = self._text[token.start + len("lambda ") : self._text.rindex("#", token.start, token.end)]
        self._value(LambdaVariable(token.expr_id, name), token)

    def _subquery(self, token: Token) -> None:
        self._value(SubqueryExpression(token.expr_id), token)

    def _unprinted(self, token: Token) -> None:
        name = self._text[token.start : token.end].strip(" *$").rpartition(".")[2]
        self._value(Call(name, (AttributeReference(tokens.EVERY_INPUT, "…"),)), token)

    def _postfix(self) -> None:
        """Read `.city` after a value."""
        parts = self._top.parts
        while self._text.startswith(".", self._at) and isinstance(parts[-1], _POSTFIXED):
            if self._is_method():
                return
            end = tokens.field_end(self._text, self._at + 1)
            if isinstance(parts[-1], SubqueryExpression):
                end = max(end, tokens.merged_field_end(self._text, self._at + 1, self._names))
            if end == self._at + 1:
                return
            parts[-1] = GetField(parts[-1], unescaped(self._text[self._at + 1 : end]))
            self._at = end

    def _is_method(self) -> bool:
        """Return whether a method call follows: `invoke(ParseUrlEvaluator(true).evaluate(url#1))` (4.0+)."""
        inside = any(frame.word in _INVOKING for frame in self._stack)
        return inside and _METHOD.match(self._text, self._at) is not None

    def _open(self, token: Token) -> None:
        parts = self._top.parts
        if parts and isinstance(parts[-1], _POSTFIXED) and self._is_method():
            frame = _Frame("call", f"{self._text[self._at + 1 : token.start]}(")
            frame.arguments.append(parts.pop())
            self._push(frame, token.end)
            return
        name = tokens.call_name(self._text, self._at, token.start)
        if name is None:
            self._in_literals += 1
        else:
            name = name.lstrip("-")  # `-aggregate(a#1, …)` and `-(a#1 + b#2)`
            self._shift_text(token.start - len(name))
            self._push(_Frame("call" if name else "group", f"{name}("), token.end)

    def _close(self, token: Token) -> None:
        self._reduce_ifs(token.start)
        frame = self._top
        if frame.kind not in {"call", "group"}:
            return
        if self._in_literals and self._text.startswith("\\", token.start - 1):
            self._in_literals -= 1  # `\\(x\\)`, but not `RLIKE(c#1, \\\\)`
            return
        self._shift_text(token.start)
        parts = self._pop(token.end)
        if frame.kind == "group":
            if absorb_filter(parts, frame.arguments, frame.parts):
                return
            parts.append(group_of(frame.arguments, frame.parts))
        else:
            call = call_of(frame.word[:-1], frame.arguments, frame.parts)
            if not absorb_window(parts, call):
                parts.append(call)
            if result := _RESULT_ID.match(self._text, self._at):
                self._at = result.end()  # `plus(v#1)#23`: the id that a Python function prints is not a reference
        self._postfix()

    def _comma(self, token: Token) -> None:
        self._reduce_ifs(token.start)
        frame = self._top
        if frame.kind in {"call", "group"}:
            self._shift_text(token.start)
            frame.arguments.append(phrase(frame.parts))
            frame.parts = []
            self._at = token.end

    def _index(self, token: Token) -> None:
        parts = self._top.parts
        if token.start == self._at and parts and isinstance(parts[-1], _POSTFIXED):
            self._push(_Frame("index", "["), token.end)

    def _end_index(self, token: Token) -> None:
        self._reduce_ifs(token.start)
        frame = self._top
        if frame.kind == "index":
            self._shift_text(token.start)
            parts = self._pop(token.end)
            parts[-1] = GetItem(parts[-1], phrase(frame.parts))
            self._postfix()

    def _case(self, token: Token) -> None:
        self._shift_text(token.start)
        self._push(_Frame("case", token.kind, "when"), token.end)

    def _then(self, token: Token) -> None:
        self._reduce_ifs(token.start)
        frame = self._top
        if frame.kind == "case" and frame.state == "when":
            self._shift_text(token.start)
            frame.condition = phrase(frame.parts)
            frame.parts, frame.state, self._at = [], "then", token.end

    def _when(self, token: Token) -> None:
        self._next_branch(token, "when")

    def _else(self, token: Token) -> None:
        self._next_branch(token, "else")

    def _next_branch(self, token: Token, state: str) -> None:
        self._reduce_ifs(token.start)
        frame = self._top
        if frame.kind == "case" and frame.state == "then":
            self._end_branch(frame, token)
            frame.state = state

    def _end(self, token: Token) -> None:
        self._reduce_ifs(token.start)
        frame = self._top
        if frame.kind != "case" or frame.state == "when":
            return
        otherwise = None
        if frame.state == "then":
            self._end_branch(frame, token)
        else:
            self._shift_text(token.start)
            otherwise = phrase(frame.parts)
        self._pop(token.end).append(CaseWhen(tuple(frame.branches), otherwise))

    def _end_branch(self, frame: _Frame, token: Token) -> None:
        self._shift_text(token.start)
        frame.branches.append((frame.condition or Literal(""), phrase(frame.parts)))
        frame.condition = None
        frame.parts, self._at = [], token.end

    def _if(self, token: Token) -> None:
        self._shift_text(token.start)
        self._push(_Frame("if", token.kind, "if"), token.end)

    def _otherwise(self, token: Token) -> None:
        self._reduce_ifs(token.start)
        frame = self._top
        if frame.kind == "if":
            self._shift_text(token.start)
            frame.branches.append(condition_and_value(frame.parts))
            frame.parts, frame.state, self._at = [], "else", token.end

    def _reduce_ifs(self, end: int) -> None:
        """Close IFs, which have no closing word, together with the frame around them."""
        while self._top.kind == "if" and self._top.state == "else":
            self._shift_text(end)
            frame = self._top
            self._pop(end).append(CaseWhen(tuple(frame.branches), phrase(frame.parts)))


_HANDLERS: Mapping[str, Callable[[_Reader, Token], None]] = {
    tokens.ATTRIBUTE: _Reader._attribute,
    tokens.LAMBDA: _Reader._lambda,
    tokens.SUBQUERY: _Reader._subquery,
    tokens.UNPRINTED: _Reader._unprinted,
    tokens.OPEN: _Reader._open,
    tokens.CLOSE: _Reader._close,
    tokens.INDEX: _Reader._index,
    tokens.END_INDEX: _Reader._end_index,
    tokens.COMMA: _Reader._comma,
    tokens.CASE: _Reader._case,
    tokens.WHEN: _Reader._when,
    tokens.THEN: _Reader._then,
    tokens.ELSE: _Reader._else,
    tokens.END: _Reader._end,
    tokens.IF: _Reader._if,
    tokens.OTHERWISE: _Reader._otherwise,
}
