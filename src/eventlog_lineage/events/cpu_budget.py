"""The CPU time that reading one log may take: a log that is cheap to write must not cost a night."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from eventlog_lineage.errors import LogError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .listener_events import Event

HINT = "raise --max-seconds-per-log if the log is what it should be"


class OverBudgetError(LogError):
    """Reading a log takes more CPU time than it may."""


class CpuBudget:
    """Measures the CPU time of this process while it reads a log.

    What the caller does with the events counts as well: reading is a chain of generators in one thread.

    Args:
        seconds: CPU seconds until the budget is used up, from now on.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.process_time() + seconds

    def check(self) -> None:
        """Return while there is time left.

        Raises:
            OverBudgetError: There is none.
        """
        if time.process_time() > self._end:
            raise OverBudgetError(f"reading the log takes more than {self._seconds:g} s of CPU time", "", HINT)

    def chunks(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield chunks of a log's text as long as there is time left."""
        for chunk in chunks:
            self.check()
            yield chunk

    def events(self, events: Iterable[Event]) -> Iterator[Event]:
        """Yield a log's events as long as there is time left."""
        for event in events:
            self.check()
            yield event
