"""Turn derivations into edges: the sources of each target column, and the influences on the whole target."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from eventlog_lineage.extensions import contributions
from eventlog_lineage.model import Confidence, Edge, Transformation
from eventlog_lineage.operators.derivations.derivation import CONFIDENCES, Derivation, Influence, Origin, render
from eventlog_lineage.operators.flow import Condition, Output

from .short_names import short_names

EXPRESSION_LIMIT = 2000
"""Longest expression in the store, in characters."""

Texts = tuple[str, str]
"""An expression with its literals, and without them."""


def build_edges(columns: Iterable[Output], conditions: Iterable[Condition], target: str | None) -> tuple[Edge, ...]:
    """Return the edges of a statement.

    Args:
        columns: The target's columns, or the query's outputs, in order.
        conditions: The conditions that influence the whole target.
        target: The target dataset's name; None for a query.

    Returns:
        The edges of each column, or one edge without a source; then the distinct influences on the whole target.
    """
    outputs, influences = list(columns), list(conditions)
    name_of = _namer([column.derivation for column in outputs] + [condition.derivation for condition in influences])
    edges: list[Edge] = []
    for ordinal, column in enumerate(outputs, 1):
        text = _texts(column.derivation, name_of)
        edges.extend(_column_edges(column, ordinal, text, target))
    edges.extend(_influence_edges(influences, target, name_of))
    return tuple(edges)


def _namer(derivations: Iterable[Derivation]) -> Callable[[Origin], str]:
    """Return a function that names source columns in expressions."""
    short = short_names(origin.dataset for each in derivations for origin, _ in each.sources)
    return lambda origin: f"{short.get(origin.dataset, origin.dataset)}.{origin.column}"


def _texts(derivation: Derivation, name_of: Callable[[Origin], str]) -> Texts:
    """Render an expression with and without its literals.

    Args:
        derivation: The derivation of the expression.
        name_of: Names a source column.
    """
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
        yield _edge(origin, kind, influence, text, (target, column.name, ordinal))


@cache
def _hidden_columns() -> frozenset[str]:
    """Return the columns that table formats add to plans for themselves."""
    return frozenset(name for names in contributions("hidden_columns") for name in names)


def _influence_edges(
    conditions: list[Condition], target: str | None, name_of: Callable[[Origin], str]
) -> Iterable[Edge]:
    """Return an edge to the whole target for each distinct source and kind, with the first expression that has it.

    Args:
        conditions: The conditions that influence the whole target.
        target: The target's name; None for a query.
        name_of: Names a source column.
    """
    seen: dict[tuple[Origin, Transformation], Edge] = {}
    hidden = _hidden_columns()
    for condition in conditions:
        sources = {key: each for key, each in condition.derivation.sources.items() if key[0].column not in hidden}
        keys = [key for key in dict.fromkeys((origin, condition.kind) for origin, _ in sources) if key not in seen]
        if not keys:
            continue
        text = _texts(condition.derivation, name_of)
        for origin, kind in keys:
            found = [influence for (each, _), influence in sources.items() if each == origin]
            influence = Influence(all(each.masking for each in found), min(each.confidence for each in found))
            seen[origin, kind] = _edge(origin, kind, influence, text, (target, None, None))
    return seen.values()


def _edge(
    origin: Origin,
    kind: Transformation,
    influence: Influence,
    text: Texts,
    target: tuple[str | None, str | None, int | None],
) -> Edge:
    """Return an edge.

    Args:
        origin: Its source.
        kind: The transformation.
        influence: Its masking and confidence.
        text: The expression, with and without literals.
        target: (dataset, column, ordinal); column and ordinal are None for an influence on the whole dataset.
    """
    dataset, name, ordinal = target
    return Edge(
        source_dataset=origin.dataset,
        source_column=origin.column,
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
