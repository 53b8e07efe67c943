"""How fast a task-heavy log is read on one core, against `zstd -dc LOG | wc -l` in the same run.

    python benchmarks/extract_speed.py [--megabytes 300] [--repeats 5] [--log LOG]

Without `--log` it writes a log of its own first: stages of 200 tasks with numbers that vary, a SQL execution with its
plans around every fourth, and one zstd frame per flush as Spark makes them. Prints both speeds, in processor time on
one core, and their ratio; fails below `--least` (0.8).
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import orjson
import zstandard

from eventlog_lineage.events.listener_events import PartEnd
from eventlog_lineage.events.reading import read_part
from eventlog_lineage.events.sources.layouts import LogPart

UI = "org.apache.spark.sql.execution.ui.SparkListener"
TASKS = 200
SQL_METRICS = (
    "shuffle bytes written",
    "shuffle records written",
    "shuffle write time",
    "duration",
    "number of output rows",
    "scan time",
    "data size",
    "spill size",
    "peak memory",
    "time in aggregation build",
)
TASK_METRICS = (
    "executorDeserializeTime",
    "executorDeserializeCpuTime",
    "executorRunTime",
    "executorCpuTime",
    "resultSize",
    "jvmGCTime",
    "resultSerializationTime",
    "memoryBytesSpilled",
    "peakExecutionMemory",
    "shuffle.write.bytesWritten",
    "shuffle.write.recordsWritten",
    "shuffle.write.writeTime",
    "input.bytesRead",
    "input.recordsRead",
)
MEMORY = ("JVMHeapMemory", "JVMOffHeapMemory", "OnHeapExecutionMemory", "OffHeapExecutionMemory", "DirectPoolMemory")

rnd = random.Random(20261121)


def line(event: str, **fields: object) -> bytes:
    """Write an event as Spark does: compact, its name first."""
    return orjson.dumps({"Event": event, **{key.replace("_", " "): value for key, value in fields.items()}}) + b"\n"


def accumulables(stage: int) -> Iterator[dict[str, object]]:
    """The metrics of a task or a stage, SQL ones as strings."""
    for number, name in enumerate((*SQL_METRICS, *TASK_METRICS)):
        update, value = rnd.randrange(10**6), rnd.randrange(10**9)
        common = {"Internal": True, "Count Failed Values": True}
        if number < len(SQL_METRICS):
            texts = {"Update": str(update), "Value": str(value), **common, "Metadata": "sql"}
            yield {"ID": stage * 40 + number, "Name": name, **texts}
        else:
            yield {
                "ID": stage * 40 + number,
                "Name": f"internal.metrics.{name}",
                "Update": update,
                "Value": value,
                **common,
            }


def task_metrics() -> dict[str, object]:
    """The totals of a task."""
    return {
        "Executor Run Time": rnd.randrange(10**5),
        "Executor CPU Time": rnd.randrange(10**10),
        "Result Size": rnd.randrange(9999),
        "JVM GC Time": rnd.randrange(99),
        "Memory Bytes Spilled": 0,
        "Disk Bytes Spilled": 0,
        "Shuffle Read Metrics": {
            "Remote Blocks Fetched": rnd.randrange(200),
            "Remote Bytes Read": rnd.randrange(10**8),
        },
        "Shuffle Write Metrics": {
            "Shuffle Bytes Written": rnd.randrange(10**8),
            "Shuffle Write Time": rnd.randrange(10**9),
        },
        "Input Metrics": {"Bytes Read": rnd.randrange(10**9), "Records Read": rnd.randrange(10**6)},
        "Output Metrics": {"Bytes Written": 0, "Records Written": 0},
        "Updated Blocks": [],
    }


def task(stage: int, number: int) -> bytes:
    """A TaskStart and its TaskEnd."""
    launched = 1_700_000_000_000 + number * 37
    info = {
        "Task ID": number,
        "Index": number % TASKS,
        "Attempt": 0,
        "Launch Time": launched,
        "Executor ID": str(rnd.randrange(40)),
        "Host": f"10.0.{rnd.randrange(8)}.{rnd.randrange(200)}",
        "Locality": "NODE_LOCAL",
        "Speculative": False,
        "Getting Result Time": 0,
        "Finish Time": 0,
        "Failed": False,
        "Killed": False,
        "Accumulables": [],
    }
    start = line("SparkListenerTaskStart", Stage_ID=stage, Stage_Attempt_ID=0, Task_Info=info)
    ended = {**info, "Finish Time": launched + rnd.randrange(10**5), "Accumulables": list(accumulables(stage))}
    return start + line(
        "SparkListenerTaskEnd",
        Stage_ID=stage,
        Stage_Attempt_ID=0,
        Task_Type="ShuffleMapTask",
        Task_End_Reason={"Reason": "Success"},
        Task_Info=ended,
        Task_Executor_Metrics={name: rnd.randrange(10**8) for name in MEMORY},
        Task_Metrics=task_metrics(),
    )


def plan(stage: int) -> dict[str, object]:
    """A plan of 40 operators over one scan, as `SparkPlanInfo`."""
    metrics = [
        {"name": name, "accumulatorId": stage * 40 + number, "metricType": "sum"}
        for number, name in enumerate(SQL_METRICS)
    ]
    node: dict[str, object] = {
        "nodeName": f"Scan parquet spark_catalog.sales.t{stage % 50}",
        "simpleString": f"FileScan parquet [{', '.join(f'c{i}#{stage * 100 + i}' for i in range(24))}]",
        "children": [],
        "metadata": {"Location": f"InMemoryFileIndex(1 paths)[s3://lake/t{stage % 50}]", "Format": "Parquet"},
        "metrics": metrics,
    }
    for number in range(40):
        node = {
            "nodeName": ("Project", "Filter", "HashAggregate", "Exchange")[number % 4],
            "simpleString": f"Project [{', '.join(f'c{i}#{stage * 100 + i}' for i in range(20))}]",
            "children": [node],
            "metadata": {},
            "metrics": metrics[:3],
        }
    return node


def execution(number: int, stage: int, around: bytes) -> bytes:
    """The SQL events of an execution around its tasks' lines."""
    text = "== Physical Plan ==\n" + "\n".join(
        f"({i}) Project\nOutput [3]: [a#{stage * 100 + i}, b#{i}, (c#{i} + 1) AS d#{i}]" for i in range(200)
    )
    start = {
        "executionId": number,
        "description": f"load sales {number}",
        "details": "",
        "physicalPlanDescription": text,
    }
    stages = [
        {"Stage ID": stage, "Stage Name": "save", "RDD Info": [{"RDD ID": i, "Name": "r" * 200} for i in range(20)]}
    ]
    completed = {"Stage ID": stage, "Stage Attempt ID": 0, "Accumulables": list(accumulables(stage))}
    return b"".join(
        (
            line(f"{UI}SQLExecutionStart", **start, sparkPlanInfo=plan(stage), time=1),
            line(
                "SparkListenerJobStart",
                Job_ID=number,
                Stage_Infos=stages,
                Stage_IDs=[stage],
                Properties={"spark.sql.execution.id": str(number)},
            ),
            around,
            line(
                f"{UI}SQLAdaptiveExecutionUpdate",
                executionId=number,
                physicalPlanDescription=text,
                sparkPlanInfo=plan(stage),
            ),
            line("SparkListenerStageCompleted", Stage_Info=completed),
            line("SparkListenerJobEnd", Job_ID=number, Job_Result={"Result": "JobSucceeded"}),
            line(f"{UI}SQLExecutionEnd", executionId=number, time=2, errorMessage=""),
        )
    )


