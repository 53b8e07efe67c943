"""One harvest at a time: an advisory lock on a file that says who holds it."""

from __future__ import annotations

import fcntl
import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path

from ..errors import StoreError

LOCK_NAME = ".lock"
"""The lock's file in the store."""


@contextmanager
def write_lock(store: Path) -> Iterator[None]:
    """Hold the store's lock.

    The kernel holds it (`flock`), so that it ends with the process however that ends; what the file says is for
    people only, and what a dead process left in it does not matter.

    Args:
        store: The store's folder, which exists.

    Raises:
        StoreError: Another process holds it, or the folder cannot be written.
    """
    path = store / LOCK_NAME
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise StoreError(
            f"the store cannot be written: {error.strerror}", str(store), "check its permissions"
        ) from None
    try:
        _take(descriptor, path)
        _describe(descriptor)
        yield
        os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)


def _take(descriptor: int, path: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise StoreError(
            "another harvest is writing this store",
            _holder(path),
            "wait until it has ended, or end it: the store stays as it was",
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
    try:
        holder = json.loads(path.read_text())
        return f"{path.parent}: process {holder['pid']} on {holder['host']}, since {holder['since']}"
    except (OSError, ValueError, KeyError, TypeError):
        return str(path.parent)
