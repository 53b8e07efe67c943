"""Kill harvests into a store on object storage at random moments; it must be as it was, or complete.

    python scripts/attack/kills_on_storage.py [--kills 50] [--seed 7] [--storage s3]

Starts a server (`scripts/storages/servers.py`; S3 is moto's) and harvests made-up nights into a store there, on two
machines alternately, which are two caches. Each harvest gets KILL or TERM at a random moment between its start and its
end, on what the kills before left. After each kill a third machine must read all tables of the night before or all of
the new one; a reader must see nothing else meanwhile; now and then the next harvest must finish the work, and `check`
must find nothing. At the end nothing that killed harvests sent may be left. Takes about eight seconds a kill.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attack import options
from eventlog_lineage.store.administration import check_store
from eventlog_lineage.store.remote.current import CURRENT_KEY, is_own_key, read_current, read_list
from eventlog_lineage.store.remote.storage import VARIABLE, Storage
from storages.servers import server
from support.harvesting import small_night
from support.stores.content import content

READER = """
import sys, threading
from support.stores.rows import rows
ended, reads = threading.Event(), 0
threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
while not ended.is_set():
    ((executions, harvests),) = rows(
        sys.argv[1], "SELECT (SELECT count(*) FROM executions), (SELECT count(*) FROM harvests)"
    )
    assert executions == harvests, (executions, harvests)
    reads += 1
print(reads)
"""
"""Each made-up night has one execution, and each harvest is one night."""

HARVEST = "import sys; from support.harvesting import small_night; small_night(int(sys.argv[2])).harvest(sys.argv[1])"


def main() -> int:
    """Kill and compare; return 1 at the first difference."""
    given = options(__doc__, kills=50, seed=7, storage="s3")
    with tempfile.TemporaryDirectory(prefix="kills-") as name, server(given.storage, Path(name)) as url:
        return _kill(f"{url}/store", Path(name), given.kills, random.Random(given.seed))


def _kill(url: str, folder: Path, kills: int, moments: random.Random) -> int:
    local, count, night = folder / "local", Counter[str](), 0
    begun = time.monotonic()
    lasts = _finish(url, folder, night, 0)
    small_night(night).harvest(local)
    states = [content(local)]
    with _reading(url, folder, count):
        for kill in range(1, kills + 1):
            if len(states) == 1:
                small_night(night + 1).harvest(local)
                states.append(content(local))
            by = (signal.SIGKILL, signal.SIGTERM)[kill % 3 == 0]
            after = moments.uniform(0, 1.3 * lasts)
            process = _harvest(url, folder, night + 1, kill)
            time.sleep(after)
            process.send_signal(by)
            ended = process.wait()
            os.environ[VARIABLE] = str(folder / "third")
            found = content(url)  # type: ignore[arg-type]
            if found not in states:
                tables = [[table for table in found if found[table] != state[table]] for state in states]
                print(f"kill {kill} after {after:.2f} s: the store is neither as before nor complete: {tables}")
                return 1
            is_complete = found == states[1]
            count[f"{by.name} {'ended before' if ended == 0 else 'complete' if is_complete else 'as before'}"] += 1
            print(f"{kill}: {by.name} after {after:.2f} s: {'complete' if is_complete else 'as before'}", flush=True)
            if not is_complete and (kill == kills or moments.random() < 0.2):
                lasts = _finish(url, folder, night + 1, kill)
                count["finished by the next harvest"] += 1
                is_complete = True
            if is_complete:
                night += 1
                states.pop(0)
                flaws = check_store(url).flaws
                if flaws:
                    print(f"kill {kill}: {flaws[0]}")
                    return 1
    _finish(url, folder, night + 1, 0)
    left = _left_over(url)
    counted = dict(sorted(count.items()))
    print(f"{kills} kills in {time.monotonic() - begun:.0f} s: {counted}, {len(left)} objects left over")
    return 1 if left else 0


def _harvest(url: str, folder: Path, night: int, machine: int) -> subprocess.Popen[bytes]:
    variables = os.environ | {VARIABLE: str(folder / f"machine{machine % 2}"), "PYTHONPATH": _paths()}
    with (folder / "harvest.log").open("w") as log:
        return subprocess.Popen([sys.executable, "-c", HARVEST, url, str(night)], env=variables, stderr=log)


def _finish(url: str, folder: Path, night: int, machine: int) -> float:
    """Harvest a night to its end; return the seconds that it took."""
    begun = time.monotonic()
    assert _harvest(url, folder, night, machine).wait() == 0, (folder / "harvest.log").read_text()
    return time.monotonic() - begun


@contextmanager
def _reading(url: str, folder: Path, count: Counter[str]) -> Iterator[None]:
    """Let another process read meanwhile; it fails if it cannot, or if it reads a part of a night."""
    variables = os.environ | {VARIABLE: str(folder / "reader"), "PYTHONPATH": _paths()}
    command = [sys.executable, "-c", READER, url]
    with subprocess.Popen(command, env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as reader:
        try:
            yield
        finally:
            printed, _ = reader.communicate()
    assert reader.returncode == 0, "the reader failed"
    count["reads"] = int(printed)


def _left_over(url: str) -> set[str]:
    """Return the objects that no version has."""
    storage = Storage(url)
    current = read_current(storage.read_latest(CURRENT_KEY) or b"", url)
    needed = {each.list_key for each in current.versions}
    for version in current.versions:
        _, files = read_list(storage.read(version.list_key) or b"")
        needed |= {each.key for each in files.values()}
    return {key for key in storage.objects() if is_own_key(key)} - needed


def _paths() -> str:
    return os.pathsep.join(filter(None, sys.path))


if __name__ == "__main__":
    sys.exit(main())
