"""The Spark job: input splits, then distinct statements, distributed over the cluster.

The first pass reads the logs and assembles executions where they are read (the events of a log whose parts are
distributed meet again by a shuffle). Its records go through one shuffle: rows to some partitions that the driver takes
one after another, and each statement whose lineage the store does not have, with the texts of its plans, to one of the
others, where the second pass traces it once while the driver takes the last of the rows. The driver holds neither logs
nor plans: rows come to it compressed, and it writes them to the staging folder.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any, cast

from py4j.protocol import Py4JError

from eventlog_lineage.errors import SparkLostError
from eventlog_lineage.events.read_options import ReadOptions
from eventlog_lineage.events.reading import needs_settling, settle_order
from eventlog_lineage.events.sources.layouts import EventLog
from eventlog_lineage.harvest.extract import DueLogs, InputSplit, InputSplits, SplitPart, split_logs
from eventlog_lineage.harvest.statement_rows import trace_statements

from .checkpoints import Batch, Checkpoint, NewStatement, Progress, Record
from .extract import assemble_distributed, extract_split, read_parts

if TYPE_CHECKING:
    from pyspark import RDD, Broadcast, SparkContext, SparkStageInfo, StatusTracker

    from .staging import Staging

_END = "the end of a partition"
"""The last element of each partition. If Spark's process ends while it sends results, PySpark takes the end of the
connection for the end of the results (`FramedSerializer.load_stream`, all versions)."""

_SPLITS_AT_ONCE = 16
"""Splits whose rows the driver takes in one job: bounds what it holds."""

_TRACERS_PER_CORE = 1
_MOST_TRACERS = 256
"""Partitions of new statements."""


def run_job(spark: SparkContext, due: DueLogs, staging: Staging, on_progress: OnProgress) -> Progress:
    """Harvest logs into a staging folder.

    Args:
        on_progress: Called with how much is read and traced.

    Raises:
        SparkLostError: Spark's process ended before all results were taken.
    """
    is_local = (spark.master or "").startswith("local")
    due = due if is_local else due.shipped()
    due = replace(due, logs=_settled(due.logs, spark))
    splits = split_logs(due.logs, spark.defaultParallelism, due.resume_points)
    reading = _Reading(due.options, spark.broadcast(due.lineages))
    taker = _Taker(staging)
    work = [sum(part.bytes for part in split) for split in (*splits.distributed, *splits.whole)]
    reporter = ProgressReporter(on_progress, list(accumulate(work, initial=0)))
    _take(*_routed(spark, due, splits, reading), taker, reporter)
    return Progress(taker.logs, taker.bytes_read, taker.new_statements)


def _settled(logs: Sequence[EventLog], spark: SparkContext) -> list[EventLog]:
    """Return the logs, with parts in the order of their own metadata where the order of their names may be wrong."""
    unsettled = [number for number, log in enumerate(logs) if needs_settling(log)]
    settled = list(logs)
    if unsettled:
        tasks = min(len(unsettled), spark.defaultParallelism * 4)
        ordered = spark.parallelize([logs[number] for number in unsettled], tasks).map(settle_order).collect()
        for number, log in zip(unsettled, ordered, strict=True):
            settled[number] = log
    return settled


class _Taker:
    """Takes the records that come to the driver."""

    def __init__(self, staging: Staging) -> None:
        self._staging = staging
        self.logs = 0
        self.bytes_read = 0
        self.new_statements = 0

    def take(self, record: Record) -> None:
        if isinstance(record, Batch):
            self._staging.add(record.table, record.payload)
        elif isinstance(record, Checkpoint):
            self._staging.keep_checkpoint(record)
        elif isinstance(record, Progress):
            self.logs += record.logs
            self.bytes_read += record.bytes_read
            self.new_statements += record.new_statements


@dataclass(frozen=True, slots=True)
class _Reading:
    """What tasks need to read splits."""

    options: ReadOptions
    known: Broadcast[dict[str, int]]

    def records(self, splits: Iterable[InputSplit]) -> Iterator[Record]:
        """Yield the records of splits of whole logs."""
        return chain.from_iterable(extract_split(split, self.known.value, self.options) for split in splits)

    def traced(self, new: Iterable[NewStatement]) -> Iterator[Record]:
        """Yield the rows of statements, each traced once."""
        return trace_statements(new, self.options)


def _routed(
    spark: SparkContext, due: DueLogs, splits: InputSplits, reading: _Reading
) -> tuple[RDD[Any], Sequence[Sequence[int]]]:
    """Read the splits; one shuffle separates what the driver takes from what is traced.

    Statements with one lineage id from several splits meet in one partition, where one of them is traced.

    Returns:
        The records, in partitions for the driver and then partitions of new statements, and the partitions that run at
        a time; the last of these rounds includes those that trace.
    """
    tracers = min(spark.defaultParallelism * _TRACERS_PER_CORE, _MOST_TRACERS)
    tasks = len(splits.whole)
    whole = spark.parallelize(splits.whole, max(1, tasks))
    assembled = [] if not splits.distributed else [_assembled(spark, due, splits.distributed, reading)]
    tasks += sum(each.getNumPartitions() for each in assembled)
    takers = -(-tasks // _SPLITS_AT_ONCE)

    def route(task: int, records: Iterable[Record]) -> Iterator[tuple[int, Record]]:
        for record in records:
            if isinstance(record, NewStatement):
                yield takers + int(record.statement.lineage_id[:8], 16) % tracers, record
            else:
                yield task // _SPLITS_AT_ONCE, record

    def read(task: int, part: Iterable[InputSplit]) -> Iterator[tuple[int, Record]]:
        return route(task, reading.records(part))

    first = len(splits.whole)
    pairs = [each.mapPartitionsWithIndex(lambda index, part: route(first + index, part)) for each in assembled]
    if splits.whole:
        pairs.append(whole.mapPartitionsWithIndex(read))
    joined = pairs[0] if len(pairs) == 1 else spark.union(pairs)
    shuffled = joined.partitionBy(takers + tracers, int)
    _shuffle_without_kryo(shuffled)

    def trace(index: int, part: Iterable[Record]) -> Iterable[Record]:
        return part if index < takers else reading.traced(cast("Iterable[NewStatement]", part))

    last = range(takers - 1, takers + tracers)
    return shuffled.values().mapPartitionsWithIndex(trace), [*([index] for index in range(takers - 1)), last]


def _shuffle_without_kryo(shuffled: RDD[Any]) -> None:
    """Let Java's own serializer write a shuffle of Python's bytes.

    For them Spark chooses Kryo (`SerializerManager.canUseKryo`, 2.0 to 4.3), which a task sets up once for each
    partition that it writes to: half of all that Java did in a harvest of 200 logs, for no gain.
    """
    spark = shuffled.context
    java = spark._jvm.org.apache.spark.serializer.JavaSerializer(spark._jsc.sc().conf())  # type: ignore[union-attr]
    shuffled._jrdd.rdd().dependencies().head().rdd().setSerializer(java)


def _assembled(spark: SparkContext, due: DueLogs, distributed: Sequence[InputSplit], reading: _Reading) -> RDD[Any]:
    options = reading.options
    numbers = {part.number for split in distributed for part in split}
    logs = {number: due.logs[number] for number in numbers}
    parts = {number: SplitPart(log, number, (), due.resume_points.get(log.path)) for number, log in logs.items()}
    sources = spark.broadcast(parts)
    partitions = min(len(numbers), spark.defaultParallelism * 2)
    events = spark.parallelize(distributed, len(distributed)).flatMap(lambda split: read_parts(split, options))
    ordered = events.keyBy(lambda event: event[:3]).repartitionAndSortWithinPartitions(partitions, lambda key: key[0])
    return ordered.values().mapPartitions(
        lambda part: assemble_distributed(part, sources.value, reading.known.value, options)
    )


def _take(records: RDD[Any], rounds: Sequence[Sequence[int]], taker: _Taker, reporter: ProgressReporter) -> None:
    """Collect the records on the driver, in several rounds if there are many splits."""
    reporter.report_read(0)
    with watch_tasks(records.context, reporter.report):
        for partitions in rounds:
            reporter.tracers = len(partitions) - 1
            _take_round(records, partitions, taker)
    reporter.end(traced=taker.new_statements > 0)


def _take_round(records: RDD[Any], partitions: Sequence[int], taker: _Taker) -> None:
    ended = 0
    for record in records.context.runJob(records, lambda part: chain(part, (_END,)), partitions):
        if record == _END:
            ended += 1
        else:
            taker.take(record)
    if ended < len(partitions):
        what = f"{ended} of {len(partitions)} tasks"
        raise SparkLostError("Spark's results are incomplete", what, "run the harvest again")


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
