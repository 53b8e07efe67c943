"""The Spark job: slices of logs, then distinct plans, spread over the cluster.

Two passes. The first reads the logs, assembles executions where they are read (a log whose parts are spread
meets again by a shuffle), and gives rows and the distinct combinations of plans. The second traces those
combinations that the store does not know yet, each once, with the plan texts that the first pass left on the
executors' disks. The driver holds neither logs nor plans: rows come to it as compressed batches, some
partitions at a time, and go to the staging folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, chain
from pathlib import Path
from typing import Any

from pyspark import RDD, SparkContext, StorageLevel

from ..events.how import DEFAULT, Reading
from ..events.logs import EventLog
from ..events.reading import needs_settling, settle_order
from .batches import RowBatches
from .checkpoints import Checkpoint, LeftOff
from .extract import Batch, PartEvent, PlanText, Progress, Record, assemble_spread, extract_slice
from .session import SparkLostError
from .shapes import Shape, trace_shape
from .slices import slice_logs
from .staging import Staging
from .watching import watched

_PARTITIONS_AT_ONCE = 64
"""Partitions whose results the driver takes in one job: bounds what it holds."""

_END = "the end of a partition"
"""The last thing that a partition gives. Should Spark's process go while it hands results over, PySpark takes the end
of the connection for the end of the results (`FramedSerializer.load_stream`, all versions)."""

_SHAPES_PER_TASK = 10
"""A task costs about as much as tracing some statements."""

_MOST_SHIPPED = 256 * 1024 * 1024
"""Bytes of checkpoints that are sent to executors elsewhere; the logs of more are read from their beginnings."""


@dataclass(frozen=True, slots=True)
class DueLogs:
    """What is to be read.

    Attributes:
        logs: The logs that are new or have grown.
        begins: Path to where an earlier harvest left off in a log.
        how: What is taken out of the logs, and the limits.
    """

    logs: Sequence[EventLog]
    begins: Mapping[str, LeftOff] = field(default_factory=dict)
    how: Reading = DEFAULT

    def shipped(self) -> DueLogs:
        """The same for executors that do not see the driver's disk: with the checkpoints' bytes."""
        left, begins = _MOST_SHIPPED, {}
        for path, begin in sorted(self.begins.items(), key=lambda item: Path(item[1].path).stat().st_size):
            payload = Path(begin.path).read_bytes()
            left -= len(payload)
            if left >= 0:
                begins[path] = LeftOff(begin.covered, payload=payload)
        return replace(self, begins=begins)


@dataclass(frozen=True, slots=True)
class Steps:
    """Who is told how far the job is: (step, done, of)."""

    tell: Callable[[str, int, int], None]


def run_job(spark: SparkContext, due: DueLogs, known: frozenset[str], staging: Staging, steps: Steps) -> Progress:
    """Harvests logs into a staging folder.

    Args:
        spark: Where to run.
        due: The logs that are new or have grown.
        known: The lineage ids that the store knows.
        staging: Where the rows go.
        steps: Who is told how far it is.

    Returns:
        How many logs and bytes were read.

    Raises:
        SparkLostError: Spark's process ended before its results were here.
    """
    due = due if (spark.master or "").startswith("local") else due.shipped()
    due = replace(due, logs=_settled(due.logs, spark))
    how = due.how
    slices = slice_logs(due.logs, spark.defaultParallelism, due.begins)
    known_ids = spark.broadcast(known)
    records = spark.parallelize(slices, len(slices)).flatMap(lambda shares: extract_slice(shares, known_ids.value, how))
    records = records.persist(StorageLevel.DISK_ONLY)
    held = [records]
    try:
        found = _Found()
        reading = records.mapPartitionsWithIndex(_without_texts)
        work = [sum(share.bytes for share in each) for each in slices]
        _take(reading, staging, found, ("read", steps, work))
        spread = {share.number for each in slices for share in each if not share.is_whole}
        if spread:
            logs = {number: (due.logs[number], due.begins.get(due.logs[number].path)) for number in spread}
            held.append(_assembled(records, logs, (known_ids, how), spark).persist(StorageLevel.DISK_ONLY))
            records = spark.union(held)
            first = held[0].getNumPartitions()
            later = held[1].mapPartitionsWithIndex(lambda place, part: _without_texts(first + place, part))
            _take(later, staging, found, ("assemble", steps, [1] * later.getNumPartitions()))
        textless = [shape for shape in found.shapes.values() if not found.holders.keys() & set(shape.fingerprints)]
        if len(textless) < len(found.shapes):
            traced = _traced(records, found, how, spark)
            _take(traced, staging, found, ("trace", steps, [1] * traced.getNumPartitions()))
        _trace_here(textless, staging)
        return Progress(found.logs, found.bytes_read)
    finally:
        for each in held:
            each.unpersist()


def _settled(logs: Sequence[EventLog], spark: SparkContext) -> list[EventLog]:
    """The logs, with the parts of those in the order of their own metadata that the order of names may get wrong."""
    unsettled = [number for number, log in enumerate(logs) if needs_settling(log)]
    settled = list(logs)
    if unsettled:
        tasks = min(len(unsettled), spark.defaultParallelism * 4)
        ordered = spark.parallelize([logs[number] for number in unsettled], tasks).map(settle_order).collect()
        for number, log in zip(unsettled, ordered, strict=True):
            settled[number] = log
    return settled


class _Found:
    """What the driver keeps of the first pass: the shapes, and which partition has which plan's text."""

    def __init__(self) -> None:
        self.shapes: dict[str, Shape] = {}
        self.holders: dict[str, int] = {}
        self.logs = 0
        self.bytes_read = 0

    def note(self, record: Record | tuple[str, int], staging: Staging) -> None:
        if isinstance(record, Batch):
            staging.add(record.table, record.payload)
        elif isinstance(record, Checkpoint):
            staging.leave_off(record)
        elif isinstance(record, Shape):
            known = self.shapes.setdefault(record.lineage_id, record)
            if record.answers and not known.answers:
                self.shapes[record.lineage_id] = record
        elif isinstance(record, Progress):
            self.logs += record.logs
            self.bytes_read += record.bytes_read
        elif len(record) == 2:
            self.holders.setdefault(str(record[0]), int(record[1]))


