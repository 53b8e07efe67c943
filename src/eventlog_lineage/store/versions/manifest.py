"""The files of a version: their list, and what a new version takes over from older ones.

Each version has the file `.manifest.json`: `{"format", "version", "sha256", "files": {path: [bytes, SHA-256]}}`, where
`version` is its number and `sha256` the checksum of the list itself: damage that keeps a file's size is found by it.
Files that a version takes over from the one before it keep their checksums; only new files are read.

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
import json
import logging
import os
import shutil
import stat
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from eventlog_lineage.errors import os_errors_as
from eventlog_lineage.store.schema.database import DamagedError
from eventlog_lineage.store.schema.relations import PARTITION, RUNS
from eventlog_lineage.store.schema.tables import PUBLIC_TABLES
from eventlog_lineage.store.versions.folder import (
    DAMAGED,
    KEPT_VERSIONS,
    NUMBER,
    PRIVATE,
    REMOVED,
    VERSIONS,
    current_version,
    remove_drafts,
    remove_ended,
    version_number,
    version_numbers,
)

MANIFEST = ".manifest.json"
"""The list's name in a version's folder."""

_SPILLED = "lineage.duckdb.tmp/"
"""Where DuckDB puts what a running query has no memory for."""

_FORMAT = 1
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file as it was when its version was published.

    Attributes:
        size: Bytes.
        sha256: The checksum of its content, in hexadecimal digits.
    """

    size: int
    sha256: str


def write_manifest(version: Path, known: Mapping[str, ListedFile] | None = None) -> None:
    """List all files of a version that is complete.

    Args:
        known: The files whose checksums are known, by their paths in the version. All files of the days among them are.
    """
    known = known or {}
    days = frozenset(folder for name in known if f"/{PARTITION}=" in (folder := name.rpartition("/")[0]))
    files = {name: file for name, file in known.items() if name.rpartition("/")[0] in days}
    for name, path in _walk(version, days):
        size, old = os.stat(path).st_size, known.get(name)  # noqa: PTH116 - a version has thousands of files
        files[name] = old if old and old.size == size else ListedFile(size, checksum(path))
    listed = {name: [file.size, file.sha256] for name, file in sorted(files.items())}
    number = version_number(version)
    content = {"format": _FORMAT, "version": number, "sha256": _digest(listed), "files": listed}
    (version / MANIFEST).write_text(json.dumps(content, indent=0), encoding="ascii")


def readable_manifest(version: Path) -> dict[str, ListedFile]:
    """Return a version's files as `read_manifest` does; none if the list is missing or damaged."""
    try:
        return read_manifest(version)
    except DamagedError:
        return {}


def read_manifest(version: Path) -> dict[str, ListedFile]:
    """Return a version's files by their paths in it.

    Raises:
        DamagedError: The list is missing or damaged.
    """
    with os_errors_as(DamagedError, f"{MANIFEST} cannot be read", version):
        try:
            facts = (version / MANIFEST).stat()
            return dict(_read(version, (facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns)))
        except FileNotFoundError:
            raise DamagedError(f"{MANIFEST} is missing", str(version)) from None


@lru_cache(maxsize=8)
def _read(version: Path, _facts: tuple[int, ...]) -> Mapping[str, ListedFile]:
    """Read a list once, as long as the file is the same: a harvest needs it several times, and it grows with the days.

    Args:
        _facts: Size and times of the list: another value for a changed file, which the cache then reads again.

    Raises:
        DamagedError: The list is damaged.
    """
    text = (version / MANIFEST).read_bytes()
    try:
        content = json.loads(text)
        listed = content["files"]
        intact = content["format"] == _FORMAT and content["sha256"] == _digest(listed)
        files = {str(name): ListedFile(int(size), str(sha256)) for name, (size, sha256) in listed.items()}
        number = content.get("version", _number(version))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise DamagedError(f"{MANIFEST} is damaged", str(version)) from None
    if version.parent.name == VERSIONS and number != _number(version):
        raise DamagedError(f"{MANIFEST} is that of version {number}", str(version))
    if not intact:
        raise DamagedError(f"{MANIFEST} is damaged", str(version))
    return files


def changed_files(version: Path, files: Mapping[str, ListedFile], *, contents: bool) -> Iterator[tuple[str, str]]:
    """Yield the files that differ from a version's list: the path in the version, and the difference as a phrase.

    Args:
        contents: Read the files and compare their checksums; else compare sizes only, and pass over files that are
            not in the list.
    """
    found = dict(_walk(version))
    for name, file in files.items():
        if name not in found:
            yield name, f"{name} is missing"
        else:
            yield from ((name, change) for change in _changes(found[name], name, file, contents=contents))
    if contents:
        foreign = (name for name in found if name not in files and not _is_temporary(name))
        yield from ((name, f"{_printable(name)} does not belong to the version") for name in foreign)


