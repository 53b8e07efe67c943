"""The whole harvest as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
"""A JVM that lives for seconds does not earn back compiling well; verifying Spark's classes takes 0.7 s of a start."""


def command(logs: Path, store: Path, *words: str) -> list[str]:
    harvest = [sys.executable, "-m", "eventlog_lineage", "harvest", str(logs), "--store", str(store)]
    settings = ["spark.driver.host=127.0.0.1", f"spark.driver.extraJavaOptions={SHORT_LIVED}"]
    conf = [word for setting in settings for word in ("--conf", setting)]
    return [*harvest, "--master", "local[2]", *conf, "--log-level", "info", *words]


def environment() -> dict[str, str]:
    """No bytecode is written: a limit on the size of files would cut it, and later imports fail."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONDONTWRITEBYTECODE": "1"}


def run(logs: Path, store: Path, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        command(logs, store), env=environment(), capture_output=True, text=True, check=False, **options
    )
