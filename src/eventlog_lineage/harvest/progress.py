"""Report the progress of a running Spark job."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from py4j.protocol import Py4JError

if TYPE_CHECKING:
    from pyspark import SparkContext, SparkStageInfo, StatusTracker

OnProgress = Callable[[str, int, int], None]
"""Called with the name of a step, how much of it is done, and of how much."""

_SECONDS = 0.5


@dataclass(slots=True)
class ProgressReporter:
    """Reports how much the job has read and traced.

    Attributes:
        on_progress: Called with `read` and bytes, then with `trace` and partitions.
        work: Element n: the bytes that the first n tasks read.
        tracers: How many of the partitions that the driver takes now trace statements.
    """

    on_progress: OnProgress
    work: Sequence[int]
    tracers: int = 0
    _is_tracing: bool = False

    def report_read(self, tasks: int) -> None:
        """Report the bytes that so many tasks have read."""
        self.on_progress("read", self.work[min(tasks, len(self.work) - 1)], self.work[-1])

    def report(self, read: int, taken: int | None) -> None:
        """Report the state of the job.

        Args:
            taken: Partitions that the driver has taken of those that it takes now; None before the first one.
        """
        if not self._is_tracing:
            self._is_tracing = taken is not None and self.tracers > 0
            self.report_read(len(self.work) if self._is_tracing else read)
        if self._is_tracing:
            self.on_progress("trace", min(taken or 0, self.tracers), self.tracers)

    def end(self, *, traced: bool) -> None:
        """Report the end of the job; a short job may have ended before it was asked while it traced."""
        if not self._is_tracing:
            self.report_read(len(self.work))
        if traced:
            self.on_progress("trace", self.tracers, self.tracers)


@contextmanager
def watch_tasks(spark: SparkContext, report: Callable[[int, int | None], None]) -> Iterator[None]:
    """Report from time to time how many tasks have ended, until the block ends.

    Args:
        report: Called with the highest number of tasks that any stage before the job's last one has done so far, and
            with what the last one has done; None for that before it has begun.
    """
    over = threading.Event()

    def ask() -> None:
        most = 0
        with suppress(Py4JError, OSError):  # Spark has ended: whoever waits for its results reports it
            while not over.wait(_SECONDS):
                tracker = spark.statusTracker()
                jobs = filter(None, map(tracker.getJobInfo, tracker.getActiveJobsIds()))
                last = max((stage for job in jobs for stage in job.stageIds), default=None)
                done = {stage: info.numCompletedTasks for stage, info in _running(tracker)}
                most = max([most, *(tasks for stage, tasks in done.items() if stage != last)])
                report(most, done.get(last) if last is not None else None)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _running(tracker: StatusTracker) -> Iterator[tuple[int, SparkStageInfo]]:
    for stage in tracker.getActiveStageIds():
        info = tracker.getStageInfo(stage)
        if info is not None:
            yield stage, info
