"""Conditions of joins, one for each comparison, and tests `isnotnull(k#1)` that the optimizer adds for a join above."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from itertools import chain
from typing import NamedTuple

from eventlog_lineage.model import Transformation, merge
from eventlog_lineage.operators.derivations.derivation import Derivation, Origin
from eventlog_lineage.operators.derivations.expression_analysis import analyze
from eventlog_lineage.operators.flow import Comparison, Condition, Conjunct, Flow
from eventlog_lineage.operators.operation import Operation, Scope
from eventlog_lineage.plan.grammar.expression import (
    AttributeReference,
    Call,
    Expression,
    Literal,
    Phrase,
    SubqueryExpression,
)
from eventlog_lineage.plan.grammar.parser import parse_expression
from eventlog_lineage.plan.grammar.tokens import find_attributes

T = Transformation

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_NEGATED = {"=": "!=", "<=>": "IS DISTINCT FROM", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_SYMBOLS = frozenset((*_NEGATED, "LIKE", "RLIKE", "IN"))
_CONNECTIVES = frozenset(("AND", "OR"))
_INFIX = _SYMBOLS | _CONNECTIVES

Sides = tuple[Scope, Scope]
"""Attribute id to derivation, of the left and of the right input of a join."""


class _Operands(NamedTuple):
    left: Expression
    symbol: str
    right: Expression


class KeyPair(NamedTuple):
    """A pair of a join's keys as printed, and how it compares them: `=` or `<=>`."""

    left: str
    right: str
    symbol: str


def key_pairs(keys: Sequence[Sequence[str]]) -> Iterator[KeyPair]:
    """Yield the pairs of a join's keys.

    Spark replaces `a <=> b` by two pairs, `coalesce(a, 0) = coalesce(b, 0)` and `isnull(a) = isnull(b)`
    (`ExtractEquiJoinKeys`, 3.0 to 4.3); they are one pair, as the query has it.

    Args:
        keys: The left and the right keys as printed, in order.
    """
    lefts, rights = keys if len(keys) == 2 else ((), ())
    pairs = list(zip(lefts, rights, strict=False))
    index = 0
    while index < len(pairs):
        left, right = pairs[index]
        following = pairs[index + 1] if index + 1 < len(pairs) else ("", "")
        values = (_null_safe(left, following[0]), _null_safe(right, following[1]))
        yield KeyPair(*values, "<=>") if all(values) else KeyPair(left, right, "=")
        index += 2 if all(values) else 1


def key_conditions(op: Operation, keys: Sequence[Sequence[str]], sides: Sides) -> list[Condition]:
    """Return the condition `(left = right)` of each pair of a join's keys; see `key_pairs`."""
    conditions = [
        equality(op.bind(pair.left, sides[0]), op.bind(pair.right, sides[1]), pair.symbol) for pair in key_pairs(keys)
    ]
    count = min(map(len, keys)) if len(keys) == 2 else 0
    unpaired = [(text, scope) for texts, scope in zip(keys, sides, strict=False) for text in texts[count:]]
    return [*conditions, *(Condition(op.bind(text, scope), T.JOIN) for text, scope in unpaired)]


def _null_safe(key: str, test: str) -> str:
    """Return `a` of the keys `coalesce(a, 0)` and `isnull(a)`; empty for other keys."""
    value = test.removeprefix("isnull(").removesuffix(")")
    return value if test == f"isnull({value})" and key.startswith(f"coalesce({value}, ") else ""


def equality(left: Derivation, right: Derivation, symbol: str = "=") -> Condition:
    """Return the condition that the values of a join's sides are equal."""
    sources = merge((left.through(T.TRANSFORMATION), right.through(T.TRANSFORMATION)))
    derivation = Derivation(sources, ("(", left, f" {symbol} ", right, ")"))
    return Condition(derivation, T.JOIN, (Comparison(left, right, symbol),))


def join_conditions(op: Operation, text: str, scope: Scope, sides: Sides | None = None) -> list[Condition]:
    """Return a condition for each part of a conjunction; none for a text without attributes.

    Args:
        text: The condition as printed, `((a#1 = b#2) AND (c#3 > d#4))`.
        sides: The scopes of the join's inputs; None if each comparison of two columns is one of both sides.
    """
    if "#" not in text and "**" not in text:
        return []
    if text in op.plan.ambiguous or " more fields)" in text:
        return [Condition(op.bind(text, scope), T.JOIN, comparisons(op, text, scope, sides))]
    parts = list(_connected(parse_expression(text, op.names), frozenset(("AND",))))
    derivations = [op.bind(text, scope)] if len(parts) == 1 else [_bind(op, part, scope) for part in parts]
    return [
        _as_equality(Condition(derivation, T.JOIN, tuple(_comparisons(op, part, scope, sides))), part)
        for part, derivation in zip(parts, derivations, strict=True)
    ]


