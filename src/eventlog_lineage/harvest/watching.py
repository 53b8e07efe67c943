"""How far a Spark job is, for who waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from py4j.protocol import Py4JError

if TYPE_CHECKING:
    from pyspark import SparkContext

_SECONDS = 0.5


@contextmanager
def watched(spark: SparkContext, tell: Callable[[int], None]) -> Iterator[None]:
    """Tells now and then how many tasks have ended, until the jobs that run meanwhile are over.

    Args:
        spark: Where the jobs run, one after another.
        tell: Takes the most tasks that any of their stages has done so far.
    """
    over = threading.Event()

    def ask() -> None:
        most = 0
        with suppress(Py4JError, OSError):  # Spark has gone: who waits for its results says so
            while not over.wait(_SECONDS):
                tracker = spark.statusTracker()
                stages = [tracker.getStageInfo(number) for number in tracker.getActiveStageIds()]
                most = max([most, *(stage.numCompletedTasks for stage in stages if stage)])
                tell(most)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
