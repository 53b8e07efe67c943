"""Check, restore and rebuild a store, a local folder or a URL, and check what `doctor` reports of it."""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from itertools import chain
from pathlib import Path

import duckdb

from eventlog_lineage.errors import LineageError, StoreError
from eventlog_lineage.model import Check
from eventlog_lineage.store.remote.current import CURRENT_KEY, Current, holder_of, read_current
from eventlog_lineage.store.remote.folders import folder_to_check, folder_to_write
from eventlog_lineage.store.remote.storage import Storage, cache_of
from eventlog_lineage.store.schema.creation import check_schema
from eventlog_lineage.store.schema.database import DATABASE_NAME, DamagedError, failures_as, open_for_reading
from eventlog_lineage.store.schema.relations import RUNS_FOLDER, read_fact
from eventlog_lineage.store.versions.check import check_rows, file_flaws
from eventlog_lineage.store.versions.folder import (
    CURRENT,
    NAMES,
    VERSIONS,
    current_version,
    finish_switch,
    is_store,
    no_store,
    other_holder,
    prepare,
    readable_version,
    set_aside,
    version_number,
    version_numbers,
    write_lock,
)
from eventlog_lineage.store.versions.manifest import read_manifest
from eventlog_lineage.store.versions.repair import Remedy, choose, examine, remake_version
from eventlog_lineage.store.versions.restore import (
    Restored,
    adopt_copy,
    advice,
    check_names,
    damaged,
    describe_link,
    holds_copy,
    restore_folder,
)

_HARVEST_AGAIN = "run the harvest again: it reads the logs of statements without lineage, with --reprocess all logs"

_TRIES = 3
"""How often a store is checked again because a harvest published a version meanwhile."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found.

    Attributes:
        current: The current version; 0 if no link leads to one.
        rows: Rows of the current version's public tables.
        flaws: What is wrong, a phrase each; empty for a whole store.
        moved_from: The folder that the current version's views lead to, if the store is in another one; else empty.
        skipped: Older versions that this user may not read.
    """

    current: int
    versions: tuple[int, ...]
    files: int
    rows: int
    flaws: tuple[str, ...]
    hint: str
    moved_from: str = ""
    skipped: tuple[int, ...] = ()


def check_store(store_dir: str | Path) -> Checked:
    """Check the links of a store, and of each version the files' checksums, row counts and references.

    Raises:
        StoreError: There is no store.
    """
    with folder_to_check(store_dir) as folder:
        checked = _check_folder(folder.path)
        if not folder.url:
            return checked
        return replace(checked, hint=folder.named(checked.hint), moved_from="")  # views lead to the objects


def _check_folder(store: Path) -> Checked:
    if not is_store(store):
        if holds_copy(store):
            command = f"eventlog-lineage restore --store {shlex.quote(str(store))}"
            hint = f"to make it one, run `{command}`, or harvest into it"
            raise StoreError("the folder holds a copy of a version and is not a store", str(store), hint)
        raise no_store(store)
    for _ in range(_TRIES):
        before = current_version(store)
        checked = _check(store)
        if not checked.flaws or current_version(store) == before:
            break
    return checked


@dataclass(frozen=True, slots=True)
class _Version:
    number: int
    flaws: tuple[str, ...]
    files: int = 0
    rows: int = 0
    missing: tuple[str, ...] = ()
    """As in `Rows`; a harvest may add the rows."""


def _check(store: Path) -> Checked:
    links = tuple(_link_flaws(store))
    current = version_number(current_version(store))
    numbers = version_numbers(store)
    skipped = tuple(each for each in numbers if each != current and not _may_read(store / VERSIONS / str(each)))
    versions = {each: _check_version(store / VERSIONS / str(each)) for each in numbers if each not in skipped}
    seen = versions.get(current, _Version(current, ()))
    flaws = chain.from_iterable(_told(number, versions[number].flaws) for number in reversed(versions))
    damaged_ones = [each for each in versions if versions[each].flaws]
    return Checked(
        current=current,
        versions=tuple(versions),
        files=seen.files,
        rows=seen.rows,
        flaws=(*links, *flaws, *_told(current, seen.missing)),  # a harvest completes no older version
        moved_from=_moved_from(store, current),
        hint=_hint(store, seen, links=bool(links), damaged_ones=damaged_ones),
        skipped=skipped,
    )


def _may_read(version: Path) -> bool:
    """Return whether this user may read all of a version: an older one may have been made for others."""
    places = (version, *version.rglob("*"))
    return not any(os.path.exists(each) and not os.access(each, os.R_OK) for each in places)  # noqa: PTH110


def _moved_from(store: Path, current: int) -> str:
    version = store / VERSIONS / str(current)
    try:
        with open_for_reading(version / DATABASE_NAME) as connection:
            folder = read_fact(connection, RUNS_FOLDER)
    except StoreError:
        return ""
    return folder if folder and folder != str(version) else ""


def _told(version: int, flaws: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"version {version}: {flaw}" for flaw in flaws)


def _hint(store: Path, current: _Version, *, links: bool, damaged_ones: list[int]) -> str:
    if not links and not damaged_ones:
        return _HARVEST_AGAIN if current.missing else ""
    if links or not current.number or current.number in damaged_ones:
        return advice(store)
    command = f"eventlog-lineage restore --store {shlex.quote(str(store))}"
    return f"version {current.number} is current and whole: run `{command}` to set the others aside"


