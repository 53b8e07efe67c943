"""A harvest in a process of its own, with an executor lost in the middle or not, and what its store has then."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import duckdb

import eventlog_lineage
from eventlog_lineage.store.schema.tables import PUBLIC_TABLES

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = (sys.executable, "-m", "eventlog_lineage")
"""The harvest starts Spark."""
PACKAGE = {"PYTHONPATH": str(Path(eventlog_lineage.__file__).parents[1])}
"""The package is this one, wherever the harvest is started."""

Contents = dict[str, list[tuple[object, ...]]]


def packed(folder: Path) -> Path:
    """What executors need that have nothing but Python, as `scripts/pack.py` packs it."""
    pack = folder / "pack.tar.gz"
    subprocess.run([sys.executable, str(ROOT / "scripts" / "pack.py"), "--out", str(pack)], check=True)
    return pack


def bare_python(folder: Path) -> Path:
    """A Python of this version without packages; gives the folder that it is in."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "bare")], check=True)
    return folder / "bare"


def harvest(
    logs: str,
    store: Path,
    *words: str,
    program: Sequence[str] = PROGRAM,
    variables: Mapping[str, str] | None = None,
    strike: Callable[[], str] | None = None,
) -> None:
    """Harvest, and print how long it took.

    Args:
        logs: The source.
        store: Where the store is to be; what the harvest says goes to a file of this name with `.log`.
        words: Further words for the harvest.
        program: What starts it: Python with the package, or `spark-submit` with the package's file.
        variables: Environment variables beside those that this process has.
        strike: Takes an executor away as soon as reading has begun, and says which; called until it says something.

    Raises:
        SystemExit: The harvest failed, or ended before an executor could be taken away.
    """
    begin = time.monotonic()
    said = store.with_suffix(".log")
    command = [*program, "harvest", logs, "--store", str(store), "--quiet", "--log-level", "debug", *words]
    struck = ""
    with said.open("wb") as log:
        night = subprocess.Popen(command, env={**os.environ, **PACKAGE, **(variables or {})}, stdout=log, stderr=log)
        while night.poll() is None:
            if strike and not struck and re.search(r"step=read done=0 ", said.read_text(errors="replace")):
                struck = strike()
            time.sleep(0.02)
    if night.returncode or (strike and not struck):
        log_end = said.read_text(errors="replace")[-3000:]
        raise SystemExit(f"{store.name}: exit code {night.returncode}, {struck or 'nothing lost'}\n{log_end}")
    print(f"{store.name}: harvested in {time.monotonic() - begin:.0f} s{struck and f', {struck}'}", flush=True)


def contents(store: Path) -> Contents:
    """All rows of the public tables but those that tell of the harvest itself."""
    with duckdb.connect(str(store / "lineage.duckdb"), read_only=True) as connection:
        return {
            table.name: sorted(connection.execute(f"FROM {table.name}").fetchall(), key=repr)
            for table in PUBLIC_TABLES
            if table.name not in {"harvests", "harvested_logs"}
        }
