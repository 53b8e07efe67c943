"""Translate parsed expressions of a view's SQL into the form of unresolved plans: `fee * 2` to `('fee * 2)`.

sqlglot parses the SQL. Functions keep their names, as it would replace many by its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from eventlog_lineage.connectors.query import nested_brackets
from eventlog_lineage.errors import PlanSyntaxError
from eventlog_lineage.plan.grammar.literals import AGGREGATES

if TYPE_CHECKING:
    from sqlglot import exp

_MOST_BRACKETS = 40
"""Most nested brackets: the time of the parser is exponential in them."""
WORD = re.compile(r"[A-Za-z_]\w*")
_PLAIN = re.compile(r"\w+")
_KEPT_PARSERS = frozenset({"CAST", "TRY_CAST", "CASE"})


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

    if nested_brackets(sql) > _MOST_BRACKETS:
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
                keys = [tuple(read_list(group.expressions))] if group else []
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
    return f"{read_expression(node.this if alias else node)}{alias}"


def only(node: exp.Expr, *names: str) -> exp.Expr:
    """Return a node if it has no other parts than these.

    Raises:
        PlanSyntaxError: It has: a sample, a time travel, a hint.
    """
    other = next((name for name, value in node.args.items() if value and name not in names), "")
    if other:
        raise unsupported(other)
    return node


def aggregates(node: exp.Expr) -> bool:
    """Return whether an expression contains an aggregate function, which a window's function is not."""
    calls = (each for each in node.walk() if type(each).__name__ == "Anonymous")
    return any(
        str(each.this).lower() in AGGREGATES and not (each.arg_key == "this" and type(each.parent).__name__ == "Window")
        for each in calls
    )


def read_expression(node: exp.Expr) -> str:
    """Translate an expression to the form of unresolved plans; the recursion is as deep as its brackets.

    Raises:
        PlanSyntaxError: The expression has a form that is not translated: a subquery, a lambda, an interval.
    """
    kind = type(node).__name__
    if kind in _BINARY:
        return f"({read_expression(node.this)} {_BINARY[kind]} {read_expression(node.expression)})"
    translate = _TRANSLATED.get(kind)
    if translate is None:
        raise unsupported(kind)
    return translate(node)


def read_list(nodes: Iterable[exp.Expr]) -> list[str]:
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


def _negated(node: exp.Expr) -> str:
    below = node.this
    if type(below).__name__ == "Is" and type(below.expression).__name__ == "Null":
        return _call("isnotnull", [read_expression(below.this)])
    return f"NOT {read_expression(below)}"


def _is(node: exp.Expr) -> str:
    if type(node.expression).__name__ == "Null":
        return _call("isnull", [read_expression(node.this)])
    return f"({read_expression(node.this)} <=> {read_expression(node.expression)})"


def _between(node: exp.Expr) -> str:
    only(node, "this", "low", "high")
    value, low, high = read_list((node.this, node.args["low"], node.args["high"]))
    return f"(({value} >= {low}) AND ({value} <= {high}))"


def _in(node: exp.Expr) -> str:
    only(node, "this", "expressions")
    return f"{read_expression(node.this)} IN ({','.join(read_list(node.expressions))})"


def _literal(node: exp.Expr) -> str:
    text = str(node.this)
    return text if not node.args["is_string"] or _PLAIN.fullmatch(text) else "literal"


def _words(node: Any) -> list[str]:
    if type(node).__name__ == "Dot":
        return [*_words(node.this), node.expression.name]
    if type(node).__name__ != "Column":
        raise unsupported(".")
    return [part.name for part in node.parts]


def _column(node: exp.Expr) -> str:
    words = _words(node)
    if not all(map(WORD.fullmatch, words)):
        raise unsupported(".".join(words))
    return f"'{'.'.join(words)}"


def _field(node: exp.Expr) -> str:
    only(node, "this", "expressions")
    found, index = read_list((node.this, *node.expressions))
    return f"{found}[{index}]"


