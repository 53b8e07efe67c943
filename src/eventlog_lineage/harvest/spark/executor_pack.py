"""The archive for executors that have Python and nothing else: this package and what it imports there."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import eventlog_lineage
from eventlog_lineage.errors import LineageError
from eventlog_lineage.output_file import replaced

NEEDED = ("orjson", "zstandard", "pyarrow")
"""What executors import; Spark's own Python comes with Spark."""

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
    try:
        with replaced(out) as written, tempfile.TemporaryDirectory(prefix="eventlog-lineage-") as folder:
            files = list(_fetched(Path(folder), platform, python) if platform else _installed())
            with tarfile.open(written, "w:gz", compresslevel=1) as archive:
                for file, name in (*_own_files(), *files):
                    if not _UNUSED.search(name):
                        archive.add(file, name, recursive=False)
    except OSError as error:
        raise LineageError(f"cannot write the archive: {error.strerror}", str(out), "check the path") from None


def _own_files() -> Iterator[tuple[Path, str]]:
    package = Path(eventlog_lineage.__file__).parent
    for file in sorted(package.rglob("*")):
        if file.is_file():
            yield file, f"{package.name}/{file.relative_to(package)}"


def _installed() -> Iterator[tuple[Path, str]]:
    """Yield the files of the packages that are installed here, with their names in the archive."""
    if missing := [name for name in NEEDED if _distribution(name) is None]:
        raise LineageError(f"{', '.join(missing)} is not installed", hint="install it with pip, or use --platform")
    waiting = [*NEEDED, *OPTIONAL]
    packed: dict[str, Distribution] = {}
    while waiting:
        name = waiting.pop()
        found = _distribution(name)
        if found is None or name in packed:
            continue
        packed[name] = found
        plain = (text for text in found.requires or () if "extra ==" not in text)
        waiting += [match[0] for text in plain if (match := _NAME.match(text))]
    for each in packed.values():
        yield from ((Path(str(file.locate())), str(file)) for file in each.files or ())


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
