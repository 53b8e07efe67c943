"""Why Spark does not start or ends is one line, with advice that fits the cause."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from py4j.protocol import Py4JJavaError, Py4JNetworkError
from pyspark import SparkContext
from pyspark.errors import PySparkException, PySparkRuntimeError

from eventlog_lineage.cli.main import run
from eventlog_lineage.errors import FullFolderError, LineageError, SparkLostError, SparkStartError
from eventlog_lineage.harvest.row_batches import describe_error, internal_error_gap
from eventlog_lineage.harvest.spark.session import find_java, has_java, scratch_folder, spark_context
from eventlog_lineage.harvest.spark.task_failures import remove_kept_logs, reported, start_error

JAVAS = {
    "is killed at once": "kill -9 $$",
    "ends with an error": "echo 'Error: cannot find the class'; exit 1",
    "is too old for this Spark": "echo 'java.lang.UnsupportedClassVersionError: a more recent version'; exit 1",
    "does not know an option": "echo 'Unrecognized VM option UseSomething'; exit 1",
    "finds no space": "echo 'java.io.IOException: No space left on device'; exit 1",
}
ADVICE = {
    "is killed at once": "Spark does not start: its process has ended: killed by signal 9",
    "ends with an error": "Spark does not start: its process has ended: exit code 1",
    "is too old for this Spark": "Spark does not start",
    "does not know an option": "Spark does not start",
    "finds no space": "the temporary folder is full ",
}
VERSION = """case "$*" in
  -version) echo 'openjdk version "17.0.1"' >&2; exit 0;;
  *launcher.Main*) printf '\\0\\n%s\\0' "$0"; exit 0;;
esac"""
OLD = ("is too old for this Spark", "does not know an option")


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


@pytest.fixture
def java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Java that prints its version, and Spark's command as Spark's launcher does, and nothing else."""
    program = tmp_path / "java" / "bin" / "java"
    program.parent.mkdir(parents=True)
    monkeypatch.setenv("JAVA_HOME", str(program.parent.parent))
    monkeypatch.delenv("SPARK_SUBMIT_OPTS", raising=False)
    return program


@pytest.mark.parametrize("how", JAVAS)
def test_a_java_that_does_not_start_spark_is_one_line_with_the_cause(
    java: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], how: str
) -> None:
    java.write_text(f"#!/bin/sh\n{VERSION}\n{JAVAS[how]}\n")
    java.chmod(0o755)
    monkeypatch.setattr(SparkContext, "_active_spark_context", None)
    monkeypatch.setattr(SparkContext, "_gateway", None)
    (tmp_path / "log").write_text('{"Event":"SparkListenerLogStart","Spark Version":"3.5.9"}\n')
    assert run(["harvest", str(tmp_path / "log"), "--store", str(tmp_path / "store")]) == 1
    (line,) = [line for line in capsys.readouterr().err.splitlines() if line]
    assert line.startswith(f"Error: {ADVICE[how]}")
    assert ("install Java" in line) == (how in OLD)


def test_there_is_advice_to_install_java_where_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SparkContext, "_active_spark_context", None)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(SparkStartError, match=r"there is no Java .*install Java 17"), spark_context(None, {}, "test"):
        pass


def test_an_error_that_is_not_javas_gives_no_advice_about_java(tmp_path: Path) -> None:
    for error in (ValueError("no such setting"), PySparkRuntimeError("a master is needed"), OSError("no permission")):
        assert "install" not in str(start_error(error, tmp_path / "spark.log"))


