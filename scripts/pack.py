"""Packs what executors need that have Python and nothing else: this package and what it imports there.

    python scripts/pack.py [--out eventlog-lineage.tar.gz]
    python scripts/pack.py --python 3.11 --platform manylinux2014_x86_64 --out eventlog-lineage.tar.gz

Without --platform the packages are copied as they are installed here: the very ones that the driver has, for
executors of the same kind of machine with the same Python (3.11 here, 3.11 there). With it, pip fetches the wheels for
another one. Then

    eventlog-lineage harvest … --master yarn --pack eventlog-lineage.tar.gz

or, where spark-submit starts Spark,

    spark-submit --archives eventlog-lineage.tar.gz#eventlog_lineage_pack \
        --conf spark.executorEnv.PYTHONPATH=eventlog_lineage_pack … /path/to/eventlog_lineage/__main__.py harvest …
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import eventlog_lineage

NEEDED = ("orjson", "zstandard", "pyarrow")
"""What executors import; Spark's own Python comes with Spark."""

OPTIONAL = ("fsspec", "s3fs", "gcsfs", "adlfs", "hdfs-native")
"""What they import where logs lie in object stores: packed with all they need, if it is installed."""

_USELESS = re.compile(r"(?:^|/)(?:tests?|include|__pycache__)/|\.(?:pyx|pxd|pxi|h|hpp|a|pyc)$|^\.\.")
_NAME = re.compile(r"[\w.-]+")


def main() -> None:
    """Write the archive."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("eventlog-lineage.tar.gz"))
    parser.add_argument("--python", help="the executors' Python: 3.11")
    parser.add_argument("--platform", help="the executors' machines, as pip calls them: manylinux2014_x86_64")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, tarfile.open(arguments.out, "w:gz", compresslevel=1) as archive:
        package = Path(eventlog_lineage.__file__).parent
        files = [(file, f"{package.name}/{file.relative_to(package)}") for file in package.rglob("*") if file.is_file()]
        if arguments.platform:
            files += fetched(Path(folder), arguments.platform, arguments.python)
        else:
            files += installed()
        for file, name in files:
            if not _USELESS.search(name):
                archive.add(file, name, recursive=False)
    print(f"{arguments.out}: {arguments.out.stat().st_size / 1e6:.0f} MB")


def installed() -> list[tuple[Path, str]]:
    """The files of the packages that are installed here, with their names in the archive."""
    waiting = [name for name in (*NEEDED, *OPTIONAL) if name in NEEDED or known(name)]
    packed: dict[str, Distribution] = {}
    while waiting:
        name = waiting.pop()
        found = known(name)
        if found is None or name in packed:
            continue
        packed[name] = found
        plain = (text for text in found.requires or () if "extra ==" not in text)
        waiting += [match[0] for text in plain if (match := _NAME.match(text))]
    return [(Path(str(file.locate())), str(file)) for each in packed.values() for file in each.files or ()]


def known(name: str) -> Distribution | None:
    """An installed package; None if it is not there."""
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def fetched(folder: Path, platform: str, python: str | None) -> Iterator[tuple[Path, str]]:
    """The files of the packages for another machine, from PyPI."""
    call = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder), "--only-binary=:all:"]
    call += ["--platform", platform, *(["--python-version", python] if python else [])]
    subprocess.run([*call, *NEEDED, *(name for name in OPTIONAL if known(name))], check=True)
    yield from ((file, str(file.relative_to(folder))) for file in folder.rglob("*") if file.is_file())


if __name__ == "__main__":
    main()