def write(path: Path, megabytes: int) -> None:
    """Write the log: a frame per about 60 tasks, as the flushes of other events make them."""
    compressor = zstandard.ZstdCompressor(level=1)
    written = stage = 0
    with path.open("wb") as log:
        log.write(compressor.compress(line("SparkListenerLogStart", Spark_Version="3.5.9")))
        while written < megabytes * 1_000_000:
            tasks = [task(stage, stage * TASKS + number) for number in range(TASKS)]
            frames = [b"".join(tasks[first : first + 60]) for first in range(0, TASKS, 60)]
            if stage % 4 == 0:
                frames = [execution(stage // 4, stage, b"".join(frames))]
            for frame in frames:
                log.write(compressor.compress(frame))
                written += len(frame)
            stage += 1


def least_time(repeats: int, run: Callable[[], object]) -> float:
    """The least processor time, in seconds, of some runs with the processes that they start.

    On one core this is the time by the clock, but for what others do on it meanwhile.
    """
    seconds = []
    for _ in range(repeats):
        begin = processor_time()
        run()
        seconds.append(processor_time() - begin)
    return min(seconds)


def processor_time() -> float:
    """Of this process and of those that it waited for."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--megabytes", type=int, default=300)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--least", type=float, default=0.8)
    parser.add_argument("--log", type=Path)
    arguments = parser.parse_args()
    if shutil.which("zstd") is None:
        raise SystemExit("zstd is not installed: apt-get install zstd")
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.log or Path(folder) / "application_1_0001.zstd"
        if arguments.log is None:
            write(path, arguments.megabytes)
        ends: list[PartEnd] = []

        def read() -> None:
            ends.extend(event for event in read_part(LogPart(str(path), 0, None, 1)) if isinstance(event, PartEnd))

        ours = least_time(arguments.repeats, read)
        shell = f"zstd -dc '{path}' | wc -l >/dev/null"
        theirs = least_time(arguments.repeats, lambda: subprocess.run(shell, shell=True, check=True))
    size = ends[-1].size / 1e6
    print(f"text               {size:.0f} MB in {ends[-1].lines} lines")
    print(f"eventlog-lineage   {ours:.3f} s  {size / ours:.0f} MB/s")
    print(f"zstd -dc | wc -l   {theirs:.3f} s  {size / theirs:.0f} MB/s")
    print(f"ratio              {theirs / ours:.2f}")
    if theirs / ours < arguments.least:
        raise SystemExit(f"slower than {arguments.least} of zstd -dc | wc -l")


if __name__ == "__main__":
    main()
