"""The store's folder: complete versions, and the link to the current one.

    DIR/.versions/7/lineage.duckdb, DIR/.versions/7/<table>/…   a whole version
    DIR/.versions/8.draft/                                       the next one, while a harvest makes it
    DIR/.current -> .versions/7                                  what readers see
    DIR/lineage.duckdb -> .current/lineage.duckdb                names that never change
    DIR/runs -> .current/runs                                    the files that the views of the database read
    DIR/internal -> .current/internal                            the tables that only the database has otherwise
    DIR/<table> -> .current/<table>

Renaming one link over `.current` switches everything at once. A folder gets its number when it is complete and on the
disk, so that each numbered folder was whole once.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import logging
import os
import re
import shutil
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from pathlib import Path

from eventlog_lineage.errors import StoreError, os_errors_as
from eventlog_lineage.store.schema.database import DATABASE_NAME
from eventlog_lineage.store.schema.relations import INTERNAL, RUNS
from eventlog_lineage.store.schema.tables import PUBLIC_TABLES

PRIVATE = 0o700
"""The mode of a new store's folders; its files have the same without the right to execute."""

_FILE = 0o666
_SPECIAL = 0o7000


def mode_of(folder: Path | None) -> int:
    """Return the mode of a folder of a store; the private one for None, a new store."""
    return stat.S_IMODE(folder.stat().st_mode) & 0o777 if folder else PRIVATE


def set_mode(path: Path | str, mode: int) -> None:
    """Set the mode of a folder or file; what a file shares with another version changes there too.

    Args:
        path: A folder, whose content stays as it is, or a file; a text, where thousands get theirs.
        mode: The folder's mode; files get it without the right to execute.
    """
    facts = os.lstat(path)
    if stat.S_ISLNK(facts.st_mode):
        return
    own = mode if stat.S_ISDIR(facts.st_mode) else mode & _FILE
    if stat.S_IMODE(facts.st_mode) & ~_SPECIAL != own:
        os.chmod(path, own | (facts.st_mode & _SPECIAL))  # noqa: PTH101 - texts are faster


def set_modes(folder: Path, mode: int) -> None:
    """Set the mode of a folder and its content, see `set_mode`."""
    for inner, folders, files in os.walk(folder):
        for name in (*folders, *files):
            set_mode(f"{inner}/{name}", mode)
    set_mode(folder, mode)


LOCK_NAME = ".lock"
"""The lock's file in the store."""

_LOG = logging.getLogger(__name__)


@contextmanager
def write_lock(store: Path) -> Iterator[None]:
    """Hold the store's lock.

    The kernel holds it (`flock`) and releases it when the process ends for any reason; the file's content is only for
    people, and is ignored after its process has ended.

    Raises:
        StoreError: Another process holds it, or the folder cannot be written.
    """
    path = store / LOCK_NAME
    with os_errors_as(StoreError, "the store cannot be written", store, "check its permissions"):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        is_free = _takes(descriptor, fcntl.LOCK_EX, store)
    except StoreError:
        os.close(descriptor)
        raise
    if not is_free:
        os.close(descriptor)
        hint = "wait until it has ended, or end it: the store stays as it was"
        where = ": ".join(filter(None, (str(store), _holder(path))))
        raise StoreError("another harvest is writing this store", where, hint)
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
    with os_errors_as(StoreError, "the lock cannot be read", path, "check its permissions"):
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return ""
    try:
        return "" if _takes(descriptor, fcntl.LOCK_SH, store) else _holder(path) or "another process"
    finally:
        os.close(descriptor)


