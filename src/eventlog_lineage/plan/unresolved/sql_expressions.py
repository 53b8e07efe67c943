"""Translate parsed expressions of a view's SQL into the form of unresolved plans: `fee * 2` to `('fee * 2)`.

sqlglot parses the SQL. Functions keep their names, as it would replace many by its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from eventlog_lineage.errors import PlanSyntaxError

if TYPE_CHECKING:
    from sqlglot import exp

_MOST_BRACKETS = 40
"""Most nested brackets: the time of the parser is exponential in them."""
_WORD = re.compile(r"[A-Za-z_]\w*")
_PLAIN = re.compile(r"\w+")
_KEPT_PARSERS = frozenset({"CAST", "TRY_CAST", "CASE"})
AGGREGATES = frozenset(
    """
    any any_value approx_count_distinct approx_percentile array_agg avg bit_and bit_or bit_xor bool_and bool_or
    collect_list collect_set corr count count_if count_min_sketch covar_pop covar_samp every first first_value kurtosis
    last last_value listagg max max_by mean median min min_by mode percentile percentile_approx regr_count skewness
    some std stddev stddev_pop stddev_samp string_agg sum try_avg try_sum var_pop var_samp variance
    """.split()
)


def unsupported(text: str) -> PlanSyntaxError:
    """Return the error about SQL that is not a simple query."""
    return PlanSyntaxError("the query of a view is not resolved from its SQL", text, 0, "its readers print its tables")


@cache
def _dialect() -> Any:
    """Return Spark's dialect without functions of sqlglot's own."""
    from sqlglot.dialects.spark import Spark  # noqa: PLC0415 - sqlglot takes 100 ms, and few views need it

    known = Spark.Parser

    kept = {
        table: {name: each for name, each in getattr(known, table).items() if name in _KEPT_PARSERS}
        for table in ("FUNCTION_PARSERS", "NO_PAREN_FUNCTION_PARSERS")
    }
    parser = type("ViewParser", (known,), {"FUNCTIONS": {}, **kept})
    return type("ViewSql", (Spark,), {"Parser": parser})


def parse_query(sql: str) -> exp.Expr:
    """Parse a query.

    Raises:
        PlanSyntaxError: sqlglot cannot parse it.
    """
    import sqlglot  # noqa: PLC0415 - see `_dialect`

    depth = most = 0
    for char in sql:
        depth += (char == "(") - (char == ")")
        most = max(most, depth)
    if most > _MOST_BRACKETS:
        raise unsupported(sql[:40])
    try:
        return sqlglot.parse_one(sql, dialect=_dialect())
    except (sqlglot.errors.SqlglotError, ValueError, AttributeError, TypeError, IndexError) as error:
        raise unsupported(sql[:40]) from error


NO_ID = 10**17
"""The id of an alias in SQL text, which has none."""
_SELECT = re.compile(r"\bSELECT\b", re.IGNORECASE)


WrittenLists = tuple[tuple[tuple[str, ...], ...], ...]
"""The lists of each SELECT of a statement: the keys of its groups if it has any, and its items."""


def select_lists(sql: str) -> WrittenLists:
    """Return the lists of each SELECT in a statement, in the form of parsed plans.

    A SELECT with an item that is not translated is left out.
    """
    found: list[tuple[tuple[str, ...], ...]] = []
    for text in (sql, sql[each.start() :] if (each := _SELECT.search(sql)) else ""):
        try:
            query = parse_query(text)
        except PlanSyntaxError:
            continue
        for select in (each for each in query.walk() if type(each).__name__ == "Select"):
            try:
                items = tuple(map(_item, select.expressions))
                group = select.args.get("group")
                keys = [tuple(each.text for each in read_list(group.expressions))] if group else []
            except PlanSyntaxError:
                continue
            found.append((*keys, items))
        break
    return tuple(found)


def _item(node: exp.Expr) -> str:
    kind = type(node).__name__
    if kind == "Star" or (kind == "Column" and type(node.this).__name__ == "Star"):
        return f"{node.args['table'].name}.*" if kind == "Column" else only(node).name
    alias = f" AS {node.alias}#{NO_ID}" if kind == "Alias" else ""
    return f"{read_expression(node.this if alias else node).text}{alias}"


def only(node: exp.Expr, *names: str) -> exp.Expr:
    """Return a node if it has no other parts than these.

    Raises:
        PlanSyntaxError: It has: a sample, a time travel, a hint.
    """
    other = next((name for name, value in node.args.items() if value and name not in names), "")
    if other:
        raise unsupported(other)
    return node


class SqlExpression(NamedTuple):
    """An expression of a query.

    Attributes:
        text: Its text in the form of unresolved plans.
        aggregates: Whether it contains an aggregate function.
    """

    text: str
    aggregates: bool = False


def read_expression(node: exp.Expr) -> SqlExpression:
    """Translate an expression; the recursion is as deep as its brackets.

    Raises:
        PlanSyntaxError: The expression has a form that is not translated: a subquery, a lambda, an interval.
    """
    kind = type(node).__name__
    if kind in _BINARY:
        return _joined(f" {_BINARY[kind]} ", *map(read_expression, (node.this, node.expression)))
    translate = _TRANSLATED.get(kind)
    if translate is None:
        raise unsupported(kind)
    return translate(node)


def read_list(nodes: Iterable[exp.Expr]) -> list[SqlExpression]:
    """Translate expressions."""
    return list(map(read_expression, nodes))


_BINARY = {
    "Or": "OR",
    "And": "AND",
    "Add": "+",
    "Sub": "-",
    "Mul": "*",
    "Div": "/",
    "Mod": "%",
    "IntDiv": "DIV",
    "EQ": "=",
    "NEQ": "<>",
    "LT": "<",
    "LTE": "<=",
    "GT": ">",
    "GTE": ">=",
    "NullSafeEQ": "<=>",
    "NullSafeNEQ": "<=>",
    "Like": "LIKE",
    "ILike": "ILIKE",
    "RegexpLike": "RLIKE",
}


def _negated(node: exp.Expr) -> SqlExpression:
    below = node.this
    if type(below).__name__ == "Is" and type(below.expression).__name__ == "Null":
        return _call("isnotnull", [read_expression(below.this)])
    found = read_expression(below)
    return SqlExpression(f"NOT {found.text}", found.aggregates)


def _is(node: exp.Expr) -> SqlExpression:
    if type(node.expression).__name__ == "Null":
        return _call("isnull", [read_expression(node.this)])
    return _joined(" <=> ", read_expression(node.this), read_expression(node.expression))


def _between(node: exp.Expr) -> SqlExpression:
    only(node, "this", "low", "high")
    value, low, high = read_list((node.this, node.args["low"], node.args["high"]))
    return _joined(" AND ", _joined(" >= ", value, low), _joined(" <= ", value, high))


def _in(node: exp.Expr) -> SqlExpression:
    only(node, "this", "expressions")
    left, *values = read_list((node.this, *node.expressions))
    text = f"{left.text} IN ({','.join(each.text for each in values)})"
    return SqlExpression(text, any(each.aggregates for each in (left, *values)))


def _minus(node: exp.Expr) -> SqlExpression:
    below = read_expression(node.this)
    return SqlExpression(f"-({below.text})", below.aggregates)


def _literal(node: exp.Expr) -> SqlExpression:
    text = str(node.this)
    return SqlExpression(text if not node.args["is_string"] or _PLAIN.fullmatch(text) else "literal")


def _words(node: Any) -> list[str]:
    if type(node).__name__ == "Dot":
        return [*_words(node.this), node.expression.name]
    if type(node).__name__ != "Column":
        raise unsupported(".")
    return [part.name for part in node.parts]


def _column(node: exp.Expr) -> SqlExpression:
    words = _words(node)
    if not all(map(_WORD.fullmatch, words)):
        raise unsupported(".".join(words))
    return SqlExpression(f"'{'.'.join(words)}")


def _field(node: exp.Expr) -> SqlExpression:
    only(node, "this", "expressions")
    found, index = read_list((node.this, *node.expressions))
    return SqlExpression(f"{found.text}[{index.text}]", found.aggregates or index.aggregates)


def _case(node: exp.Expr) -> SqlExpression:
    compared = read_expression(node.this) if node.this else None
    text, aggregates = "CASE", False
    for branch in node.args["ifs"]:
        condition, value = read_expression(branch.this), read_expression(branch.args["true"])
        condition = condition if compared is None else _joined(" = ", compared, condition)
        text += f" WHEN {condition.text} THEN {value.text}"
        aggregates |= condition.aggregates or value.aggregates
    if default := node.args.get("default"):
        value = read_expression(default)
        text += f" ELSE {value.text}"
        aggregates |= value.aggregates
    return SqlExpression(f"{text} END", aggregates)


def _cast(node: exp.Expr) -> SqlExpression:
    """Translate a cast; `DATE '2026-11-27'` is one that fails for other texts, and a literal."""
    kind = only(node, "this", "to", "safe", "_type").args["to"]
    if type(node).__name__ == "Cast" and type(node.this).__name__ == "Literal":
        return SqlExpression("literal")
    if kind.args.get("nested"):
        raise unsupported(kind.name)
    value = read_expression(node.this)
    return SqlExpression(f"cast({value.text} as {kind.sql(_dialect()).lower().replace(', ', ',')})", value.aggregates)


_OF_IF = 3


def _function(node: exp.Expr) -> SqlExpression:
    name, arguments = str(node.this).lower(), node.expressions
    if name in {"if", "iff"} and len(arguments) == _OF_IF:
        condition, value, other = read_list(arguments)
        text = f"CASE WHEN {condition.text} THEN {value.text} ELSE {other.text} END"
        return SqlExpression(text, any(each.aggregates for each in (condition, value, other)))
    if name == "decode" and len(arguments) >= _OF_IF:
        raise unsupported("decode")
    call = _plain_call(node)
    return SqlExpression(call.text, call.aggregates or str(node.this).lower() in AGGREGATES)


def _plain_call(node: exp.Expr) -> SqlExpression:
    """Translate a call without the aggregation of its own function, which a window does not do."""
    if type(node).__name__ != "Anonymous":
        raise unsupported(type(node).__name__)
    arguments, before = node.expressions, ""
    if [type(each).__name__ for each in arguments] == ["Distinct"]:
        arguments, before = only(arguments[0], "expressions").expressions, "distinct "
    stars = [type(each).__name__ == "Star" for each in arguments]
    return _call(str(node.this).lower(), [SqlExpression("1")] if stars == [True] else read_list(arguments), before)


def _over(node: exp.Expr) -> SqlExpression:
    """Translate a function over a window; its frame chooses rows of the window, by constants."""
    only(node, "this", "partition_by", "order", "spec", "over")
    frame = node.args.get("spec")
    bounds = [frame.args.get(name) for name in ("start", "end")] if frame else []
    if any(bound and not isinstance(bound, str) and type(bound).__name__ != "Literal" for bound in bounds):
        raise unsupported("window frame")
    call, order = _plain_call(node.this), node.args.get("order")
    keys = [*read_list(node.args.get("partition_by") or ()), *(sort_keys(order) if order else ())]
    spec = ", ".join((*(key.text for key in keys), "unspecifiedframe$()"))
    return SqlExpression(
        f"{call.text} windowspecdefinition({spec})", call.aggregates or any(key.aggregates for key in keys)
    )


def sort_keys(order: exp.Expr) -> list[SqlExpression]:
    """Translate `ORDER BY a, b DESC NULLS LAST`."""
    found = []
    for each in order.expressions:
        key = read_expression(only(each, "this", "desc", "nulls_first").this)
        direction = "DESC" if each.args.get("desc") else "ASC"
        found.append(SqlExpression(f"{key.text} {direction} NULLS FIRST", key.aggregates))
    return found


def _joined(operator: str, left: SqlExpression, right: SqlExpression) -> SqlExpression:
    return SqlExpression(f"({left.text}{operator}{right.text})", left.aggregates or right.aggregates)


def _call(name: str, arguments: list[SqlExpression], before: str = "") -> SqlExpression:
    text = ", ".join(each.text for each in arguments)
    return SqlExpression(f"'{name}({before}{text})", any(each.aggregates for each in arguments))


_TRANSLATED: Mapping[str, Callable[[Any], SqlExpression]] = {
    "Anonymous": _function,
    "Between": _between,
    "BitwiseNot": lambda node: read_expression(node.this),
    "Boolean": lambda node: SqlExpression(str(node.this).lower()),
    "Bracket": _field,
    "Case": _case,
    "Cast": _cast,
    "Column": _column,
    "Concat": lambda _: SqlExpression("literal"),  # adjacent strings: 'it' 's'
    "CurrentDate": lambda _: SqlExpression("current_date"),
    "CurrentTimestamp": lambda _: SqlExpression("current_timestamp"),
    "CurrentUser": lambda _: SqlExpression("current_user"),
    "DPipe": lambda node: _call("concat", read_list((node.this, node.expression))),
    "Dot": _column,
    "HexString": lambda _: SqlExpression("literal"),
    "In": _in,
    "Is": _is,
    "Literal": _literal,
    "Neg": _minus,
    "Not": _negated,
    "Null": lambda _: SqlExpression("null"),
    "Paren": lambda node: read_expression(node.this),
    "TryCast": _cast,
    "Window": _over,
}
"""The translation of each class of sqlglot's expressions except operators with two operands."""
