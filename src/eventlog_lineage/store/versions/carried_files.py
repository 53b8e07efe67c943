"""What a new version takes over from older ones, and the versions that are removed.

A version shares no file with the version before it. What did not change is a hard link to the version before that
one; only what the last harvest wrote, and only one version has, is copied. So a damaged file has an intact copy in the
neighboring version, and a harvest copies no more than the one before it wrote.

A version has some folders for each day, for years, and most are as they were in the version before. To make one and to
remove an old one takes 0.1 to 1 ms on a disk that others use as well; to move one takes 20 µs. So of a version that is
removed those folders stay as a spare, `.versions/5.spare`, whose files the current version has as well. Nobody reads a
spare, and nothing is lost if it is removed.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from eventlog_lineage.store.schema.database import DamagedError
from eventlog_lineage.store.schema.relations import RUNS
from eventlog_lineage.store.schema.tables import PUBLIC_TABLES
from eventlog_lineage.store.versions.folder import (
    DAMAGED,
    KEPT_VERSIONS,
    PRIVATE,
    REMOVED,
    VERSIONS,
    current_version,
    remove_drafts,
    remove_ended,
    version_number,
    version_numbers,
)
from eventlog_lineage.store.versions.manifest import MANIFEST, ListedFile, read_manifest, readable_manifest

_SUFFIX = ".spare"
_NUMBER = re.compile(r"[1-9][0-9]{0,15}", re.ASCII)

_FEW = 100
"""Files of days in public tables up to which a removed version is removed at once."""

_KEPT = 2
"""Spares that stay. Versions next to each other share no file, so that a new version fits every other one."""

_OF_DAYS = frozenset({RUNS, *(table.name for table in PUBLIC_TABLES if table.per_run)})


@dataclass(frozen=True, slots=True)
class Spare:
    """A removed version whose files of days can be moved.

    Attributes:
        folder: Its folder.
        listed: The files that it had as a version.
    """

    folder: Path
    listed: Mapping[str, ListedFile]

    def has(self, name: str, expected: ListedFile, previous: Path) -> bool:
        """Return whether the spare has a copy of a file of another version, see `is_copy_of`.

        Raises:
            OSError: One of the two files is missing.
        """
        return self.listed.get(name) == expected and is_copy_of(self.folder, name, expected, previous)


def is_copy_of(other: Path, name: str, expected: ListedFile, previous: Path) -> bool:
    """Return whether a file has the size of another version's, and is not the same file.

    Args:
        other: The folder of the version that may have the copy; its list has the same checksum.
        previous: The folder of the version that it may be a copy of.

    Raises:
        OSError: One of the two files is missing.
    """
    facts = os.lstat(f"{other}/{name}")
    return facts.st_size == expected.size and not os.path.samestat(facts, os.lstat(f"{previous}/{name}"))


def find_spare(store: Path, previous: Path, listed: Mapping[str, ListedFile]) -> Spare | None:
    """Return the newest spare that shares no file with a version.

    Args:
        store: The store's folder; the lock is held.
        previous: The folder of the version that the next one continues.
    """
    for folder in _spares(store):
        spare = Spare(folder, readable_manifest(folder))
        for name in listed:
            if _is_of_days(name) and spare.listed.get(name) == listed[name]:
                with suppress(OSError):
                    if spare.has(name, listed[name], previous):
                        return spare
                    break
    return None


def keep_spare(store: Path, current: Path, old: Path | None) -> None:
    """Keep the folders of days of a version that is to be removed, if they are many; remove older spares.

    Args:
        store: The store's folder; the lock is held.
        current: The folder of the version that was just published.
        old: The folder of the version to be removed; it is not there any more if it became a spare. None if none is.

    Raises:
        DamagedError: The list of the current version is damaged.
    """
    if old and sum(_is_of_days(name) and not name.startswith(RUNS) for name in readable_manifest(old)) > _FEW:
        old.rename(old.with_suffix(_SUFFIX))
    files = read_manifest(current)
    for number, spare in enumerate(list(_spares(store))):
        if number < _KEPT:
            _narrow(spare, files)
        else:
            shutil.rmtree(spare)


def _narrow(spare: Path, current: Mapping[str, ListedFile]) -> None:
    """Remove what the current version does not have from a spare, and all that is not of days."""
    for entry in list(spare.iterdir()):
        if entry.is_dir() and not entry.is_symlink():
            if entry.name not in _OF_DAYS:
                shutil.rmtree(entry)
        elif entry.name != MANIFEST:
            entry.unlink()
    for name, file in readable_manifest(spare).items():
        if _is_of_days(name) and current.get(name) != file:
            (spare / name).unlink(missing_ok=True)
            with suppress(OSError):  # it has other files
                (spare / name).parent.rmdir()


def _is_of_days(name: str) -> bool:
    return name.partition("/")[0] in _OF_DAYS


def _spares(store: Path) -> Iterator[Path]:
    """Yield the spares of a store, the newest first."""
    found = (path for path in (store / VERSIONS).glob(f"*{_SUFFIX}") if _NUMBER.fullmatch(path.stem))
    yield from sorted((path for path in found if path.is_dir()), key=lambda path: -int(path.stem))


_CANDIDATES = 2
"""Older versions to look for a file in: one, and another one where a restored version shares files with the first."""

_BLOCK = 1 << 20

_Listed = Mapping[str, ListedFile]


@dataclass(frozen=True, slots=True)
class CarriedFiles:
    """The files of the version before, and the older versions that have copies of them.

    Attributes:
        version: The new version's folder.
        previous: The folder of the version that it continues.
        listed: The files that belong to that version.
        older: Other versions, the newest first, with their lists.
        spare: An older version that is not needed any more; its files are moved.
        checksums: What was carried so far, by the path in the version.
        moved: The folders of days that were moved so far, by their paths in the version.
    """

    version: Path
    previous: Path
    listed: _Listed
    older: tuple[tuple[Path, _Listed], ...]
    spare: Spare | None = None
    checksums: dict[str, ListedFile] = field(default_factory=dict)
    moved: set[str] = field(default_factory=set)

    def has(self, name: str) -> bool:
        """Return whether a file of the version before belongs to it."""
        return name in self.listed

    def carry_folder(self, folder: str) -> None:
        """Carry the files of a folder; the same folder of the new version exists."""
        for file in os.listdir(f"{self.previous}/{folder}"):  # noqa: PTH208 - faster for thousands of folders
            if self.has(name := f"{folder}/{file}"):
                self.carry(name)

    def carry_day(self, folder: str) -> None:
        """Carry the folder of a day: move it if the spare has the same, else make it and carry its files."""
        if not self._move_day(folder):
            os.mkdir(f"{self.version}/{folder}", PRIVATE)  # noqa: PTH102 - as above
            self.carry_folder(folder)

    def _move_day(self, folder: str) -> bool:
        """Move a folder from the spare, if it has copies of the files of the previous version's and no others."""
        if self.spare is None:
            return False
        names = self._files_of(self.previous, folder)
        found = {name: self.listed[name] for name in names if self.has(name)}
        if not found or len(found) < len(names):
            return False
        try:
            is_same = set(self._files_of(self.spare.folder, folder)) == found.keys()
            if not is_same or not all(self.spare.has(*each, self.previous) for each in found.items()):
                return False
            os.rename(f"{self.spare.folder}/{folder}", f"{self.version}/{folder}")  # noqa: PTH104 - as above
        except OSError:  # the spare lacks it
            return False
        self.checksums.update(found)
        self.moved.add(folder)
        return True

    @staticmethod
    def _files_of(version: Path, folder: str) -> list[str]:
        return [f"{folder}/{name}" for name in os.listdir(f"{version}/{folder}")]  # noqa: PTH208 - as above

    def carry(self, name: str) -> None:
        """Take a file over: move or link it from an older version that has a copy of it, else copy it.

        Raises:
            DamagedError: The file that has to be copied is damaged.
        """
        expected = self.listed[name]
        if self._move(name, expected) or any(
            self._link(name, expected, other) for other, files in self.older if files.get(name) == expected
        ):
            self.checksums[name] = expected
            return
        copied = copy_checked(self.previous / name, self.version / name)
        if copied != expected:
            raise DamagedError(f"{name} is damaged: its checksum differs", str(self.previous))
        self.checksums[name] = copied

    def _move(self, name: str, expected: ListedFile) -> bool:
        """Move a file of the spare, if it is a copy of the previous version's."""
        if self.spare is None:
            return False
        try:
            if not self.spare.has(name, expected, self.previous):
                return False
            os.rename(f"{self.spare.folder}/{name}", f"{self.version}/{name}")  # noqa: PTH104 - as above
        except OSError:
            return False
        return True

    def _link(self, name: str, expected: ListedFile, other: Path) -> bool:
        """Link a file of an older version, unless it is the same file as the previous version's, or looks damaged."""
        try:
            if not is_copy_of(other, name, expected, self.previous):
                return False
            os.link(f"{other}/{name}", f"{self.version}/{name}", follow_symlinks=False)
        except OSError:  # it is missing, or the file system has no hard links
            return False
        return True


