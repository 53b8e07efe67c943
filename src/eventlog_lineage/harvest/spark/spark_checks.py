"""Check Java and Spark for `doctor`, and write the archive that executors need."""

from __future__ import annotations

import importlib
import os
import platform
import re
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Iterator, Mapping
from importlib.metadata import Distribution, PackageNotFoundError, distribution, version
from pathlib import Path

import pyspark
from py4j.protocol import Py4JError

import eventlog_lineage
from eventlog_lineage.errors import LineageError, os_errors_as
from eventlog_lineage.model import Check
from eventlog_lineage.safe_text import replaced, temporary_folder

from .session import check_java, spark_context

NEEDED = ("orjson", "zstandard", "pyarrow")
"""What executors import; Spark's own Python comes with Spark."""

_CORE = re.compile(r"spark-core_[\d.]+-(\d+\.\d+)[\w.-]*\.jar")
_SECONDS = 120
_SKEW_SECONDS = 5.0
_LONGEST = 300

Probe = tuple[str, tuple[tuple[str, str], ...], float]
"""An executor's Python, the versions of its packages (empty if missing), and its clock."""


def check_java_version() -> Check:
    """Return the line about Java."""
    try:
        java, major = check_java()
    except LineageError as error:
        return Check("java", "failed", f"{error.what} ({error.where})", error.hint)
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
    missing = [name for name in NEEDED if not packages.get(name)]
    if missing:
        hint = "install them where executors run, or give them a pack: harvest --pack"
        return Check("executors", "failed", f"Python {python} without {', '.join(missing)}", hint)
    listed = ", ".join(f"{name} {packages[name]}" for name in NEEDED)
    if python.split(".")[:2] != platform.python_version().split(".")[:2]:
        hint = "set PYSPARK_PYTHON to a Python of the driver's minor version"
        return Check("executors", "failed", f"Python {python}, the driver {platform.python_version()}", hint)
    return Check("executors", "ok", f"Python {python}, {listed}")


def _probe(_: int) -> Probe:
    return platform.python_version(), tuple((name, _version(name)) for name in NEEDED), time.time()


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


OPTIONAL = ("fsspec", "s3fs", "gcsfs", "adlfs", "hdfs-native")
"""What they import where logs are in object stores: packed with its dependencies, if it is installed."""

_UNUSED = re.compile(r"(?:^|/)(?:tests?|include|__pycache__)/|\.(?:pyx|pxd|pxi|h|hpp|a|pyc)$|^\.\.")
_NAME = re.compile(r"[\w.-]+")


def write_pack(out: Path, platform: str = "", python: str = "") -> None:
    """Write the archive.

    Args:
        out: The file, `.tar.gz`; it is replaced as a whole, or left as it is.
        platform: The executors' machines, as pip names them (`manylinux2014_x86_64`). Empty for machines like this one:
            the packages are then copied as they are installed here.
        python: The executors' Python (`3.11`), with `platform`; empty for this one's.

    Raises:
        LineageError: A package is missing, pip cannot fetch one, or the file cannot be written.
    """
    with (
        os_errors_as(LineageError, "cannot write the archive", out, "check the path"),
        replaced(out) as written,
        temporary_folder() as folder,
    ):
        files = list(_fetched(folder, platform, python) if platform else _installed())
        package = Path(eventlog_lineage.__file__).parent
        own = [(file, str(file.relative_to(package.parent))) for file in sorted(package.rglob("*")) if file.is_file()]
        with tarfile.open(written, "w:gz", compresslevel=1) as archive:
            for file, name in (*own, *files):
                if not _UNUSED.search(name):
                    archive.add(file, name, recursive=False)


def _installed() -> Iterator[tuple[Path, str]]:
    """Yield the files of the packages that are installed here, with their names in the archive."""
    if missing := [name for name in NEEDED if _distribution(name) is None]:
        raise LineageError(f"{', '.join(missing)} is not installed", hint="install it with pip, or use --platform")
    waiting, packed = [*NEEDED, *OPTIONAL], set()
    while waiting:
        name = waiting.pop()
        found = _distribution(name)
        if found is not None and name not in packed:
            packed.add(name)
            waiting += _required(found)
            yield from ((Path(str(file.locate())), str(file)) for file in found.files or ())


def _required(found: Distribution) -> list[str]:
    plain = (text for text in found.requires or () if "extra ==" not in text)
    return [match[0] for text in plain if (match := _NAME.match(text))]


def _distribution(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def _fetched(folder: Path, platform: str, python: str) -> Iterator[tuple[Path, str]]:
    """Yield the files of the packages for other machines, which pip fetches from its index."""
    call = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder), "--only-binary=:all:"]
    call += ["--platform", platform, *(["--python-version", python] if python else [])]
    call += [*NEEDED, *(name for name in OPTIONAL if _distribution(name))]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if line.strip()] or ["no message"]
        raise LineageError(f"pip cannot fetch the packages for {platform}: {errors[-1]}", hint="check the platform")
    yield from ((file, str(file.relative_to(folder))) for file in sorted(folder.rglob("*")) if file.is_file())
