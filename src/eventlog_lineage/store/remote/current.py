"""The object `current`, which switches versions, and the lists of their files, which are written once."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import PurePosixPath

from eventlog_lineage.errors import StoreError
from eventlog_lineage.store.integrity.manifest import ListedFile

CURRENT_KEY = "current"
"""The object that readers read first."""

LISTS = "lists"
"""The folder of the lists of files."""

_FORMAT = 1
_KEY = re.compile(r".+-[1-9][0-9]{0,15}-[0-9a-f]{12}(?:\.[a-z.]+)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class RemoteVersion:
    """A version as `current` names it.

    Attributes:
        number: Its number.
        list_key: The object with the list of its files.
        sha256: The checksum of that object.
        database: The object with its database, for those who attach it.
    """

    number: int
    list_key: str
    sha256: str
    database: str


@dataclass(frozen=True, slots=True)
class Current:
    """What a store consists of.

    Attributes:
        version: The number of the version that readers see; 0 before the first one.
        last: The highest number that a version had.
        writer: Names the harvest that wrote this; another one has taken over if it differs.
        versions: The versions that stay, the newest last.
    """

    version: int = 0
    last: int = 0
    writer: str = ""
    versions: tuple[RemoteVersion, ...] = ()

    def find(self, number: int) -> RemoteVersion | None:
        """Return a version by its number."""
        return next((each for each in self.versions if each.number == number), None)

    @property
    def seen(self) -> RemoteVersion | None:
        """Return the version that readers see; None before the first one."""
        return self.find(self.version)

    def as_json(self) -> bytes:
        """Return the object's content."""
        seen = self.seen
        database = seen.database if seen else None
        return json.dumps({"format": _FORMAT, "database": database, **asdict(self)}, indent=1).encode()


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file of a version.

    Attributes:
        file: Its size and checksum.
        key: The object.
    """

    file: ListedFile
    key: str


Files = Mapping[str, RemoteFile]
"""The files of a version, by their paths in it."""


def read_current(content: bytes, url: str) -> Current:
    """Return what `current` contains.

    Args:
        content: The object's.
        url: The store's, for the error.

    Raises:
        StoreError: It is damaged, or a newer program wrote it.
    """
    try:
        found = json.loads(content)
        if found["format"] != _FORMAT:
            hint = "use the program that wrote it, or a newer one"
            raise StoreError(f"{CURRENT_KEY} has the format {found['format']!r}, which is unknown", url, hint)
        versions = (
            RemoteVersion(int(each["number"]), str(each["list_key"]), str(each["sha256"]), str(each["database"]))
            for each in found["versions"]
        )
        return Current(int(found["version"]), int(found["last"]), str(found["writer"]), tuple(versions))
    except (ValueError, TypeError, KeyError):
        raise lost_current(url, "damaged") from None


def lost_current(url: str, how: str) -> StoreError:
    """Return the error for a store that lost its `current`.

    Args:
        url: The store's URL.
        how: `missing` or `damaged`.
    """
    hint = f"run `eventlog-lineage restore --store {url}` to go back to the newest whole version"
    return StoreError(f"the store is damaged: {CURRENT_KEY} is {how}", url, hint)


def list_content(number: int, files: Files) -> bytes:
    """Return the content of the object with the list of a version's files.

    Args:
        number: The version.
        files: Its files.
    """
    listed = {path: [each.file.size, each.file.sha256, each.key] for path, each in sorted(files.items())}
    return json.dumps({"format": _FORMAT, "version": number, "files": listed}, indent=0).encode()


def read_list(content: bytes) -> tuple[int, dict[str, RemoteFile]]:
    """Return the number of a version and its files.

    Raises:
        ValueError: It is not a list.
    """
    try:
        found = json.loads(content)
        files = {
            str(path): RemoteFile(ListedFile(int(size), str(sha256)), str(key))
            for path, (size, sha256, key) in found["files"].items()
        }
        if not all(map(_is_inside, files)):
            raise ValueError("a path leads out of the version's folder")
        return int(found["version"]), files
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(str(error)) from error


def sha256_of(content: bytes) -> str:
    """Return the checksum of a list."""
    return hashlib.sha256(content).hexdigest()


def key_of(path: str, number: int, writer: str) -> str:
    """Return the name of a new object: no other harvest writes the same one.

    Args:
        path: The file's path in the version.
        number: The version.
        writer: The harvest.
    """
    pure = PurePosixPath(path)
    stem, dot, suffix = pure.name.rpartition(".")
    stem, suffix = (stem, dot + suffix) if stem else (pure.name.lstrip("."), "")
    return str(pure.with_name(f"{stem}-{number}-{writer}{suffix}"))


def is_own_key(key: str) -> bool:
    """Return whether an object has a name that `key_of` returns; all others belong to somebody else."""
    return _KEY.fullmatch(key) is not None


def _is_inside(path: str) -> bool:
    pure = PurePosixPath(path)
    return not pure.is_absolute() and ".." not in pure.parts
