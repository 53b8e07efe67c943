"""Versions from the storage into a folder that is a store."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from eventlog_lineage.errors import StoreError
from eventlog_lineage.store.remote.address import LOCK_FILE
from eventlog_lineage.store.remote.current import Files, RemoteVersion, read_list, sha256_of
from eventlog_lineage.store.remote.storage import Storage, in_parallel
from eventlog_lineage.store.schema.database import DATABASE_NAME
from eventlog_lineage.store.schema.relations import RUNS
from eventlog_lineage.store.versions.folder import PRIVATE, VERSIONS, point_current, version_numbers
from eventlog_lineage.store.versions.manifest import MANIFEST, ListedFile, is_intact, readable_manifest, write_manifest

_FETCHED = ".fetched"
"""The folder, in a folder of the cache, with the checksums of the lists of the versions that were fetched."""


class GoneError(Exception):
    """An object is missing or damaged; a newer version may have replaced its own."""


@dataclass(frozen=True, slots=True)
class Fetch:
    """How versions are fetched.

    Attributes:
        storage: From where.
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
        known = _Copies.of((self.folder, *self.copies))
        missing = [
            path
            for path, each in wanted.items()
            if not known.link(path, each.file, draft / path, is_read=self.is_tolerant)
        ]
        in_parallel(lambda path: self._fetch_file(path, files, draft / path), missing)
        if len(wanted) < len(files) and not self.is_tolerant:
            (draft / MANIFEST).unlink(missing_ok=True)
            write_manifest(draft, {path: each.file for path, each in wanted.items()})
        target = draft.with_suffix("")
        if target.exists():
            shutil.rmtree(target)
        draft.rename(target)
        self.mark(version)

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
                    _remove(path)

    def clear(self) -> None:
        """Remove everything from the folder but its lock."""
        for path in self.folder.iterdir():
            if path.name != LOCK_FILE:
                _remove(path)

    def _fetch_file(self, path: str, files: Files, target: Path) -> None:
        found = files[path]
        if not self.storage.fetch(found.key, found.file.size, target) or not is_intact(target, found.file):
            target.unlink(missing_ok=True)
            self.lost.add(found.key)
        else:
            target.chmod(PRIVATE & 0o666)
            return
        if not self.is_tolerant:
            raise GoneError(f"{found.key} is missing or damaged")


def forget(folder: Path) -> None:
    """Let a folder fetch again what it has; processes that read its versions keep them."""
    shutil.rmtree(folder / _FETCHED, ignore_errors=True)


def is_for_questions(path: str) -> bool:
    """Return whether questions read a file of a version: its database, or runs that the views read."""
    return path == DATABASE_NAME or path.startswith(f"{RUNS}/")


def damaged_storage(storage: Storage, error: GoneError) -> StoreError:
    """Return the error for a store with a damaged object."""
    hint = f"run `eventlog-lineage restore --store {storage.url}` to repair it or to go back to a whole version"
    return StoreError(f"the store is damaged: {error}", storage.url, hint)


@dataclass(frozen=True, slots=True)
class _Copies:
    """Files of the cache, by their paths in their versions and their content."""

    found: Mapping[tuple[str, ListedFile], Path]

    @staticmethod
    def of(folders: Iterable[Path]) -> _Copies:
        found = {}
        for folder in folders:
            for number in version_numbers(folder):
                if not (folder / _FETCHED / str(number)).is_file():
                    continue  # a harvest that did not reach the storage made it
                version = folder / VERSIONS / str(number)
                found.update({(path, file): version / path for path, file in readable_manifest(version).items()})
        return _Copies(found)

    def link(self, path: str, file: ListedFile, target: Path, *, is_read: bool) -> bool:
        """Link a file that the cache has; return whether it had it.

        Args:
            is_read: Compare the checksum, not only the size.
        """
        source = self.found.get((path, file))
        try:
            if source is None or source.stat().st_size != file.size or (is_read and not is_intact(source, file)):
                return False
            os.link(source, target)
        except OSError:  # removed meanwhile, or a file system without links
            return False
        return True


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()
