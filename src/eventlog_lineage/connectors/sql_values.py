"""What the parts of a parsed expression do to its value: make it, choose it, order it, hide it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from sqlglot import exp

from eventlog_lineage.model import Transformation

T = Transformation
_MASKING = frozenset(
    """
    approxdistinct cityhash64 count crc32 digest farmfingerprint farmhash64 fnv_hash func_sha1 halfmd5 hash hashrow
    hashtext mask md5 md5_number md5digest md5numberlower64 md5numberupper64 murmur3 murmurhash3_64 ora_hash sha sha1
    sha1digest sha2 sha256 sha2digest sha512 siphash64 standardhash xxhash64
    """.split()
)
"""The functions that mask: keys of sqlglot's classes, and names of functions without a class."""

_CHOOSING = (exp.Coalesce, exp.Nullif, exp.Greatest, exp.Least)
_OF_ORDER = (exp.PercentileCont, exp.PercentileDisc, exp.Mode)
"""Aggregates whose value is of the order in `WITHIN GROUP`; of others it orders what they list."""

_OF_ONE_ROW = (exp.Lag, exp.Lead, exp.NthValue)
"""Functions of a window that take the value of another row, which Spark does not call aggregates either."""

_AGGREGATES = frozenset(
    "approx_median collect_list collect_set every geometric_mean histogram median stats_mode stdevp sum_distinct "
    "try_avg try_sum var varp wm_concat".split()
)
"""Aggregates that some dialects of sqlglot do not know, next to those whose names end in `agg`."""


def step_of(node: exp.Expr) -> tuple[T, bool]:
    """Return what an expression makes of its arguments, and whether it masks them."""
    name = (node.name if isinstance(node, exp.Anonymous) else node.key).lower()
    is_known = isinstance(node, exp.AggFunc) and not isinstance(node, _OF_ONE_ROW)
    is_aggregate = is_known or name in _AGGREGATES or name.endswith("agg")
    return T.AGGREGATION if is_aggregate else T.TRANSFORMATION, name in _MASKING


def group_keys(node: exp.Select, group: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the keys of a GROUP BY, with the columns of its sets; those of `GROUP BY ALL` have no aggregate."""
    yield from group.expressions
    for name in ("grouping_sets", "rollup", "cube"):
        for item in group.args.get(name) or ():
            yield from item.find_all(exp.Column) if isinstance(item, exp.Expr) else ()
    if group.args.get("all"):
        yield from (each for each in node.expressions if each.find(exp.AggFunc) is None)


def children_of(node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the parts of an expression that have values, without names and types."""
    return (each for each in node.iter_expressions() if not isinstance(each, (exp.DataType, exp.Identifier, exp.Var)))


def choice_of(node: exp.Expr, windows: Mapping[str, exp.Window]) -> tuple[Iterable[exp.Expr], T] | None:
    """Return what chooses the rows of an expression's value, and as what it influences it; None for others."""
    if isinstance(node, exp.Window):
        return _window_keys(node, windows), T.WINDOW
    if isinstance(node, exp.Order) and node.this is not None:
        return node.expressions, T.SORT
    if isinstance(node, exp.WithinGroup):
        return node.expression.expressions, T.AGGREGATION if isinstance(node.this, _OF_ORDER) else T.SORT
    return ([node.expression], T.CONDITIONAL) if isinstance(node, (exp.Filter, exp.ArgMax, exp.ArgMin)) else None


def _window_keys(window: exp.Window, named: Mapping[str, exp.Window]) -> Iterator[exp.Expr]:
    """Yield the expressions that partition and order a window, those of the windows that it names included."""
    seen: set[str] = set()
    at: exp.Window | None = window
    while at is not None:
        order = at.args.get("order")
        yield from at.args.get("partition_by") or ()
        yield from order.expressions if order is not None else ()
        name = at.args["alias"].name.lower() if at.args.get("alias") is not None else ""
        at = named.get(name) if name not in seen else None
        seen.add(name)


def alternatives_of(node: exp.Expr) -> tuple[list[exp.Expr | None], list[exp.Expr | None]] | None:
    """Return the values one of which an expression has, and the tests that choose it; None for others."""
    if isinstance(node, exp.Case):
        branches = node.args.get("ifs") or []
        values = [*(each.args.get("true") for each in branches), node.args.get("default")]
        return values, [node.this, *(each.this for each in branches)]
    if isinstance(node, exp.If):
        return [node.args.get("true"), node.args.get("false")], [node.this]
    return (list(children_of(node)), list(children_of(node))) if isinstance(node, _CHOOSING) else None
