"""Files that a new version takes over unchanged, so that each of them is on the disk twice.

A version shares no file with the version before it. What did not change is a hard link to the version before that
one; only what the last harvest wrote, and only one version has, is copied. So a damaged file has an intact copy in the
neighboring version, and a harvest copies no more than the one before it wrote.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from eventlog_lineage.store.integrity.manifest import ListedFile, read_manifest

from .database import DamagedError
from .versions import VERSIONS, version_numbers

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
        checksums: What was carried so far, by the path in the version.
    """

    version: Path
    previous: Path
    listed: _Listed | None
    older: tuple[tuple[Path, _Listed], ...]
    checksums: dict[str, ListedFile] = field(default_factory=dict)

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

    def carry(self, name: str) -> None:
        """Take a file over: link it from an older version that has a copy of it, else copy it.

        Args:
            name: The file's path in the version.

        Raises:
            DamagedError: The file that has to be copied is damaged.
        """
        expected = self.listed.get(name) if self.listed is not None else None
        if expected and any(
            self._link(name, expected, other) for other, files in self.older if files.get(name) == expected
        ):
            self.checksums[name] = expected
            return
        copied = copy_checked(self.previous / name, self.version / name)
        if expected and copied != expected:
            raise DamagedError(f"{name} is damaged: its checksum differs", str(self.previous))
        self.checksums[name] = copied

    def _link(self, name: str, expected: ListedFile, other: Path) -> bool:
        """Link a file of an older version, unless it is the same file as the previous version's, or looks damaged.

        Args:
            name: The path of the file in its version.
            expected: The listed size and checksum of the file.
            other: The folder of the older version.
        """
        try:
            facts = os.lstat(old := f"{other}/{name}")
            if facts.st_size != expected.size or os.path.samestat(facts, os.lstat(f"{self.previous}/{name}")):
                return False
            os.link(old, f"{self.version}/{name}", follow_symlinks=False)
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
    older = ((store / VERSIONS / str(number)) for number in numbers[:_CANDIDATES])
    listed = tuple((other, files) for other in older if (files := _readable_list(other)))
    return CarriedFiles(version, previous, read_manifest(previous), listed)


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


def _readable_list(version: Path) -> _Listed | None:
    try:
        return read_manifest(version)
    except DamagedError:
        return None
