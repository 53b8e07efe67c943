"""Find candidates for headers and sections: all text in a formatted plan that looks like one."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Container, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

_HEADER = re.compile(r"\n\n\((\d{1,9})\) ")
_SECTION = re.compile(
    r"\n(?:===== Subqueries =====\n\n)?"
    r"Subquery:(\d{1,9}) Hosting operator id = (\d{1,9}|unknown) Hosting Expression = "
    r"|\n(?:===== Adaptively Optimized Out Exchanges =====\n\n)?Subplan:(\d{1,9})\n"
)


class Header(NamedTuple):
    """A candidate for a block's header.

    Attributes:
        start: Offset of the empty line before it: the end of the previous block.
        name_at: Offset of the name.
        operator_id: The operator id.
    """

    start: int
    name_at: int
    operator_id: int


class SectionCandidate(NamedTuple):
    """A candidate for the beginning of a section.

    Attributes:
        start: Its offset, with the headline above the first section of its kind.
        end: Offset of its end: a subquery's hosting expression or an exchange's tree follows.
        kind: `Subquery` or `Subplan`.
        number: Its number.
        host: The operator that hosts a subquery.
    """

    start: int
    end: int
    kind: str
    number: int
    host: int | None


class HeaderCandidates:
    """The candidates for headers and sections in a text, and the balance of brackets between them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._headers = [Header(match.start(), match.end(), int(match[1])) for match in _HEADER.finditer(text)]
        self._starts = [header.start for header in self._headers]
        self._sections: dict[tuple[str, int], list[SectionCandidate]] = {}
        if "\nSubquery:" in text or "\nSubplan:" in text:
            for candidate in map(_section_candidate, _SECTION.finditer(text)):
                self._sections.setdefault((candidate.kind, candidate.number), []).append(candidate)

    def between(self, start: int, end: int, operator_ids: Container[int]) -> list[Header]:
        """Return the candidates for headers of certain operators between two offsets.

        Args:
            start: The first offset.
            end: The offset after the last one.
            operator_ids: The operators' ids.
        """
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        return [header for header in self._headers[first:last] if header.operator_id in operator_ids]

    def tree_end(self, start: int, limit: int) -> int:
        """Return the end of a tree: two empty lines precede the first block.

        Args:
            start: Offset of the tree.
            limit: The latest possible end.
        """
        first = bisect_left(self._starts, start)
        for at in range(first, len(self._headers)):
            if self._starts[at] >= limit:
                break
            if self.text.startswith("\n", self._starts[at] - 1):
                return self._starts[at]
        return self._starts[first] if first < len(self._headers) and self._starts[first] < limit else limit

    def following(self, start: int, kind: str, number: int) -> list[SectionCandidate]:
        """Return the candidates for the next section: the one with the given number, or the first of the exchanges.

        Args:
            start: Offset of the previous section.
            kind: The kind that may come next.
            number: The number that may come next.
        """
        possible = {(kind, number), ("Subplan", 1)}
        return sorted(
            candidate for key in possible for candidate in self._sections.get(key, ()) if candidate.start >= start
        )

    def of(self, operator_id: int) -> Sequence[Header]:
        """Return the candidates for the header of an operator."""
        return self._by_id.get(operator_id, ())

    def imbalance(self, start: int, end: int) -> int:
        """Return the number of opening brackets in a text minus the number of closing ones.

        Args:
            start: Offset of the text.
            end: Offset of its end: the start of a header or a section, or the end of the plan text.
        """
        first = bisect_left(self._borders, start)
        border = self._borders[first]
        if border >= end:
            return _imbalance(self.text, start, end)
        last = bisect_left(self._borders, end)
        return _imbalance(self.text, start, border) + self._sums[last] - self._sums[first]

    @cached_property
    def _by_id(self) -> Mapping[int, list[Header]]:
        found: dict[int, list[Header]] = {}
        for header in self._headers:
            found.setdefault(header.operator_id, []).append(header)
        return found

    @cached_property
    def _borders(self) -> list[int]:
        sections = (candidate.start for candidates in self._sections.values() for candidate in candidates)
        return sorted({*self._starts, *sections, len(self.text)})

    @cached_property
    def _sums(self) -> list[int]:
        """The imbalance of the text up to each border."""
        sums = []
        total = before = 0
        for border in self._borders:
            total += _imbalance(self.text, before, border)
            before = border
            sums.append(total)
        return sums


def _section_candidate(match: re.Match[str]) -> SectionCandidate:
    if match[3]:
        return SectionCandidate(match.start(), match.end(), "Subplan", int(match[3]), None)
    host = None if match[2] == "unknown" else int(match[2])
    return SectionCandidate(match.start(), match.end(), "Subquery", int(match[1]), host)


def _imbalance(text: str, start: int, end: int) -> int:
    opened = text.count("(", start, end) + text.count("[", start, end)
    return opened - text.count(")", start, end) - text.count("]", start, end)
