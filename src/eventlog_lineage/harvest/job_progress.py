"""How far a Spark job is, for who waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from py4j.protocol import Py4JError

if TYPE_CHECKING:
    from pyspark import SparkContext, SparkStageInfo, StatusTracker

_SECONDS = 0.5


@contextmanager
def watched(spark: SparkContext, tell: Callable[[int, int | None], None]) -> Iterator[None]:
    """Tells now and then how many tasks have ended, until the job that runs meanwhile is over.

    Args:
        spark: Where one job runs.
        tell: Takes the most tasks that any stage before the job's last one has done so far, and what the last one has
            done; None for that as long as it has not begun.
    """
    over = threading.Event()

    def ask() -> None:
        most = 0
        with suppress(Py4JError, OSError):  # Spark has gone: who waits for its results says so
            while not over.wait(_SECONDS):
                tracker = spark.statusTracker()
                jobs = filter(None, map(tracker.getJobInfo, tracker.getActiveJobsIds()))
                last = max((stage for job in jobs for stage in job.stageIds), default=None)
                done = {stage: info.numCompletedTasks for stage, info in _running(tracker)}
                most = max([most, *(tasks for stage, tasks in done.items() if stage != last)])
                tell(most, done.get(last) if last is not None else None)

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
