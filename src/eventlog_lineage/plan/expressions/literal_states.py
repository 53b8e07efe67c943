"""Readings of an expression so far: which of its brackets, commas and keywords are structure, which are literals'."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

Links = tuple[int, object] | None
"""The indexes of tokens within literals, the last one first."""


class State(NamedTuple):
    """A reading so far: its cost, open frames, tokens within literals, those of a reading of the same cost.

    A tuple, as a long expression has half a million of them: a frozen dataclass takes several times as long to make.
    """

    cost: int
    stack: tuple[int, ...]
    literals: Links
    other: Links = None
    is_tied: bool = False

    def extended(self, cost: int, stack: tuple[int, ...]) -> State:
        """Return the reading with another token as structure.

        Args:
            cost: What the token adds to the cost.
            stack: The open frames after the token.
        """
        return State(self.cost + cost, stack, self.literals, self.other, self.is_tied)

    def with_literal(self, cost: int, index: int) -> State:
        """Return the reading with another token as part of a literal.

        Args:
            cost: What the token adds to the cost.
            index: The token's position.
        """
        other = (index, self.other) if self.is_tied else None
        return State(self.cost + cost, self.stack, (index, self.literals), other, self.is_tied)

    @property
    def last_literal(self) -> int:
        """The index of the last token within a literal; -1 if there is none."""
        return -1 if self.literals is None else self.literals[0]


def indexes_in(link: Links) -> Iterator[int]:
    """Yield the indexes of the tokens within literals, the last one first."""
    while link is not None:
        yield link[0]
        link = link[1]  # type: ignore[assignment]
