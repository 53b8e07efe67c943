"""Run a job on a real Spark and publish its event log, slimmed to the lines that are read."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
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
SETTINGS = {
    "spark.eventLog.enabled": "true",
    "spark.eventLog.compress": "false",
    "spark.eventLog.rolling.enabled": "false",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
}
"""The settings of all sessions, with a log of plain text."""
_BEGIN = b'{"Event":"'
_INHERITED = ("PATH", "JAVA_HOME", "LANG", "HOME", "MOTO_PYTHON")


def options(settings: Mapping[str, str]) -> str:
    """Return settings as options of `spark-submit`."""
    return shlex.join(word for key, value in settings.items() for word in ("--conf", f"{key}={value}"))


def run_job(arguments: Sequence[str], python: str, root: Path, submit: str = "", **environment: str) -> Path:
    """Run a job, in an environment without settings of this one; its session writes a log and a warehouse below `root`.

    Args:
        arguments: What follows the Python: `-m`, a module, its arguments.
        python: A Python with a PySpark; `PYTHON@JAVA_HOME` where it needs another Java.
        root: The job's folder. `logs` in it is emptied before; `driver.out` has what the job prints.
        submit: Further options of `spark-submit`.
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
    places = {"spark.eventLog.dir": f"file://{root}/logs", "spark.sql.warehouse.dir": f"{root}/warehouse"}
    variables |= {"PYSPARK_SUBMIT_ARGS": f"{options(SETTINGS | places)} {submit} pyspark-shell"}
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
