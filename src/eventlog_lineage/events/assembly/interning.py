"""Intern equal values: names, locations and messages repeat in the executions of a log."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar

Value = TypeVar("Value", bound=Hashable)


class Shared:
    """Returns, for a value, the equal value that was seen first.

    Unlike `sys.intern`, it releases all values with the log, also in Python versions that never free interned strings,
    and it drops all values from time to time, so that values that do not repeat use little memory.
    """

    _MOST = 50_000

    def __init__(self) -> None:
        self._values: dict[Hashable, Hashable] = {}

    def __call__(self, value: Value) -> Value:
        """Return the value, or an equal one that was seen before."""
        known = self._values.get(value)
        if known is not None:
            return known  # type: ignore[return-value]
        if len(self._values) >= self._MOST:
            self._values.clear()
        self._values[value] = value
        return value