def _case(node: exp.Expr) -> str:
    compared, text = read_expression(node.this) if node.this else "", "CASE"
    for branch in node.args["ifs"]:
        condition = read_expression(branch.this)
        condition = f"({compared} = {condition})" if compared else condition
        text += f" WHEN {condition} THEN {read_expression(branch.args['true'])}"
    if default := node.args.get("default"):
        text += f" ELSE {read_expression(default)}"
    return f"{text} END"


def _cast(node: exp.Expr) -> str:
    """Translate a cast; `DATE '2026-11-27'` is one that fails for other texts, and a literal."""
    kind = only(node, "this", "to", "safe", "_type").args["to"]
    if type(node).__name__ == "Cast" and type(node.this).__name__ == "Literal":
        return "literal"
    if kind.args.get("nested"):
        raise unsupported(kind.name)
    return f"cast({read_expression(node.this)} as {kind.sql(_dialect()).lower().replace(', ', ',')})"


_OF_IF = 3


def _function(node: exp.Expr) -> str:
    name, arguments = str(node.this).lower(), node.expressions
    if name in {"if", "iff"} and len(arguments) == _OF_IF:
        condition, value, other = read_list(arguments)
        return f"CASE WHEN {condition} THEN {value} ELSE {other} END"
    if name == "decode" and len(arguments) >= _OF_IF:
        raise unsupported("decode")
    return _plain_call(node)


def _plain_call(node: exp.Expr) -> str:
    """Translate a call of a function by its name."""
    if type(node).__name__ != "Anonymous":
        raise unsupported(type(node).__name__)
    arguments, before = node.expressions, ""
    if [type(each).__name__ for each in arguments] == ["Distinct"]:
        arguments, before = only(arguments[0], "expressions").expressions, "distinct "
    stars = [type(each).__name__ == "Star" for each in arguments]
    return _call(str(node.this).lower(), ["1"] if stars == [True] else read_list(arguments), before)


def _over(node: exp.Expr) -> str:
    """Translate a function over a window; its frame chooses rows of the window, by constants."""
    only(node, "this", "partition_by", "order", "spec", "over")
    frame = node.args.get("spec")
    bounds = [frame.args.get(name) for name in ("start", "end")] if frame else []
    if any(bound and not isinstance(bound, str) and type(bound).__name__ != "Literal" for bound in bounds):
        raise unsupported("window frame")
    call, order = _plain_call(node.this), node.args.get("order")
    keys = [*read_list(node.args.get("partition_by") or ()), *(sort_keys(order) if order else ())]
    return f"{call} windowspecdefinition({', '.join((*keys, 'unspecifiedframe$()'))})"


def sort_keys(order: exp.Expr) -> list[str]:
    """Translate `ORDER BY a, b DESC NULLS LAST`."""
    found = []
    for each in order.expressions:
        key = read_expression(only(each, "this", "desc", "nulls_first").this)
        found.append(f"{key} {'DESC' if each.args.get('desc') else 'ASC'} NULLS FIRST")
    return found


def _call(name: str, arguments: list[str], before: str = "") -> str:
    return f"'{name}({before}{', '.join(arguments)})"


_TRANSLATED: Mapping[str, Callable[[Any], str]] = {
    "Anonymous": _function,
    "Between": _between,
    "BitwiseNot": lambda node: read_expression(node.this),
    "Boolean": lambda node: str(node.this).lower(),
    "Bracket": _field,
    "Case": _case,
    "Cast": _cast,
    "Column": _column,
    "Concat": lambda _: "literal",  # adjacent strings: 'it' 's'
    "CurrentDate": lambda _: "current_date",
    "CurrentTimestamp": lambda _: "current_timestamp",
    "CurrentUser": lambda _: "current_user",
    "DPipe": lambda node: _call("concat", read_list((node.this, node.expression))),
    "Dot": _column,
    "HexString": lambda _: "literal",
    "In": _in,
    "Is": _is,
    "Literal": _literal,
    "Neg": lambda node: f"-({read_expression(node.this)})",
    "Not": _negated,
    "Null": lambda _: "null",
    "Paren": lambda node: read_expression(node.this),
    "TryCast": _cast,
    "Window": _over,
}
"""The translation of each class of sqlglot's expressions except operators with two operands."""
