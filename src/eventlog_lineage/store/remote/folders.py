"""A store as a folder: the local one itself, or the cache of one on object storage or HDFS."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from eventlog_lineage.errors import LineageError, StoreError
from eventlog_lineage.store.remote.address import cache_of, locked, remote_url, store_folder
from eventlog_lineage.store.remote.current import (
    CURRENT_KEY,
    LISTS,
    Current,
    Files,
    RemoteVersion,
    held,
    lost_current,
    read_current,
    read_list,
    sha256_of,
)
from eventlog_lineage.store.remote.publishing import Publication, claim, remove_leftovers, taken_over, without_lost
from eventlog_lineage.store.remote.storage import Storage
from eventlog_lineage.store.versions.folder import KEPT_VERSIONS, VERSIONS

from .fetching import Fetch, GoneError, damaged_storage, forget, is_for_questions

_TRIES = 3
"""How often a version is fetched again because a harvest replaced it meanwhile."""

_READING, _WRITING = "reading", "writing"


@dataclass(frozen=True, slots=True)
class StoreFolder:
    """A folder with a store.

    Attributes:
        path: The folder; absolute where it is written or checked.
        url: The URL of the store if the folder is a cache; else empty.
    """

    path: Path
    url: str = ""

    def named(self, text: str) -> str:
        """Return a message with the store's URL in the place of the cache's folder."""
        return text.replace(str(self.path), self.url) if self.url else text


@contextmanager
def folder_to_read(store_dir: str | Path) -> Iterator[StoreFolder]:
    """Open a store for questions; of a remote one the current version is fetched, if the cache does not have it.

    Raises:
        StoreError: There is no store at the URL, or it is damaged.
        UsageError: The URL is not supported.
    """
    url = remote_url(store_dir)
    if url is None:
        yield StoreFolder(store_folder(store_dir))
        return
    storage, cache = Storage(url), cache_of(url)
    folder = cache / _READING
    fetch = Fetch(storage, folder, (cache / _WRITING,), is_for_questions)
    with locked(folder):
        _fetch_current(fetch)
    with _named(StoreFolder(folder, url)) as opened:
        yield opened


@contextmanager
def folder_to_check(store_dir: str | Path) -> Iterator[StoreFolder]:
    """Open a store with all of its versions, as they are now; damaged files of remote ones are missing.

    Raises:
        StoreError: There is no store at the URL.
        UsageError: The URL is not supported.
    """
    url = remote_url(store_dir)
    if url is None:
        yield StoreFolder(store_folder(store_dir).absolute())
        return
    storage, cache = Storage(url), cache_of(url)
    current, _ = _read(storage)
    if not current.versions:
        raise _no_store(url)
    objects = storage.objects()
    with tempfile.TemporaryDirectory(prefix="checking-", dir=cache) as scratch:
        folder = Path(scratch)
        fetch = Fetch(storage, folder, (cache / _READING, cache / _WRITING), is_tolerant=True)
        for version, files in _lists(fetch, current).items():
            whole = {path: each for path, each in files.items() if objects.get(each.key) == each.file.size}
            fetch.fetch(version, whole)
        fetch.point_to(current.version)
        with _named(StoreFolder(folder, url)) as opened:
            yield opened


@contextmanager
def folder_to_write(
    store_dir: str | Path, keep: int = KEPT_VERSIONS, *, is_repair: bool = False
) -> Iterator[StoreFolder]:
    """Open a store for the one process that may write it; what that process publishes in the folder is sent at the end.

    Without an error, that is. Killed at any moment, the remote store is as before or complete.

    Args:
        keep: How many versions of a remote store stay.
        is_repair: Take what is whole of a damaged remote store, with all of its versions.

    Raises:
        StoreError: The remote store is damaged, locked, or cannot be written.
        UsageError: The URL is not supported.
    """
    url = remote_url(store_dir)
    if url is None:
        yield StoreFolder(store_folder(store_dir).absolute())
        return
    storage, cache = Storage(url), cache_of(url)
    with held(storage) as lease, _working_folder(cache, is_repair=is_repair) as folder:
        fetch = Fetch(storage, folder, (cache / _READING, cache / _WRITING), is_tolerant=is_repair)
        begun = _begin_repair(fetch) if is_repair else _begin(fetch)
        with _named(StoreFolder(folder, url)) as opened:
            yield opened
            if lease.is_lost:
                raise taken_over(url)
            switched = begun.publish(len(begun.current.versions) + 2 if is_repair else keep)
        for each in begun.sent:
            fetch.mark(each)
        if is_repair:  # its files may have been the reason
            forget(cache / _READING)
            shutil.rmtree(cache / _WRITING, ignore_errors=True)
        else:
            remove_leftovers(storage, storage.objects(), _lists(fetch, switched).values(), switched)


@contextmanager
def _working_folder(cache: Path, *, is_repair: bool) -> Iterator[Path]:
    """Yield the folder that a harvest continues, or an empty one for a repair."""
    if is_repair:
        with tempfile.TemporaryDirectory(prefix="repairing-", dir=cache) as scratch:
            yield Path(scratch)
    else:
        with locked(folder := cache / _WRITING):
            yield folder


def _begin(fetch: Fetch) -> Publication:
    """Claim a store for a harvest, remove what killed harvests left, and fetch the version to continue."""
    storage, folder = fetch.storage, fetch.folder
    objects = storage.objects()
    current, tag = claim(storage, *_read(storage, objects), uuid4().hex[:12])
    lists = _lists(fetch, current)
    remove_leftovers(storage, objects, lists.values(), current)
    seen = current.seen
    if seen is None:
        fetch.clear()
    else:
        fetch.remove_others([seen])
        try:
            fetch.fetch(seen, lists[seen])
        except GoneError as error:
            raise damaged_storage(storage, error) from None
        fetch.point_to(seen.number)
    if current.last > current.version:  # no new version gets the number of an older one
        (folder / VERSIONS / f"{current.last}.damaged").mkdir(parents=True)
    return Publication(storage, folder, current, tag, {each.number: files for each, files in lists.items()})


def _begin_repair(fetch: Fetch) -> Publication:
    """Claim a store for a repair, and fetch what is whole of all versions."""
    storage = fetch.storage
    objects = storage.objects()
    found, found_tag = _read(storage, objects, is_repair=True)
    if not found.versions:
        raise _no_store(storage.url)
    current, tag = claim(storage, found, found_tag, uuid4().hex[:12])
    lists = _lists(fetch, current)
    for version, files in lists.items():
        fetch.fetch(version, files)
    fetch.point_to(current.version)
    known = {each.number: without_lost(_whole(files, objects), fetch.lost) for each, files in lists.items()}
    return Publication(storage, fetch.folder, current, tag, known)


def _fetch_current(fetch: Fetch) -> None:
    """Fetch the version that readers see, if the folder does not have it; the one before it stays for its readers."""
    for tries in range(_TRIES):
        seen = _seen(fetch.storage)
        try:
            if not fetch.has(seen):
                fetch.fetch(seen, fetch.files_of(seen))
                fetch.point_to(seen.number)
                _keep_newest(fetch, seen)
            elif not (fetch.folder / ".current").exists():
                fetch.point_to(seen.number)
        except GoneError as error:
            if tries == _TRIES - 1 or _seen(fetch.storage) == seen:
                raise damaged_storage(fetch.storage, error) from None
        else:
            return


def _seen(storage: Storage) -> RemoteVersion:
    """Return the version that readers see."""
    content = storage.read_latest(CURRENT_KEY)
    seen = read_current(content, storage.url).seen if content is not None else None
    if seen is None:
        raise _no_store(storage.url)
    return seen


def _keep_newest(fetch: Fetch, seen: RemoteVersion) -> None:
    """Remove versions from a folder that readers fetch to, but the newest one and the one before it.

    Args:
        fetch: The local folder, and the storage that it is filled from.
    """
    folder = fetch.folder / VERSIONS
    numbers = sorted((int(path.name) for path in folder.iterdir() if path.name.isdecimal()), reverse=True)
    for number in [each for each in numbers if each != seen.number][1:]:
        shutil.rmtree(folder / str(number), ignore_errors=True)


def _read(
    storage: Storage, objects: Mapping[str, int] | None = None, *, is_repair: bool = False
) -> tuple[Current, str | None]:
    """Return what `current` has, and its tag; an empty store if there is nothing.

    Args:
        objects: All objects, to distinguish an empty store from a damaged one.
        is_repair: Find the versions by their lists if `current` is missing or damaged.

    Raises:
        StoreError: The store is damaged.
    """
    found = storage.read_tagged(CURRENT_KEY)
    try:
        if found:
            return read_current(found.content, storage.url), found.tag
        if any(key.startswith(f"{LISTS}/") for key in objects or ()):
            raise lost_current(storage.url, "missing")
    except StoreError:
        if not is_repair:
            raise
        return _found_versions(storage, objects or {}), found.tag if found else None
    return Current(), None


def _found_versions(storage: Storage, objects: Mapping[str, int]) -> Current:
    """Return the versions of a store that has lists and no `current`: of each number the newest whole one."""
    versions: dict[int, RemoteVersion] = {}
    for key in sorted(key for key in objects if key.startswith(f"{LISTS}/")):
        content = storage.read(key) or b""
        try:
            number, files = read_list(content)
        except ValueError:
            continue
        if len(_whole(files, objects)) == len(files):
            database = next(each.key for path, each in files.items() if path.endswith(".duckdb"))
            versions[number] = RemoteVersion(number, key, sha256_of(content), database)
    last = max(versions, default=0)
    return Current(last, last, "", tuple(versions[each] for each in sorted(versions)))


def _lists(fetch: Fetch, current: Current) -> dict[RemoteVersion, Files]:
    """Return the files of all versions; in a repair without those whose list is lost.

    Args:
        fetch: The local folder, and the storage that it is filled from.
    """
    found = ((version, _list(fetch, version)) for version in current.versions)
    return {version: files for version, files in found if files is not None}


def _list(fetch: Fetch, version: RemoteVersion) -> Files | None:
    try:
        return fetch.files_of(version)
    except GoneError as error:
        if fetch.is_tolerant:
            return None
        raise damaged_storage(fetch.storage, error) from None


def _whole(files: Files, objects: Mapping[str, int]) -> Files:
    return {path: each for path, each in files.items() if objects.get(each.key) == each.file.size}


def _no_store(url: str) -> StoreError:
    return StoreError("there is no store", url, "name the store with --store; `eventlog-lineage harvest` makes one")


@contextmanager
def _named(folder: StoreFolder) -> Iterator[StoreFolder]:
    """Name the store instead of the cache in errors."""
    try:
        yield folder
    except LineageError as error:
        error.what, error.where, error.hint = map(folder.named, (error.what, error.where, error.hint))
        raise