def checksum(path: Path | str) -> str:
    """Return the SHA-256 of a file's content, in hexadecimal digits."""
    digest = hashlib.sha256()
    with open(path, "rb", buffering=0) as file:  # noqa: PTH123 - a version has hundreds of small files
        block_size = min(_BLOCK, os.fstat(file.fileno()).st_size + 1)  # a whole block for each would be cleared
        while block := file.read(block_size):
            digest.update(block)
    return digest.hexdigest()


def is_intact(path: Path, file: ListedFile) -> bool:
    """Return whether a file's content is that of a listed one."""
    return next(_changes(path, path.name, file, contents=True), None) is None


def _changes(path: Path | str, name: str, file: ListedFile, *, contents: bool) -> Iterator[str]:
    try:
        facts = os.stat(path)  # noqa: PTH116 - a version has thousands of files
        if not stat.S_ISREG(facts.st_mode):  # reading a pipe would wait forever
            yield f"{name} is not a file"
        elif facts.st_size != file.size:
            yield f"{name} has {facts.st_size} bytes instead of {file.size}"
        elif contents and checksum(path) != file.sha256:
            yield f"{name} is damaged: its checksum differs"
    except OSError as error:
        yield f"{name} cannot be read: {error.strerror}"


def _is_temporary(name: str) -> bool:
    """Return whether a file is temporary: of a running query, or removed while a reader on NFS has it open."""
    return name.startswith(_SPILLED) or Path(name).name.startswith(".nfs")


def files_of(version: Path) -> list[str]:
    """Return the paths of all files of a version but its list."""
    return [name for name, _ in _walk(version)]


def _walk(folder: Path | str, without: Collection[str] = (), inside: str = "") -> Iterator[tuple[str, str]]:
    """Yield all files of a version but its list, and links to folders: their paths in it, and as they are.

    Paths are texts: a version has hundreds of files and folders, and each update walks them several times.
    """
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        name = f"{inside}{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            if name not in without:
                yield from _walk(entry.path, without, f"{name}/")
        elif name != MANIFEST:
            yield name, entry.path


def _number(version: Path) -> int | None:
    """Return the number in the name of a version's folder: `7`, or `7.damaged`."""
    name = version.name.partition(".")[0]
    return int(name) if name.isdecimal() else None


def _digest(listed: Mapping[str, object]) -> str:
    return hashlib.sha256(json.dumps(listed, sort_keys=True).encode()).hexdigest()


def _printable(name: str) -> str:
    return name if name.isprintable() else ascii(name)


_SUFFIX = ".spare"

_FEW = 100
"""Files of days in public tables up to which a removed version is removed at once."""

_KEPT = 2
"""Spares that stay. Versions next to each other share no file, so that a new version fits every other one."""

_OF_DAYS = frozenset({RUNS, *(table.name for table in PUBLIC_TABLES if table.per_run)})


@dataclass(frozen=True, slots=True)
class Spare:
    """A removed version whose files of days can be moved.

    Attributes:
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
    """Return the newest spare that shares no file with a version."""
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
    found = (path for path in (store / VERSIONS).glob(f"*{_SUFFIX}") if NUMBER.fullmatch(path.stem))
    yield from sorted((path for path in found if path.is_dir()), key=lambda path: -int(path.stem))


_CANDIDATES = 2
"""Older versions to look for a file in: one, and another one where a restored version shares files with the first."""

_Listed = Mapping[str, ListedFile]


@dataclass(frozen=True, slots=True)
class CarriedFiles:
    """The files of the version before, and the older versions that have copies of them.

    Attributes:
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
        spares = [(self.spare.folder, self.spare.listed)] if self.spare else []
        for other, files in (*spares, *self.older):
            if files.get(name) == expected and self._take(name, expected, other):
                self.checksums[name] = expected
                return
        copied = copy_checked(self.previous / name, self.version / name)
        if copied != expected:
            raise DamagedError(f"{name} is damaged: its checksum differs", str(self.previous))
        self.checksums[name] = copied

    def _take(self, name: str, expected: ListedFile, other: Path) -> bool:
        """Move a file of the spare, or link one of an older version, if it is a copy of the previous version's."""
        source, target = f"{other}/{name}", f"{self.version}/{name}"
        try:
            if not is_copy_of(other, name, expected, self.previous):
                return False
            if self.spare and other == self.spare.folder:
                os.rename(source, target)  # noqa: PTH104 - as above
            else:
                os.link(source, target, follow_symlinks=False)
        except OSError:  # it is missing, or the file system has no hard links
            return False
        return True


def files_to_carry(store: Path, version: Path, previous: Path) -> CarriedFiles:
    """Return the files that a new version can take over.

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
    """Remove drafts and, after publishing, old versions; what cannot be removed now is left to the next harvest."""
    try:
        if previous is not None:
            remove_old_versions(store, previous, keep)
        elif (store / VERSIONS).is_dir():
            remove_drafts(store)
    except (OSError, DamagedError) as error:
        _LOG.warning("old versions cannot be removed", extra={"facts": {"store": str(store), "error": str(error)}})


def remove_old_versions(store: Path, previous: int, keep: int = KEPT_VERSIONS) -> None:
    """Remove old versions but the newest ones, which readers may have open; of the last one a spare may stay."""
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
