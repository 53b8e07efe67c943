"""Logs to slices: what one task reads.

A log stays in one slice where it can, and is assembled where it is read; the parts of a log that is larger
than a slice should be are spread, and meet again by a shuffle. The slices that are read last are smaller than the
others, so that all cores are done at about the same time.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from eventlog_lineage.events.sources.event_log import EventLog

from .checkpoints import ResumePoint

_SLICE_BYTES = 256 * 1024 * 1024
"""Stored bytes that a slice should have at the most: logs are compressed about 1 to 20, and read at 100 MB a second."""
_LEAST_SPREAD = 16 * 1024 * 1024
"""Stored bytes of which a log can be twice as large before its parts are spread."""

_SLICES_PER_CORE = 3
"""More would even out better who is done when, but each costs 30 to 60 ms of a processor: half of it Java's."""
_SIZES = (0.2, 0.6, 1.0)
"""What a core's last slices have of the size of its first ones, the last of all first."""
_LOG_COST = 128 * 1024
"""What opening a log costs, as bytes: ten thousand small logs are work, too."""


@dataclass(frozen=True, slots=True)
class Share:
    """A log, or some parts of one, that a task reads.

    Attributes:
        log: The log with all its parts, in order.
        number: The log's number in this harvest.
        parts: The places of the parts that this share has.
        begin: Where an earlier harvest left off; None if it left nothing off.
        is_whole: All parts that are to be read are here, so that the log can be assembled here.
    """

    log: EventLog
    number: int
    parts: tuple[int, ...]
    begin: ResumePoint | None = None
    is_whole: bool = True

    @property
    def bytes(self) -> int:
        """Bytes to read, as they are stored."""
        return sum(self.log.parts[part].size for part in self.parts)

    @property
    def cost(self) -> int:
        """Bytes to read, and what opening costs."""
        return self.bytes + _LOG_COST


Slice = tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class Slices:
    """What there is to read, a task each; the largest first, none of them empty.

    Attributes:
        whole: Of whole logs.
        spread: Of parts of logs that are spread.
    """

    whole: list[Slice]
    spread: list[Slice]


def slice_logs(logs: Sequence[EventLog], cores: int, begins: Mapping[str, ResumePoint] | None = None) -> Slices:
    """Spreads logs over slices.

    Args:
        logs: The logs to read.
        cores: Tasks that run at once.
        begins: Path to where an earlier harvest left off in a log.
    """
    wholes = [_whole(log, number, (begins or {}).get(log.path)) for number, log in enumerate(logs)]
    total = sum(share.cost for share in wholes)
    wanted = max(cores * _SLICES_PER_CORE, total // _SLICE_BYTES)
    largest = max(total // wanted if wanted else 0, _LEAST_SPREAD)
    shares = [share for whole in wholes for share in _shares(whole, largest)]
    spread = [share for share in shares if not share.is_whole]
    for_spread = -(-wanted * sum(share.cost for share in spread) // total) if total else 0
    return Slices(
        _balanced([share for share in shares if share.is_whole], max(cores, wanted - for_spread), cores),
        _balanced(spread, max(cores, for_spread), cores),
    )


def _balanced(shares: list[Share], wanted: int, cores: int) -> list[Slice]:
    """Slices of about equal work, but for the last of each core."""
    shares = sorted(shares, key=lambda share: (-share.cost, share.number, share.parts))
    wanted = min(wanted, len(shares))
    sizes = [_SIZES[min(place // cores, len(_SIZES) - 1)] for place in reversed(range(wanted))]
    heap = [(0.0, place) for place in range(wanted)]
    slices: list[list[Share]] = [[] for _ in heap]
    for share in shares:
        load, place = heapq.heappop(heap)
        slices[place].append(share)
        heapq.heappush(heap, (load + share.cost / sizes[place], place))
    return sorted((tuple(each) for each in slices), key=lambda each: -sum(share.cost for share in each))


def _whole(log: EventLog, number: int, begin: ResumePoint | None) -> Share:
    return Share(log, number, tuple(range(begin.covered if begin else 0, len(log.parts))), begin)


def _shares(whole: Share, largest: int) -> list[Share]:
    if whole.cost <= 2 * largest or len(whole.parts) < 2:
        return [whole]
    return [replace(whole, parts=(place,), begin=None, is_whole=False) for place in whole.parts]
