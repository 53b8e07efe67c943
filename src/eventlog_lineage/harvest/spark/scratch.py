"""A folder for what a local Spark writes while it runs, and the end of those that killed harvests left."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PREFIX = "eventlog-lineage-scratch-"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder that is there as long as it is needed; those that nobody needs any more are removed.

    The kernel keeps a lock on it (`flock`) as long as its process lives, whatever its number and its container.
    """
    base = Path(tempfile.gettempdir())
    for left in base.glob(f"{_PREFIX}*"):
        _remove_if_left(left)
    folder, lock = _locked_folder(base)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _locked_folder(base: Path) -> tuple[Path, int]:
    """A new folder and its lock; somebody who clears up may take it for left before it is locked."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=base))
        lock = _lock(folder)
        if lock is not None and folder.is_dir():
            return folder, lock
        if lock is not None:
            os.close(lock)


def _remove_if_left(folder: Path) -> None:
    lock = _lock(folder)
    if lock is not None:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _lock(folder: Path) -> int | None:
    """The lock of a folder; None if another process has it, or if the folder is another user's or gone."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
