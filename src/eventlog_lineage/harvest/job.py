"""The Spark job: slices of logs, then distinct plans, spread over the cluster.

The first pass reads the logs and assembles executions where they are read (a log whose parts are spread meets again by
a shuffle). What it gives goes through one shuffle: rows to some partitions that the driver takes in turns, and each
combination of plans that the store does not know yet, with the plans' texts, to one of the others, where the second
pass traces it once while the driver takes the last of the rows. The driver holds neither logs nor plans: rows come to
it as compressed batches, and go to the staging folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from eventlog_lineage.errors import SparkLostError
from eventlog_lineage.events.read_options import DEFAULT, ReadOptions
from eventlog_lineage.events.reading import needs_settling, settle_order
from eventlog_lineage.events.sources.event_log import EventLog

from .checkpoints import Checkpoint, ResumePoint
from .extract import Batch, NewStatement, Progress, Record, assemble_spread, extract_slice, read_parts
from .input_splits import Share, Slice, Slices, slice_logs
from .job_progress import watched
from .plan_texts import unpack_text
from .row_batches import RowBatches
from .rows.lineage_rows import add_lineage

if TYPE_CHECKING:  # executors import this module, and need not all of PySpark for it
    from pyspark import RDD, Broadcast, SparkContext

    from .staging import Staging

_END = "the end of a partition"
"""The last thing that a partition gives. Should Spark's process go while it hands results over, PySpark takes the end
of the connection for the end of the results (`FramedSerializer.load_stream`, all versions)."""

_SLICES_AT_ONCE = 16
"""Slices whose rows the driver takes in one job: bounds what it holds."""

_TRACERS_PER_CORE = 1
_MOST_TRACERS = 256
"""Partitions of new shapes."""

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
    begins: Mapping[str, ResumePoint] = field(default_factory=dict)
    how: ReadOptions = DEFAULT

    def shipped(self) -> DueLogs:
        """The same for executors that do not see the driver's disk: with the checkpoints' bytes."""
        left, begins = _MOST_SHIPPED, {}
        for path, begin in sorted(self.begins.items(), key=lambda item: Path(item[1].path).stat().st_size):
            payload = Path(begin.path).read_bytes()
            left -= len(payload)
            if left >= 0:
                begins[path] = replace(begin, path="", payload=payload)
        dropped = {path: begin for path, begin in self.begins.items() if path not in begins}
        logs = [dropped[log.path].from_beginning(log) if log.path in dropped else log for log in self.logs]
        return replace(self, logs=logs, begins=begins)


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
    slices = slice_logs(due.logs, spark.defaultParallelism, due.begins)
    routed = _routed(spark, due, slices, spark.broadcast(known))
    read = _Read(staging)
    _take(routed, read, steps, [sum(share.bytes for share in each) for each in (*slices.spread, *slices.whole)])
    return Progress(read.logs, read.bytes_read, read.shapes)


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


class _Read:
    """Takes what comes to the driver."""

    def __init__(self, staging: Staging) -> None:
        self._staging = staging
        self.logs = 0
        self.bytes_read = 0
        self.shapes = 0

    def take(self, record: Record) -> None:
        if isinstance(record, Batch):
            self._staging.add(record.table, record.payload)
        elif isinstance(record, Checkpoint):
            self._staging.leave_off(record)
        elif isinstance(record, Progress):
            self.logs += record.logs
            self.bytes_read += record.bytes_read
            self.shapes += record.shapes


@dataclass(frozen=True, slots=True)
class _Routed:
    """What the first pass gives, by where it goes.

    Attributes:
        records: Those for the driver, in as many partitions as it takes them in turns; then those of the new shapes.
        turns: The partitions that are run at a time; the last ones trace shapes as well.
    """

    records: RDD[Any]
    turns: Sequence[Sequence[int]]


def _routed(spark: SparkContext, due: DueLogs, slices: Slices, known: Broadcast[frozenset[str]]) -> _Routed:
    """Reads the slices; one shuffle parts what the driver takes from what is to be traced.

    A shape that several slices give meets in one partition, and is traced there once.
    """
    how = due.how
    tracers = min(spark.defaultParallelism * _TRACERS_PER_CORE, _MOST_TRACERS)
    tasks = len(slices.whole)
    whole = spark.parallelize(slices.whole, max(1, tasks))
    assembled = [] if not slices.spread else [_assembled(spark, due, slices.spread, known)]
    tasks += sum(each.getNumPartitions() for each in assembled)
    takers = -(-tasks // _SLICES_AT_ONCE)

    def route(task: int, records: Iterable[Record]) -> Iterator[tuple[int, Record]]:
        for record in records:
            if isinstance(record, NewStatement):
                yield takers + int(record.statement.lineage_id[:8], 16) % tracers, record
            else:
                yield task // _SLICES_AT_ONCE, record

    def read(task: int, part: Iterable[Slice]) -> Iterator[tuple[int, Record]]:
        return route(task, chain.from_iterable(extract_slice(each, known.value, how) for each in part))

    first = len(slices.whole)
    pairs = [each.mapPartitionsWithIndex(lambda place, part: route(first + place, part)) for each in assembled]
    if slices.whole:
        pairs.append(whole.mapPartitionsWithIndex(read))
    joined = pairs[0] if len(pairs) == 1 else spark.union(pairs)
    shuffled = joined.partitionBy(takers + tracers, int)
    _shuffle_without_kryo(shuffled)

    def taken(place: int, part: Iterable[Record]) -> Iterable[Record]:
        return part if place < takers else _traced(cast("Iterable[NewStatement]", part), how.mask_literals)

    last = range(takers - 1, takers + tracers)
    return _Routed(shuffled.values().mapPartitionsWithIndex(taken), [*([place] for place in range(takers - 1)), last])


def _shuffle_without_kryo(shuffled: RDD[Any]) -> None:
    """Has a shuffle of Python's bytes written by Java's own serializer.

    For them Spark chooses Kryo (`SerializerManager.canUseKryo`, 2.0 to 4.3), of which a task sets up one for each
    partition that it writes to: half of all that Java did in a harvest of 200 logs, and as much for little ones.
    """
    spark = shuffled.context
    java = spark._jvm.org.apache.spark.serializer.JavaSerializer(spark._jsc.sc().conf())  # type: ignore[union-attr]
    shuffled._jrdd.rdd().dependencies().head().rdd().setSerializer(java)


def _assembled(
    spark: SparkContext, due: DueLogs, spread: Sequence[Slice], known: Broadcast[frozenset[str]]
) -> RDD[Any]:
    """The logs whose parts are spread, assembled by log."""
    how = due.how
    numbers = {share.number for each in spread for share in each}
    logs = {number: due.logs[number] for number in numbers}
    sources = spark.broadcast({n: Share(log, n, (), due.begins.get(log.path)) for n, log in logs.items()})
    partitions = min(len(numbers), spark.defaultParallelism * 2)
    events = spark.parallelize(spread, len(spread)).flatMap(lambda shares: read_parts(shares, how))
    ordered = events.keyBy(lambda event: event[:3]).repartitionAndSortWithinPartitions(partitions, lambda key: key[0])
    return ordered.values().mapPartitions(lambda part: assemble_spread(part, sources.value, known.value, how))


def _traced(records: Iterable[NewStatement], mask_literals: bool) -> Iterator[Record]:
    """Traces each shape once; of several that are equal, always the same."""
    chosen: dict[str, NewStatement] = {}
    for record in records:
        name = record.statement.lineage_id
        if name not in chosen or record.rank < chosen[name].rank:
            chosen[name] = record
    batches = RowBatches()
    for new in sorted(chosen.values(), key=lambda each: each.statement.lineage_id):
        texts = {fingerprint: unpack_text(text) for fingerprint, text in new.texts.items()}
        add_lineage(new.statement, texts, batches, mask_literals=mask_literals)
        yield from (Batch(*each) for each in batches.full())
    yield from (Batch(*each) for each in batches.rest())


def _take(routed: _Routed, read: _Read, steps: Steps, work: Sequence[int]) -> None:
    """Has the driver take what the logs give, in turns where there are many slices.

    Args:
        routed: What to run.
        read: Takes it.
        steps: Who is told how far it is.
        work: How many bytes each task reads.

    Raises:
        SparkLostError: Not all results came.
    """
    telling = _Telling(steps, list(accumulate(work, initial=0)))
    telling.of_read(0)
    with watched(routed.records.context, telling.how_far):
        for turn in routed.turns:
            telling.tracers = len(turn) - 1
            _take_turn(routed.records, turn, read)
    telling.end(traced=read.shapes > 0)


@dataclass(slots=True)
class _Telling:
    """Tells how far the job is.

    Attributes:
        steps: Who is told.
        work: How many bytes so many tasks have read, by their number.
        tracers: How many of the partitions that are taken now trace shapes.
    """

    steps: Steps
    work: Sequence[int]
    tracers: int = 0
    _traces: bool = False

    def of_read(self, tasks: int) -> None:
        self.steps.tell("read", self.work[min(tasks, len(self.work) - 1)], self.work[-1])

    def how_far(self, read: int, taken: int | None) -> None:
        """Takes how many tasks have read, and how many partitions were taken of those that are being taken."""
        if not self._traces:
            self._traces = taken is not None and self.tracers > 0
            self.of_read(len(self.work) if self._traces else read)
        if self._traces:
            self.steps.tell("trace", min(taken or 0, self.tracers), self.tracers)

    def end(self, *, traced: bool) -> None:
        """All is done; of a short job nobody may have asked while it traced."""
        if not self._traces:
            self.of_read(len(self.work))
        if traced:
            self.steps.tell("trace", self.tracers, self.tracers)


def _take_turn(records: RDD[Any], turn: Sequence[int], read: _Read) -> None:
    ended = 0
    for record in records.context.runJob(records, lambda part: chain(part, (_END,)), turn):
        if record == _END:
            ended += 1
        else:
            read.take(record)
    if ended < len(turn):
        raise SparkLostError("Spark's results break off", f"{ended} of {len(turn)} tasks", "try it again")
