"""Run a job on a real Spark and publish its event log, slimmed to the lines that are read."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import zstandard

_KEPT = (
    b"SparkListenerLogStart",
    b"SparkListenerApplicationStart",
    b"SparkListenerApplicationEnd",
    b"SparkListenerEnvironmentUpdate",
    b"SparkListenerJobStart",
    b"SparkListenerStageCompleted",
    b"org.apache.spark.sql.",
)
_DROPPED = (
    b"org.apache.spark.sql.execution.ui.SparkListenerSQLAdaptive",
    b"org.apache.spark.sql.streaming.StreamingQueryListener$QueryIdleEvent",
)
_BEGIN = b'{"Event":"'
_INHERITED = ("PATH", "JAVA_HOME", "LANG", "HOME", "MOTO_PYTHON")


def run_job(arguments: Sequence[str], python: str, root: Path, **environment: str) -> Path:
    """Run a job, in an environment without settings of this one.

    Args:
        arguments: What follows the Python: `-m`, a module, its arguments.
        python: A Python with a PySpark; `PYTHON@JAVA_HOME` where it needs another Java.
        root: The job's folder. `logs` in it is emptied before; `driver.out` has what the job prints.
        **environment: More variables.

    Returns:
        The event log.

    Raises:
        RuntimeError: The job failed.
    """
    python, _, java = python.partition("@")
    shutil.rmtree(root / "logs", ignore_errors=True)
    (root / "logs").mkdir(parents=True)
    variables = {key: os.environ[key] for key in _INHERITED if key in os.environ}
    if java:
        variables |= {"JAVA_HOME": java, "PATH": f"{java}/bin:{variables.get('PATH', '')}"}
    variables |= {"PYSPARK_PYTHON": python, "PYTHONDONTWRITEBYTECODE": "1", "SPARK_USER": "etl"}
    variables |= {"SPARK_LOCAL_HOSTNAME": "localhost", **environment}
    with (root / "driver.out").open("w") as output:
        done = subprocess.run([python, *arguments], env=variables, cwd=root, stdout=output, stderr=output, check=False)
    if done.returncode:
        raise RuntimeError(f"the job failed; see {root / 'driver.out'}")
    (written,) = (path for path in (root / "logs").iterdir() if not path.name.startswith("."))
    return written


def counts(line: bytes) -> bool:
    """Return whether a line is one of those that are read."""
    event = line.removeprefix(_BEGIN)
    if event.startswith(b"SparkListenerStageCompleted"):
        return b'"Metadata":"sql"' in line
    return event.startswith(_KEPT) and not event.startswith(_DROPPED)


def publish(written: Path, target: Path, kept: Callable[[bytes], bool] = counts, moved: Sequence[Path] = ()) -> int:
    """Write the lines of a log that count, compressed; return their size in bytes.

    Args:
        written: The event log.
        target: The new log.
        kept: Whether a line counts.
        moved: The folder of the job, and the one that the new log names in its place.
    """
    with written.open("rb") as lines:
        text = b"".join(line for line in lines if kept(line))
    if moved:
        text = text.replace(bytes(moved[0]), bytes(moved[1]))
    target.parent.mkdir(parents=True, exist_ok=True)
    return target.write_bytes(zstandard.ZstdCompressor(level=19).compress(text))
