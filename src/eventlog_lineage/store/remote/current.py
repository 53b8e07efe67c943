"""Publish versions: the object `current`, which switches them, and the lists of their files, which are written once.

`current` also names the harvest that writes, until a time that this harvest extends: it spares a second one its work.
That two cannot overwrite each other does not depend on that, nor on clocks: `current` is replaced only if it is as the
harvest left it.
"""

from __future__ import annotations

import getpass
import glob
import hashlib
import json
import logging
import os
import re
import shutil
import socket
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta, timezone
from pathlib import Path, PurePosixPath
from uuid import uuid4

from eventlog_lineage.errors import StoreError
from eventlog_lineage.store.schema.database import (
    DATABASE_NAME,
    find_relations,
    move_database,
    open_for_writing,
    point_to_runs,
    writable_path,
)
from eventlog_lineage.store.schema.relations import RUNS, follow_folder
from eventlog_lineage.store.versions.folder import VERSIONS, current_version, version_number, version_numbers
from eventlog_lineage.store.versions.manifest import MANIFEST, ListedFile, checksum, read_manifest, write_manifest

from .storage import ConflictError, Storage

CURRENT_KEY = "current"
"""The object that readers read first."""

LISTS = "lists"
"""The folder of the lists of files."""

_FORMAT = 1
_KEY = re.compile(r".+-[1-9][0-9]{0,15}-[0-9a-f]{12}(?:\.[a-z.]+)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class RemoteVersion:
    """A version as `current` names it.

    Attributes:
        list_key: The object with the list of its files.
        database: The object with its database, for those who attach it.
    """

    number: int
    list_key: str
    sha256: str
    database: str


@dataclass(frozen=True, slots=True)
class Current:
    """What a store consists of.

    Attributes:
        version: The number of the version that readers see; 0 before the first one.
        last: The highest number that a version had.
        writer: Names the harvest that wrote this; another one has taken over if it differs.
        versions: The versions that stay, the newest last.
        lock: Who writes, and until when: `pid`, `host`, `user`, `since`, `expires`; empty for nobody.
    """

    version: int = 0
    last: int = 0
    writer: str = ""
    versions: tuple[RemoteVersion, ...] = ()
    lock: Mapping[str, str] = field(default_factory=dict)

    def find(self, number: int) -> RemoteVersion | None:
        """Return a version by its number."""
        return next((each for each in self.versions if each.number == number), None)

    @property
    def seen(self) -> RemoteVersion | None:
        """Return the version that readers see; None before the first one."""
        return self.find(self.version)

    def as_json(self) -> bytes:
        """Return the object's content."""
        seen = self.seen
        database = seen.database if seen else None
        return json.dumps({"format": _FORMAT, "database": database, **asdict(self)}, indent=1).encode()


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file of a version."""

    file: ListedFile
    key: str


Files = Mapping[str, RemoteFile]
"""The files of a version, by their paths in it."""


def read_current(content: bytes, url: str) -> Current:
    """Return what `current` contains.

    Raises:
        StoreError: It is damaged, or a newer program wrote it.
    """
    try:
        found = json.loads(content)
        if found["format"] != _FORMAT:
            hint = "use the program that wrote it, or a newer one"
            raise StoreError(f"{CURRENT_KEY} has the format {found['format']!r}, which is unknown", url, hint)
        versions = (
            RemoteVersion(int(each["number"]), str(each["list_key"]), str(each["sha256"]), str(each["database"]))
            for each in found["versions"]
        )
        lock = {str(name): str(value) for name, value in found.get("lock", {}).items()}
        return Current(int(found["version"]), int(found["last"]), str(found["writer"]), tuple(versions), lock)
    except (ValueError, TypeError, KeyError, AttributeError):
        raise lost_current(url, "damaged") from None


def lost_current(url: str, how: str) -> StoreError:
    """Return the error for a store that lost its `current`."""
    hint = f"run `eventlog-lineage restore --store {url}` to go back to the newest whole version"
    return StoreError(f"the store is damaged: {CURRENT_KEY} is {how}", url, hint)


def list_content(number: int, files: Files) -> bytes:
    """Return the content of the object with the list of a version's files."""
    listed = {path: [each.file.size, each.file.sha256, each.key] for path, each in sorted(files.items())}
    return json.dumps({"format": _FORMAT, "version": number, "files": listed}, indent=0).encode()


def read_list(content: bytes) -> tuple[int, dict[str, RemoteFile]]:
    """Return the number of a version and its files.

    Raises:
        ValueError: It is not a list.
    """
    try:
        found = json.loads(content)
        files = {
            str(path): RemoteFile(ListedFile(int(size), str(sha256)), str(key))
            for path, (size, sha256, key) in found["files"].items()
        }
        if not all(map(_is_inside, files)):
            raise ValueError("a path leads out of the version's folder")
        return int(found["version"]), files
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(str(error)) from error


def sha256_of(content: bytes) -> str:
    """Return the checksum of a list."""
    return hashlib.sha256(content).hexdigest()


def key_of(path: str, number: int, writer: str) -> str:
    """Return the name of a new object: no other harvest writes the same one."""
    pure = PurePosixPath(path)
    stem, dot, suffix = pure.name.rpartition(".")
    stem, suffix = (stem, dot + suffix) if stem else (pure.name.lstrip("."), "")
    return str(pure.with_name(f"{stem}-{number}-{writer}{suffix}"))


def is_own_key(key: str) -> bool:
    """Return whether an object has a name that `key_of` returns; all others belong to somebody else."""
    return _KEY.fullmatch(key) is not None


def _is_inside(path: str) -> bool:
    pure = PurePosixPath(path)
    return not pure.is_absolute() and ".." not in pure.parts


SECONDS = 120
"""How long a lock holds after it was last extended."""

_LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class Lease:
    """The lock of a store, which this process holds.

    Attributes:
        current: What the storage has, as this process wrote it.
        tag: The tag of that content.
    """

    storage: Storage
    current: Current
    tag: str | None
    _ended: threading.Event = field(default_factory=threading.Event, repr=False)
    _writing: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def extend(self) -> None:
        """Extend the lock until it ends, or another process has taken it over; run in a thread."""
        while not self._ended.wait(SECONDS / 4):
            self._extend()

    def _extend(self) -> None:
        try:
            self.take(self.current.lock)
        except ConflictError:
            self._ended.set()
        except StoreError as error:  # tried again before it expires
            _LOG.warning("the lock cannot be extended", extra={"facts": {"error": str(error)}})

    def take(self, holder: Mapping[str, str]) -> None:
        """Enter a holder, from now on for a while.

        Raises:
            ConflictError: Another process was faster.
        """
        with self._writing:
            expires = (_now() + timedelta(seconds=SECONDS)).isoformat()
            current = replace(self.current, lock={**holder, "expires": expires})
            self.storage.write(CURRENT_KEY, current.as_json(), self.tag)
            found = self.storage.read_tagged(CURRENT_KEY)
            if found is None or found.content != current.as_json():
                raise ConflictError(CURRENT_KEY)
            self.current, self.tag = current, found.tag

    def switch(self, current: Current) -> None:
        """Write what the store consists of from now on; that releases the lock.

        Raises:
            ConflictError: Another process has taken it over.
        """
        self._ended.set()
        with self._writing:
            self.storage.write(CURRENT_KEY, current.as_json(), self.tag)
            self.current = current

    def end(self) -> None:
        """Release the lock, if it is held still."""
        self._ended.set()
        if self.current.lock:
            with suppress(ConflictError, StoreError):  # it expires
                self.switch(replace(self.current, lock={}))


@contextmanager
def held(storage: Storage, found: Current, tag: str | None) -> Iterator[Lease]:
    """Hold the lock of a store, and extend it meanwhile: a harvest that began before cannot switch any more.

    Args:
        found: What the storage has.
        tag: Its tag; None if there is nothing.

    Raises:
        StoreError: Another process holds it, or the storage ignores the conditions of writes.
    """
    if holder := holder_of(found):
        raise _held_by(storage, holder)
    lease = Lease(storage, replace(found, writer=uuid4().hex[:12]), tag)
    try:
        lease.take(_own_facts())
    except ConflictError:
        raise _held_by(storage, "another process") from None
    thread = threading.Thread(target=lease.extend, name="lock", daemon=True)
    try:
        storage.check_conditions(CURRENT_KEY, lease.current.as_json() + b"\n")
        thread.start()
        yield lease
    finally:
        lease.end()


def _held_by(storage: Storage, holder: str) -> StoreError:
    hint = "wait until it has ended or its lock has expired, or end it: the store stays as it was"
    return StoreError("another harvest is writing this store", f"{storage.url}: {holder}", hint)


def _own_facts() -> dict[str, str]:
    since = _now().isoformat(timespec="seconds")
    return {"pid": str(os.getpid()), "host": socket.gethostname(), "user": _user(), "since": since}


def holder_of(current: Current) -> str:
    """Return who holds the lock of a store, and until when; empty if it was released or has expired."""
    holder = current.lock
    try:
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


def point_to_objects(database: Path, url: str, objects: Mapping[str, str], version: Path) -> None:
    """Let the views of a database read objects of the storage.

    DuckDB reads the files when a view is created. It reads the local ones here, so that no client of DuckDB for the
    storage is needed.

    Args:
        database: The database; its file is replaced, and links to the old one keep the old views.
    """
    tables: dict[str, list[str]] = {}
    for path, key in sorted(objects.items()):
        tables.setdefault(Path(path).parts[1], []).append(f"{url}/{key}")
    with tempfile.TemporaryDirectory(prefix=".views-", dir=version.parent) as scratch:
        draft = Path(scratch, database.name)
        written = writable_path(draft)
        shutil.copyfile(database, written)
        with open_for_writing(written, Path(scratch)) as connection:
            find_relations(connection)
            connection.execute(follow_folder(glob.escape(str(version))))
            point_to_runs(connection, url, tables)
            connection.execute("CHECKPOINT")
        move_database(written, draft)
        draft.chmod(database.stat().st_mode & 0o777)
        draft.replace(database)


@dataclass(frozen=True, slots=True)
class Publication:
    """What one harvest, or one repair, sends to a storage.

    Attributes:
        known: The files of the versions in the storage, by number; without those that are damaged there.
    """

    lease: Lease
    folder: Path
    known: Mapping[int, Files]
    sent: list[RemoteVersion] = field(default_factory=list)

    def publish(self, keep: int) -> Current:
        """Send the versions that the storage does not have, and switch to the folder's current one.

        Raises:
            StoreError: The storage cannot be written, or another harvest has taken over.
        """
        number, before = version_number(current_version(self.folder)), self.lease.current
        numbers = version_numbers(self.folder)
        versions = {each.number: each for each in before.versions}
        for aside in (self.folder / VERSIONS).glob("*.damaged"):
            versions.pop(int(aside.stem), None)
        for each in numbers:
            versions[each] = self._send(each, versions.get(each))
        if number > before.last:
            others = [each for each in sorted(versions) if each not in (number, before.version)]
            for each in others[: max(0, len(others) - max(0, keep - 2))]:
                del versions[each]
        kept = tuple(versions[each] for each in sorted(versions))
        switched = Current(number, max(before.last, *numbers), before.writer, kept)
        try:
            self.lease.switch(switched)
        except ConflictError:
            raise taken_over(self.lease.storage.url) from None
        return switched

    def _send(self, number: int, known: RemoteVersion | None) -> RemoteVersion:
        """Send what the storage does not have of a version, and its list."""
        version = self.folder / VERSIONS / str(number)
        keys: dict[tuple[str, ListedFile], str] = {
            (path, each.file): each.key for files in self.known.values() for path, each in files.items()
        }
        listed = dict(read_manifest(version))
        if known and self._is_sent(number, version, listed):
            return known
        if any(is_for_questions(path) for path, _ in listed.items() - keys.keys()):
            listed = self._point_views(number, version, listed, keys)
        listed[MANIFEST] = ListedFile((version / MANIFEST).stat().st_size, checksum(version / MANIFEST))
        new = {(path, file): self._new_key(path, number) for path, file in listed.items() - keys.keys()}
        keys |= new
        files = {path: RemoteFile(file, keys[path, file]) for path, file in listed.items()}
        self.lease.storage.send({key: version / path for (path, _), key in new.items()})
        content = list_content(number, files)
        list_key = self._new_key(f"{LISTS}/files.json", number)
        (list_file := version.with_suffix(".list")).write_bytes(content)
        self.lease.storage.send({list_key: list_file})
        sent = RemoteVersion(number, list_key, sha256_of(content), files[DATABASE_NAME].key)
        self.sent.append(sent)
        return sent

    def _is_sent(self, number: int, version: Path, listed: Mapping[str, ListedFile]) -> bool:
        """Return whether the storage has all files of a version."""
        sent = self.known.get(number, {})
        if MANIFEST not in sent or sent[MANIFEST].file.sha256 != checksum(version / MANIFEST):
            return False
        return all(path in sent and sent[path].file == file for path, file in listed.items())

    def _point_views(
        self, number: int, version: Path, listed: dict[str, ListedFile], keys: Mapping[tuple[str, ListedFile], str]
    ) -> dict[str, ListedFile]:
        """Point the views of a version's database at the objects, and return the version's changed files."""
        runs = {
            path: keys.get((path, file)) or self._new_key(path, number)
            for path, file in listed.items()
            if path.startswith(f"{RUNS}/")
        }
        point_to_objects(version / DATABASE_NAME, self.lease.storage.url, runs, version)
        known = {path: file for path, file in listed.items() if path != DATABASE_NAME}
        (version / MANIFEST).unlink()  # it may be a link to a file of another folder
        write_manifest(version, known)
        return read_manifest(version)

    def _new_key(self, path: str, number: int) -> str:
        return key_of(path, number, self.lease.current.writer)


def remove_leftovers(storage: Storage, objects: Iterable[str], versions: Iterable[Files], current: Current) -> None:
    """Remove the objects that no version has: of killed harvests, and of versions that do not stay."""
    needed = {each.key for files in versions for each in files.values()}
    needed |= {each.list_key for each in current.versions}
    unused = [key for key in objects if is_own_key(key) and key not in needed]
    try:
        storage.remove(unused)
    except StoreError as error:  # the next harvest removes them
        _LOG.warning("unused objects cannot be removed", extra={"facts": {"store": storage.url, "error": str(error)}})


def is_for_questions(path: str) -> bool:
    """Return whether questions read a file of a version: its database, or runs that the views read."""
    return path == DATABASE_NAME or path.startswith(f"{RUNS}/")


def taken_over(url: str) -> StoreError:
    """Return the error for a writer that was too slow."""
    return StoreError("another harvest has taken over this store", url, "it is as that harvest left it; harvest again")
