"""Translate expressions of SQL into the form of unresolved plans: `fee * 2` to `('fee * 2)`."""

from __future__ import annotations

import re

from .sql_tokens import Tokens, unsupported

_BINARY = {"OR": 1, "AND": 2, "||": 5, "+": 6, "-": 6, "*": 7, "/": 7, "%": 7, "DIV": 7}
_COMPARED = frozenset({"=", "==", "<>", "!=", "<", "<=", ">", ">=", "<=>"})
_NOT = 3
_COMPARISON = 4
_WORD = re.compile(r"[A-Za-z_]\w*")
_PLAIN = re.compile(r"\w+")
_CONSTANTS = frozenset({"NULL", "TRUE", "FALSE", "CURRENT_DATE", "CURRENT_TIMESTAMP", "CURRENT_USER"})
_TYPED = frozenset({"DATE", "TIMESTAMP", "TIMESTAMP_NTZ", "X"})
_FRAME_KINDS = frozenset({"word", "number"})
_RESERVED = frozenset(
    """
    SELECT FROM WHERE GROUP HAVING ORDER LIMIT UNION EXCEPT INTERSECT JOIN ON USING LATERAL WINDOW QUALIFY WHEN THEN
    ELSE END AND OR NOT IN IS LIKE RLIKE ILIKE BETWEEN AS INTERVAL EXISTS OVER FILTER WITHIN DISTRIBUTE CLUSTER SORT
    OFFSET
    """.split()
)
AGGREGATES = frozenset(
    """
    any any_value approx_count_distinct approx_percentile array_agg avg bit_and bit_or bit_xor bool_and bool_or
    collect_list collect_set corr count count_if count_min_sketch covar_pop covar_samp every first first_value kurtosis
    last last_value listagg max max_by mean median min min_by mode percentile percentile_approx regr_count skewness
    some std stddev stddev_pop stddev_samp string_agg sum try_avg try_sum var_pop var_samp variance
    """.split()
)


class SqlExpression:
    """An expression of a query.

    Attributes:
        text: Its text in the form of unresolved plans.
        aggregates: Whether it contains an aggregate function.
    """

    __slots__ = ("aggregates", "text")

    def __init__(self, text: str, aggregates: bool = False) -> None:
        self.text = text
        self.aggregates = aggregates


def read_expression(tokens: Tokens, binding: int = 0) -> SqlExpression:
    """Read an expression; the recursion is as deep as its brackets.

    Args:
        tokens: The query.
        binding: Operators that bind less are left to the caller.

    Raises:
        PlanSyntaxError: The expression has a form that is not translated: a window, a subquery, a lambda.
    """
    left = _operand(tokens)
    while True:
        token = tokens.peek()
        operator = token.keyword or (token.text if token.kind == "symbol" else "")
        if operator in _BINARY and _BINARY[operator] > binding:
            tokens.next()
            left = _joined(f" {operator} ", left, read_expression(tokens, _BINARY[operator]))
        elif operator in _COMPARED and binding < _COMPARISON:
            tokens.next()
            left = _joined(f" {'=' if operator == '==' else operator} ", left, read_expression(tokens, _COMPARISON))
        elif operator in {"IS", "IN", "LIKE", "RLIKE", "ILIKE", "BETWEEN", "NOT"} and binding < _COMPARISON:
            left = _predicate(tokens, left)
        else:
            return left


def read_list(tokens: Tokens) -> list[SqlExpression]:
    """Read expressions between commas."""
    found = [read_expression(tokens)]
    while tokens.accept(","):
        found.append(read_expression(tokens))
    return found


