"""One harvest at a time: an advisory lock on a file that names its holder."""

from __future__ import annotations

import fcntl
import json
import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from pathlib import Path

from eventlog_lineage.errors import StoreError

LOCK_NAME = ".lock"
"""The lock's file in the store."""

_LOG = logging.getLogger(__name__)


@contextmanager
def write_lock(store: Path) -> Iterator[None]:
    """Hold the store's lock.

    The kernel holds it (`flock`) and releases it when the process ends for any reason; the file's content is only for
    people, and is ignored after its process has ended.

    Args:
        store: The store's folder, which exists.

    Raises:
        StoreError: Another process holds it, or the folder cannot be written.
    """
    path = store / LOCK_NAME
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StoreError(
            f"the store cannot be written: {error.strerror}", str(store), "check its permissions"
        ) from None
    try:
        _take(descriptor, path)
    except StoreError:
        os.close(descriptor)
        raise
    try:
        left = _holder(path)
        if left:
            _LOG.warning("an earlier harvest was killed; this one does its work", extra={"facts": {"harvest": left}})
        with suppress(OSError):  # a full disk: the lock holds all the same
            _describe(descriptor)
        yield
    finally:
        with suppress(OSError):
            os.ftruncate(descriptor, 0)
        os.close(descriptor)


def other_holder(store: Path) -> str:
    """Return who holds the store's lock: a process, or `another process`; empty if nobody does. Changes nothing.

    Raises:
        StoreError: The lock cannot be read, or the file system has no locks.
    """
    path = store / LOCK_NAME
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise StoreError(f"the lock cannot be read: {error.strerror}", str(path), "check its permissions") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _holder(path) or "another process"
    except OSError as error:
        raise StoreError(
            f"the store's file system has no locks (flock): {error.strerror}",
            str(store),
            "mount it with locks, or put the store on another one",
        ) from None
    finally:
        os.close(descriptor)
    return ""


def _take(descriptor: int, path: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise StoreError(
            "another harvest is writing this store",
            ": ".join(filter(None, (str(path.parent), _holder(path)))),
            "wait until it has ended, or end it: the store stays as it was",
        ) from None
    except OSError as error:
        raise StoreError(
            f"the store's file system has no locks (flock): {error.strerror}",
            str(path.parent),
            "mount it with locks, or put the store on another one",
        ) from None


def _describe(descriptor: int) -> None:
    holder = {
        "pid": os.getpid(),
        "host": socket.gethostname(),
        "since": datetime.now(timezone.utc).isoformat(timespec="seconds"),
    }
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, json.dumps(holder).encode(), 0)


def _holder(path: Path) -> str:
    """Return the holder that the file names; empty if it names none, or if it cannot be read."""
    try:
        holder = json.loads(path.read_text())
        return f"process {holder['pid']} on {holder['host']}, since {holder['since']}"
    except (OSError, ValueError, KeyError, TypeError):
        return ""
