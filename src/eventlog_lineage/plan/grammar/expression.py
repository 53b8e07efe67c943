"""Expression values: the syntax trees of expressions, before their attributes are bound."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from .attribute_ids import unescaped


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression, or a part of one."""


@dataclass(frozen=True, slots=True)
class Literal(Expression):
    """Text without references: a constant, a type name, an operator."""

    text: str


@dataclass(frozen=True, slots=True)
class AttributeReference(Expression):
    """An attribute, by its id: `amount#46L`."""

    expr_id: int
    name: str


@dataclass(frozen=True, slots=True)
class LambdaVariable(Expression):
    """A lambda's variable: `lambda x#7`."""

    expr_id: int
    name: str


@dataclass(frozen=True, slots=True)
class SubqueryExpression(Expression):
    """A scalar subquery, `Subquery subquery#711, [id=#2537]`, or the set of an IN."""

    expr_id: int


@dataclass(frozen=True, slots=True)
class GetField(Expression):
    """A nested field: `addr#5.city`."""

    child: Expression
    name: str


@dataclass(frozen=True, slots=True)
class GetItem(Expression):
    """An array's element or a map's value: `arr#5[0]`, `m#6[k]`."""

    child: Expression
    index: Expression


@dataclass(frozen=True, slots=True)
class Call(Expression):
    """A function call."""

    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class LambdaFunction(Expression):
    """A higher-order function's lambda: `lambdafunction(body, lambda x#7, false)`."""

    body: Expression
    variables: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CaseWhen(Expression):
    """CASE or IF: (condition, value) pairs, and the value of the ELSE branch."""

    branches: tuple[tuple[Expression, Expression], ...]
    otherwise: Expression | None

    @property
    def values(self) -> tuple[Expression, ...]:
        """The values of which it is one."""
        values = tuple(value for _, value in self.branches)
        return values if self.otherwise is None else (*values, self.otherwise)


@dataclass(frozen=True, slots=True)
class WindowExpression(Expression):
    """A function over a window: the function, and the parts of the window specification."""

    function: Expression
    partition: tuple[Expression, ...]
    order: tuple[Expression, ...]
    frame: str


@dataclass(frozen=True, slots=True)
class FilteredAggregate(Expression):
    """An aggregate over the rows that satisfy a condition: `sum(x#1) FILTER (WHERE y#2)`."""

    function: Expression
    condition: Expression


@dataclass(frozen=True, slots=True)
class Phrase(Expression):
    """A sequence of parts: an operator with its operands, with brackets."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Alias(Expression):
    """A named expression: `(a#1 + 1) AS b#2`."""

    child: Expression
    name: str
    expr_id: int


def parts_of(expression: Expression) -> tuple[Expression, ...]:
    """Return the direct subexpressions of an expression."""
    of_kind = _PARTS.get(type(expression))
    return of_kind(expression) if of_kind is not None else ()


def all_parts(expression: Expression) -> Iterator[Expression]:
    """Yield an expression and all expressions within it, each before its own parts."""
    found = [expression]
    for part in found:
        yield part
        found.extend(parts_of(part))


def _parts_of_case(case: CaseWhen) -> tuple[Expression, ...]:
    parts = tuple(chain.from_iterable(case.branches))
    return parts if case.otherwise is None else (*parts, case.otherwise)


_PARTS: Mapping[type, Callable[[Any], tuple[Expression, ...]]] = {
    Alias: lambda alias: (alias.child,),
    Call: lambda call: call.arguments,
    CaseWhen: _parts_of_case,
    FilteredAggregate: lambda aggregate: (aggregate.function, aggregate.condition),
    GetField: lambda field: (field.child,),
    GetItem: lambda item: (item.child, item.index),
    LambdaFunction: lambda function: (function.body,),
    Phrase: lambda phrase: phrase.parts,
    WindowExpression: lambda window: (window.function, *window.partition, *window.order),
}


def field_path(expression: Expression) -> tuple[Expression, tuple[str, ...]]:
    """Return the value of which an expression is a nested field, and the field's path; the expression for others."""
    path: list[str] = []
    while isinstance(expression, GetField):
        path.append(expression.name)
        expression = expression.child
    return expression, tuple(path[::-1])


def is_sort_order(expression: Expression) -> bool:
    """Return whether an expression has a direction, `a#1 ASC NULLS FIRST`."""
    if not isinstance(expression, Phrase):
        return False
    last = expression.parts[-1]
    return isinstance(last, Literal) and last.text.endswith((" NULLS FIRST", " NULLS LAST"))


def plain_text(expression: Expression) -> str | None:
    """Return the text of an expression without references, as printed; None for other expressions.

    A struct's field names are printed as bare words and may look like calls: `named_struct(max(v), max(v)#717)`.
    """
    pieces: list[str] = []
    stack: list[Expression | str] = [expression]
    while stack:
        part = stack.pop()
        if isinstance(part, str):
            pieces.append(part)
        elif isinstance(part, Literal):
            pieces.append(part.text)
        elif isinstance(part, Phrase):
            stack.extend(reversed(part.parts))
        elif isinstance(part, Call):
            separated: list[Expression | str] = [f"{part.function}("]
            for index, argument in enumerate(part.arguments):
                separated.extend((", ", argument) if index else (argument,))
            stack.extend(reversed([*separated, ")"]))
        else:
            return None
    return unescaped("".join(pieces))
