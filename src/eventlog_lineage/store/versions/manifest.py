"""The files of a version: their list, and what a new version takes over from older ones.

Each version has the file `.manifest.json`: `{"format", "version", "sha256", "files": {path: [bytes, SHA-256]}}`, where
`version` is its number and `sha256` the checksum of the list itself: damage that keeps a file's size is found by it.
Files that a version takes over from the one before it keep their checksums; only new files are read.

A version shares no file with the version before it. What did not change is a hard link to the version before that
one; only what the last harvest wrote, and only one version has, is copied. So a damaged file has an intact copy in the
neighboring version, and a harvest copies no more than the one before it wrote.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from eventlog_lineage.errors import os_errors_as
from eventlog_lineage.store.schema.database import DamagedError
from eventlog_lineage.store.versions.folder import (
    DAMAGED,
    KEPT_VERSIONS,
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
        known: The files whose checksums are known, by their paths in the version: one that is missing is listed.
    """
    files = dict(known or {})
    for name, path in _walk(version):
        size, old = os.stat(path).st_size, files.get(name)  # noqa: PTH116 - a version has thousands of files
        if old is None or old.size != size:
            files[name] = ListedFile(size, checksum(path))
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


def _walk(folder: Path | str, inside: str = "") -> Iterator[tuple[str, str]]:
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
            yield from _walk(entry.path, f"{name}/")
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
        checksums: What was carried so far, by the path in the version.
    """

    version: Path
    previous: Path
    listed: _Listed
    older: tuple[tuple[Path, _Listed], ...]
    checksums: dict[str, ListedFile] = field(default_factory=dict)

    def has(self, name: str) -> bool:
        """Return whether a file of the version before belongs to it."""
        return name in self.listed

    def carry_folder(self, folder: str) -> None:
        """Carry the files of a folder; the same folder of the new version exists."""
        for file in os.listdir(f"{self.previous}/{folder}"):  # noqa: PTH208 - faster for thousands of folders
            if self.has(name := f"{folder}/{file}"):
                self.carry(name)

    def carry(self, name: str) -> None:
        """Take a file over: link it from an older version that has a copy of it, else copy it.

        Raises:
            DamagedError: The file that has to be copied is damaged.
        """
        expected = self.listed[name]
        is_linked = any(
            files.get(name) == expected and self._link(name, expected, other) for other, files in self.older
        )
        if not is_linked and copy_checked(self.previous / name, self.version / name) != expected:
            raise DamagedError(f"{name} is damaged: its checksum differs", str(self.previous))
        self.checksums[name] = expected

    def _link(self, name: str, expected: ListedFile, other: Path) -> bool:
        """Link a file of an older version, if it is a copy of the previous version's and not the same file."""
        try:
            facts = os.lstat(f"{other}/{name}")
            if facts.st_size != expected.size or os.path.samestat(facts, os.lstat(f"{self.previous}/{name}")):
                return False
            os.link(f"{other}/{name}", f"{self.version}/{name}", follow_symlinks=False)
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
    return CarriedFiles(version, previous, read_manifest(previous), older)


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
    for number in others[: max(0, len(others) - max(0, keep - 2))]:
        version = store / VERSIONS / str(number)
        version.rename(version.with_suffix(REMOVED))
    remove_ended(store, REMOVED, DAMAGED)
