"""Logs to slices of about equal work: what one task reads.

A log stays in one slice where it can, and is assembled where it is read; the parts of a log that is larger
than a slice should be are spread, and meet again by a shuffle.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..events.logs import EventLog

_SLICE_BYTES = 64 * 1024 * 1024
"""Stored bytes that a slice should have at the most: logs are compressed about 1 to 20."""

_SLICES_PER_CORE = 4
_LOG_COST = 128 * 1024
"""What opening a log costs, as bytes: ten thousand small logs are work, too."""


@dataclass(frozen=True, slots=True)
class Share:
    """A log, or some parts of one, that a task reads.

    Attributes:
        log: The log with all its parts, in order.
        number: The log's number in this harvest.
        parts: The places of the parts that this share has; all of them for a whole log.
    """

    log: EventLog
    number: int
    parts: tuple[int, ...]

    @property
    def is_whole(self) -> bool:
        """Are all parts here, so that the log can be assembled here?"""
        return len(self.parts) == len(self.log.parts)

    @property
    def cost(self) -> int:
        """Bytes to read, and what opening costs."""
        return sum(self.log.parts[part].size for part in self.parts) + _LOG_COST


def slice_logs(logs: Sequence[EventLog], cores: int) -> list[tuple[Share, ...]]:
    """Spreads logs over slices.

    Args:
        logs: The logs to read.
        cores: Tasks that run at once.

    Returns:
        The slices, the largest first; none of them is empty.
    """
    total = sum(log.size for log in logs) + len(logs) * _LOG_COST
    wanted = max(cores * _SLICES_PER_CORE, total // _SLICE_BYTES)
    largest = max(total // wanted if wanted else 0, _SLICE_BYTES // 4)
    shares = [share for number, log in enumerate(logs) for share in _shares(log, number, largest)]
    shares.sort(key=lambda share: (-share.cost, share.number, share.parts))
    heap = [(0, place) for place in range(min(wanted, len(shares)))]
    slices: list[list[Share]] = [[] for _ in heap]
    for share in shares:
        load, place = heapq.heappop(heap)
        slices[place].append(share)
        heapq.heappush(heap, (load + share.cost, place))
    return sorted((tuple(each) for each in slices), key=lambda each: -sum(share.cost for share in each))


def _shares(log: EventLog, number: int, largest: int) -> list[Share]:
    whole = Share(log, number, tuple(range(len(log.parts))))
    if whole.cost <= 2 * largest or len(log.parts) < 2:
        return [whole]
    return [replace(whole, parts=(place,)) for place in range(len(log.parts))]