def _predicate(tokens: Tokens, left: SqlExpression) -> SqlExpression:
    if tokens.accept("IS"):
        negated = tokens.accept("NOT")
        if tokens.accept("NULL"):
            return _call("isnotnull" if negated else "isnull", [left])
        if tokens.accept("TRUE") or tokens.accept("FALSE"):
            return _joined(" <=> ", left, SqlExpression("true"))
        tokens.expect("DISTINCT")
        tokens.expect("FROM")
        return _joined(" <=> ", left, read_expression(tokens, _COMPARISON))
    negated = tokens.accept("NOT")
    if tokens.accept("BETWEEN"):
        low = read_expression(tokens, _COMPARISON)
        tokens.expect("AND")
        high = read_expression(tokens, _COMPARISON)
        found = _joined(" AND ", _joined(" >= ", left, low), _joined(" <= ", left, high))
    elif tokens.accept("IN"):
        tokens.expect("(")
        values = read_list(tokens)
        tokens.expect(")")
        found = SqlExpression(
            f"{left.text} IN ({','.join(each.text for each in values)})",
            any(each.aggregates for each in (left, *values)),
        )
    else:
        kind = tokens.next().keyword
        if kind not in {"LIKE", "RLIKE", "ILIKE"}:
            raise unsupported(kind)
        found = _joined(f" {kind} ", left, read_expression(tokens, _COMPARISON))
    return SqlExpression(f"NOT {found.text}", found.aggregates) if negated else found


def _operand(tokens: Tokens) -> SqlExpression:
    token = tokens.next()
    if token.kind == "number":
        found = SqlExpression(token.text)
    elif token.kind == "string":
        found = SqlExpression(token.text if _PLAIN.fullmatch(token.text) else "literal")
    elif token.text == "(" and token.kind == "symbol":
        found = read_expression(tokens)
        tokens.expect(")")
    elif token.text in {"-", "+", "~", "!"} and token.kind == "symbol":
        below = read_expression(tokens, _BINARY["*"])
        found = SqlExpression(f"-({below.text})" if token.text == "-" else below.text, below.aggregates)
    elif token.keyword == "NOT":
        below = read_expression(tokens, _NOT)
        found = SqlExpression(f"NOT {below.text}", below.aggregates)
    elif token.keyword == "CASE":
        found = _case(tokens)
    elif token.keyword in _CONSTANTS and tokens.peek().text != "(":
        found = SqlExpression(token.text.lower())
    elif token.keyword in _TYPED and tokens.peek().kind == "string":
        tokens.next()
        found = SqlExpression("literal")
    elif token.keyword and token.keyword not in _RESERVED and tokens.accept("("):
        found = _function(tokens, token.text.lower())
    elif token.kind in {"word", "name"} and token.keyword not in _RESERVED:
        found = _column(tokens, token.text)
    else:
        raise unsupported(token.text)
    return _with_fields(tokens, found)


def _with_fields(tokens: Tokens, found: SqlExpression) -> SqlExpression:
    while True:
        if tokens.accept("["):
            index = read_expression(tokens)
            tokens.expect("]")
            found = SqlExpression(f"{found.text}[{index.text}]", found.aggregates or index.aggregates)
        elif tokens.accept("::"):
            found = SqlExpression(f"cast({found.text} as {_type(tokens)})", found.aggregates)
        elif tokens.peek().text == "." and tokens.peek().kind == "symbol":
            raise unsupported(".")
        else:
            return found


def _column(tokens: Tokens, first: str) -> SqlExpression:
    words = [first]
    while tokens.accept("."):
        words.append(tokens.next().text)
    if not all(_WORD.fullmatch(word) for word in words) or tokens.peek().text in {"->", "=>"}:
        raise unsupported(".".join(words))
    return SqlExpression(f"'{'.'.join(words)}")


def _case(tokens: Tokens) -> SqlExpression:
    """Read `CASE [v] WHEN c THEN x … ELSE y END`."""
    compared = None if tokens.peek().keyword == "WHEN" else read_expression(tokens)
    text = "CASE"
    aggregates = False
    while tokens.accept("WHEN"):
        condition = read_expression(tokens)
        if compared is not None:
            condition = _joined(" = ", compared, condition)
        tokens.expect("THEN")
        value = read_expression(tokens)
        text += f" WHEN {condition.text} THEN {value.text}"
        aggregates |= condition.aggregates or value.aggregates
    if tokens.accept("ELSE"):
        value = read_expression(tokens)
        text += f" ELSE {value.text}"
        aggregates |= value.aggregates
    tokens.expect("END")
    return SqlExpression(f"{text} END", aggregates)


