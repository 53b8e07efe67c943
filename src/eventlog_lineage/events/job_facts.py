"""Facts about a statement that its jobs show and its plans omit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from eventlog_lineage.extensions import contributions

from .table_commits import TableCommit


class RddRows(NamedTuple):
    """An RDD that holds rows of scans outside Spark SQL.

    Attributes:
        rdd: The RDD's number.
        scans: The distinct scans, by the names of their operators; that of files has no path: `Scan parquet`.
        is_partial: Another job broadcasts the rows of further scans.
    """

    rdd: int
    scans: tuple[str, ...]
    is_partial: bool = False


@dataclass(frozen=True, slots=True)
class JobFacts:
    """The facts that the jobs of one execution show.

    Each kind of fact is a field. Events, executions and their summaries pass this record along.

    Attributes:
        commit: The commit to a table; None for formats whose jobs do not describe it.
        scans: The distinct scans whose rows the jobs' RDDs hold, by the names of their operators:
            `BatchScan shop.orders`.
        checkpoints: The numbers of the checkpoints' RDDs that the jobs read or make.
        rows: The RDDs of rows outside Spark SQL that the jobs read or make.
        settings: The session's settings that name tables of connectors, as its last job has them.
    """

    commit: TableCommit | None = None
    scans: tuple[str, ...] = ()
    checkpoints: tuple[int, ...] = ()
    rows: tuple[RddRows, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()

    def with_job(
        self,
        description: str,
        scans: tuple[str, ...],
        checkpoints: tuple[int, ...] = (),
        rows: tuple[RddRows, ...] = (),
        settings: tuple[tuple[str, str], ...] = (),
    ) -> JobFacts:
        """Return the facts after one more job.

        Args:
            description: `spark.job.description` of the job, from which formats read their commits.
            rows: Its RDDs of rows outside Spark SQL.
            settings: The session's settings that name tables of connectors.
        """
        commit = self.commit
        for read_commit in contributions("descriptions.commit"):
            commit = read_commit(commit, description)
        if commit is self.commit and not scans and not checkpoints and settings in {(), self.settings}:
            return self
        made = tuple(dict.fromkeys((*self.checkpoints, *checkpoints)))
        held = tuple(dict.fromkeys((*self.rows, *rows)))
        read = tuple(dict.fromkeys((*self.scans, *scans)))
        return JobFacts(commit, read, made, held, settings or self.settings)


NO_FACTS = JobFacts()
"""The facts of an execution without jobs."""


# -- what stages cost: executor time, the bytes that their tasks read, shuffle and spill, and the rows that they write

MOST: Final = 2**53
"""Limit of each value: sums over many executions stay within 64 bits, whatever a log prints."""


@dataclass(frozen=True, slots=True)
class RunCost:
    """The sums over the tasks of stages, failed tasks included (`TaskMetrics`, accumulators `internal.metrics.*`).

    Attributes:
        executor_run_ms: Time that executors spend in tasks, in milliseconds.
        executor_cpu_ns: CPU time of tasks, in nanoseconds; native engines and Python workers use more that Spark does
            not see.
        input_bytes: Bytes read from storage.
        shuffle_read_bytes: Bytes read from shuffles, local and remote.
        shuffle_write_bytes: Bytes written to shuffles.
        memory_spilled_bytes: Bytes spilled, as they were in memory.
        disk_spilled_bytes: The same bytes, as they are on disk.
        records_written: Rows that tasks write to files. Native engines may not count them.
    """

    executor_run_ms: int = 0
    executor_cpu_ns: int = 0
    input_bytes: int = 0
    shuffle_read_bytes: int = 0
    shuffle_write_bytes: int = 0
    memory_spilled_bytes: int = 0
    disk_spilled_bytes: int = 0
    records_written: int = 0

    @property
    def executor_cpu_ms(self) -> int:
        """The CPU time in milliseconds."""
        return self.executor_cpu_ns // 1_000_000

    def plus(self, other: RunCost) -> RunCost:
        """Return the sum of two costs."""
        return RunCost(
            min(self.executor_run_ms + other.executor_run_ms, MOST),
            min(self.executor_cpu_ns + other.executor_cpu_ns, MOST),
            min(self.input_bytes + other.input_bytes, MOST),
            min(self.shuffle_read_bytes + other.shuffle_read_bytes, MOST),
            min(self.shuffle_write_bytes + other.shuffle_write_bytes, MOST),
            min(self.memory_spilled_bytes + other.memory_spilled_bytes, MOST),
            min(self.disk_spilled_bytes + other.disk_spilled_bytes, MOST),
            min(self.records_written + other.records_written, MOST),
        )
