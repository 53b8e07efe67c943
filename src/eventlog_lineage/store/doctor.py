"""Check a store, its disk and its clock for `doctor`; writes nothing that stays."""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

import duckdb

from eventlog_lineage.errors import LineageError, StoreError
from eventlog_lineage.model import Check
from eventlog_lineage.store.remote.address import cache_of
from eventlog_lineage.store.remote.current import CURRENT_KEY, lease_holder, read_current
from eventlog_lineage.store.remote.storage import Storage
from eventlog_lineage.store.schema.database import DATABASE_NAME, DamagedError, open_for_reading
from eventlog_lineage.store.schema.migration import check_schema
from eventlog_lineage.store.versions.folder import CURRENT, is_store, other_holder, readable_version, version_number
from eventlog_lineage.store.versions.restore import damaged

_LEAST_FREE = 2 << 30
_SKEW_SECONDS = 5.0


def check_store_state(store: Path, now: datetime) -> Iterator[Check]:
    """Yield the lines about a store: its state, its disk, the clock of its file system."""
    state = _state(store, now)
    yield state
    folder = store
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    yield check_disk(folder, "store's disk")
    if state.status != "failed":
        yield from _writable(store, folder)


def check_temporary_folder() -> Check:
    """Return the line about the folder for temporary files."""
    return check_disk(Path(tempfile.gettempdir()), "temporary folder")


def _state(store: Path, now: datetime) -> Check:
    try:
        version = readable_version(store)
        if version is None:
            if is_store(store):
                raise damaged(store, f"{CURRENT} leads nowhere")
            if store.is_dir() and any(not path.name.startswith(".") for path in store.iterdir()):
                hint = "name the store's own folder with --store"
                return Check("store", "warning", f"{store} has other files and no store", hint)
            return Check("store", "warning", f"no store in {store}", "the first harvest makes it")
        with open_for_reading(version / DATABASE_NAME) as connection:
            check_schema(connection, store)
            last = connection.execute("SELECT max(finished_at), count(*) FROM harvests").fetchone() or (None, 0)
    except DamagedError as error:
        return Check("store", "failed", f"{store}: {error.what}", damaged(store, error.what).hint)
    except StoreError as error:
        hint = error.hint or f"run `eventlog-lineage check --store {shlex.quote(str(store))}`"
        return Check("store", "failed", f"{store}: {error.what}", hint)
    except (OSError, duckdb.Error) as error:
        hint = f"run `eventlog-lineage check --store {shlex.quote(str(store))}`"
        return Check("store", "failed", f"{store}: {str(error).splitlines()[0]}", hint)
    finished, harvests = last
    many = "1 harvest" if harvests == 1 else f"{harvests} harvests"
    detail = f"{store}: version {version_number(version)}, {many}"
    if finished is None:
        return Check("store", "ok", detail)
    age = now.replace(tzinfo=None) - finished
    detail += f", the last {finished:%Y-%m-%d %H:%M} UTC"
    if age.total_seconds() < -_SKEW_SECONDS:
        return Check("store", "warning", f"{detail}: later than now", "set this machine's clock (NTP)")
    return Check("store", "ok", detail)


def check_disk(folder: Path, subject: str) -> Check:
    """Return the line about the free space of a disk."""
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return Check(subject, "failed", f"{folder}: {error.strerror}", "mount it, or name another folder")
    detail = f"{free / 1e9:.1f} GB free in {folder}"
    if free < _LEAST_FREE:
        hint = "make room: a harvest writes a version next to the current one"
        return Check(subject, "warning", detail, hint)
    return Check(subject, "ok", detail)


def _writable(store: Path, folder: Path) -> Iterator[Check]:
    """Yield whether the folder can be written, whether a harvest holds its lock, and whether clocks agree.

    Args:
        folder: The folder to write a file to: the store's, or the nearest one above it that exists.
    """
    before = time.time()
    try:
        descriptor, name = tempfile.mkstemp(prefix=".eventlog-lineage-doctor-", dir=folder)
    except OSError as error:
        yield Check(
            "store's folder", "failed", f"{folder} cannot be written: {error.strerror}", "check its owner and mode"
        )
        return
    try:
        written = os.fstat(descriptor).st_mtime
    finally:
        os.close(descriptor)
        Path(name).unlink(missing_ok=True)
    after = time.time()
    if is_store(store):
        yield from _locked(store)
    skew = max(before - written, written - after, 0.0)
    now = datetime.fromtimestamp(after, timezone.utc)
    if skew > _SKEW_SECONDS:
        hint = "set the clocks of this machine and of the file server (NTP)"
        yield Check("clock", "warning", f"{now:%Y-%m-%d %H:%M:%S} UTC, the store's disk differs by {skew:.0f} s", hint)
    else:
        yield Check("clock", "ok", f"{now:%Y-%m-%d %H:%M:%S} UTC, as the store's disk has it")


def _locked(store: Path) -> Iterator[Check]:
    try:
        holder = other_holder(store)
    except StoreError as error:
        yield Check("store's lock", "failed", error.what, error.hint)
        return
    if holder:
        hint = "another harvest is refused meanwhile; wait until it has ended"
        yield Check("store's lock", "warning", f"a harvest is writing: {holder}", hint)


def check_remote_store(url: str) -> Iterator[Check]:
    """Yield the lines about a store: its state, its lock, and the disk of its cache."""
    try:
        storage = Storage(url)
        content = storage.read_latest(CURRENT_KEY)
        version = read_current(content, url).version if content is not None else 0
        if version:
            yield Check("store", "ok", f"{url}: version {version}")
        else:
            yield Check("store", "warning", f"no store in {url}", "the first harvest makes it")
        if holder := lease_holder(storage):
            hint = "another harvest is refused meanwhile; wait until it has ended"
            yield Check("store's lock", "warning", f"a harvest is writing: {holder}", hint)
        yield check_disk(cache_of(url), "store's cache")
    except LineageError as error:
        detail = error.what if error.where in ("", url) else f"{error.what} ({error.where})"
        yield Check("store", "failed", f"{url}: {detail}", error.hint)
