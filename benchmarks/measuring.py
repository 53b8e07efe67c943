"""What the programs of this folder share: Spark, harvests with the time of each step, memory of processes."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

from pyspark import SparkContext

from eventlog_lineage.harvest.run import HarvestOptions, HarvestResult, harvest
from eventlog_lineage.harvest.spark import session
from eventlog_lineage.harvest.spark.session import spark_context

ASIDE = "Spark's start and end"

_PAGE = os.sysconf("SC_PAGE_SIZE")


def apart(program: str, *arguments: object) -> Any:
    """Run a program in a process of its own, as cron does, and give the JSON that its last line is.

    What ran before in one Java makes what runs later faster: a night begins with a new one.
    """
    call = [sys.executable, program, *map(str, arguments)]
    printed = subprocess.run(call, check=True, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(printed.splitlines()[-1])


@contextmanager
def spark(cores: int) -> Iterator[SparkContext]:
    """A Spark as a harvest starts it, with its Python workers started; it, too, has no more than these cores."""
    hold_to(cores)
    here = str(Path(__file__).resolve().parent)
    os.environ["PYTHONPATH"] = os.pathsep.join([here, os.environ.get("PYTHONPATH", "")])
    with spark_context(f"local[{cores}]", {"spark.driver.host": "127.0.0.1"}, "benchmark") as context:
        context.parallelize(range(cores), cores).map(str).collect()
        yield context


def measured_harvest(logs: Path, cores: int) -> dict[str, Any]:
    """A harvest into a new store, as cron starts it, with Spark's start and end aside.

    The harvest starts Spark, and does meanwhile what it does then; the start ends once Spark has run a first job,
    for which it forks its Python workers.

    Returns:
        Seconds and processor seconds, of each step and of all.
    """
    options = HarvestOptions(master=f"local[{cores}]", settings={"spark.driver.host": "127.0.0.1"})
    hold_to(cores)
    seconds, steps, result = timed_harvest(logs, options=options, aside=cores)
    spark = (steps.seconds.pop(ASIDE), steps.cpu.pop(ASIDE))
    return {
        "seconds": seconds - spark[0],
        "cpu": sum(steps.cpu.values()),
        "spark": spark,
        "steps": {step: [took, steps.cpu[step]] for step, took in steps.seconds.items()},
        "executions": result.summary.executions,
        "edges": result.summary.edges,
    }


def hold_to(cores: int) -> None:
    """Leave this process, and those that it starts, no more than some cores."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])


def middle(results: list[dict[str, Any]]) -> dict[str, Any]:
    """The result whose seconds are the median."""
    return sorted(results, key=lambda each: float(each["seconds"]))[len(results) // 2]


def print_steps(result: dict[str, Any]) -> None:
    """The steps of a harvest, by the clock and of the processors."""
    for step, (seconds, cpu) in result["steps"].items():
        print(f"  {step:18} {seconds:6.2f} s                   {cpu:6.2f} s")


class Steps:
    """The seconds of each step of a harvest, by the clock and of the processors."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.cpu: dict[str, float] = defaultdict(float)
        self._step, self._since, self._cpu = "start", time.perf_counter(), cpu_seconds()

    def tell(self, step: str, done: int, of: int) -> None:
        """Take what a harvest tells."""
        if step != self._step:
            self.begin(step)

    def begin(self, step: str) -> str:
        """Count for another step from now on; give the one before."""
        now, cpu = time.perf_counter(), cpu_seconds()
        self.seconds[self._step] += now - self._since
        self.cpu[self._step] += cpu - self._cpu
        before, self._step, self._since, self._cpu = self._step, step, now, cpu
        return before

    @contextmanager
    def spark_aside(self, cores: int, *how: Any) -> Iterator[SparkContext]:
        """Stands for `spark_context`: a Spark that has run a first job; what its start and end take counts apart.

        It ends before the store is written: the last argument, until when it may take, is left out.
        """
        with ExitStack() as open_ones:
            step = self.begin(ASIDE)
            context = open_ones.enter_context(spark_context(*how[:4]))
            context.parallelize(range(cores), cores).map(str).collect()
            self.begin(step)
            yield context
            step = self.begin(ASIDE)
            open_ones.close()
            self.begin(step)


def timed_harvest(
    logs: Path, store: Path | None = None, options: HarvestOptions | None = None, aside: int = 0
) -> tuple[float, Steps, HarvestResult]:
    """Harvest into a store, a new one by default: seconds, those of each step, and the result.

    Args:
        logs: What to harvest.
        store: Where to.
        options: How.
        aside: On so many cores the harvest starts a Spark itself, which counts as a step of its own; 0: one runs.
    """
    steps = Steps()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        if aside:
            stack.enter_context(mock.patch.object(session, "spark_context", partial(steps.spark_aside, aside)))
        begin = time.perf_counter()
        result = harvest([str(logs)], store or Path(folder) / "store", options or HarvestOptions(), steps.tell)
        steps.begin("end")
        return time.perf_counter() - begin, steps, result


def seconds_of(run: Callable[[], object]) -> float:
    """How long something takes."""
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def median(values: list[float]) -> float:
    """The median."""
    return statistics.median(values)


@contextmanager
def peak_memory() -> Iterator[dict[str, int]]:
    """The greatest resident memory, in bytes, of this process, of each of Spark's Python workers, of the JVM."""
    peaks: dict[str, int] = defaultdict(int)
    over = threading.Event()

    def look() -> None:
        while not over.wait(0.05):
            for name, size in _sizes():
                peaks[name] = max(peaks[name], size)

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield peaks
    finally:
        over.set()
        thread.join()


def _sizes() -> Iterator[tuple[str, int]]:
    for kind, pid in _tree():
        with suppress(OSError, ValueError):
            yield kind, int((Path("/proc") / str(pid) / "statm").read_text().split()[1]) * _PAGE


def _tree() -> Iterator[tuple[str, int]]:
    """This process and all below it: what each is, and its number."""
    parents: dict[int, int] = {}
    words: dict[int, bytes] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError):
            parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            words[int(entry.name)] = (entry / "cmdline").read_bytes()
    for pid in parents:
        above, ours = pid, os.getpid()
        while above > 1 and above != ours:
            above = parents.get(above, 1)
        if above == ours:
            yield "driver" if pid == ours else "worker" if b"pyspark.worker" in words.get(pid, b"") else "jvm", pid


def cpu_seconds() -> float:
    """The processor time that this process and all below it have had so far, in seconds.

    On a machine that others use as well it tells more than the clock does.
    """
    ticks = 0
    for _, pid in _tree():
        with suppress(OSError, ValueError):
            fields = (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")
