"""Turn derivations into edges: the sources of each target column, and the influences on the whole target.

Expressions name a dataset by its last part if only one dataset has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from operator import attrgetter

from eventlog_lineage.datasets.naming import separate_names
from eventlog_lineage.extensions import contributions
from eventlog_lineage.model import CONFIDENCES, ColumnJoin, Confidence, Edge, Influence, Transformation, merge
from eventlog_lineage.operators.derivations.derivation import DIRECT_KINDS, Derivation, Origin, render
from eventlog_lineage.operators.flow import Condition, Output


def short_names(datasets: Iterable[str]) -> dict[str, str]:
    """Return the shortest endings that identify each dataset.

    Args:
        datasets: Names as the store has them: `spark_catalog.sales.orders`, `s3://lake/raw/orders`.

    Returns:
        Dataset to short name: `orders`; `sales.orders` if there is another `orders`.

    >>> short_names(["c.sales.orders", "c.stock.orders", "c.sales.users"])
    {'c.sales.orders': 'sales.orders', 'c.sales.users': 'users', 'c.stock.orders': 'stock.orders'}
    """
    names = sorted(set(datasets))
    length = dict.fromkeys(names, 1)
    while True:
        short = {name: _ending(name, length[name]) for name in names}
        taken = Counter(short.values())
        clashing = [name for name in names if taken[short[name]] > 1 and short[name] != name]
        if not clashing:
            return short
        for name in clashing:
            length[name] += 1


def _ending(name: str, words: int) -> str:
    separator = "/" if "/" in name else "."
    parts = name.split(separator)
    return separator.join(parts[-words:]) if words < len(parts) else name


EXPRESSION_LIMIT = 2000
"""Longest expression in the store, in characters."""

_MOST_NAMES = 3
"""The most paths of one scan that an expression names."""

Texts = tuple[str, str]
"""An expression with its literals, and without them."""


def build_edges(columns: Iterable[Output], conditions: Iterable[Condition], target: str | None) -> tuple[Edge, ...]:
    """Return the edges of a statement.

    Args:
        columns: The target's columns, or the query's outputs, in order.
        target: The target dataset's name; None for a query.

    Returns:
        The edges of each column, or one edge without a source; then the distinct influences on the whole target.
    """
    outputs, influences = list(columns), list(conditions)
    name_of = namer(outputs, influences)
    edges: list[Edge] = []
    for ordinal, column in enumerate(outputs, 1):
        text = expression_texts(column.derivation, name_of)
        edges.extend(_column_edges(column, ordinal, text, target))
    edges.extend(_influence_edges(influences, target, name_of))
    return tuple(edges)


def namer(columns: Sequence[Output], conditions: Sequence[Condition]) -> Callable[[Origin], str]:
    """Return a function that names source columns in a statement's expressions."""
    derivations = [*(each.derivation for each in columns), *(each.derivation for each in conditions)]
    datasets = {origin.dataset for each in derivations for origin, _ in each.sources}
    short = short_names(name for dataset in datasets for name in separate_names(dataset))

    def name_of(origin: Origin) -> str:
        names = [short.get(name, name) for name in separate_names(origin.dataset)]
        name = names[0] if len(names) == 1 else _alternatives(names)
        return f"{name}.{origin.column}" if origin.column else name

    return name_of


def _alternatives(names: list[str]) -> str:
    """Return the name of a relation of several paths, as a glob pattern: `{north,south}`."""
    more = ("…",) if len(names) > _MOST_NAMES else ()
    return f"{{{','.join((*names[:_MOST_NAMES], *more))}}}"


def expression_texts(derivation: Derivation, name_of: Callable[[Origin], str]) -> Texts:
    """Render an expression with and without its literals."""
    return (
        render(derivation, EXPRESSION_LIMIT, name_of),
        render(derivation, EXPRESSION_LIMIT, name_of, literals=False),
    )


def _column_edges(column: Output, ordinal: int, text: Texts, target: str | None) -> Iterable[Edge]:
    sources = column.derivation.sources
    if not sources:
        confidence = Confidence.INFERRED if column.derivation.is_truncated else Confidence.EXACT
        yield Edge(
            source_dataset=None,
            source_column=None,
            target_dataset=target,
            target_column=column.name,
            target_ordinal=ordinal,
            dependency=None,
            transformation=None,
            masking=False,
            expression=text[0],
            confidence=confidence,
            pattern=text[1],
        )
        return
    for (origin, kind), influence in sources.items():
        for each in separated(origin):
            yield _edge(each, kind, influence, text, (target, column.name, ordinal))


