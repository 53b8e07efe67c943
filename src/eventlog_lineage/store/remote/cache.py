"""The local cache of stores on object storage and HDFS.

    CACHE/stores/<id>/reading/     the versions that questions read: database and runs
    CACHE/stores/<id>/writing/     the version that the next harvest of this machine continues
    CACHE/stores/<id>/used         when it was used last

Both are stores in folders. Nothing here is needed: a harvest or a question fetches again what is not there.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from eventlog_lineage.errors import StoreError
from eventlog_lineage.store.publish.permissions import PRIVATE

VARIABLE = "EVENTLOG_LINEAGE_CACHE"
"""The environment variable that names the cache's folder."""

LOCK_FILE = ".cache.lock"
"""The lock in a folder of the cache."""

DAYS = 30
"""Stores that were not used for so long lose their place in the cache."""

_FOLDERS = "stores"
_USED = "used"


def cache_folder() -> Path:
    """Return the folder of the program's cache, which may not exist."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named).absolute()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "eventlog-lineage").absolute()


def cache_of(url: str) -> Path:
    """Return the folder of a store in the cache; it is made, and those of stores that nobody uses are removed.

    Args:
        url: The store's canonical URL.

    Raises:
        StoreError: It cannot be made.
    """
    folder = cache_folder() / _FOLDERS / hashlib.sha256(url.encode()).hexdigest()[:16]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for each in (folder.parent, folder):
            each.chmod(PRIVATE)
        (folder / _USED).write_text(f"{url}\n")
    except OSError as error:
        hint = f"name another folder in {VARIABLE}"
        raise StoreError(f"the cache cannot be written: {error.strerror}", str(folder), hint) from None
    _remove_unused(folder.parent)
    return folder


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder of the cache; waits for processes that fill it.

    Args:
        folder: The folder, which is made.
    """
    folder.mkdir(mode=PRIVATE, exist_ok=True)
    descriptor = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _remove_unused(folders: Path) -> None:
    oldest = time.time() - DAYS * 86400
    for folder in folders.iterdir():
        with suppress(OSError):
            if (folder / _USED).stat().st_mtime < oldest:
                shutil.rmtree(folder)