def files_to_carry(store: Path, version: Path, previous: Path) -> CarriedFiles:
    """Return the files that a new version can take over.

    Args:
        store: The store's folder; the lock is held.

    Raises:
        DamagedError: The list of the version before is damaged.
    """
    numbers = [number for number in reversed(version_numbers(store)) if str(number) != previous.name]
    others = ((store / VERSIONS / str(number)) for number in numbers[:_CANDIDATES])
    older = tuple((other, files) for other in others if (files := readable_manifest(other)))
    listed = read_manifest(previous)
    return CarriedFiles(version, previous, listed, older, find_spare(store, previous, listed))


def copy_checked(source: Path, target: Path) -> ListedFile:
    """Copy a file's bytes to blocks of their own, and return the size and checksum of what was read."""
    digest, size = hashlib.sha256(), 0
    with source.open("rb") as old, target.open("xb") as new:
        while block := old.read(_BLOCK):
            digest.update(block)
            size += new.write(block)
    return ListedFile(size, digest.hexdigest())


_LOG = logging.getLogger(__name__)


def remove_unused(store: Path, previous: int | None = None, keep: int = KEPT_VERSIONS) -> None:
    """Remove drafts and, after publishing, old versions; what cannot be removed now is left to the next harvest.

    Args:
        previous: The number of the version that was current before a new one was published; None if none was.
        keep: How many versions stay, as in `remove_old_versions`.
    """
    try:
        if previous is not None:
            remove_old_versions(store, previous, keep)
        elif (store / VERSIONS).is_dir():
            remove_drafts(store)
    except (OSError, DamagedError) as error:
        _LOG.warning("old versions cannot be removed", extra={"facts": {"store": str(store), "error": str(error)}})


def remove_old_versions(store: Path, previous: int, keep: int = KEPT_VERSIONS) -> None:
    """Remove old versions but the newest ones, which readers may have open; of the last one a spare may stay.

    Args:
        store: The store's folder; its current version is whole.
        previous: The number of the version that was current before; it stays.
        keep: How many versions stay, the current one and the one before it included.
    """
    current = current_version(store)
    if current is None:
        return
    remove_drafts(store)
    others = [number for number in version_numbers(store) if number not in (version_number(current), previous)]
    old = [store / VERSIONS / str(number) for number in others[: max(0, len(others) - max(0, keep - 2))]]
    for version in old[:-1]:
        version.rename(version.with_suffix(REMOVED))
    keep_spare(store, current, old[-1] if old else None)
    if old and old[-1].exists():
        old[-1].rename(old[-1].with_suffix(REMOVED))
    remove_ended(store, REMOVED, DAMAGED)