def _trace_here(shapes: Sequence[Shape], staging: Staging) -> None:
    """Statements none of whose executions has a plan text: there is nothing to spread."""
    batches = RowBatches()
    for shape in shapes:
        trace_shape(shape, {}, batches)
    for table, payload in batches.rest():
        staging.add(table, payload)


def _without_texts(partition: int, records: Iterable[Record]) -> Iterator[Any]:
    """A partition's results for the driver: of plan texts, only which it holds."""
    for record in records:
        if isinstance(record, PlanText):
            yield (record.fingerprint, partition)
        elif not isinstance(record, PartEvent):
            yield record


def _take(results: RDD[Any], staging: Staging, found: _Found, progress: tuple[str, Steps, Sequence[int]]) -> None:
    """Runs a job, some partitions at a time, and takes its results.

    Args:
        results: What to run.
        staging: Takes rows.
        found: Takes the rest.
        progress: The step's name, who is told, and how much work each partition is.

    Raises:
        SparkLostError: Not all results came.
    """
    step, steps, work = progress
    done = list(accumulate(work, initial=0))
    with watched(results.context, lambda tasks: steps.tell(step, done[min(tasks, len(work))], done[-1])) as watch:
        for begin in range(0, len(work), _PARTITIONS_AT_ONCE):
            partitions = list(range(begin, min(begin + _PARTITIONS_AT_ONCE, len(work))))
            watch.before = begin
            ended = 0
            for record in results.context.runJob(results, lambda part: chain(part, (_END,)), partitions):
                if record == _END:
                    ended += 1
                else:
                    found.note(record, staging)
            if ended < len(partitions):
                raise SparkLostError("Spark's results break off", f"{ended} of {len(partitions)} tasks", "try it again")
            steps.tell(step, done[partitions[-1] + 1], done[-1])


def _assembled(
    records: RDD[Any],
    logs: dict[int, tuple[EventLog, LeftOff | None]],
    read_with: tuple[Any, Reading],
    spark: SparkContext,
) -> RDD[Any]:
    """The logs whose parts were spread, assembled by log."""
    sources = spark.broadcast(logs)
    known, how = read_with
    partitions = min(len(logs), spark.defaultParallelism * 2)
    events = records.filter(lambda record: isinstance(record, PartEvent)).keyBy(lambda event: event[:3])
    ordered = events.repartitionAndSortWithinPartitions(partitions, lambda key: key[0])
    return ordered.values().mapPartitions(lambda part: assemble_spread(part, sources.value, known.value, how))


def _traced(records: RDD[Any], found: _Found, how: Reading, spark: SparkContext) -> RDD[Any]:
    """The new combinations of plans, traced: each plan's text comes from one partition that holds it."""
    users: dict[str, list[str]] = {}
    for shape in found.shapes.values():
        for fingerprint in set(shape.fingerprints):
            users.setdefault(fingerprint, []).append(shape.lineage_id)
    wanted = spark.broadcast({name: (found.holders[name], ids) for name, ids in users.items() if name in found.holders})
    shapes = spark.broadcast(found.shapes)
    mask_literals = how.mask_literals
    holding = frozenset(found.holders.values())

    def needed(partition: int, part: Iterable[Record]) -> Iterator[tuple[str, tuple[str, str]]]:
        for record in part if partition in holding else ():
            if isinstance(record, PlanText):
                holder, ids = wanted.value.get(record.fingerprint, (-1, ()))
                if holder == partition:
                    yield from ((lineage_id, (record.fingerprint, record.text)) for lineage_id in ids)

    def traced(part: Iterable[tuple[str, Iterable[tuple[str, str]]]]) -> Iterator[Record]:
        batches = RowBatches()
        for lineage_id, texts in part:
            trace_shape(shapes.value[lineage_id], dict(texts), batches, mask_literals=mask_literals)
            yield from (Batch(*each) for each in batches.full())
        yield from (Batch(*each) for each in batches.rest())

    partitions = max(1, min(len(found.shapes) // _SHAPES_PER_TASK, spark.defaultParallelism * 4))
    return records.mapPartitionsWithIndex(needed).groupByKey(partitions).mapPartitions(traced)
