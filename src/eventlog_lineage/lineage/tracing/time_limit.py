"""Limit the CPU time of tracing: a plan that is cheap to write must not block a harvest."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from math import inf

_AGAIN = 1.0
"""Seconds after which the limit applies again, should it come within code that cannot be interrupted."""

_LEAST = 1.0
"""Seconds that a statement has, whatever the other statements of its log have taken."""


class OutOfTimeError(BaseException):
    """The CPU time of a block is used up; no `except Exception` within the block keeps it going."""


class TraceBudget:
    """The CPU time for tracing the statements of a log; each statement has at least a second of it.

    It applies in the main thread of a process, where Spark's workers and commands trace; in others there is no limit.

    Args:
        seconds: For the statements of one log.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._used: dict[Hashable, float] = {}

    @contextmanager
    def limited(self, log: Hashable) -> Iterator[None]:
        """Limit the CPU time of a block by what is left for a log.

        Raises:
            OutOfTimeError: The time is used up.
        """
        started, used = time.process_time(), self._used.get(log, 0.0)
        try:
            with _cpu_limit(max(self._seconds - used, min(self._seconds, _LEAST))):
                yield
        finally:
            self._used[log] = used + time.process_time() - started


@contextmanager
def _cpu_limit(seconds: float) -> Iterator[None]:
    if seconds == inf or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise OutOfTimeError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
