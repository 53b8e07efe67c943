"""What stages cost: executor time, the bytes that their tasks read, shuffle and spill, and the rows that they write."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

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
