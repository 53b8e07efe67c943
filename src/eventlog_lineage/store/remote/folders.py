"""A store as a folder: the local one itself, or the cache of one on object storage or HDFS, which is fetched."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from eventlog_lineage.errors import LineageError, StoreError
from eventlog_lineage.store.remote.storage import LOCK_FILE, cache_of, locked, remote_url, store_folder
from eventlog_lineage.store.schema.database import DATABASE_NAME
from eventlog_lineage.store.versions.folder import (
    KEPT_VERSIONS,
    PRIVATE,
    VERSIONS,
    point_current,
    remove,
    version_numbers,
)
from eventlog_lineage.store.versions.manifest import MANIFEST, ListedFile, is_intact, readable_manifest, write_manifest

from .current import (
    CURRENT_KEY,
    LISTS,
    Current,
    Files,
    Publication,
    RemoteVersion,
    held,
    is_for_questions,
    lost_current,
    read_current,
    read_list,
    remove_leftovers,
    sha256_of,
)
from .storage import Storage, in_parallel

_FETCHED = ".fetched"
"""The folder, in a folder of the cache, with the checksums of the lists of the versions that were fetched."""


class GoneError(Exception):
    """An object is missing or damaged; a newer version may have replaced its own."""


@dataclass(frozen=True, slots=True)
class Fetch:
    """How versions are fetched.

    Attributes:
        folder: The folder that gets `.versions/7` and the links of a store.
        copies: Other folders of the cache, whose files are linked where they are the same.
        wanted: Whether a path is fetched; the folder's version is a part of the store's then.
        is_tolerant: Leave out files that are missing or damaged, and read the files of the cache that are linked: for
            checks and repairs.
        lost: The objects that turned out to be missing or damaged.
    """

    storage: Storage
    folder: Path
    copies: tuple[Path, ...] = ()
    wanted: Callable[[str], bool] = lambda _: True
    is_tolerant: bool = False
    lost: set[str] = field(default_factory=set)

    def files_of(self, version: RemoteVersion) -> Files:
        """Return the files of a version.

        Raises:
            GoneError: The list is missing or damaged.
        """
        content = self.storage.read(version.list_key)
        if content is None or sha256_of(content) != version.sha256:
            raise GoneError(f"{version.list_key} is {'missing' if content is None else 'damaged'}")
        try:
            number, files = read_list(content)
        except ValueError:
            raise GoneError(f"{version.list_key} is damaged") from None
        if number != version.number:
            raise GoneError(f"{version.list_key} is the list of version {number}")
        return files

    def has(self, version: RemoteVersion) -> bool:
        """Return whether the folder has a version already, with all of its files that are wanted."""
        mark = self.folder / _FETCHED / str(version.number)
        path = self.folder / VERSIONS / str(version.number)
        return mark.is_file() and mark.read_text() == version.sha256 and (path / DATABASE_NAME).is_file()

    def fetch(self, version: RemoteVersion, files: Files) -> None:
        """Fetch a version; it gets its number when it is complete.

        Raises:
            GoneError: A file is missing or damaged.
        """
        if self.has(version):
            return
        draft = self.folder / VERSIONS / f"{version.number}.draft"
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(mode=PRIVATE, parents=True)
        wanted = {path: each for path, each in files.items() if self.wanted(path)}
        for parent in sorted({str(Path(path).parent) for path in wanted}):
            (draft / parent).mkdir(mode=PRIVATE, parents=True, exist_ok=True)
        self._fill(draft, wanted)
        if len(wanted) < len(files) and not self.is_tolerant:
            (draft / MANIFEST).unlink(missing_ok=True)
            write_manifest(draft, {path: each.file for path, each in wanted.items()})
        target = draft.with_suffix("")
        if target.exists():
            shutil.rmtree(target)
        draft.rename(target)
        self.mark(version)

    def _fill(self, draft: Path, files: Files) -> None:
        """Link the files that the cache has, and fetch the others."""
        known = _copies((self.folder, *self.copies))
        missing = [
            path
            for path, each in files.items()
            if not _link(known.get((path, each.file)), each.file, draft / path, is_read=self.is_tolerant)
        ]
        in_parallel(lambda path: self._fetch_file(path, files, draft / path), missing)

    def mark(self, version: RemoteVersion) -> None:
        """Record that the folder has a version."""
        (self.folder / _FETCHED).mkdir(mode=PRIVATE, exist_ok=True)
        (self.folder / _FETCHED / str(version.number)).write_text(version.sha256)

    def point_to(self, number: int) -> None:
        """Make a version current in the folder, if the folder has it."""
        version = self.folder / VERSIONS / str(number)
        if version.is_dir():
            point_current(self.folder, version)

    def remove_others(self, versions: Iterable[RemoteVersion]) -> None:
        """Remove what the folder has, except some versions."""
        kept = {str(each.number) for each in versions if self.has(each)}
        for inside in (self.folder / VERSIONS, self.folder / _FETCHED):
            for path in inside.iterdir() if inside.is_dir() else ():
                if path.name not in kept:
                    remove(path)

    def clear(self) -> None:
        """Remove everything from the folder but its lock."""
        for path in self.folder.iterdir():
            if path.name != LOCK_FILE:
                remove(path)

    def _fetch_file(self, path: str, files: Files, target: Path) -> None:
        found = files[path]
        if self.storage.fetch(found.key, found.file.size, target) and is_intact(target, found.file):
            target.chmod(PRIVATE & 0o666)
            return
        target.unlink(missing_ok=True)
        self.lost.add(found.key)
        if not self.is_tolerant:
            raise GoneError(f"{found.key} is missing or damaged")


def forget(folder: Path) -> None:
    """Let a folder fetch again what it has; processes that read its versions keep them."""
    shutil.rmtree(folder / _FETCHED, ignore_errors=True)


def damaged_storage(storage: Storage, error: GoneError) -> StoreError:
    """Return the error for a store with a damaged object."""
    hint = f"run `eventlog-lineage restore --store {storage.url}` to repair it or to go back to a whole version"
    return StoreError(f"the store is damaged: {error}", storage.url, hint)


def _copies(folders: Iterable[Path]) -> dict[tuple[str, ListedFile], Path]:
    """Return the files of the cache, by their paths in their versions and their content."""
    found: dict[tuple[str, ListedFile], Path] = {}
    for folder in folders:
        for number in version_numbers(folder):
            if (folder / _FETCHED / str(number)).is_file():  # else a harvest that did not reach the storage made it
                version = folder / VERSIONS / str(number)
                found |= {(path, file): version / path for path, file in readable_manifest(version).items()}
    return found


def _link(source: Path | None, file: ListedFile, target: Path, *, is_read: bool) -> bool:
    """Link a file of the cache, if it is there; return whether it is."""
    try:
        if source is None or source.stat().st_size != file.size or (is_read and not is_intact(source, file)):
            return False
        os.link(source, target)
    except OSError:  # removed meanwhile, or a file system without links
        return False
    return True


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
            fetch.fetch(version, _whole(files, objects))
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
    objects = storage.objects()
    found, tag = _read(storage, objects, is_repair=is_repair)
    if is_repair and not found.versions:
        raise _no_store(url)
    with held(storage, found, tag) as lease, _working_folder(cache, is_repair=is_repair) as folder:
        fetch = Fetch(storage, folder, (cache / _READING, cache / _WRITING), is_tolerant=is_repair)
        known = _fetch_all(fetch, found, objects) if is_repair else _fetch_seen(fetch, found, objects)
        begun = Publication(lease, folder, known)
        with _named(StoreFolder(folder, url)) as opened:
            yield opened
            switched = begun.publish(len(found.versions) + 2 if is_repair else keep)
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


def _fetch_seen(fetch: Fetch, current: Current, objects: Mapping[str, int]) -> dict[int, Files]:
    """Remove what killed harvests left, fetch the version to continue, and return the files of all versions."""
    lists = _lists(fetch, current)
    remove_leftovers(fetch.storage, objects, lists.values(), current)
    seen = current.seen
    if seen is None:
        fetch.clear()
    else:
        fetch.remove_others([seen])
        try:
            fetch.fetch(seen, lists[seen])
        except GoneError as error:
            raise damaged_storage(fetch.storage, error) from None
        fetch.point_to(seen.number)
    if current.last > current.version:  # no new version gets the number of an older one
        (fetch.folder / VERSIONS / f"{current.last}.damaged").mkdir(parents=True)
    return {each.number: files for each, files in lists.items()}


def _fetch_all(fetch: Fetch, current: Current, objects: Mapping[str, int]) -> dict[int, Files]:
    """Fetch what is whole of all versions, and return these files."""
    lists = _lists(fetch, current)
    for version, files in lists.items():
        fetch.fetch(version, files)
    fetch.point_to(current.version)
    left = {key: size for key, size in objects.items() if key not in fetch.lost}
    return {each.number: _whole(files, left) for each, files in lists.items()}


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
    """Remove versions from a folder that readers fetch to, but the newest one and the one before it."""
    folder = fetch.folder / VERSIONS
    numbers = sorted((int(path.name) for path in folder.iterdir() if path.name.isdecimal()), reverse=True)
    for number in [each for each in numbers if each != seen.number][1:]:
        shutil.rmtree(folder / str(number), ignore_errors=True)


def _read(
    storage: Storage, objects: Mapping[str, int] | None = None, *, is_repair: bool = False
) -> tuple[Current, str | None]:
    """Return what `current` has, and its tag; an empty store if there is nothing."""
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
    """Return the files of all versions; in a repair without those whose list is lost."""
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
