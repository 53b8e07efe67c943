"""Read logs that are no usual files, and write outputs to what is none; each within five minutes and 700 MB.

    python scripts/attack/odd_files.py [--only WORD]

Logs: sparse ones of 40 GB, padding, one large block, long names, a wide struct, a log that turns into a FIFO and back
while it is listed and read. Outputs: devices, a FIFO, links. `explain` and `show` run with `--max-seconds-per-log 5`.
"""

from __future__ import annotations

import gzip
import os
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pyarrow
import zstandard
from wide_plans import formatted

from attack import ROOT, exit_code, options
from support.event_logs import UI, line, log_text

SAMPLE = ROOT / "tests" / "sample_logs" / "nightly-sales-3-3"
MOST_SECONDS, MOST_KILOBYTES = 300, 700_000
SKIPPABLE = b"\x50\x2a\x4d\x18" + b"\xff" * 4
SNAPPY = b"\x82SNAPPY\x00" + bytes([0, 0, 0, 1, 0, 0, 0, 1])
DEVICES = {"null": 3, "full": 7}


def log(plan: str) -> bytes:
    """Return a log with one execution."""
    start = {"description": "d", "physicalPlanDescription": plan, "sparkPlanInfo": {}, "time": 1}
    return log_text(
        line("SparkListenerLogStart", Spark_Version="3.5.9"),
        line("SparkListenerApplicationStart", App_Name="a", App_ID="i", Timestamp=1),
        line(f"{UI}SQLExecutionStart", executionId=0, **start),
        line(f"{UI}SQLExecutionEnd", executionId=0, time=2),
    )


def sparse(path: Path, *pieces: bytes) -> None:
    """Write pieces, each followed by 4 GiB of nothing that take no space."""
    with path.open("wb") as file:
        for piece in pieces:
            file.write(piece)
            file.seek((1 << 32) - 1, os.SEEK_CUR)
        file.truncate()


def block(path: Path) -> None:
    """Write a snappy log of one block of 1 GiB."""
    packed = pyarrow.compress(bytes(1 << 30), "snappy", asbytes=True)
    path.write_bytes(SNAPPY + len(packed).to_bytes(4, "big") + packed)


def names(path: Path) -> None:
    """Write a log of 3 kB with 20 names of 100,000 characters; with more, the line is over its limit."""
    columns = [f"{'x' * 100_000}{number}" for number in range(20)]
    schema = f"struct<{','.join(f'{each}:int' for each in columns)}>"
    ids = [f"{each}#{number}" for number, each in enumerate(columns)]
    path.write_bytes(zstandard.compress(log(formatted(schema, ids, [f"{each} AS {each}" for each in ids]))))


def wide(path: Path) -> None:
    """Write a log with a struct of 8,000 fields, all of them projected."""
    fields = ",".join(f"f{number}:int" for number in range(8000))
    taken = [f"s#1.f{number} AS c{number}#{number + 10}" for number in range(8000)]
    path.write_bytes(zstandard.compress(log(formatted(f"struct<s:struct<{fields}>>", ["s#1"], taken))))


LOGS: dict[str, Callable[[Path], object]] = {
    "zeros after gzip": lambda path: sparse(path, gzip.compress(b""), *[b""] * 9),
    "skippable frames": lambda path: sparse(path, zstandard.compress(b"") + SKIPPABLE, *[SKIPPABLE] * 9),
    "empty lz4 blocks": lambda path: path.write_bytes((b"LZ4Block\x10" + bytes(12)) * 5_000_000),
    "one snappy block": block,
    "long names": names,
    "a wide struct": wide,
}


def run(*words: str) -> tuple[int, str, str]:
    """Run a command; return its exit code, its last line, and what is wrong with it."""
    started = time.monotonic()
    call = [sys.executable, "-m", "eventlog_lineage", *words]
    process = subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    timer = threading.Timer(MOST_SECONDS, lambda: os.kill(process.pid, signal.SIGKILL))
    timer.start()
    printed = process.stderr.read() if process.stderr else ""
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds, wrong = time.monotonic() - started, "Traceback" if "Traceback" in printed else ""
    if process.returncode < 0:
        wrong = "does not end"
    elif usage.ru_maxrss > MOST_KILOBYTES:
        wrong = f"{usage.ru_maxrss / 1000:.0f} MB"
    last = (printed.splitlines() or [""])[-1][:110]
    size = usage.ru_maxrss // 1000
    print(
        f"{words[0]} {words[-1].rpartition('/')[2]}: {process.returncode} {seconds:.1f} s, {size} MB {last}", flush=True
    )
    return process.returncode, printed, wrong


def swapped(path: Path) -> str:
    """Read a log that turns into a FIFO and back all the time; return what is wrong."""
    over = threading.Event()
    fifo, regular = path.with_suffix(".fifo"), path.with_suffix(".log")
    os.mkfifo(fifo)

    def swap() -> None:
        while not over.is_set():
            regular.write_bytes(SAMPLE.read_bytes())
            regular.replace(path)
            time.sleep(0.05)
            os.link(fifo, regular)
            regular.replace(path)

    thread = threading.Thread(target=swap)
    thread.start()
    wrong = [run("explain", "--lineage-only", str(path))[2] for _ in range(4)]
    over.set()
    thread.join()
    return next(filter(None, wrong), "")


def outputs(folder: Path) -> str:
    """Write a page to devices, a FIFO and a link; return what is wrong."""
    fifo, link, target = folder / "fifo", folder / "link", folder / "target"
    os.mkfifo(fifo)
    target.touch()
    link.symlink_to(target)
    paths = [fifo, link]
    for name, minor in DEVICES.items() if os.geteuid() == 0 else ():
        os.mknod(folder / name, 0o666 | stat.S_IFCHR, os.makedev(1, minor))
        paths.append(folder / name)
    before = [path.lstat().st_mode for path in paths]
    reader = threading.Thread(target=fifo.read_bytes)
    reader.start()
    codes = {path.name: run("show", str(SAMPLE), "--out", str(path))[0] for path in paths}
    reader.join(10)
    changed = [path.name for path, mode in zip(paths, before, strict=True) if path.lstat().st_mode != mode]
    failed = [name for name, code in codes.items() if bool(code) != (name == "full")]
    return f"changed {changed}, failed {failed}" if changed or failed or not target.stat().st_size else ""


def attack(only: str) -> Iterator[str]:
    """Read the logs and write the outputs; give what is wrong."""
    with tempfile.TemporaryDirectory() as folder:
        path, place = Path(folder, "local-1"), Path(folder, "outputs")
        place.mkdir()

        def read(write: Callable[[Path], object]) -> str:
            write(path)
            return run("explain", "--lineage-only", "--max-seconds-per-log", "5", str(path))[2]

        cases: dict[str, Callable[[], str]] = {name: partial(read, write) for name, write in LOGS.items()}
        cases["a log that turns into a FIFO"] = partial(swapped, Path(folder, "local-2"))
        cases["outputs"] = partial(outputs, place)
        for name, case in cases.items():
            if only in name and (wrong := case()):
                yield f"{name}: {wrong}"


def main() -> int:
    """Run the attack; return 1 if it finds something."""
    return exit_code(attack(options(__doc__, only="").only))


if __name__ == "__main__":
    sys.exit(main())
