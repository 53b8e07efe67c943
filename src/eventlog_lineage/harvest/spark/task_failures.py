"""Describe in one line why Spark did not start or ended, with a hint for the cause."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from py4j.protocol import Py4JError, Py4JJavaError

from eventlog_lineage.errors import FullFolderError, SparkLostError, SparkStartError
from eventlog_lineage.harvest.row_batches import full_folder, is_full

if TYPE_CHECKING:
    from pyspark import SparkContext

INSTALL = "install Java 17, for instance `apt-get install openjdk-17-jre-headless`, and set JAVA_HOME"
_LOOK = "Java runs: see that log, and the executors' logs if their start fails"
_MEMORY = "if the machine was short of memory, give less to spark.driver.memory or more to the machine"

_TOO_OLD = re.compile(r"UnsupportedClassVersionError|Unrecognized (?:VM )?option|Could not create the Java Virtual")
"""What a Java prints that is too old for this Spark or its options (HotSpot 8 to 21)."""

_NOT_RUN = re.compile(
    r"Cannot run program \"(?P<program>[^\"\n]{1,4096})\".{0,4200}?error=\d{1,3}, (?P<reason>[A-Z][\w ]{2,80})"
)
"""What Java reports about a program that it cannot start (`ProcessBuilder.start`, Java 8 to 21)."""

_SHELL = 128
"""What a shell, such as `bin/spark-class`, adds to the signal that has killed a program."""

_LAST_SECONDS = 5
"""How long a process may take to end after its sockets are closed."""

_LOG_PREFIX = "eventlog-lineage-spark-"
_LOG_AGE = 3600
"""Seconds for which the log of a Spark that failed is kept."""


@contextmanager
def reported(context: SparkContext, folder: Path | None, log: Path | None = None) -> Iterator[None]:
    """Turn the end of Spark's process, and a full disk, into errors of one line.

    Raises:
        SparkLostError: Spark's process has ended.
        FullFolderError: A temporary folder is full.
        SparkStartError: Executors cannot run their Python.
    """
    from pyspark.errors import PySparkException  # noqa: PLC0415 - workers import this module before they are forked

    try:
        yield
    except (Py4JError, PySparkException, ConnectionError, SparkLostError) as error:
        # Once a process has had a `SparkSession`, PySpark raises errors of its own in place of most `Py4JJavaError`s
        # (`install_exception_handler` of pyspark.errors.exceptions.captured, 3.4 to 4.3), for every context
        if isinstance(error, (Py4JJavaError, PySparkException)) and _has_text(error):
            if is_full(error):
                raise full_folder(folder) from error
            if failed := _NOT_RUN.search(str(error)):
                raise not_run(
                    failed["program"], failed["reason"], "PYSPARK_PYTHON, or spark.pyspark.python,"
                ) from error
            raise
        code = _exit_code(getattr(context._gateway, "proc", None))
        if code is None:
            raise
        raise SparkLostError(f"Spark's process has ended: {_how(code)}", _see(log), _MEMORY) from error


def _has_text(error: Exception) -> bool:
    """Return whether Spark's process still has the text of its error, which Py4J requests for each `str`."""
    try:
        return bool(str(error))
    except (Py4JError, OSError):
        return False


def start_error(error: Exception, log: Path) -> SparkStartError | FullFolderError:
    """Return the error to report for a Spark that does not start."""
    process = _launched(error.__traceback__)
    if process is not None and process.stdin is not None:
        process.stdin.close()
    printed = log.read_text(errors="replace") if log.exists() else ""
    if is_full(error, printed):
        return full_folder(log.parent.parent)
    if isinstance(error, OSError) and error.filename and error.strerror:
        return not_run(os.fsdecode(error.filename), error.strerror, "JAVA_HOME, or SPARK_HOME,")
    reason, hint = _reason_of(error, process, printed)
    return SparkStartError(f"Spark does not start: {reason}", _see(log), hint)


def _reason_of(error: Exception, process: Any, printed: str) -> tuple[str, str]:
    """Return why Spark does not start, by what its process has printed or how it has ended, and a hint."""
    message = " ".join(str(error).split())[:300]
    if isinstance(error, Py4JJavaError):
        return message, _LOOK
    if _TOO_OLD.search(printed):
        return message, INSTALL
    code = _exit_code(process)
    return (message, "see that log") if code is None else (f"its process has ended: {_how(code)}", _advice(code))


def not_run(program: str, reason: str, setting: str) -> SparkStartError:
    """Return the error for a program that cannot be started."""
    hint = f"set {setting} to one that every machine of Spark has and may execute"
    return SparkStartError(f"Spark cannot run {program}: {reason}", "", hint)


def remove_kept_logs() -> None:
    """Remove the logs that Sparks left which failed more than an hour ago."""
    for path in Path(tempfile.gettempdir()).glob(f"{_LOG_PREFIX}*.log"):
        with suppress(OSError):
            status = path.lstat()
            if status.st_uid == os.getuid() and time.time() - status.st_mtime > _LOG_AGE:
                path.unlink()


def _see(log: Path | None) -> str:
    """Copy Spark's log to a file that stays for a while, and return where it is; empty if there is none."""
    if log is None or not log.exists():
        return ""
    try:
        handle, kept = tempfile.mkstemp(prefix=_LOG_PREFIX, suffix=".log")
        with os.fdopen(handle, "wb") as copy:
            copy.write(log.read_bytes())
    except OSError:
        return ""
    return f"its log is {kept}"


def _advice(code: int) -> str:
    return _MEMORY if code < 0 or code > _SHELL else "see that log"


def _how(code: int) -> str:
    number = -code if code < 0 else code - _SHELL
    return f"killed by signal {number}" if number > 0 else f"exit code {code}"


def _exit_code(process: Any) -> int | None:
    """Return the exit code of Spark's process; None if it runs, or is not a child of this process."""
    try:
        code: int = process.wait(_LAST_SECONDS)
    except (AttributeError, subprocess.TimeoutExpired):
        return None
    return code


def _launched(traceback: TracebackType | None) -> subprocess.Popen[bytes] | None:
    """Return the process that PySpark's `launch_gateway` has started and then given up.

    The error that it raises (`JAVA_GATEWAY_EXITED`, all versions) does not show how the process ended.
    """
    while traceback is not None:
        found = traceback.tb_frame.f_locals.get("proc")
        if isinstance(found, subprocess.Popen):
            return found
        traceback = traceback.tb_next
    return None