def _as_equality(condition: Condition, expression: Expression) -> Condition:
    """Return `(a = b)` for `a IN (list#5 [])`: the optimizer makes it the key of a semi join."""
    operands = _operands(expression)
    if operands is None or operands.symbol != "IN" or len(condition.comparisons) != 1:
        return condition
    compared = condition.comparisons[0]
    return equality(compared.left, compared.right)


def comparisons(op: Operation, text: str, scope: Scope, sides: Sides | None = None) -> tuple[Comparison, ...]:
    """Return the comparisons in a condition that have a column of each side; see `join_conditions`."""
    return tuple(_comparisons(op, parse_expression(text, op.names), scope, sides))


def _comparisons(op: Operation, root: Expression, scope: Scope, sides: Sides | None) -> Iterator[Comparison]:
    for atom in _connected(root, _CONNECTIVES):
        negated, expression = _without_not(atom)
        operands = _operands(expression)
        if operands is None:
            continue
        if operands.symbol == "IN":
            yield from _members(op, operands, scope)
            continue
        symbol = _NEGATED.get(operands.symbol, f"NOT {operands.symbol}") if negated else operands.symbol
        side = _orientation(operands, sides)
        if side is None:
            continue
        left, right = (_bind(op, each, scope) for each in (operands.left, operands.right))
        if left.sources and right.sources:
            yield Comparison(left, right, symbol) if side else Comparison(right, left, _MIRRORED.get(symbol, symbol))


def _connected(root: Expression, words: frozenset[str]) -> Iterator[Expression]:
    stack = [root]
    while stack:
        expression = stack.pop()
        operands = _operands(expression)
        if operands is not None and operands.symbol in words:
            stack.extend((operands.right, operands.left))
        else:
            yield expression


def _operands(expression: Expression) -> _Operands | None:
    """Return the sides of `(left = right)`, `(left AND right)` or `function(left, right)`; None for others."""
    if isinstance(expression, Call) and len(expression.arguments) == 2:
        return _Operands(expression.arguments[0], expression.function.lower(), expression.arguments[1])
    parts = list(expression.parts) if isinstance(expression, Phrase) else []
    if len(parts) > 2 and parts[0] == Literal("(") and parts[-1] == Literal(")"):
        parts = parts[1:-1]
    for index, part in enumerate(parts):
        symbol = part.text.strip() if isinstance(part, Literal) else ""
        if symbol in _INFIX:
            return _Operands(_whole(parts[:index]), symbol, _whole(parts[index + 1 :]))
    return None


def _whole(parts: Sequence[Expression]) -> Expression:
    return parts[0] if len(parts) == 1 else Phrase(tuple(parts))


def _without_not(expression: Expression) -> tuple[bool, Expression]:
    if isinstance(expression, Phrase) and expression.parts[:1] == (Literal("NOT "),):
        return True, _whole(expression.parts[1:])
    return False, expression


def _orientation(operands: _Operands, sides: Sides | None) -> bool | None:
    """Return whether the operands are in the order of the sides; None if one of them is not of one side alone."""
    if sides is None:
        return True
    left, right = (_ids(each) for each in (operands.left, operands.right))
    if not left or not right:
        return None
    if left <= sides[0].keys() and right <= sides[1].keys():
        return True
    return False if left <= sides[1].keys() and right <= sides[0].keys() else None


def _ids(expression: Expression) -> frozenset[int]:
    analysis = analyze(expression)
    references = (*analysis.references, *((analysis.passes,) if analysis.passes else ()))
    return frozenset(reference.expr_id for reference in references)


def _members(op: Operation, operands: _Operands, scope: Scope) -> Iterator[Comparison]:
    """Yield the comparisons of `a IN (list#5 [])` or `named_struct(…) IN (list#5 [])` with the subquery's columns."""
    found = _subquery(op, operands.right, scope)
    value = _bind(op, operands.left, scope)
    values = list(value.fields.values()) if value.fields else [value]
    outputs = found.outputs if found is not None else ()
    if len(outputs) == len(values):
        for each, output in zip(values, outputs, strict=True):
            yield Comparison(each, output.derivation, "=")


