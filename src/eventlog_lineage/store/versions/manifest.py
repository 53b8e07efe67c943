"""The list of a version's files, with sizes and checksums: damage that keeps a file's size is found by it.

Each version has the file `.manifest.json`: `{"format", "version", "sha256", "files": {path: [bytes, SHA-256]}}`, where
`version` is its number and `sha256` the checksum of the list itself. Files that a version takes over from the one
before it keep their checksums; only new files are read.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from eventlog_lineage.store.schema.database import DamagedError
from eventlog_lineage.store.schema.relations import PARTITION
from eventlog_lineage.store.versions.folder import VERSIONS, version_number

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
    try:
        facts = (version / MANIFEST).stat()
        return dict(_read(version, (facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns)))
    except FileNotFoundError:
        raise DamagedError(f"{MANIFEST} is missing", str(version)) from None
    except OSError as error:
        raise DamagedError(f"{MANIFEST} cannot be read: {error.strerror}", str(version)) from None


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

    Args:
        folder: The version's folder, or one in it; one that cannot be read has no files.
        without: Folders that are left out, by their paths in the version.
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
