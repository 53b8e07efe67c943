"""How far a Spark job is, for who waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from py4j.protocol import Py4JError
from pyspark import SparkContext

_SECONDS = 0.5


@dataclass(slots=True)
class Watch:
    """What is known without asking Spark.

    Attributes:
        before: Tasks of earlier jobs.
    """

    before: int = 0


@contextmanager
def watched(spark: SparkContext, tell: Callable[[int], None]) -> Iterator[Watch]:
    """Tells now and then how many tasks have ended, until the jobs that run meanwhile are over.

    Args:
        spark: Where the jobs run, one after another.
        tell: Takes the number of tasks, those of earlier jobs counted.
    """
    watch, over = Watch(), threading.Event()

    def ask() -> None:
        with suppress(Py4JError, OSError):  # Spark has gone: who waits for its results says so
            while not over.wait(_SECONDS):
                tracker = spark.statusTracker()
                stages = [tracker.getStageInfo(number) for number in tracker.getActiveStageIds()]
                tell(watch.before + max((stage.numCompletedTasks for stage in stages if stage), default=0))

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    try:
        yield watch
    finally:
        over.set()
        thread.join()
