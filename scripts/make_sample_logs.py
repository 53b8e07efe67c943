"""Make tests/sample_logs: event logs of a small warehouse's jobs, run on real Sparks.

One command makes them all anew (about five minutes; Java 17 and a network for pip are needed):

    python scripts/make_sample_logs.py

It creates a virtual environment for each Spark below `.sparks/`, unless told where one is:

    python scripts/make_sample_logs.py --python 3.3=/opt/spark33/bin/python --python 4.3=/opt/spark43/bin/python

`--only NAME` makes one log (`nightly-sales-3-5`, `hourly-clicks-4-0` …). The jobs are in
`scripts/sample_warehouse/`. They run one after the other in /tmp/sample_warehouse, which is removed
before and after; paths in the logs are therefore the same on every machine. What the logs must show
is written by hand in tests/sample_logs/*.truth.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import zstandard

_SCRIPTS = Path(__file__).resolve().parent
_TARGET = _SCRIPTS.parent / "tests" / "sample_logs"
_SPARKS = _SCRIPTS.parent / ".sparks"
_ROOT = Path("/tmp/sample_warehouse")
_KILL_ATTEMPTS = 5


@dataclass(frozen=True)
class Spark:
    """A Spark release, what pip installs for it, and the Pythons it runs on, the best first."""

    release: str
    packages: tuple[str, ...]
    pythons: tuple[str, ...]


@dataclass(frozen=True)
class Log:
    """A log to make.

    Attributes:
        name: The application id where Spark lets us choose it (4.0+), and the stem of the log's name.
        spark: The key of `_RELEASES`.
        app_name: The application's name.
        run_date: The business date; empty for the hourly job.
        thorough: Run all statements, not only those that every version runs.
        kill: Kill the driver in the middle of its last statement.
        conf: Settings that give the log its layout.
    """

    name: str
    spark: str
    app_name: str
    run_date: str
    thorough: bool
    kill: bool
    conf: dict[str, str]


_RELEASES = {
    "3.3": Spark("3.3.4", ("pandas<2", "pyarrow<13", "numpy<1.25"), ("python3.10", "python3.9")),
    "3.5": Spark("3.5.9", ("pandas<2.3", "pyarrow<20", "numpy<2"), ("python3.11", "python3.10")),
    "4.0": Spark("4.0.5", ("pandas<3", "pyarrow", "numpy"), ("python3.11", "python3.12", "python3.10")),
    "4.3": Spark("4.3.0", ("pandas<3", "pyarrow", "numpy"), ("python3.12", "python3.11", "python3.13")),
}

_SMALL = {"spark.io.compression.zstd.level": "9"}

# 3.x writes one plain file and 4.x a rolling zstd folder unless told otherwise; 2m is the smallest part 4.3 allows.
_LOGS = [
    Log("nightly-sales-3-3", "3.3", "nightly-sales 2026-11-17", "2026-11-17", False, False, {}),
    Log(
        "nightly-sales-3-5",
        "3.5",
        "nightly-sales 2026-11-18",
        "2026-11-18",
        True,
        False,
        {"spark.eventLog.compress": "true", **_SMALL},
    ),
    Log(
        "nightly-sales-4-0",
        "4.0",
        "nightly-sales 2026-11-19",
        "2026-11-19",
        False,
        False,
        {"spark.sql.adaptive.enabled": "false", **_SMALL},
    ),
    Log(
        "nightly-sales-4-3",
        "4.3",
        "nightly-sales 2026-11-20",
        "2026-11-20",
        True,
        False,
        {"spark.eventLog.rolling.maxFileSize": "2m", **_SMALL},
    ),
    Log(
        "hourly-clicks-4-0",
        "4.0",
        "hourly-clicks 2026-11-20 14:00",
        "",
        False,
        True,
        {
            "spark.eventLog.rolling.enabled": "false",
            "spark.eventLog.buffer.kb": "1",
            "spark.io.compression.zstd.bufferSize": "1k",
            "spark.sql.files.minPartitionNum": "200",
        },
    ),
]


def main() -> int:
    """Make the logs that the command line asks for; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--python", action="append", default=[], metavar="SPARK=PATH", help="a Python with that PySpark"
    )
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="make this log only; repeatable")
    arguments = parser.parse_args()
    given = dict(item.split("=", 1) for item in arguments.python)
    unknown = (set(given) - set(_RELEASES)) | (set(arguments.only) - {log.name for log in _LOGS})
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    for log in _LOGS:
        if arguments.only and log.name not in arguments.only:
            continue
        python = Path(given[log.spark]) if log.spark in given else _virtual_environment(_RELEASES[log.spark])
        path = make_log(log, python)
        print(f"{path.relative_to(_TARGET.parent.parent)}: {_size(path):,} bytes", flush=True)
    return 0


def make_log(log: Log, python: Path) -> Path:
    """Run the log's job on that Python's PySpark and put the log into tests/sample_logs.

    Returns:
        The log's new path: a file, or the folder of a rolling log.

    Raises:
        RuntimeError: The job failed, or the driver could not be killed in the middle of a line.
    """
    for _ in range(_KILL_ATTEMPTS if log.kill else 1):
        _clean_working_folder(python)
        command = _command(log, python)
        written = _run_and_kill(command, python) if log.kill else _run(command, python)
        if written is not None:
            target = _publish(log, written)
            shutil.rmtree(_ROOT)
            return target
    raise RuntimeError(f"{log.name}: in {_KILL_ATTEMPTS} attempts the driver never died in the middle of a line")


