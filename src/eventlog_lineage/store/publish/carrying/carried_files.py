"""Files that a new version takes over unchanged, so that each of them is on the disk twice.

A version shares no file with the version before it. What did not change is a hard link to the version before that
one; only what the last harvest wrote, and only one version has, is copied. So a damaged file has an intact copy in the
neighboring version, and a harvest copies no more than the one before it wrote. The folder of a day is moved from a
version that is not needed any more (`spares`), if there is one with the same files.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from eventlog_lineage.store.integrity.manifest import ListedFile, read_manifest
from eventlog_lineage.store.publish.database import DamagedError
from eventlog_lineage.store.publish.permissions import PRIVATE
from eventlog_lineage.store.publish.versions import VERSIONS, version_numbers

from .spares import Spare, find_spare, is_copy_of, readable_list

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
        listed: The files that belong to that version; None where an older program made it, without a list.
        older: Other versions, the newest first, with their lists.
        spare: An older version that is not needed any more; its files are moved.
        checksums: What was carried so far, by the path in the version.
        moved: The folders of days that were moved so far, by their paths in the version.
    """

    version: Path
    previous: Path
    listed: _Listed | None
    older: tuple[tuple[Path, _Listed], ...]
    spare: Spare | None = None
    checksums: dict[str, ListedFile] = field(default_factory=dict)
    moved: set[str] = field(default_factory=set)

    def has(self, name: str) -> bool:
        """Return whether a file of the version before belongs to it.

        Args:
            name: The file's path in the version.
        """
        return self.listed is None or name in self.listed

    def carry_folder(self, folder: str) -> None:
        """Carry the files of a folder; the same folder of the new version exists.

        Args:
            folder: Its path in the version.
        """
        for file in os.listdir(f"{self.previous}/{folder}"):  # noqa: PTH208 - faster for thousands of folders
            if self.has(name := f"{folder}/{file}"):
                self.carry(name)

    def carry_day(self, folder: str) -> None:
        """Carry the folder of a day: move it if the spare has the same, else make it and carry its files.

        Args:
            folder: Its path in the version.
        """
        if not self._move_day(folder):
            os.mkdir(f"{self.version}/{folder}", PRIVATE)  # noqa: PTH102 - as above
            self.carry_folder(folder)

    def _move_day(self, folder: str) -> bool:
        """Move a folder from the spare, if it has copies of the files of the previous version's and no others.

        Args:
            folder: Its path in the version.
        """
        if self.spare is None or self.listed is None:
            return False
        found = {name: self.listed.get(name) for name in self._files_of(self.previous, folder)}
        if not found or not all(found.values()):
            return False
        try:
            if set(self._files_of(self.spare.folder, folder)) != found.keys():
                return False
            if not all(file and self.spare.has(name, file, self.previous) for name, file in found.items()):
                return False
            os.rename(f"{self.spare.folder}/{folder}", f"{self.version}/{folder}")  # noqa: PTH104 - as above
        except OSError:  # the spare lacks it
            return False
        self.checksums.update((name, file) for name, file in found.items() if file)
        self.moved.add(folder)
        return True

    @staticmethod
    def _files_of(version: Path, folder: str) -> list[str]:
        return [f"{folder}/{name}" for name in os.listdir(f"{version}/{folder}")]  # noqa: PTH208 - as above

    def carry(self, name: str) -> None:
        """Take a file over: move or link it from an older version that has a copy of it, else copy it.

        Args:
            name: The file's path in the version.

        Raises:
            DamagedError: The file that has to be copied is damaged.
        """
        expected = self.listed.get(name) if self.listed is not None else None
        if expected and (
            self._move(name, expected)
            or any(self._link(name, expected, other) for other, files in self.older if files.get(name) == expected)
        ):
            self.checksums[name] = expected
            return
        copied = copy_checked(self.previous / name, self.version / name)
        if expected and copied != expected:
            raise DamagedError(f"{name} is damaged: its checksum differs", str(self.previous))
        self.checksums[name] = copied

    def _move(self, name: str, expected: ListedFile) -> bool:
        """Move a file of the spare, if it is a copy of the previous version's.

        Args:
            name: The path of the file in its version.
            expected: The listed size and checksum of the file.
        """
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
        """Link a file of an older version, unless it is the same file as the previous version's, or looks damaged.

        Args:
            name: The path of the file in its version.
            expected: The listed size and checksum of the file.
            other: The folder of the older version.
        """
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
        version: The new version's folder.
        previous: The folder of the version that it continues.

    Raises:
        DamagedError: The list of the version before is damaged.
    """
    numbers = [number for number in reversed(version_numbers(store)) if str(number) != previous.name]
    others = ((store / VERSIONS / str(number)) for number in numbers[:_CANDIDATES])
    older = tuple((other, files) for other in others if (files := readable_list(other)))
    listed = read_manifest(previous)
    return CarriedFiles(version, previous, listed, older, find_spare(store, previous, listed) if listed else None)


def copy_checked(source: Path, target: Path) -> ListedFile:
    """Copy a file's bytes to blocks of their own, and return the size and checksum of what was read.

    Args:
        source: The file.
        target: The new path.
    """
    digest, size = hashlib.sha256(), 0
    with source.open("rb") as old, target.open("xb") as new:
        while block := old.read(_BLOCK):
            digest.update(block)
            size += new.write(block)
    return ListedFile(size, digest.hexdigest())