def _check_version(version: Path) -> _Version:
    number = version_number(version)
    flaws = tuple(file_flaws(version))
    if flaws:
        return _Version(number, flaws)
    try:
        rows, files = check_rows(version), read_manifest(version)
    except StoreError as error:
        return _Version(number, (error.what,))
    return _Version(number, rows.flaws, len(files), rows.count, rows.missing)


def _link_flaws(store: Path) -> Iterator[str]:
    if current_version(store) is None:
        yield describe_link(store)
    for name in NAMES:
        path, target = store / name, f"{CURRENT}/{name}"
        if not os.path.lexists(path):
            if not (store / CURRENT / name).exists():
                continue  # a table that came after the version
            yield f"the link {name} is missing"
        elif not path.is_symlink() or str(path.readlink()) != target:
            yield f"{name} is not a link to {target}"


def restore(store_dir: str | Path, number: int | None = None) -> Restored:
    """Make a version whole and current, and repair the links that lead to it.

    A new version is made of what is intact of a damaged one: of copies in other versions, of Parquet files that are
    written again from the database, or of a database made again from the Parquet files. Damaged versions, and files
    that replaced links, are set aside: nothing is deleted. A copy of a version, made with its links followed, becomes a
    version of the store if the store does not have that version.

    Raises:
        StoreError: No version can be made whole, or the named one, or a harvest is writing the store.
    """
    with folder_to_write(store_dir, is_repair=True) as folder:
        restored = restore_folder(folder.path, number)
        return replace(restored, aside=None) if folder.url else restored


def rebuild(store_dir: str | Path) -> int:
    """Make lineage.duckdb again from the Parquet files of a store, as a new version; return its number.

    The views then lead to the folder that the store is in. The version that was current stays until the next harvest
    publishes a new one.

    Raises:
        StoreError: There is no store, its Parquet files are damaged, or a harvest is writing it.
    """
    with folder_to_write(store_dir, is_repair=True) as folder:
        return _rebuild_folder(folder.path)


def _rebuild_folder(store: Path) -> int:
    if not is_store(store) and not holds_copy(store):
        raise no_store(store)
    with write_lock(store), failures_as(StoreError, "the store cannot be rebuilt", store, "check the disk"):
        adopt_copy(store)
        finish_switch(store)
        check_names(store)
        prepare(store)
        return version_number(_rebuild(store))


def _rebuild(store: Path) -> Path:
    """Make the current version again, or the newest one if no link leads to one."""
    number = version_number(current_version(store)) or max(version_numbers(store), default=0)
    found = examine(store, number)
    if found.remedy is None:
        chosen = choose(store)
        what = f"version {number} cannot be rebuilt" if chosen else describe_link(store)
        raise damaged(store, what)
    remedy = found.remedy if found.remedy is Remedy.WRITE_PARQUET else Remedy.MAKE_DATABASE
    version = remake_version(store, found, remedy)
    if found.remedy is not Remedy.KEEP:
        set_aside(store, number)
    return version


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


def _state(store: Path, now: datetime) -> Check:
    try:
        version = readable_version(store)
        if version is None:
            return _absent(store)
        with open_for_reading(version / DATABASE_NAME) as connection:
            check_schema(connection, store)
            last = connection.execute("SELECT max(finished_at), count(*) FROM harvests").fetchone() or (None, 0)
    except DamagedError as error:
        return Check("store", "failed", f"{store}: {error.what}", damaged(store, error.what).hint)
    except (StoreError, OSError, duckdb.Error) as error:
        known = error if isinstance(error, StoreError) else StoreError(str(error).splitlines()[0])
        hint = known.hint or f"run `eventlog-lineage check --store {shlex.quote(str(store))}`"
        return Check("store", "failed", f"{store}: {known.what}", hint)
    finished, harvests = last
    detail = f"{store}: version {version_number(version)}, {harvests} harvest{'' if harvests == 1 else 's'}"
    if finished is None:
        return Check("store", "ok", detail)
    age = now.replace(tzinfo=None) - finished
    detail += f", the last {finished:%Y-%m-%d %H:%M} UTC"
    if age.total_seconds() < -_SKEW_SECONDS:
        return Check("store", "warning", f"{detail}: later than now", "set this machine's clock (NTP)")
    return Check("store", "ok", detail)


def _absent(store: Path) -> Check:
    if is_store(store):
        raise damaged(store, f"{CURRENT} leads nowhere")
    if store.is_dir() and any(not path.name.startswith(".") for path in store.iterdir()):
        hint = "name the store's own folder with --store"
        return Check("store", "warning", f"{store} has other files and no store", hint)
    return Check("store", "warning", f"no store in {store}", "the first harvest makes it")


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
    """Yield whether the folder can be written, whether a harvest holds its lock, and whether clocks agree."""
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
        current = read_current(content, url) if content is not None else Current()
        if current.version:
            yield Check("store", "ok", f"{url}: version {current.version}")
        else:
            yield Check("store", "warning", f"no store in {url}", "the first harvest makes it")
        if holder := holder_of(current):
            hint = "another harvest is refused meanwhile; wait until it has ended"
            yield Check("store's lock", "warning", f"a harvest is writing: {holder}", hint)
        yield check_disk(cache_of(url), "store's cache")
    except LineageError as error:
        detail = error.what if error.where in ("", url) else f"{error.what} ({error.where})"
        yield Check("store", "failed", f"{url}: {detail}", error.hint)