def _subquery(op: Operation, expression: Expression, scope: Scope) -> Flow | None:
    parts = expression.parts if isinstance(expression, Phrase) else (expression,)
    ids = [part.expr_id for part in parts if isinstance(part, SubqueryExpression)]
    return op.subquery(ids[0], scope) if ids else None


def _bind(op: Operation, expression: Expression, scope: Scope) -> Derivation:
    if isinstance(expression, AttributeReference) and (known := scope.get(expression.expr_id)) is not None:
        return known
    return op.bind_analysis(analyze(expression, masks=op.plan.masks), scope)


_TEST = "isnotnull("
_SIZE = "(size("
_NOT_EMPTY = re.compile(r"\(size\((.+), (?:true|false)\) > 0\)", re.DOTALL)


def _tested(op: Operation, part: str) -> int:
    """Return the attribute of `isnotnull(k#1)`, whose name may have brackets; -1 for other parts."""
    if not part.startswith(_TEST) or not part.endswith(")"):
        return -1
    whole = (token for token in find_attributes(part, op.names) if token.start == len(_TEST))
    return next((token.expr_id for token in whole if token.end == len(part) - 1), -1)


def meant_parts(op: Operation, parts: Sequence[str], scope: Scope) -> Sequence[str]:
    """Return the parts of a conjunction without tests `isnotnull(s#1)` of a struct whose fields other parts name.

    The optimizer infers them (`InferFiltersFromConstraints`, 2.0 to 4.3); reading `s.f` is not reading `s`. A test that
    the analyzed plan prints, too, is the user's.
    """
    tests = [part for part in parts if _tested(op, part) >= 0]
    if not tests or not op.plan.ambiguous.keys().isdisjoint(parts):
        return parts
    others = {origin for part in parts if part not in tests for origin, _ in op.bind(part, scope).sources}
    return [part for part in parts if part not in tests or not _is_of_struct(op, part, scope, others)] or parts


def _is_of_struct(op: Operation, test: str, scope: Scope, others: Set[Origin]) -> bool:
    """Return whether a test is of a struct of which the other origins are fields."""
    tested = {origin for origin, _ in op.bind(test, scope).sources}
    if tested & others or _ids_in(op, test) & op.plan.user_tests:
        return False
    fields = [(each.dataset, each.column) for each in others]
    return bool(tested) and all(
        any(dataset == origin.dataset and column.startswith(f"{origin.column}.") for dataset, column in fields)
        for origin in tested
    )


def _ids_in(op: Operation, text: str) -> set[int]:
    return {token.expr_id for token in find_attributes(text, op.names)}


def _is_uncertain(op: Operation, texts: Sequence[str]) -> bool:
    """Return whether one of the texts has two readings, or truncated arguments."""
    return not op.plan.ambiguous.keys().isdisjoint(texts) or any(" more fields)" in text for text in texts)


def tested_parts(op: Operation, parts: Sequence[str], scope: Scope) -> tuple[Conjunct, ...]:
    """Return the parts of a conjunction that the optimizer may have inferred, with the others; empty if there is none.

    `isnotnull(k#1)` of an attribute that no other part names; a test that the analyzed plan prints, too, is the user's.
    `(size(x, true) > 0)` and `isnotnull(x)` of an array or map (`InferFiltersFromGenerate`, 3.1 to 4.3).
    """
    if not any(part.startswith((_TEST, _SIZE)) for part in parts) or _is_uncertain(op, (*parts, conjunction(parts))):
        return ()
    arrays = _arrays(op, parts, scope)
    used = Counter(chain.from_iterable(_ids_in(op, part) for part in parts))
    found = [_tested(op, part) for part in parts]
    tested = [each if used[each] == 1 and each not in op.plan.user_tests else -1 for each in found]
    if not arrays and scope.keys().isdisjoint(tested):
        return ()
    return tuple(
        Conjunct(op.bind(part, scope), scope.get(each), arrays.get(part))
        for part, each in zip(parts, tested, strict=True)
    )


def _arrays(op: Operation, parts: Sequence[str], scope: Scope) -> dict[str, Derivation]:
    """Return the values x of the parts `(size(x, true) > 0)` and `isnotnull(x)`."""
    found: dict[str, Derivation] = {}
    for match in filter(None, map(_NOT_EMPTY.fullmatch, parts)):
        found[match[0]] = found[f"{_TEST}{match[1]})"] = op.bind(match[1], scope)
    return found


def conjunction(parts: Sequence[str]) -> str:
    """Return `((a AND b) AND c)` of a, b and c."""
    whole = parts[0]
    for part in parts[1:]:
        whole = f"({whole} AND {part})"
    return whole
