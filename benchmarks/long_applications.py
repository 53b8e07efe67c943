"""Whether long applications cost what their executions cost: the executions of logs are repeated, and timed.

    PYTHONPATH=src python benchmarks/long_applications.py LOG … [--executions 400] [--most 1.5] [--profile]

Each round of an application has its own execution ids, attribute ids, batches and times, and the same tables, as a
Thrift server or a loop in a driver has. Measured is what a task does with an assembled log: statements, evidence, rows.
Fails if the time per execution of 4 times as many executions is more than `--most` times that of the first, for
applications that take a quarter of a second and more.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import re
import time
from collections.abc import Iterator
from dataclasses import replace

from eventlog_lineage.errors import LogError
from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.records import AssembledLog, Execution
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.events.sources.event_log import EventLog
from eventlog_lineage.harvest.extract import Collector
from eventlog_lineage.plan.plan_text import PlanText, summary_of, views_of

_ID = re.compile(r"(?<=#)[0-9]+")
_LEAST = 0.25
"""Seconds below which a time is not compared."""


def repeated(log: AssembledLog, rounds: int) -> AssembledLog:
    """Return a log whose application runs its executions several times."""
    ids = 1 + max(each.execution_id for each in log.executions)
    times = [at for each in log.executions for at in (each.started_at, each.ended_at) if at is not None]
    span = 1000 + max(times, default=0) - min(times, default=0)
    rows = [again(each, number, ids, span) for number in range(rounds) for each in log.executions]
    return replace(log, executions=tuple(rows))


def again(execution: Execution, number: int, ids: int, span: int) -> Execution:
    """Return an execution of a later round, with its plan summarized as tasks do."""
    text = execution.plan.text if isinstance(execution.plan, PlanText) else ""
    shifted = _ID.sub(lambda match: str(int(match[0]) + number * 100_000), text)
    root, batch = execution.root_execution_id, execution.stream_batch_id
    return replace(
        execution,
        execution_id=execution.execution_id + number * ids,
        root_execution_id=None if root is None else root + number * ids,
        started_at=None if execution.started_at is None else execution.started_at + number * span,
        ended_at=None if execution.ended_at is None else execution.ended_at + number * span,
        stream_batch_id=None if batch is None else batch + number * 1000,
        plan=summary_of(PlanText(shifted)),
        statement_plan=views_of(execution.statement_plan),
    )


def taken(log: AssembledLog, source: EventLog) -> float:
    """Return the seconds of the processor that a task takes for an assembled log."""
    begin = time.process_time()
    for _ in Collector({}).take(log, source, 0, 0):
        pass
    return time.process_time() - begin


def applications(places: list[str]) -> Iterator[tuple[EventLog, AssembledLog]]:
    """Yield the logs with executions that can be read."""
    for source in find_logs(places):
        try:
            log = read_log(source)
        except LogError:
            continue
        if log.executions:
            yield source, log


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("places", nargs="+")
    parser.add_argument("--executions", type=int, default=400)
    parser.add_argument("--most", type=float, default=1.5)
    parser.add_argument("--profile", action="store_true", help="print the functions of the slow ones")
    arguments = parser.parse_args()
    count, slow = 0, []
    for source, log in applications(arguments.places):
        rounds = max(1, arguments.executions // len(log.executions))
        small, large = repeated(log, rounds), repeated(log, rounds * 4)
        seconds = taken(small, source), taken(large, source)
        growth = seconds[1] / max(seconds[0], 1e-6) / 4
        count += 1
        if growth > arguments.most and seconds[1] > _LEAST:
            slow.append(source.path)
            print(
                f"{growth:6.2f}  {seconds[0]:7.3f} s {seconds[1]:7.3f} s  {len(large.executions):6}  {source.path}",
                flush=True,
            )
            if arguments.profile:
                profile = cProfile.Profile()
                profile.runcall(taken, large, source)
                pstats.Stats(profile).sort_stats("tottime").print_stats(12)
    print(f"{count} applications, {len(slow)} whose executions cost more the more there are")
    if slow:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
