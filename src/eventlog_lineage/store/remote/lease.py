"""One harvest at a time: an object that names its holder and expires.

The lock spares a second harvest its work. That two cannot overwrite each other does not depend on it, nor on clocks:
`current` is switched only if it is as the harvest found it.
"""

from __future__ import annotations

import getpass
import json
import logging
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from uuid import uuid4

from eventlog_lineage.errors import StoreError

from .conditional import ConflictError
from .storage import Storage

LOCK_KEY = "lock"
"""The object."""

SECONDS = 120
"""How long a lock holds after it was last extended."""

_LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class Lease:
    """A lock that this process holds.

    Attributes:
        storage: The store's storage.
        holder: What the object has.
        tag: The tag of the object.
        is_lost: Another harvest has taken it over, because it was not extended in time.
    """

    storage: Storage
    holder: dict[str, str]
    tag: str
    is_lost: bool = False
    _ended: threading.Event = field(default_factory=threading.Event, repr=False)

    def extend(self) -> None:
        """Extend the lock until it ends; run in a thread."""
        while not self.is_lost and not self._ended.wait(SECONDS / 4):
            self._extend()

    def _extend(self) -> None:
        try:
            self.write(_now() + timedelta(seconds=SECONDS), self.tag)
        except ConflictError:
            self.is_lost = True
        except StoreError as error:  # tried again before it expires
            _LOG.warning("the lock cannot be extended", extra={"facts": {"error": str(error)}})

    def end(self) -> None:
        """Release the lock."""
        self._ended.set()
        with suppress(ConflictError, StoreError):  # it expires
            self.write(None, self.tag)

    def write(self, expires: datetime | None, tag: str | None) -> None:
        """Write the object if it has a tag still.

        Args:
            expires: Until when the lock holds; None to release it.
            tag: The tag; None to create the object.

        Raises:
            ConflictError: Another process was faster.
        """
        content = _content(self.holder, expires)
        self.storage.write(LOCK_KEY, content, tag)
        found = self.storage.read_tagged(LOCK_KEY)
        if found is None or found.content != content:
            raise ConflictError(LOCK_KEY)
        self.tag = found.tag


@contextmanager
def held(storage: Storage) -> Iterator[Lease]:
    """Hold the lock of a store, and extend it meanwhile.

    Raises:
        StoreError: Another process holds it, or the storage ignores the conditions of writes.
    """
    lease = _take(storage)
    thread = threading.Thread(target=lease.extend, name="lock", daemon=True)
    thread.start()
    try:
        yield lease
    finally:
        lease._ended.set()
        thread.join()
        lease.end()


def other_holder(storage: Storage) -> str:
    """Return who holds the lock of a store, and until when; empty if nobody does."""
    found = storage.read_tagged(LOCK_KEY)
    return _description(found.content) if found else ""


def _take(storage: Storage) -> Lease:
    found = storage.read_tagged(LOCK_KEY)
    holder = _description(found.content) if found else ""
    if holder:
        raise _held_by(storage, holder)
    own = {
        "pid": str(os.getpid()),
        "host": socket.gethostname(),
        "user": _user(),
        "since": _now().isoformat(timespec="seconds"),
    }
    lease = Lease(storage, own, "")
    try:
        lease.write(_now() + timedelta(seconds=SECONDS), found.tag if found else None)
    except ConflictError:
        raise _held_by(storage, other_holder(storage) or "another process") from None
    storage.check_conditions(LOCK_KEY)
    return lease


def _held_by(storage: Storage, holder: str) -> StoreError:
    hint = "wait until it has ended or its lock has expired, or end it: the store stays as it was"
    return StoreError("another harvest is writing this store", f"{storage.url}: {holder}", hint)


def _content(holder: dict[str, str], expires: datetime | None) -> bytes:
    until = expires.isoformat(timespec="seconds") if expires else ""
    return json.dumps({**holder, "expires": until, "write": uuid4().hex}).encode()


def _description(content: bytes) -> str:
    """Return who holds a lock; empty if it was released, has expired, or is not a lock."""
    try:
        holder = json.loads(content)
        expires = datetime.fromisoformat(holder["expires"])
        if expires <= _now() or (holder["host"] == socket.gethostname() and _has_ended(int(holder["pid"]))):
            return ""
        who = f"process {int(holder['pid'])} of {holder['user']} on {holder['host']}"
        return f"{who}, since {holder['since']}, until {expires:%Y-%m-%d %H:%M:%S} UTC unless it is extended"
    except (ValueError, KeyError, TypeError):
        return ""


def _has_ended(pid: int) -> bool:
    """Return whether a process of this machine has ended: its lock need not expire first."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's user without a name
        return str(os.getuid())


def _now() -> datetime:
    return datetime.now(timezone.utc)
