"""Hold equal values once: names, places and messages repeat in every execution of a log."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar

Value = TypeVar("Value", bound=Hashable)


class Shared:
    """Gives, for a value, the equal one that was seen first.

    Unlike `sys.intern` it lets go of all values with the log, also in the Pythons that never free an interned string,
    and it forgets what it knows from time to time, so that values that never come again cost little.
    """

    _MOST = 50_000

    def __init__(self) -> None:
        self._values: dict[Hashable, Hashable] = {}

    def __call__(self, value: Value) -> Value:
        """Give the value itself, or an equal one seen before."""
        if len(self._values) >= self._MOST:
            self._values.clear()
        return self._values.setdefault(value, value)  # type: ignore[return-value]
