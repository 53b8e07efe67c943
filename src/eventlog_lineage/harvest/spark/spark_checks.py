"""Check Java and Spark for `doctor`: versions, a start, and what executors have."""

from __future__ import annotations

import importlib
import os
import platform
import re
import threading
import time
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pyspark
from py4j.protocol import Py4JError

from eventlog_lineage.errors import LineageError
from eventlog_lineage.harvest.spark.session import check_java, find_java, spark_context
from eventlog_lineage.model import Check

_NEEDED = ("orjson", "zstandard", "pyarrow")
"""What executors import."""
_CORE = re.compile(r"spark-core_[\d.]+-(\d+\.\d+)[\w.-]*\.jar")
_SECONDS = 120
_SKEW_SECONDS = 5.0
_LONGEST = 300

Probe = tuple[str, tuple[tuple[str, str], ...], float]
"""An executor's Python, the versions of its packages (empty if missing), and its clock."""


def check_java_version(master: str | None) -> Check:
    """Return the line about Java.

    Args:
        master: Spark's master; None for the configured one.
    """
    try:
        check_java(master or "")
    except LineageError as error:
        return Check("java", "failed", f"{error.what} ({error.where})", error.hint)
    java, major = find_java()
    return Check("java", "ok", f"Java {major} ({java})")


def check_spark_version() -> Check:
    """Return the line about PySpark, and about a SPARK_HOME of another version."""
    installed = pyspark.__version__
    home = os.environ.get("SPARK_HOME")
    if home:
        cores = [
            match[1] for jar in Path(home, "jars").glob("spark-core_*.jar") if (match := _CORE.fullmatch(jar.name))
        ]
        if not cores:
            hint = "unset SPARK_HOME, or let it name a Spark's folder, with jars/"
            return Check("pyspark", "failed", f"SPARK_HOME={home} has no Spark", hint)
        if ".".join(installed.split(".")[:2]) != cores[0]:
            hint = f"unset SPARK_HOME, or install pyspark=={cores[0]}.*, or use {home}/bin/spark-submit"
            return Check("pyspark", "failed", f"PySpark {installed}, but SPARK_HOME={home} is Spark {cores[0]}", hint)
    major, minor = (int(part) for part in installed.split(".")[:2])
    detail = f"PySpark {installed}, Python {platform.python_version()}"
    if not (3, 4) <= (major, minor) < (5, 0):
        return Check("pyspark", "warning", f"{detail}: not tested", "the harvest runs on PySpark 3.4 to 4.x")
    return Check("pyspark", "ok", detail)


def check_spark_start(master: str | None, settings: Mapping[str, str], pack: str | None) -> Iterator[Check]:
    """Start Spark and yield the lines about its executors.

    Args:
        master: Spark's master; None for the configured one.
        pack: The archive for executors; None if they have all but this package.

    Raises:
        LineageError: Spark does not start.
    """
    began = time.monotonic()
    with spark_context(master, settings, "eventlog-lineage doctor", pack) as context:
        waiting = threading.Timer(_SECONDS, context.cancelAllJobs)
        waiting.daemon = True
        waiting.start()
        before = time.time()
        try:
            ((python, packages, clock),) = context.parallelize([0], 1).map(_probe).collect()
        except Py4JError as error:
            hint = "see Spark's log and the executors' logs; --pack gives executors what they lack"
            yield Check("spark", "failed", f"no executor answers on {context.master}: {_cause(str(error))}", hint)
            return
        finally:
            waiting.cancel()
        after = time.time()
        detail = f"Spark {context.version} on {context.master} answers after {time.monotonic() - began:.0f} s"
    yield Check("spark", "ok", detail)
    yield _executors(python, dict(packages))
    skew = max(before - clock, clock - after, 0.0)
    if skew > _SKEW_SECONDS:
        yield Check("clock of executors", "warning", f"differs by {skew:.0f} s", "set the clocks of the machines (NTP)")


def _executors(python: str, packages: Mapping[str, str]) -> Check:
    missing = [name for name in _NEEDED if not packages.get(name)]
    if missing:
        hint = "install them where executors run, or give them a pack: harvest --pack"
        return Check("executors", "failed", f"Python {python} without {', '.join(missing)}", hint)
    listed = ", ".join(f"{name} {packages[name]}" for name in _NEEDED)
    if python.split(".")[:2] != platform.python_version().split(".")[:2]:
        hint = "set PYSPARK_PYTHON to a Python of the driver's minor version"
        return Check("executors", "failed", f"Python {python}, the driver {platform.python_version()}", hint)
    return Check("executors", "ok", f"Python {python}, {listed}")


def _probe(_: int) -> Probe:
    return platform.python_version(), tuple((name, _version(name)) for name in _NEEDED), time.time()


def _version(name: str) -> str:
    try:
        module = importlib.import_module(name)
    except ImportError:
        return ""
    try:
        return str(getattr(module, "__version__", "") or version(name))
    except PackageNotFoundError:
        return "installed"


def _cause(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    named = [line for line in lines if "Error" in line or "Exception" in line or "cancelled" in line]
    return " ".join((named or lines or ["no message"])[-1].split())[:_LONGEST]
