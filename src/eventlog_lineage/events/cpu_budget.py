"""Limit the time for reading one log: a log that is cheap to write must not block a harvest."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from eventlog_lineage.errors import LogError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .listener_events import Event

_EVENTS = 16
"""Events per check of the clock."""

_WALL = 10
"""Seconds of wall time per second of CPU time: storage may be slow, and other programs may need the processors."""

HINT = "raise --max-seconds-per-log if the log is genuine"


class OverBudgetError(LogError):
    """Reading a log exceeds its time."""


class CpuBudget:
    """The CPU time for reading a log, and ten times as much wall time.

    The caller's work with the events is included: reading is a chain of generators in one thread.

    Args:
        seconds: The budget, in CPU seconds from now on.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.process_time() + seconds
        self._wall_end = time.monotonic() + seconds * _WALL

    def check(self) -> None:
        """Check the remaining time.

        Raises:
            OverBudgetError: The budget is used up.
        """
        if time.process_time() > self._end:
            raise OverBudgetError(f"reading the log takes more than {self._seconds:g} s of CPU time", "", HINT)
        if time.monotonic() > self._wall_end:
            raise OverBudgetError(f"reading the log takes more than {self._seconds * _WALL:g} s", "", HINT)

    def chunks(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield chunks of a log's text while there is time left."""
        for chunk in chunks:
            self.check()
            yield chunk

    def events(self, events: Iterable[Event]) -> Iterator[Event]:
        """Yield a log's events while there is time left; one in 16 is checked, as each check is a system call."""
        for number, event in enumerate(events):
            if not number % _EVENTS:
                self.check()
            yield event
