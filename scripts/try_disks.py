"""Takes the disk away from harvests: full, read-only, gone; the store must be as it was, the next harvest whole.

    python scripts/try_disks.py

Mounts a small tmpfs for each try (so Linux and root only, not part of CI), with a store of one night on it; harvests
the second night while that happens to the tmpfs; looks at the error and the store; gives the disk back and harvests
again. Prints a line for each; its exit code is 0 if all are well.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from eventlog_lineage.cli.main import essence
from eventlog_lineage.harvest.run import HarvestOptions, harvest
from eventlog_lineage.harvest.spark.session import spark_context

ROOT = Path(__file__).resolve().parents[1]
LOGS = ROOT / "tests" / "sample_logs"
NIGHTS = ("nightly-sales-3-3", "nightly-sales-3-5.zstd")
LOCAL = {"spark.driver.host": "127.0.0.1"}
ROOM = "60m"
FILLER = "filler"


def main() -> int:
    """Try everything."""
    with tempfile.TemporaryDirectory(prefix="try-disks-") as name:
        folder = Path(name)
        logs = folder / "logs"
        logs.mkdir()
        (folder / "disk").mkdir()
        (folder / "kept").mkdir()
        with spark_context("local[2]", LOCAL, "try disks"):
            for number, log in enumerate(NIGHTS):
                shutil.copy(LOGS / log, logs)
                if number:
                    shutil.copytree(folder / "night-0", folder / "night-1", symlinks=True)
                harvest([str(logs)], folder / f"night-{number}", HarvestOptions())
            failed = [how for how in TRIES if not attempt(folder, *how)]
        return 1 if failed else 0


def full(disk: Path) -> None:
    """Leaves no room for more."""
    with suppress(OSError), (disk / FILLER).open("wb", buffering=0) as filler:
        while True:
            filler.write(bytes(1 << 20))


def read_only(disk: Path) -> None:
    """What the kernel does to a file system that fails; by another mount above it, for files are open for writing."""
    subprocess.run(["mount", "--bind", str(disk), str(disk)], check=True)
    subprocess.run(["mount", "-o", "remount,bind,ro", str(disk)], check=True)


def gone(disk: Path) -> None:
    """Nothing is there any more under the name; what is open stays open."""
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def back(disk: Path, kept: Path) -> None:
    """It is there, it can be written, and there is room."""
    unmount(disk)
    subprocess.run(["mount", "--bind", str(kept), str(disk)], check=True)
    (disk / FILLER).unlink(missing_ok=True)


TRIES = [(what, step) for what in (full, read_only, gone) for step in ("list", "read", "trace", "store")]


def attempt(folder: Path, what: Callable[[Path], None], at: str) -> bool:
    """One harvest whose disk goes at the beginning of a step."""
    disk, kept = folder / "disk", folder / "kept"
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "tmpfs", str(disk)], check=True)
    subprocess.run(["mount", "--bind", str(disk), str(kept)], check=True)  # to look at it when it is gone
    store = disk / "lineage"
    shutil.copytree(folder / "night-0", store, symlinks=True)
    waiting = [at]

    def strike(step: str, *_: int) -> None:
        if [step] == waiting:
            waiting.clear()
            what(disk)

    try:
        said = "done"
        try:
            harvest([str(folder / "logs")], store, HarvestOptions(), strike)
        except Exception as error:  # as the command does
            said = essence(error)
        before, whole = (same(kept / "lineage", folder / f"night-{number}") for number in (0, 1))
        back(disk, kept)
        if not whole:
            harvest([str(folder / "logs")], store, HarvestOptions())
        finished = same(store, folder / "night-1")
        state = "as before" if before else "complete" if whole else "NEITHER"
        print(f"{what.__name__} at {at}: {state}, then finished: {finished}\n    {said}", flush=True)
        return finished and (whole if said == "done" else before)
    finally:
        for each in (kept, disk):
            unmount(each)


def unmount(folder: Path) -> None:
    """Whatever is mounted there, however often."""
    while folder.is_mount():
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def same(store: Path, other: Path) -> bool:
    """Have two stores the same rows?"""
    sys.path.append(str(ROOT / "tests"))
    from support.stores.readers import in_duckdb, in_parquet  # noqa: PLC0415 - it lies beside the tests

    return in_duckdb(store / "lineage.duckdb") == in_duckdb(other / "lineage.duckdb") == in_parquet(store)


if __name__ == "__main__":
    sys.exit(main())
