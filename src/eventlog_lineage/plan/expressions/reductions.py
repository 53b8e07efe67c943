"""Reduce the parts of a finished bracket to a call, a group, a window or a filtered aggregate."""

from __future__ import annotations

from collections.abc import Sequence

from .expression import (
    Call,
    Expression,
    FilteredAggregate,
    LambdaFunction,
    LambdaVariable,
    Literal,
    Phrase,
    WindowExpression,
)

_WINDOW_SPEC = "windowspecdefinition"
_WINDOW_FRAME = "specifiedwindowframe"
_OPEN, _CLOSE, _COMMA, _SPACE, _FILTER = (Literal(text) for text in ("(", ")", ", ", " ", " FILTER "))


def phrase(parts: Sequence[Expression]) -> Expression:
    """Return a sequence of parts as one expression."""
    if not parts:
        return Literal("")
    return parts[0] if len(parts) == 1 else Phrase(tuple(parts))


def call_of(function: str, arguments: list[Expression], last: Sequence[Expression]) -> Expression:
    """Return a call.

    Args:
        function: The function's name.
        arguments: All arguments except the last.
        last: The parts of the last argument.
    """
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
        last: The parts of the last item.
    """
    return Phrase((_OPEN, *_with_commas(arguments), *last, _CLOSE))


def _with_commas(arguments: Sequence[Expression]) -> list[Expression]:
    parts: list[Expression] = []
    for argument in arguments:
        parts.extend((argument, _COMMA))
    return parts


def absorb_window(parts: list[Expression], call: Expression) -> bool:
    """Combine the function before `windowspecdefinition(k#2, …)` with the window specification.

    Args:
        parts: The parts before the call; updated if the call is a window specification.
        call: The call.

    Returns:
        Whether the call is a window specification.
    """
    if not (isinstance(call, Call) and call.function == _WINDOW_SPEC and len(parts) >= 2 and parts[-1] == _SPACE):
        return False
    parts.pop()
    function = parts.pop()
    partition: list[Expression] = []
    order: list[Expression] = []
    frame = ""
    for argument in call.arguments:
        if isinstance(argument, Call) and argument.function == _WINDOW_FRAME:
            frame = ", ".join(map(_plain, argument.arguments))
        elif _is_sort_order(argument):
            order.append(argument)
        else:
            partition.append(argument)
    parts.append(WindowExpression(function, tuple(partition), tuple(order), frame))
    return True


def _plain(expression: Expression) -> str:
    if isinstance(expression, Literal):
        return expression.text
    return f"{expression.function}()" if isinstance(expression, Call) else "…"


def _is_sort_order(expression: Expression) -> bool:
    if not isinstance(expression, Phrase):
        return False
    last = expression.parts[-1]
    return isinstance(last, Literal) and last.text.endswith((" NULLS FIRST", " NULLS LAST"))


def absorb_filter(parts: list[Expression], arguments: Sequence[Expression], last: Sequence[Expression]) -> bool:
    """Combine a function with the group after `FILTER`, its condition: `sum(x#1) FILTER (WHERE (y#2 > 1))`.

    Args:
        parts: The parts before the group; updated if the group is a filter's condition.
        arguments: All items of the group except the last.
        last: The parts of the last item.

    Returns:
        Whether the group is a filter's condition.
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