def separated(origin: Origin) -> list[Origin]:
    """Return a column of each dataset of a relation."""
    names = separate_names(origin.dataset)
    return [origin] if len(names) == 1 else [origin._replace(dataset=name) for name in names]


@cache
def hidden_columns() -> frozenset[str]:
    """Return the columns that table formats add to plans for themselves."""
    return frozenset(name for names in contributions("columns.hidden") for name in names)


def _influence_edges(
    conditions: list[Condition], target: str | None, name_of: Callable[[Origin], str]
) -> Iterable[Edge]:
    """Return an edge to the whole target for each distinct source and kind, with the first most certain expression.

    A Filter's expression is preferred to that of the scan below it, which applies a part of it.

    Args:
        target: The target's name; None for a query.
    """
    found = [(condition, _influences(condition)) for condition in sorted(conditions, key=attrgetter("is_of_source"))]
    total = merge(sources for _, sources in found)
    chosen: dict[tuple[Origin, Transformation], tuple[Influence, Condition]] = {}
    for condition, sources in found:
        for key, influence in sources.items():
            if key not in chosen or _rank(influence) < _rank(chosen[key][0]):
                chosen[key] = influence, condition
    texts = {id(each): expression_texts(each.derivation, name_of) for _, each in chosen.values()}
    return [_edge(*key, total[key], texts[id(each)], (target, None, None)) for key, (_, each) in chosen.items()]


def _rank(influence: Influence) -> tuple[int, bool]:
    return influence.confidence, influence.masking


def _influences(condition: Condition) -> dict[tuple[Origin, Transformation], Influence]:
    """Return the sources of a condition, with its kind; without the columns that a format adds for itself."""
    hidden = hidden_columns()
    sources = (each for each in condition.derivation.sources.items() if each[0][0].column not in hidden)
    return merge(
        {(each, condition.kind): influence} for (origin, _), influence in sources for each in separated(origin)
    )


def _edge(
    origin: Origin,
    kind: Transformation,
    influence: Influence,
    text: Texts,
    target: tuple[str | None, str | None, int | None],
) -> Edge:
    """Return an edge.

    Args:
        target: (dataset, column, ordinal); column and ordinal are None for an influence on the whole dataset.
    """
    dataset, name, ordinal = target
    return Edge(
        source_dataset=origin.dataset,
        source_column=origin.column or None,
        target_dataset=dataset,
        target_column=name,
        target_ordinal=ordinal,
        dependency=kind.dependency,
        transformation=kind,
        masking=influence.masking,
        expression=text[0],
        confidence=CONFIDENCES[influence.confidence],
        pattern=text[1],
    )


def column_joins(columns: Sequence[Output], conditions: Sequence[Condition]) -> tuple[ColumnJoin, ...]:
    """Return the distinct pairs of columns whose values joins compare, in the order of the conditions.

    A side that is made of several columns, `concat(a.x, a.y) = b.key`, has a pair for each of them; a column that only
    chooses a value, as that of a CASE, has none.

    Args:
        columns: The target's columns, or the query's outputs.
    """
    joining = [condition for condition in conditions if condition.comparisons]
    if not joining:
        return ()
    name_of = namer(columns, conditions)
    found: dict[tuple[Origin, Origin, str], ColumnJoin] = {}
    for condition in joining:
        texts = expression_texts(condition.derivation, name_of)
        for each in condition.comparisons:
            for left, right in product(_columns(each.left), _columns(each.right)):
                join = ColumnJoin(left.dataset, left.column, right.dataset, right.column, each.operator, *texts)
                found.setdefault((left, right, each.operator), join)
    return tuple(found.values())


def _columns(value: Derivation) -> Iterator[Origin]:
    hidden = hidden_columns()
    for origin, kind in value.sources:
        if origin.dataset and origin.column and origin.column not in hidden and kind in DIRECT_KINDS:
            yield from separated(origin)
