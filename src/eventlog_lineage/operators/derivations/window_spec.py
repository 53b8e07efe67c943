"""Render a window specification in SQL instead of Spark's class names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from eventlog_lineage.plan.expressions.expression import WindowExpression

_FRAMES = {"RowFrame": "ROWS", "RangeFrame": "RANGE"}
_BOUNDS = {
    "unboundedpreceding$()": "UNBOUNDED PRECEDING",
    "unboundedfollowing$()": "UNBOUNDED FOLLOWING",
    "currentrow$()": "CURRENT ROW",
}
_DEFAULTS = frozenset(
    {
        "RowFrame, unboundedpreceding$(), currentrow$()",
        "RangeFrame, unboundedpreceding$(), currentrow$()",
        "RowFrame, unboundedpreceding$(), unboundedfollowing$()",
        "RangeFrame, unboundedpreceding$(), unboundedfollowing$()",
    }
)
"""Default frames of specifications."""


def window_words(window: WindowExpression, role: Any) -> Iterator[Any]:
    """Yield the specification between `OVER (` and `)`, in pieces of text and (expression, role, is operand).

    Args:
        window: The function with its window.
        role: The role of the window's columns.
    """
    if window.partition:
        yield "PARTITION BY "
        yield from _separated(window.partition, role)
    if window.order:
        yield " ORDER BY " if window.partition else "ORDER BY "
        yield from _separated(window.order, role)
    if window.frame and window.frame not in _DEFAULTS:
        yield f" {frame_words(window.frame)}"


def frame_words(frame: str) -> str:
    """Return a frame in SQL.

    >>> frame_words("RowFrame, -1, currentrow$()")
    'ROWS BETWEEN 1 PRECEDING AND CURRENT ROW'

    Source: `SpecifiedWindowFrame` and `SpecialFrameBoundary` (Spark 2.3 to 4.3).
    """
    kind, *bounds = frame.split(", ")
    return f"{_FRAMES.get(kind, kind)} BETWEEN {' AND '.join(map(_bound, bounds))}"


def _bound(bound: str) -> str:
    if bound in _BOUNDS:
        return _BOUNDS[bound]
    return f"{bound[1:]} PRECEDING" if bound.startswith("-") else f"{bound} FOLLOWING"


def _separated(expressions: tuple[Any, ...], role: Any) -> Iterator[Any]:
    for index, expression in enumerate(expressions):
        if index:
            yield ", "
        yield (expression, role, False)