def _command(log: Log, python: Path) -> list[str]:
    job = "hourly.py" if log.kill else "nightly.py"
    command = [str(python), str(_ROOT / "job" / "sample_warehouse" / job), log.app_name]
    if log.run_date:
        command.append(log.run_date)
    if log.thorough:
        command.append("--thorough")
    # spark.test.appId names the application in local mode from 4.0 on (LocalSchedulerBackend); 3.x ignores it
    for key, value in {"spark.test.appId": log.name, **log.conf}.items():
        command += ["--conf", f"{key}={value}"]
    return command


def _clean_working_folder(python: Path) -> None:
    """Empty the working folder; in it Spark is found by a link, so that no path of this machine enters the log."""
    shutil.rmtree(_ROOT, ignore_errors=True)
    (_ROOT / "logs").mkdir(parents=True)
    shutil.copytree(
        _SCRIPTS / "sample_warehouse", _ROOT / "job" / "sample_warehouse", ignore=shutil.ignore_patterns("__pycache__")
    )
    ask = "import pathlib, pyspark; print(pathlib.Path(pyspark.__file__).parent)"
    installed = subprocess.run([python, "-c", ask], check=True, capture_output=True, text=True).stdout.strip()
    (_ROOT / "spark").symlink_to(installed)


def _environment(python: Path) -> dict[str, str]:
    kept = {key: os.environ[key] for key in ("PATH", "JAVA_HOME", "LANG") if key in os.environ}
    return {
        **kept,
        "HOME": str(_ROOT),
        "SPARK_HOME": str(_ROOT / "spark"),
        "SPARK_USER": "etl",
        "SPARK_LOCAL_HOSTNAME": "localhost",
        "PYSPARK_PYTHON": str(python),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def _run(command: list[str], python: Path) -> Path:
    """Run the job to its end; returns the log's path in the working folder."""
    with (_ROOT / "driver.out").open("w") as output:
        done = subprocess.run(command, env=_environment(python), cwd=_ROOT, stdout=output, stderr=output, check=False)
    if done.returncode:
        raise RuntimeError(f"the job failed; see {_ROOT / 'driver.out'}")
    return _written_log()


def _run_and_kill(command: list[str], python: Path) -> Path | None:
    """Run the job, kill -9 driver and JVM while the last statement's tasks run.

    Returns:
        The log's path in the working folder, or None if its last line happened to be whole.
    """
    with (_ROOT / "driver.out").open("w") as output:
        driver = subprocess.Popen(
            command, env=_environment(python), cwd=_ROOT, stdout=output, stderr=output, start_new_session=True
        )
    try:
        while driver.poll() is None:
            time.sleep(0.05)
            if _last_statement_runs():
                break
        else:
            raise RuntimeError(f"the job ended before it could be killed; see {_ROOT / 'driver.out'}")
    finally:
        if driver.poll() is None:
            os.killpg(driver.pid, signal.SIGKILL)  # the session that was started above, and nothing else
            driver.wait()
    written = _written_log()
    text = _decoded(written)
    return written if text and not text.endswith(b"\n") else None


def _last_statement_runs() -> bool:
    """Is the log cut in the middle of a line, and did the last statement's tasks begin to end?"""
    if not any((_ROOT / "logs").iterdir()):
        return False
    text = _decoded(_written_log())
    begin = text.find(b'"description":"hour: page_speed"')
    return begin >= 0 and text.count(b'"SparkListenerTaskEnd"', begin) > 20 and not text.endswith(b"\n")


def _written_log() -> Path:
    """The one log in the working folder."""
    (written,) = (path for path in (_ROOT / "logs").iterdir() if not path.name.startswith("."))
    return written


def _decoded(path: Path) -> bytes:
    """The text of a zstd log as far as it goes: Spark writes one frame per flush, a killed one leaves the last cut."""
    rest, parts = path.read_bytes(), []
    while rest:
        frame = zstandard.ZstdDecompressor().decompressobj()
        parts.append(frame.decompress(rest))
        if not frame.eof:
            break
        rest = frame.unused_data
    return b"".join(parts)


def _publish(log: Log, written: Path) -> Path:
    """Copy the log to tests/sample_logs in place of an older one; only single files of Spark 3.x need a new name."""
    _TARGET.mkdir(parents=True, exist_ok=True)
    for old in [*_TARGET.glob(f"{log.name}*"), *_TARGET.glob(f"eventlog_v2_{log.name}")]:
        if old.is_dir():
            shutil.rmtree(old)
        else:
            old.unlink()
    if written.is_dir():
        target = _TARGET / written.name
        shutil.copytree(written, target)
        return target
    target = _TARGET / ".".join([log.name, *written.name.split(".")[1:]])
    shutil.copyfile(written, target)
    return target


def _size(path: Path) -> int:
    files = path.iterdir() if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files)


def _virtual_environment(spark: Spark) -> Path:
    """The Python of a virtual environment with that PySpark below `.sparks/`, made when it is missing."""
    folder = _SPARKS / spark.release
    python = folder / "bin" / "python"
    if (folder / ".ready").exists():
        return python
    found = [path for path in map(shutil.which, spark.pythons) if path]
    if not found:
        wanted = " or ".join(spark.pythons)
        key = spark.release[:3]
        raise RuntimeError(f"Spark {spark.release} wants {wanted}; install one, or give --python {key}=PATH")
    subprocess.run([found[0], "-m", "venv", "--clear", folder], check=True)
    pip = [str(python), "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, "setuptools<70", "wheel"], check=True)
    subprocess.run([*pip, "--no-build-isolation", f"pyspark=={spark.release}", *spark.packages], check=True)
    (folder / ".ready").touch()
    return python


if __name__ == "__main__":
    sys.exit(main())
