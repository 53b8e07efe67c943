"""Takes the disk away from harvests: full, read-only, gone; the store must be as it was, the next harvest whole.

    python scripts/try_disks.py

Mounts a small tmpfs for each try (so Linux and root only, not part of CI), with a store of one night on it; harvests
the second night while that happens to the tmpfs; looks at the exit code, the one line that is said, and the store;
gives the disk back and harvests again. Prints a line for each; its exit code is 0 if all are well.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOGS = ROOT / "tests" / "sample_logs"
NIGHTS = ("nightly-sales-3-3", "nightly-sales-3-5.zstd")
ROOM = "60m"
FILLER = "filler"


def main() -> int:
    """Try everything."""
    with tempfile.TemporaryDirectory(prefix="try-disks-") as name:
        folder = Path(name)
        (folder / "logs").mkdir()
        for number, log in enumerate(NIGHTS):
            shutil.copy(LOGS / log, folder / "logs")
            store = folder / f"night-{number}"
            if number:
                shutil.copytree(folder / "night-0", store, symlinks=True)
            assert harvest(folder, store).returncode == 0
        failed = [how for how in TRIES if not attempt(folder, *how)]
    return 1 if failed else 0


def full(disk: Path) -> None:
    """Leaves no room for more."""
    with suppress(OSError), (disk / FILLER).open("wb", buffering=0) as filler:
        while True:
            filler.write(bytes(1 << 20))


def read_only(disk: Path) -> None:
    """What the kernel does to a file system that fails."""
    subprocess.run(["mount", "-o", "remount,bind,ro", str(disk)], check=True)  # of the mount: files are open


def gone(disk: Path) -> None:
    """Nothing is there any more under the name; what is open stays open."""
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def back(disk: Path) -> None:
    """There is room, and it can be written."""
    subprocess.run(["mount", "-o", "remount,bind,rw", str(disk)], check=True)
    (disk / FILLER).unlink(missing_ok=True)


TRIES = [
    (what, step, part)
    for what in (full, read_only, gone)
    for step, part in (("start", "store"), ("read", "store"), ("trace", "store"), ("store", "store"))
] + [(full, "read", "scratch"), (read_only, "read", "scratch")]


def attempt(folder: Path, what: Callable[[Path], None], step: str, part: str) -> bool:
    """One harvest whose disk goes at a step."""
    disk, elsewhere = folder / "disk", folder / "elsewhere"
    for each in (disk, elsewhere):
        each.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "tmpfs", str(disk)], check=True)
    store, scratch = (disk, elsewhere) if part == "store" else (elsewhere, disk)
    store /= "lineage"
    shutil.copytree(folder / "night-0", store, symlinks=True)
    keep = folder / "second-mount"
    keep.mkdir(exist_ok=True)
    subprocess.run(["mount", "--bind", str(disk), str(keep)], check=True)  # to look at it when it is gone
    try:
        ended = harvest(folder, store, scratch, step, lambda: what(disk))
        kept = keep / "lineage" if part == "store" else store
        said = [line for line in ended.stderr.splitlines() if not line.startswith("20")]
        states = [same(kept, folder / f"night-{number}") for number in (0, 1)]
        whole = states[1] if ended.returncode == 0 else states[0]
        if what is gone:
            subprocess.run(["mount", "--bind", str(keep), str(disk)], check=True)
        back(disk)
        again = harvest(folder, store, scratch)
        finished = again.returncode == 0 and same(store, folder / "night-1")
        fine = whole and finished and len(said) == (1 if ended.returncode else 0)
        print(f"{part} {what.__name__} at {step}: exit code {ended.returncode}, ", end="")
        print(f"{'as before' if states[0] else 'complete' if states[1] else 'NEITHER'}, then finished: {finished}")
        print("".join(f"    {line[:300]}\n" for line in (*said, *([] if finished else [again.stderr[-2000:]]))), end="")
        return fine
    finally:
        shutil.rmtree(store, ignore_errors=True)
        for each in (keep, disk):
            subprocess.run(["umount", "--lazy", str(each)], check=False)


def harvest(
    folder: Path, store: Path, scratch: Path | None = None, step: str = "", act: Callable[[], None] = lambda: None
) -> subprocess.CompletedProcess[str]:
    """Harvests, and does something once a step has begun."""
    said = folder / "said"
    words = [sys.executable, "-m", "eventlog_lineage", "harvest", str(folder / "logs"), "--store", str(store)]
    words += ["--master", "local[2]", "--conf", "spark.driver.host=127.0.0.1", "--quiet", "--log-level", "info"]
    variables = [f"TMPDIR={scratch}"] if scratch else []
    with said.open("wb") as log:
        night = subprocess.Popen(["env", *variables, *words], stderr=log)
        waiting = bool(step)
        while night.poll() is None:
            if waiting and f"step={step} " in said.read_text():
                act()
                waiting = False
            time.sleep(0.005)
    return subprocess.CompletedProcess(words, night.returncode, "", said.read_text())


def same(store: Path, other: Path) -> bool:
    """Have two stores the same rows?"""
    sys.path.append(str(ROOT / "tests" / "harvest"))
    from reading_stores import in_duckdb, in_parquet  # noqa: PLC0415 - it lies beside the tests

    return in_duckdb(store / "lineage.duckdb") == in_duckdb(other / "lineage.duckdb") == in_parquet(store)


if __name__ == "__main__":
    sys.exit(main())
