"""Numbers instead of repeated values, as the page's arrays hold them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

_Value = TypeVar("_Value", bound=Hashable)


class Numbering(Generic[_Value]):
    """Distinct values in the order of their first use; a value's number is its index."""

    def __init__(self) -> None:
        self._numbers: dict[_Value, int] = {}

    def number(self, value: _Value) -> int:
        """Return the number of a value, a new one for a new value."""
        return self._numbers.setdefault(value, len(self._numbers))

    @property
    def values(self) -> list[_Value]:
        """The values by number."""
        return list(self._numbers)
