"""Make tests/night_logs: a shop's nights, played on real Sparks, one application a night, and slimmed.

About six minutes; Java 17 is needed, and Iceberg's jar for each Spark:

    python scripts/make_nights.py --python 3.5=/opt/spark35/bin/python --python 4.1=/opt/spark41/bin/python \
        --jar 3.5=iceberg-spark-runtime-3.5_2.12-1.11.0.jar --jar 4.1=iceberg-spark-runtime-4.1_2.13-1.11.0.jar

The nights share a warehouse, a metastore and a lake below /tmp/nightly_shop, so they are played all of them and in
order. What they do is in `scripts/nights/`; what a store must tell of them is written by hand in
tests/night_logs/nights.truth.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from spark_logs import publish, run_job

_SCRIPTS = Path(__file__).resolve().parent
_TARGET = _SCRIPTS.parent / "tests" / "night_logs"
_ROOT = Path("/tmp/nightly_shop")

NIGHTS = {
    "01": "3.5",
    "02": "3.5",
    "03": "3.5",
    "04": "4.1",
    "05": "4.1",
    "06": "4.1",
    "07": "4.1",
    "07b": "4.1",
    "08": "4.1",
    "09": "4.1",
    "10": "4.1",
    "11": "4.1",
    "12": "3.5",
}
"""Night to the Spark that it is played on; `07b` plays the seventh again after it broke."""


def main() -> int:
    """Plays all nights; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", action="append", required=True, metavar="SPARK=PATH", help="a Python with PySpark")
    parser.add_argument("--jar", action="append", required=True, metavar="SPARK=PATH", help="Iceberg's jar for it")
    arguments = parser.parse_args()
    pythons = dict(item.split("=", 1) for item in arguments.python)
    jars = {spark: Path(path).resolve() for spark, path in (item.split("=", 1) for item in arguments.jar)}
    shutil.rmtree(_ROOT, ignore_errors=True)
    _ROOT.mkdir()
    shutil.copytree(_SCRIPTS / "nights", _ROOT / "job" / "nights", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.rmtree(_TARGET / "logs", ignore_errors=True)
    (_TARGET / "logs").mkdir(parents=True)
    for night, spark in NIGHTS.items():
        size = play(night, pythons[spark], jars[spark])
        print(f"night {night}: {size:,} bytes", flush=True)
    return 0


def play(night: str, python: str, jar: Path) -> int:
    """Plays a night and puts the lines of its log that count into tests/night_logs; returns their compressed size.

    Raises:
        RuntimeError: A statement failed that should not have, or the other way round.
    """
    command = ["-m", "nights.play", night, str(_ROOT), str(jar)]
    written = run_job(command, python, _ROOT, PYTHONPATH=str(_ROOT / "job"))
    return publish(written, _TARGET / "logs" / f"night-{night}.zstd")


if __name__ == "__main__":
    sys.exit(main())