def _takes(descriptor: int, lock: int, store: Path) -> bool:
    """Take a lock; return whether no other process has it."""
    hint = "mount it with locks, or put the store on another one"
    with os_errors_as(StoreError, "the store's file system has no locks (flock)", store, hint):
        try:
            fcntl.flock(descriptor, lock | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


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


VERSIONS = ".versions"
CURRENT = ".current"
STAGING = ".staging"

NAMES = (DATABASE_NAME, RUNS, INTERNAL, *(table.name for table in PUBLIC_TABLES))
"""The links of a store that lead to its current version: a copy of what they lead to has all of its rows."""

KEPT_VERSIONS = 2
"""How many versions a store has after a harvest, unless configured otherwise."""

_FOLDERS_ONE_BY_ONE = 200
"""Folders up to which each is flushed alone: flushing all of a file system writes what other programs left, too."""

_NEXT_LINK = ".current.next"
DRAFT = ".draft"
REMOVED = ".removed"
DAMAGED = ".damaged"
NUMBER = re.compile(r"[1-9][0-9]{0,15}", re.ASCII)
_FICLONE = 0x40049409  # linux/fs.h: share the blocks of another file, where the file system can


def current_version(store: Path) -> Path | None:
    """Return the folder of the version that readers see; None if no link leads to one."""
    return _version_behind(store, CURRENT)


def no_store(store: Path) -> StoreError:
    """Return the error for a folder without a store, or one that its user may not look into."""
    if store.is_dir() and not os.access(store, os.R_OK | os.X_OK):
        return StoreError("the folder cannot be read: Permission denied", str(store), "check its permissions")
    return StoreError(
        "there is no store", str(store), "name the store with --store; `eventlog-lineage harvest` makes one"
    )


def is_store(store: Path) -> bool:
    """Return whether a folder is a store, whole or damaged."""
    return os.path.lexists(store / CURRENT) or bool(version_numbers(store))


def readable_version(store: Path) -> Path | None:
    """Return the folder to read: the current version, or a copy of one that was made with its links followed."""
    copies = (store / CURRENT,) if is_store(store) else (store,)
    found = (copy for copy in copies if not copy.is_symlink() and has_database(copy))
    return current_version(store) or next(found, None)


def version_numbers(store: Path) -> list[int]:
    """Return the numbers of a store's versions in ascending order; each was whole when it got its number.

    Raises:
        StoreError: The folder of versions cannot be read.
    """
    with (
        os_errors_as(StoreError, f"{VERSIONS} cannot be read", store, "check its permissions"),
        suppress(FileNotFoundError, NotADirectoryError),
    ):
        found = ((path, path.name) for path in (store / VERSIONS).iterdir())
        return sorted(int(name) for path, name in found if NUMBER.fullmatch(name) and not path.is_symlink())
    return []


def has_database(folder: Path) -> bool:
    """Return whether a folder has a database that can be reached."""
    return os.path.isfile(folder / DATABASE_NAME)  # noqa: PTH113 - Path.is_file raises where permissions are missing


def is_copy(folder: Path) -> bool:
    """Return whether a folder has the files of a version, not links to them: its database, or the tables to make it."""
    own = {name for name in (DATABASE_NAME, INTERNAL, "harvests") if os.path.exists(folder / name)}  # noqa: PTH110 - as above
    own = {name for name in own if not (folder / name).is_symlink()}
    return "harvests" in own and len(own) > 1


def version_number(version: Path | None) -> int:
    """Return the number of a version or of a draft, from 1; 0 for none."""
    return int(version.name.removesuffix(DRAFT)) if version else 0


def finish_switch(store: Path) -> None:
    """Make the version current that a killed harvest had completed and not yet switched to; the lock is held."""
    if _version_behind(store, _NEXT_LINK):
        (store / _NEXT_LINK).replace(store / CURRENT)


def prepare(store: Path) -> None:
    """Make the store's folders and remove what a killed harvest left; the lock is held. Versions stay.

    Raises:
        StoreError: The folder cannot be written.
    """
    with os_errors_as(StoreError, "the store cannot be written", store, "check its permissions"):
        (store / VERSIONS).mkdir(mode=PRIVATE, exist_ok=True)
        shutil.rmtree(store / STAGING, ignore_errors=True)
        (store / _NEXT_LINK).unlink(missing_ok=True)
        for path in (store / VERSIONS).iterdir():
            if NUMBER.fullmatch(path.name) and path.is_symlink():
                path.unlink()
        with suppress(OSError):  # the next version has a number that no leftover has
            remove_drafts(store)


def make_staging(store: Path) -> None:
    """Make the folder for the rows of a harvest; the lock is held, and `prepare` has run.

    Raises:
        StoreError: The folder cannot be made.
    """
    staging = store / STAGING
    with os_errors_as(StoreError, "the store cannot be written", staging, "check the disk"):
        staging.mkdir(mode=PRIVATE)


def set_store_modes(store: Path, mode: int) -> None:
    """Set the mode of a store's own folders and its lock; versions get theirs when they are created.

    Raises:
        StoreError: Another user owns them.
    """
    with os_errors_as(StoreError, "the store's mode cannot be set", store, "check its owner"):
        for path in (store, store / VERSIONS, store / LOCK_NAME):
            set_mode(path, mode)


def remove_drafts(store: Path) -> None:
    """Remove drafts that no harvest completed, and what is left of removed versions."""
    remove_ended(store, DRAFT, REMOVED)


def set_aside(store: Path, number: int) -> None:
    """Take a damaged version out of the store's versions; the next harvest removes it after it has published."""
    version = store / VERSIONS / str(number)
    version.rename(version.with_suffix(DAMAGED))


def take_back(store: Path, number: int) -> None:
    """Put a version that was set aside among the store's versions again, if there is one of this number."""
    version = store / VERSIONS / str(number)
    if version.with_suffix(DAMAGED).is_dir() and not os.path.lexists(version):
        version.with_suffix(DAMAGED).rename(version)


def begin_version(store: Path) -> Path:
    """Make the folder for the draft of the next version."""
    stems = (path.stem for path in (store / VERSIONS).iterdir())
    following = max((int(stem) for stem in stems if NUMBER.fullmatch(stem)), default=0) + 1
    draft = store / VERSIONS / f"{following}{DRAFT}"
    draft.mkdir(mode=PRIVATE)
    return draft


def copy_file(source: Path, target: Path) -> None:
    """Copy a file, without moving its bytes where the file system can share them."""
    with source.open("rb") as old, target.open("wb") as new:
        try:
            fcntl.ioctl(new.fileno(), _FICLONE, old.fileno())
        except OSError:
            shutil.copyfileobj(old, new, 1 << 20)


def link_or_copy(source: Path | str, target: Path | str) -> None:
    """Link a file to another place; copy it where the file system has no hard links."""
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        copy_file(Path(source), Path(target))


def remove(path: Path) -> None:
    """Remove a file, a link or a folder."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def sync(version: Path) -> None:
    """Wait until all files and folders of a version are on the disk; linked files were there before.

    A version has some folders for each day: many of them are waited for together.
    """
    folders = []
    for folder, _, files in os.walk(version):
        folders.append(folder)
        for name in files:
            if os.stat(path := f"{folder}/{name}").st_nlink == 1:  # noqa: PTH116 - faster for thousands of files
                sync_path(Path(path))
    if len(folders) <= _FOLDERS_ONE_BY_ONE or not _sync_file_system(version):
        for folder in folders:
            sync_path(Path(folder))


def _sync_file_system(folder: Path) -> bool:
    """Wait until all of a folder's file system is on the disk; return False where the system does not know how.

    `syncfs` (Linux) waits once, where each `fsync` of a folder waits for the disk: 3,000 of them took seconds.
    """
    syncfs = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)
    if syncfs is None:
        return False
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        if syncfs(descriptor):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(folder))
    finally:
        os.close(descriptor)
    return True


def point_current(store: Path, version: Path) -> None:
    """Make a version current and repair the names that lead to it."""
    following = store / _NEXT_LINK
    following.unlink(missing_ok=True)
    following.symlink_to(f"{VERSIONS}/{version.name}")
    point_names(store)
    following.replace(store / CURRENT)
    sync_path(store)


@contextmanager
def by_number(draft: Path) -> Iterator[Path]:
    """Yield a path to a draft that stays valid when it gets its number.

    A link has the number meanwhile; `prepare` removes one that a killed harvest left.
    """
    version = draft.with_suffix("")
    version.symlink_to(draft.name)
    try:
        yield version
    finally:
        version.unlink()


def switch(store: Path, draft: Path) -> Path:
    """Assign a draft its number, make it the current version, at once for all names, and return its folder.

    Between the two renames the next link leads to the new version, which `finish_switch` follows.
    """
    version = draft.with_suffix("")
    following = store / _NEXT_LINK
    following.unlink(missing_ok=True)
    following.symlink_to(f"{VERSIONS}/{version.name}")
    draft.rename(version)
    try:
        sync_path(version.parent)
        point_names(store)
        following.replace(store / CURRENT)
    except OSError:
        following.unlink(missing_ok=True)
        version.rename(draft)
        raise
    sync_path(store)
    return version


def point_names(store: Path) -> None:
    """Make the links that lead to the current version, where they are missing or lead elsewhere."""
    for name in NAMES:
        path, target = store / name, f"{CURRENT}/{name}"
        if path.is_symlink():
            if str(path.readlink()) == target:
                continue
            path.unlink()
        path.symlink_to(target)


def remove_ended(store: Path, *suffixes: str) -> None:
    """Remove the folders of versions whose names end with one of some suffixes."""
    for path in (store / VERSIONS).iterdir():
        if path.suffix in suffixes and NUMBER.fullmatch(path.stem) and path.is_dir():
            shutil.rmtree(path)


def _version_behind(store: Path, name: str) -> Path | None:
    """Return the version that a link of the store leads to, if it is one of the store's and has a database.

    Raises:
        StoreError: This user may not look into it.
    """
    try:
        target = store / (store / name).readlink()
        inside = target.parent.samefile(store / VERSIONS)
    except OSError:
        return None
    if not inside or not NUMBER.fullmatch(target.name):
        return None
    if os.path.isdir(target) and not os.access(target, os.R_OK | os.X_OK):  # noqa: PTH112 - as in `has_database`
        raise StoreError("the version cannot be read: Permission denied", str(target), "check its permissions")
    return target if has_database(target) else None


def sync_path(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
