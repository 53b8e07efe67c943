"""Stores on real servers of object storage and HDFS: two machines, a lost lock, a damaged object, repairs.

    python scripts/try_storages.py [s3] [abfss] [gs] [hdfs]

All four by default; `scripts/storages/servers.py` lists what each needs. On each: two nights are harvested, and the
store has the rows of one in a folder; a second harvest is refused; a harvest whose lock was taken over cannot publish;
a harvest that is killed before the switch leaves the store as it was, and the next one removes what it sent; a lost
object is found and repaired. Prints a line for each; its exit code is 0 if all of it holds. Not part of CI.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests"), str(ROOT / "scripts")]

from eventlog_lineage.errors import StoreError  # noqa: E402 - after the path
from eventlog_lineage.store.administration import check_store, restore  # noqa: E402
from eventlog_lineage.store.remote.current import (  # noqa: E402
    CURRENT_KEY,
    read_current,
    read_list,
)
from eventlog_lineage.store.remote.storage import VARIABLE, Storage  # noqa: E402
from eventlog_lineage.store.writer import HarvestFacts, open_for_harvest  # noqa: E402
from storages.servers import server  # noqa: E402
from support.harvesting import small_night  # noqa: E402
from support.stores.content import content, rows  # noqa: E402
from support.stores.nights import START  # noqa: E402

APPLICATIONS = "SELECT DISTINCT app_id FROM executions ORDER BY 1"


def main() -> int:
    """Try each storage; return 1 if something does not hold."""
    failed = 0
    for scheme in sys.argv[1:] or ["s3", "abfss", "gs", "hdfs"]:
        with tempfile.TemporaryDirectory(prefix="try-storages-") as name:
            folder = Path(name)
            begun = time.monotonic()
            with server(scheme, folder) as url:
                try:
                    _try(f"{url}/store", folder)
                except AssertionError as error:
                    failed = 1
                    print(f"{scheme}: FAILED: {error}")
            print(f"{scheme}: {time.monotonic() - begun:.0f} s", flush=True)
    return failed


def _try(url: str, folder: Path) -> None:
    _use_machine(folder, "one")
    for day in (0, 1):
        small_night(day).harvest(folder / "local")  # type: ignore[arg-type]
        small_night(day).harvest(url)  # type: ignore[arg-type]
    _use_machine(folder, "two")
    assert content(url) == content(folder / "local"), "rows differ"
    assert check_store(url).flaws == (), check_store(url).flaws
    print(f"{url}: two nights are as in a folder, {len(Storage(url).objects())} objects")
    _take_over(url, folder)
    _kill(url)
    _repair(url)


def _take_over(url: str, folder: Path) -> None:
    """Let a second harvest publish while a first one has lost its lock."""
    storage = Storage(url)
    with ExitStack() as slow:
        writer = slow.enter_context(open_for_harvest(url))
        small_night(2).write(writer.staging_dir)
        try:
            small_night(3).harvest(url)  # type: ignore[arg-type]
        except StoreError as error:
            print(f"{url}: {error}")
        held = storage.read_tagged(CURRENT_KEY)
        assert held, "no lock"
        expired = {"expires": "2026-01-01T00:00:00+00:00"}
        storage.write(CURRENT_KEY, replace(read_current(held.content, url), lock=expired).as_json(), held.tag)
        _use_machine(folder, "three")
        small_night(3).harvest(url)  # type: ignore[arg-type]
        writer.publish(HarvestFacts(START))
        try:
            slow.close()
        except StoreError as error:
            print(f"{url}: {error}")
        else:
            raise AssertionError("a harvest without a lock has published")
    assert rows(url, APPLICATIONS) == [("app-0",), ("app-1",), ("app-3",)], rows(url, APPLICATIONS)  # type: ignore[arg-type]


def _kill(url: str) -> None:
    """Kill a harvest that has sent its files and not switched."""
    before, objects = content(url), Storage(url).objects().keys()  # type: ignore[arg-type]
    script = (
        "import os, signal, sys\n"
        "from eventlog_lineage.store.remote.current import Lease\n"
        "from support.harvesting import small_night\n"
        "Lease.switch = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "small_night(4).harvest(sys.argv[1])\n"
    )
    paths = os.pathsep.join(filter(None, sys.path))
    killed = subprocess.run([sys.executable, "-c", script, url], check=False, env=os.environ | {"PYTHONPATH": paths})
    assert killed.returncode == -9, killed.returncode
    assert content(url) == before, "a killed harvest changed the store"  # type: ignore[arg-type]
    left = len(Storage(url).objects().keys() - objects)
    small_night(4).harvest(url)  # type: ignore[arg-type]
    assert rows(url, APPLICATIONS)[-1] == ("app-4",), "the next harvest did not publish"  # type: ignore[arg-type]
    assert check_store(url).flaws == (), check_store(url).flaws
    print(f"{url}: killed before the switch: as before, {left} objects left over, gone with the next harvest")


def _repair(url: str) -> None:
    """Remove an object, find that, and restore."""
    storage = Storage(url)
    before = content(url)  # type: ignore[arg-type]
    seen = read_current(storage.read_latest(CURRENT_KEY) or b"", url).seen
    assert seen, "no version"
    _, files = read_list(storage.read(seen.list_key) or b"")
    lost = next(each.key for path, each in files.items() if path.startswith("column_lineage/"))
    storage.remove([lost])
    flaws = check_store(url).flaws
    assert flaws, "a lost object is not found"
    restored = restore(url)
    assert check_store(url).flaws == (), check_store(url).flaws
    assert content(url) == before, "restore changed rows"  # type: ignore[arg-type]
    print(f"{url}: {flaws[0]}; restored as version {restored.number}")


def _use_machine(folder: Path, name: str) -> None:
    os.environ[VARIABLE] = str(folder / name)


if __name__ == "__main__":
    sys.exit(main())
