"""What is left of removed versions: the folders of days, which later versions take over.

A version has some folders for each day, for years, and most are as they were in the version before. To make one and to
remove an old one takes 0.1 to 1 ms on a disk that others use as well; to move one takes 20 µs. So of a version that is
removed those folders stay, in `.versions/5.spare`, whose files the current version has as well. Nobody reads a spare,
and nothing is lost if it is removed.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from eventlog_lineage.store.integrity.manifest import MANIFEST, ListedFile, read_manifest
from eventlog_lineage.store.publish.database import DamagedError
from eventlog_lineage.store.publish.versions import VERSIONS
from eventlog_lineage.store.schema.run_files import RUNS
from eventlog_lineage.store.schema.tables import PUBLIC_TABLES

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

        Args:
            name: The path of the file in its version.
            expected: Its listed size and checksum.
            previous: The folder of the other version.

        Raises:
            OSError: One of the two files is missing.
        """
        return self.listed.get(name) == expected and is_copy_of(self.folder, name, expected, previous)


def is_copy_of(other: Path, name: str, expected: ListedFile, previous: Path) -> bool:
    """Return whether a file has the size of another version's, and is not the same file.

    Args:
        other: The folder of the version that may have the copy; its list has the same checksum.
        name: The path of the file in both.
        expected: The listed size and checksum.
        previous: The folder of the version that it may be a copy of.

    Raises:
        OSError: One of the two files is missing.
    """
    facts = os.lstat(f"{other}/{name}")
    return facts.st_size == expected.size and not os.path.samestat(facts, os.lstat(f"{previous}/{name}"))


def readable_list(version: Path) -> Mapping[str, ListedFile] | None:
    """Return the files of a version by their paths in it; None if there is no list, or a damaged one."""
    try:
        return read_manifest(version)
    except DamagedError:
        return None


def find_spare(store: Path, previous: Path, listed: Mapping[str, ListedFile]) -> Spare | None:
    """Return the newest spare that shares no file with a version.

    Args:
        store: The store's folder; the lock is held.
        previous: The folder of the version that the next one continues.
        listed: The files of that version.
    """
    for folder in _spares(store):
        spare = Spare(folder, readable_list(folder) or {})
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
    if old and sum(_is_of_days(name) and not name.startswith(RUNS) for name in readable_list(old) or ()) > _FEW:
        old.rename(old.with_suffix(_SUFFIX))
    files = read_manifest(current) or {}
    for number, spare in enumerate(list(_spares(store))):
        if number < _KEPT:
            _narrow(spare, files)
        else:
            shutil.rmtree(spare)


def _narrow(spare: Path, current: Mapping[str, ListedFile]) -> None:
    """Remove what the current version does not have from a spare, and all that is not of days.

    Args:
        spare: The folder of the spare.
        current: The files of the current version.
    """
    for entry in list(spare.iterdir()):
        if entry.is_dir() and not entry.is_symlink():
            if entry.name not in _OF_DAYS:
                shutil.rmtree(entry)
        elif entry.name != MANIFEST:
            entry.unlink()
    for name, file in (readable_list(spare) or {}).items():
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
