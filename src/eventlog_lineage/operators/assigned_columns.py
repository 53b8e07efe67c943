"""Combine the values that row-level commands assign to columns, without unchanged values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from eventlog_lineage.extensions import formats
from eventlog_lineage.model import Transformation
from eventlog_lineage.operators.derivations.derivation import Derivation, Part, merge

from .flow import Output

_REWRITTEN = frozenset({"__row_operation", "__row_id", "__row_from_source", "__row_from_target", "_metadata"})
"""Columns that Spark's row-level rewrites (3.5+) add to those of a table."""


@cache
def row_columns() -> frozenset[str]:
    """Return the columns that row-level rewrites of Spark and of table formats add to a table's."""
    return _REWRITTEN.union(*(each.columns.of_rows for each in formats()))


def assigned(outputs: Iterable[Output], target: str) -> tuple[Output, ...]:
    """Return the columns that a row-level command assigns, each with the combination of its values.

    Args:
        outputs: The values of columns, one output per value, in the order of the columns; names can repeat.
        target: The dataset that is changed: a value that a row keeps is not an assignment.

    Returns:
        One output per assigned column, in the order of their first values.
    """
    values: dict[str, list[Output]] = {}
    for output in outputs:
        if output.name not in row_columns() and not is_unchanged(output, target):
            values.setdefault(output.name, []).append(output)
    return tuple(Output(name, found[0].expr_id, any_of(found)) for name, found in values.items())


def is_unchanged(output: Output, target: str) -> bool:
    """Return whether an output is the row's own value, unchanged."""
    sources = output.derivation.sources
    return len(sources) == 1 and any(
        origin.dataset == target and origin.column.lower() == output.name.lower() and kind is Transformation.IDENTITY
        for origin, kind in sources
    )


def any_of(outputs: Sequence[Output]) -> Derivation:
    """Return the combination of several values of a column: a row can have any of them."""
    if len(outputs) == 1:
        return outputs[0].derivation
    parts: list[Part] = []
    for output in outputs:
        parts.extend((" | ", output.derivation) if parts else (output.derivation,))
    return Derivation(merge(output.derivation.sources for output in outputs), parts)
