"""Kill the Python worker of a harvest's tasks at each of their steps; the store must be the same as without kills.

    python scripts/attack/kill_tasks.py [--logs tests/sample_logs] [--most 60] [--seed 7]

A step is a record that a task yields, or a file that its worker opens, renames or makes meanwhile. A first harvest
counts them; then one harvest for each of `--most` steps, of every kind and task alternately, is hit by SIGKILL at that
step of the task's first attempt. Afterwards the store must have the rows of the undisturbed one, `check` must find
nothing, and a second harvest must read nothing.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from attack import ROOT, exit_code, options

PLAN = "KILL_TASKS_PLAN"
"""The variable with the folder in which `plan` has the step to kill at, and `steps` those that were taken."""

_FILES = ("open", "os.rename", "os.mkdir")


class Steps:
    """Counts the steps of the task that runs in this worker, and kills it at the planned one."""

    def __init__(self) -> None:
        self.folder = Path(os.environ[PLAN])
        self.task = ""
        self.count = 0

    def begin(self) -> None:
        """Begin a task: its stage's first attempt is killed, later ones are not."""
        from pyspark import TaskContext  # noqa: PLC0415 - only workers need it

        context = TaskContext.get()
        first = context is not None and context.attemptNumber() == 0
        task = f"{context.stageId()}.{context.partitionId()}" if context and first else ""
        self.count = self.count if task == self.task else 0
        self.task = task

    def step(self, kind: str) -> None:
        """Take a step."""
        if not (task := self.task):
            return
        self.task = ""  # what follows opens files itself
        self.count += 1
        name = f"{task} {kind} {self.count}"
        plan = self.folder / "plan"
        if not plan.exists():
            with (self.folder / "steps").open("a") as steps:
                steps.write(f"{name}\n")
        elif plan.read_text().split()[0::2] == name.split()[0::2]:
            (self.folder / "killed").write_text(name)
            os.kill(os.getpid(), signal.SIGKILL)
        self.task = task


def watch_workers() -> None:
    """Count the steps of all tasks that the daemon's workers will run, and fork them."""
    from eventlog_lineage.harvest import job  # noqa: PLC0415 - the daemon's, not the attack's
    from eventlog_lineage.harvest.spark import daemon  # noqa: PLC0415

    steps = Steps()

    def watched(records: Callable[..., Iterable[Any]]) -> Callable[..., Iterator[Any]]:
        def watch(*arguments: Any) -> Iterator[Any]:
            steps.begin()
            for record in records(*arguments):
                steps.step("record")
                yield record
            steps.step("end")

        return watch

    for name in ("records", "traced"):
        setattr(job._Reading, name, watched(getattr(job._Reading, name)))
    sys.addaudithook(lambda event, arguments: steps.step("file") if _is_step(event, arguments) else None)
    daemon.main()


def _is_step(event: str, arguments: tuple[Any, ...]) -> bool:
    return event in _FILES and not str(arguments[0]).endswith((".py", ".pyc", "__pycache__"))


def main() -> int:
    """Run the attack; return 1 if it finds something."""
    given = options(__doc__, logs=str(ROOT / "tests" / "sample_logs"), most=60, seed=7)
    with tempfile.TemporaryDirectory() as folder:
        return exit_code(attack(given.logs, Path(folder), given.most, random.Random(given.seed)))


def attack(logs: str, folder: Path, most: int, chance: random.Random) -> list[str]:
    """Kill at `most` steps, and return what was found."""
    from eventlog_lineage.harvest.run import HarvestOptions, harvest  # noqa: PLC0415
    from eventlog_lineage.harvest.spark.session import spark_context  # noqa: PLC0415
    from eventlog_lineage.store.administration import check_store  # noqa: PLC0415
    from support.stores.samples import contents  # noqa: PLC0415

    os.environ[PLAN] = str(folder)
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    findings, killed = [], 0
    daemon = {"spark.python.daemon.module": Path(__file__).stem}
    with spark_context("local[2]", daemon, "attack"):
        harvest([logs], folder / "whole", HarvestOptions())
        whole, first = contents(folder / "whole"), None
        taken = [line.split() for line in (folder / "steps").read_text().splitlines()]
        first = min(int(task.partition(".")[0]) for task, *_ in taken)
        planned = _chosen(taken, most, chance)
        print(f"{len(taken)} steps of {len({task for task, *_ in taken})} tasks; {len(planned)} kills")
        for number, (task, kind, step) in enumerate(planned):
            (folder / "plan").unlink(missing_ok=True)
            store = folder / f"store{number}"
            shift = _next_stage() - first
            stage, _, partition = task.partition(".")
            (folder / "plan").write_text(f"{int(stage) + shift}.{partition} {kind} {step}")
            (folder / "killed").unlink(missing_ok=True)
            harvest([logs], store, HarvestOptions())
            killed += (folder / "killed").exists()
            differing = [name for name, rows in contents(store).items() if rows != whole[name]]
            flaws = check_store(store).flaws
            again = harvest([logs], store, HarvestOptions()).summary.facts.logs_read
            if differing or flaws or again:
                findings.append(f"killed at {task} {kind} {step}: {differing} {flaws} {again}")
    print(f"{killed} kills")
    return findings


def _next_stage() -> int:
    """Return the number that Spark gives the next stage."""
    from pyspark import SparkContext  # noqa: PLC0415

    context: Any = SparkContext._active_spark_context
    scheduler = context._jsc.sc().dagScheduler()
    return int(scheduler.nextStageId())


def _chosen(taken: list[list[str]], most: int, chance: random.Random) -> list[list[str]]:
    """Return steps of every task and kind alternately, first and last ones of each before others."""
    groups: dict[tuple[str, str], list[list[str]]] = {}
    for each in taken:
        groups.setdefault((each[0], each[1]), []).append(each)
    for group in groups.values():
        group[1:-1] = chance.sample(group[1:-1], max(0, len(group) - 2))
        group.insert(0, group.pop())
    rows = (group[index] for index in range(len(taken)) for group in groups.values() if index < len(group))
    return list(chain(rows))[:most]


if __name__ == "__main__":
    # Spark runs this module as its daemon, too: `python -m kill_tasks pyspark.worker`
    sys.exit(watch_workers() if "pyspark.worker" in sys.argv else main())