@pytest.mark.spark
def test_a_spark_that_is_killed_while_it_is_used_is_one_line(tmp_path: Path) -> None:
    script = (
        "import os, sys, time\n"
        "from eventlog_lineage.cli.main import commands, run\n"
        "from eventlog_lineage.harvest import job\n"
        "def killed(spark, *_):\n"
        "    os.kill(spark._gateway.proc.pid, 9)\n"
        "    return spark.parallelize([1], 1).map(str).collect()\n"
        "job.run_job = killed\n"
        "sys.exit(run(sys.argv[1:]))\n"
    )
    (tmp_path / "log").write_text('{"Event":"SparkListenerLogStart","Spark Version":"3.5.9"}\n')
    words = ["harvest", str(tmp_path / "log"), "--store", str(tmp_path / "store"), "--master", "local[1]"]
    paths = os.pathsep.join(filter(None, sys.path))
    ran = subprocess.run(
        [sys.executable, "-c", script, *words],
        env=os.environ | {"PYTHONPATH": paths, "TMPDIR": str(tmp_path / "temporary")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    (line,) = ran.stderr.splitlines()
    assert line.startswith(f"Error: Spark's process has ended: killed by signal {int(signal.SIGKILL)}")
    (kept,) = (tmp_path / "temporary").iterdir()
    assert str(kept) in line


class TextlessError(Py4JJavaError):
    """An error of Java whose process has ended since: Py4J has no text of it."""

    def __init__(self) -> None:
        Exception.__init__(self)

    def __str__(self) -> str:
        raise Py4JNetworkError("Answer from Java side is empty")


def test_an_error_of_a_spark_that_is_gone_before_its_text_is_read_is_one_line() -> None:
    with subprocess.Popen([sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"]) as gone:
        context = SimpleNamespace(_gateway=SimpleNamespace(proc=gone))
        with (
            pytest.raises(SparkLostError, match="Spark's process has ended: killed by signal 9"),
            reported(
                context,  # type: ignore[arg-type]
                None,
            ),
        ):
            raise TextlessError


def test_an_error_that_pyspark_raises_in_place_of_javas_names_the_full_folder(temporary: Path) -> None:
    """As it does in a process that has had a `SparkSession`."""
    context = SimpleNamespace(_gateway=None)
    with pytest.raises(FullFolderError, match="the temporary folder is full"), reported(context, None):  # type: ignore[arg-type]
        raise PySparkException(f"An exception was thrown from the Python worker: OSError: {os.strerror(errno.ENOSPC)}")


def test_a_python_that_spark_cannot_run_is_named() -> None:
    text = 'java.io.IOException: Cannot run program "/opt/py": error=13, Permission denied'
    context = SimpleNamespace(_gateway=None)
    with pytest.raises(SparkStartError) as raised, reported(context, None):  # type: ignore[arg-type]
        raise PySparkException(text)
    assert str(raised.value).startswith("Spark cannot run /opt/py: Permission denied; set PYSPARK_PYTHON")


def test_a_java_that_may_not_be_run_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("no program")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(SparkStartError, match=f"Spark cannot run {java}: Permission denied; set JAVA_HOME"):
        find_java()


def test_the_java_of_an_earlier_spark_is_used_unless_it_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as java:
        monkeypatch.setattr(SparkContext, "_gateway", SimpleNamespace(proc=java))
        monkeypatch.setattr(SparkContext, "_jvm", None)
        assert has_java()
        java.kill()
        java.wait()
        assert not has_java()
        assert SparkContext._gateway is None


@pytest.mark.spark
def test_a_worker_without_space_names_the_temporary_folder(spark: SparkContext, temporary: Path) -> None:
    def full(_: int) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(FullFolderError) as caught, spark_context(None, {}, "test") as running:
        running.parallelize([1], 1).map(full).collect()
    assert str(caught.value).startswith(f"the temporary folder is full ({temporary}")
    assert "set TMPDIR" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_log_for_which_there_is_no_space_names_the_temporary_folder(temporary: Path) -> None:
    error = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    gap = internal_error_gap("/logs/x", error)
    assert describe_error(error).startswith(f"the temporary folder is full ({temporary}")
    assert str(temporary) in gap.detail
    assert gap.hint.startswith("make space there, or set TMPDIR")


def test_a_temporary_folder_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = tmp_path / "unmounted"
    monkeypatch.setattr("tempfile.tempdir", str(missing))
    with pytest.raises(LineageError, match=f"temporary folder cannot be used.*{missing}.*TMPDIR"), scratch_folder():
        pass


def test_logs_of_failed_sparks_are_removed_after_an_hour(temporary: Path) -> None:
    names = ("eventlog-lineage-spark-1.log", "eventlog-lineage-spark-2.log", "other.log")
    old, new, other = (temporary / name for name in names)
    for path in (old, new, other):
        path.write_text("")
    for path in (old, other):
        os.utime(path, (time.time() - 4000, time.time() - 4000))
    remove_kept_logs()
    assert sorted(temporary.iterdir()) == [new, other]
