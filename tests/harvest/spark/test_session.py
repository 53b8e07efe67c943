"""What a harvest does not wait for while Spark starts and stops."""

from __future__ import annotations

from contextlib import ExitStack
from threading import Event
from types import SimpleNamespace

import pytest
from pyspark import SparkContext
from pyspark.sql.types import DateConverter, NumpyArrayConverter

from eventlog_lineage.harvest.spark import session
from eventlog_lineage.harvest.spark.session import spark_context, without_numpy_values


class Running:
    """A Spark whose stop takes until it is allowed."""

    master = "local[1]"

    def __init__(self) -> None:
        self.converters = [NumpyArrayConverter(), DateConverter()]
        self._gateway = SimpleNamespace(_gateway_client=self)
        self.may_stop = Event()
        self.has_stopped = False

    def setLogLevel(self, level: str) -> None:  # noqa: N802 - Spark's name
        """Take the level of Spark's log."""
        assert level == "ERROR"

    def stop(self) -> None:
        """Stop, once that is allowed."""
        self.may_stop.wait(10)
        self.has_stopped = True


@pytest.fixture
def running(monkeypatch: pytest.MonkeyPatch) -> Running:
    started = Running()
    monkeypatch.setattr(SparkContext, "_active_spark_context", None)
    monkeypatch.setattr(session, "_start", lambda *_: started)
    return started


def test_spark_stops_while_the_caller_goes_on_and_has_stopped_at_the_end_of_the_stack(running: Running) -> None:
    with ExitStack() as until:
        with spark_context("local[1]", {}, "test", until=until):
            pass
        assert not running.has_stopped
        running.may_stop.set()
    assert running.has_stopped


def test_spark_has_stopped_at_the_end_of_the_block_without_a_stack(running: Running) -> None:
    running.may_stop.set()
    with spark_context("local[1]", {}, "test"):
        assert not running.has_stopped
    assert running.has_stopped


def test_nothing_looks_for_numpy_values_during_a_harvest(running: Running) -> None:
    before = list(running.converters)
    with without_numpy_values(running._gateway):
        assert running.converters == before[1:]
    assert running.converters == before
