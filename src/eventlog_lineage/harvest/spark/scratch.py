"""The folder into which a local Spark writes while it runs; folders that killed harvests left are removed."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from eventlog_lineage.errors import FullFolderError

_PREFIX = "eventlog-lineage-scratch-"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Provide a folder for the duration of the block; folders of processes that have ended are removed.

    The kernel keeps a lock on it (`flock`) as long as its process lives, whatever its number and its container.

    Raises:
        FullFolderError: No folder can be made.
    """
    base = Path(tempfile.gettempdir())
    for left in base.glob(f"{_PREFIX}*"):
        _remove_if_left(left)
    try:
        folder, lock = _locked_folder(base)
    except OSError as error:
        advice = "check its mode and the space there, or set TMPDIR to another folder"
        what = f"the temporary folder cannot be used: {error.strerror}"
        raise FullFolderError(what, str(base), advice) from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _locked_folder(base: Path) -> tuple[Path, int]:
    """Return a new folder and its lock; another process may remove it before it is locked, so this is tried again."""
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
    """Return the lock of a folder; None if another process has it, or if the folder is another user's or removed."""
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