def _function(tokens: Tokens, name: str) -> SqlExpression:
    """Read the arguments of a call, after its bracket.

    Args:
        tokens: The query.
        name: The function's name in lower case.
    """
    if name in {"cast", "try_cast"}:
        value = read_expression(tokens)
        tokens.expect("AS")
        text = f"cast({value.text} as {_type(tokens)})"
        tokens.expect(")")
        return SqlExpression(text, value.aggregates)
    distinct = tokens.accept("DISTINCT")
    arguments: list[SqlExpression] = []
    if tokens.accept("*"):
        arguments = [SqlExpression("1")]
    elif tokens.peek().text != ")":
        arguments = read_list(tokens)
    tokens.expect(")")
    if tokens.peek().keyword in {"FILTER", "WITHIN", "IGNORE", "RESPECT"}:
        raise unsupported(tokens.peek().text)
    call = _call(name, arguments, "distinct " if distinct else "")
    if tokens.accept("OVER"):
        return _over(tokens, call)
    return SqlExpression(call.text, call.aggregates or name in AGGREGATES)


def _over(tokens: Tokens, call: SqlExpression) -> SqlExpression:
    """Read `(PARTITION BY a ORDER BY b DESC ROWS …)` after a function's OVER; a named window is not translated.

    Args:
        tokens: The query.
        call: The function.
    """
    tokens.expect("(")
    keys: list[SqlExpression] = []
    for word, others in (("PARTITION", "DISTRIBUTE"), ("ORDER", "SORT")):
        if tokens.accept(word) or tokens.accept(others):
            tokens.expect("BY")
            keys += read_list(tokens) if word == "PARTITION" else _sort_keys(tokens)
    while tokens.peek().text != ")":
        if tokens.next().kind not in _FRAME_KINDS:  # the frame chooses rows of the window, by constants
            raise unsupported("window frame")
    tokens.expect(")")
    spec = ", ".join((*(key.text for key in keys), "unspecifiedframe$()"))
    text = f"{call.text} windowspecdefinition({spec})"
    return SqlExpression(text, call.aggregates or any(key.aggregates for key in keys))


def _sort_keys(tokens: Tokens) -> list[SqlExpression]:
    """Read `a, b DESC NULLS LAST`."""
    found: list[SqlExpression] = []
    while True:
        key = read_expression(tokens)
        order = "DESC" if tokens.accept("DESC") else "ASC"
        tokens.accept("ASC")
        if tokens.accept("NULLS") and not tokens.accept("FIRST"):
            tokens.expect("LAST")
        found.append(SqlExpression(f"{key.text} {order} NULLS FIRST", key.aggregates))
        if not tokens.accept(","):
            return found


def _type(tokens: Tokens) -> str:
    """Read a type: `DECIMAL(10, 2)`, `STRING`."""
    word = tokens.next()
    if not word.keyword or tokens.peek().text == "<":
        raise unsupported(word.text)
    numbers = []
    if tokens.accept("("):
        while not tokens.accept(")"):
            numbers.append(tokens.next().text)
    return word.text.lower() + (f"({''.join(numbers)})" if numbers else "")


def _joined(operator: str, left: SqlExpression, right: SqlExpression) -> SqlExpression:
    if operator == " || ":
        return _call("concat", [left, right])
    return SqlExpression(f"({left.text}{operator}{right.text})", left.aggregates or right.aggregates)


def _call(name: str, arguments: list[SqlExpression], before: str = "") -> SqlExpression:
    text = ", ".join(each.text for each in arguments)
    return SqlExpression(f"'{name}({before}{text})", any(each.aggregates for each in arguments))
