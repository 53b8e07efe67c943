"""Settings of the property tests and of the JVMs that tests start, and the order in which workers get the tests."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from support.processes import SHORT_LIVED

if TYPE_CHECKING:
    from pyspark import SparkContext
    from xdist.scheduler.loadscope import LoadScopeScheduling

    from eventlog_lineage.harvest.run import HarvestResult
    from support.stores.memory import MemoryStore

# No deadline: a busy machine must not fail a test that a quiet one passes. The same examples at every run: what CI
# runs is what its author ran. `HYPOTHESIS_SEARCH=1 pytest` and `scripts/fuzz.py` look for new ones.
settings.register_profile(
    "all",
    deadline=None,
    derandomize="HYPOTHESIS_SEARCH" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("all")

# Keep compiled modules: each of the thousand processes that tests start would compile the program for 0.2 s.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Processes that import numpy with pyarrow would start threads that nothing uses, for 40 ms of CPU time each.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Spark's launcher gives these to the driver's JVM (SparkSubmitCommandBuilder, Spark 3.5 to 4.3).
os.environ.setdefault("SPARK_SUBMIT_OPTS", SHORT_LIVED)

# A harvest waits for each of its files to be on the disk, for a quarter of a second: the tests' stores outlive no power
# cut. Which files it waits for, and when, is tested in tests/store. Other processes wait as they always do.
os.fsync = lambda descriptor: None

# `scripts/test` gives pytest's processes a faster allocator. The programs that tests start have the system's.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.pop("LD_PRELOAD", None)

# Nothing that is collected is garbage: each worker would look through nine thousand tests again and again. Later, the
# tests make hardly any: as the program does, look for it after 100,000 new objects instead of 700.
gc.disable()
gc.set_threshold(100_000)


def pytest_configure(config: pytest.Config) -> None:
    """Let workers report what is read."""
    if hasattr(config, "workerinput"):
        from support.reports import FewMessages  # noqa: PLC0415 - only workers need it

        config.pluginmanager.register(FewMessages())


@pytest.fixture
def bounded() -> Iterator[None]:
    """Fail a test of what must end after two minutes."""

    def fail(*_: object) -> None:
        raise TimeoutError("it does not end")

    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(120)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def new_store() -> Iterator[MemoryStore]:
    """A store with an open database, and nothing in it."""
    from support.stores.memory import MemoryStore  # noqa: PLC0415 - most tests need no store

    made = MemoryStore()
    yield made
    made.close()


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkContext]:
    """One Spark for all tests of a worker."""
    from eventlog_lineage.harvest.spark.session import spark_context  # noqa: PLC0415 - most tests need no PySpark

    with spark_context("local[2]", {"spark.driver.host": "127.0.0.1"}, "tests") as context:
        yield context


@pytest.fixture(scope="session")
def sample_store(spark: SparkContext, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, HarvestResult]:
    """A store of the sample logs, which no test changes."""
    from eventlog_lineage.harvest.run import HarvestOptions, harvest  # noqa: PLC0415 - most tests need no PySpark

    store = tmp_path_factory.mktemp("store") / "lineage"
    return store, harvest([str(Path(__file__).parent / "sample_logs")], store, HarvestOptions())


@pytest.hookimpl(trylast=True)  # after pytest-randomly
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files with long tests first, so that the workers end together; the order stays random otherwise."""
    ranks: dict[str, int] = {}
    for item in items:
        file = item.nodeid.partition("::")[0]
        ranks[file] = min(ranks.get(file, 2), _rank(item, file))
    items.sort(key=lambda item: ranks[item.nodeid.partition("::")[0]])


_STORES = tuple(f"tests/{folder}/" for folder in ("docs", "export", "harvest", "report", "store"))
"""Tests that make stores: their files take seconds, those of other folders mostly less than one."""


def _rank(item: pytest.Item, file: str) -> int:
    if item.get_closest_marker("spark"):
        return 0
    is_long = item.get_closest_marker("browser") or item.get_closest_marker("slow")
    return 1 if is_long or file.startswith(_STORES) else 2


def pytest_collection_finish() -> None:
    """Leave the collected tests out of each full garbage collection that follows."""
    gc.freeze()
    gc.enable()


def pytest_unconfigure() -> None:
    """Let Python free everything when it ends: DuckDB's bindings report what is left."""
    gc.unfreeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling | None:
    """Keep files that share a fixture of the session on one worker."""
    if config.getoption("dist") != "loadscope":
        return None
    from support.scheduling import SharedFixtures  # noqa: PLC0415 - xdist is there if this is called

    config.option.loadscopereorder = False
    return SharedFixtures(config, log)
