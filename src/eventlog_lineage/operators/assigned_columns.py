"""Columns that row-level commands assign: MERGE's clauses composed, values that stay left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from eventlog_lineage.extensions import formats
from eventlog_lineage.model import Transformation
from eventlog_lineage.operators.derivations.derivation import Derivation, Part, merge

from .flow import Output

_REWRITTEN = frozenset({"__row_operation", "__row_id", "__row_from_source", "__row_from_target", "_metadata"})
"""What Spark's own row-level rewrites (3.5+) add to a table's columns."""


@cache
def row_columns() -> frozenset[str]:
    """The columns that row-level rewrites of Spark and of table formats add to a table's."""
    return _REWRITTEN.union(*(each.row_columns for each in formats()))


def assigned(outputs: Iterable[Output], target: str) -> tuple[Output, ...]:
    """The columns that a row-level command gives new values, each with all its values together.

    Args:
        outputs: A column's values, one output each, in the order of the columns; a name can stand several times.
        target: The dataset that is changed: a value that a row keeps is none.

    Returns:
        One output per assigned column, in the order of their first values.
    """
    values: dict[str, list[Output]] = {}
    for output in outputs:
        if output.name not in row_columns() and not stays(output, target):
            values.setdefault(output.name, []).append(output)
    return tuple(Output(name, found[0].number, together(found)) for name, found in values.items())


def stays(output: Output, target: str) -> bool:
    """Is it the row's own value, unchanged?"""
    sources = output.derivation.sources
    return len(sources) == 1 and any(
        origin.dataset == target and origin.column.lower() == output.name.lower() and kind is Transformation.IDENTITY
        for origin, kind in sources
    )


def together(outputs: Sequence[Output]) -> Derivation:
    """Several values of one column: any of them may be a row's."""
    if len(outputs) == 1:
        return outputs[0].derivation
    parts: list[Part] = []
    for output in outputs:
        parts.extend((" | ", output.derivation) if parts else (output.derivation,))
    return Derivation(merge(output.derivation.sources for output in outputs), parts)
