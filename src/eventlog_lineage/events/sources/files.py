"""Files of a local disk, of object stores and of HDFS: list them, open a part of a log, read a table's metadata."""

from __future__ import annotations

import fnmatch
import glob
import gzip
import importlib
import os
import re
import stat
import zlib
from collections import defaultdict, deque
from dataclasses import dataclass
from datetime import datetime, timezone
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol
from urllib.parse import unquote

from eventlog_lineage.errors import LogError, UsageError
from eventlog_lineage.events.sources import layouts
from eventlog_lineage.events.sources.layouts import FileEntry
from eventlog_lineage.user_input import read_epoch_ms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


@dataclass(frozen=True, slots=True)
class FolderListing:
    """The files of one folder, or the reason why it cannot be listed.

    Attributes:
        error: Why it cannot be listed; empty if it can.
        failed: (path, reason) of the entries that cannot be read, such as files on a disk with errors.
    """

    folder: str
    files: tuple[FileEntry, ...]
    error: str = ""
    failed: tuple[tuple[str, str], ...] = ()


class Files(Protocol):
    """A storage. Paths are absolute, with the scheme if there is one."""

    def canonical(self, source: str) -> str:
        """Return the canonical spelling of a path, the same in every harvest."""

    def file(self, path: str) -> FileEntry | None:
        """Return the file at `path`; None if there is none, or a folder."""

    def is_folder(self, path: str) -> bool:
        """Return whether a folder is at `path`."""

    def listings(self, folder: str) -> Iterator[FolderListing]:
        """List a folder recursively, without hidden folders, in a stable order."""

    def matches(self, pattern: str) -> list[str]:
        """Return the paths of files and folders that a glob matches, sorted."""

    def open(self, path: str) -> BinaryIO:
        """Open a file for reading from its start."""


_GZIP = b"\x1f\x8b"
_LARGEST = 64 << 20
"""Limit of a file's content, in bytes, which is in memory as a whole."""
_MOST_VALUES = 4_000_000
"""Limit of the brackets and commas in a file: each begins a value, an object of about 100 bytes once it is parsed."""


@dataclass(frozen=True, slots=True)
class TableFolder:
    """A table's folder.

    Attributes:
        path: Its path or URI, without a slash at the end.
    """

    files: Files
    path: str

    def entries(self, folder: str) -> tuple[FileEntry, ...]:
        """Return the files of a folder below the table's; empty if it does not exist."""
        whole = f"{self.path}/{folder}"
        if not self.files.is_folder(whole):
            return ()
        return next((listing.files for listing in self.files.listings(whole)), ())

    def content(self, entry: FileEntry) -> bytes:
        """Return the content of a file, decompressed if it is gzip.

        Raises:
            LogError: It cannot be read, is larger than 64 MiB or has more than four million values.
        """
        with self.files.open(entry.path) as stream:
            content = stream.read(_LARGEST + 1)
        if content[:2] == _GZIP:
            try:
                content = gzip.GzipFile(fileobj=BytesIO(content)).read(_LARGEST + 1)
            except (EOFError, zlib.error) as error:
                raise LogError(f"damaged gzip stream ({error})", entry.path, "restore the file") from error
        if len(content) > _LARGEST:
            raise LogError(f"the metadata is larger than {_LARGEST} bytes", entry.path, "expire old snapshots")
        if sum(map(content.count, (b"{", b"[", b","))) > _MOST_VALUES:
            raise LogError(f"the metadata has more than {_MOST_VALUES} values", entry.path, "expire old snapshots")
        return content


class LocalFiles:
    """The local file system, with mounted ones."""

    def canonical(self, source: str) -> str:
        """Make a path absolute; `file:` URIs may be percent-encoded, as Java's are, or raw, as Hadoop's are."""
        path = re.sub(r"^file:(?://(?:localhost)?(?=/))?", "", source)
        if path != source and not Path(path).exists() and Path(unquote(path)).exists():
            path = unquote(path)
        return str(Path(path).expanduser().absolute()) if path else path

    def file(self, path: str) -> FileEntry | None:
        """See `Files`."""
        try:
            status = Path(path).stat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise LogError("cannot stat the log", f"{path}: {error.strerror}", "check its permissions") from error
        return _local_entry(path, status) if stat.S_ISREG(status.st_mode) else None

    def is_folder(self, path: str) -> bool:
        """See `Files`."""
        return os.path.isdir(path)  # noqa: PTH112 - Path.is_dir raises where a folder above cannot be entered

    def listings(self, folder: str) -> Iterator[FolderListing]:
        """See `Files`; links to folders are followed, each folder once."""
        waiting, seen = [folder], set()
        while waiting:
            path = waiting.pop()
            try:
                status = Path(path).stat()
                if (status.st_dev, status.st_ino) in seen:
                    continue
                seen.add((status.st_dev, status.st_ino))
                files, folders, failed = _scan(path)
            except OSError as error:
                yield FolderListing(path, (), error.strerror or str(error))
                continue
            yield FolderListing(path, tuple(files), failed=tuple(failed))
            waiting.extend(sorted(folders, reverse=True))

    def matches(self, pattern: str) -> list[str]:
        """See `Files`; links to folders are followed, each folder once."""
        root, *parts = Path(pattern).parts
        found = [root]
        for part in parts:
            found = _once(_below(found) if part == "**" else chain.from_iterable(_named(each, part) for each in found))
        return sorted(found)

    def open(self, path: str) -> BinaryIO:
        """See `Files`; a FIFO or device that has taken the place of a file since it was listed is refused."""
        try:
            # a FIFO would block until something writes to it
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except FileNotFoundError as error:
            if path.endswith(layouts.IN_PROGRESS):  # Spark has renamed it: its application has ended meanwhile
                return self.open(path.removesuffix(layouts.IN_PROGRESS))
            raise LogError("the log cannot be opened", f"{path}: {error.strerror}", "harvest again") from error
        except OSError as error:
            raise LogError("the log cannot be opened", f"{path}: {error.strerror}", "check its permissions") from error
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise LogError("the log is not a regular file", path, "remove what has taken the place of the log")
        return os.fdopen(descriptor, "rb", buffering=0)  # decoders read in large pieces themselves


def _below(folders: Iterable[str]) -> Iterator[str]:
    """Yield folders and all that is below them but hidden entries; what several paths lead to by one without links."""
    waiting, links = deque(folders), deque[str]()
    seen: set[tuple[int, int]] = set()
    while waiting or links:
        path = (waiting or links).popleft()
        yield path
        if (number := _folder_number(path)) is not None and number not in seen:
            seen.add(number)
            for entry in _entries(path):
                if not _name(entry).startswith("."):
                    (links if os.path.islink(entry) else waiting).append(entry)  # noqa: PTH114 - faster than Path


def _named(folder: str, pattern: str) -> Iterator[str]:
    """Yield the entries of a folder whose name matches; a hidden one only if the pattern begins with a dot."""
    if not glob.has_magic(pattern):
        path = f"{folder.rstrip('/')}/{pattern}"
        if os.path.lexists(path):
            yield path
        return
    for path in _entries(folder):
        hidden = _name(path).startswith(".") and not pattern.startswith(".")
        if not hidden and fnmatch.fnmatchcase(_name(path), pattern):
            yield path


def _once(paths: Iterable[str]) -> list[str]:
    """Return paths; of several that lead to one folder the first."""
    seen: set[tuple[int, int]] = set()
    found = []
    for path in paths:
        number = _folder_number(path)
        if number is None or number not in seen:
            found.append(path)
        if number is not None:
            seen.add(number)
    return found


def _folder_number(path: str) -> tuple[int, int] | None:
    """Return the device and inode of a folder; None for anything else."""
    try:
        status = Path(path).stat()
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISDIR(status.st_mode) else None


def _entries(folder: str) -> list[str]:
    """Return the paths of a folder's entries by name, links after others; none of a folder that cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return [entry.path for entry in sorted(entries, key=lambda entry: (entry.is_symlink(), entry.name))]
    except OSError:
        return []


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _scan(path: str) -> tuple[list[FileEntry], list[str], list[tuple[str, str]]]:
    """Return a folder's files, its folders, and (path, reason) of the entries that cannot be read."""
    files, folders, failed = [], [], []
    with os.scandir(path) as entries:
        for entry in entries:
            try:
                status = entry.stat()
            except FileNotFoundError:  # a broken link, or a file that was just removed
                continue
            except OSError as error:
                failed.append((entry.path, error.strerror or str(error)))
                continue
            if stat.S_ISREG(status.st_mode):
                files.append(_local_entry(entry.path, status))
            elif stat.S_ISDIR(status.st_mode) and not layouts.hidden(entry.name):
                folders.append(entry.path)
    return files, folders, failed


def _local_entry(path: str, status: os.stat_result) -> FileEntry:
    return FileEntry(path, status.st_size, status.st_mtime_ns // 1_000_000)


@dataclass(frozen=True, slots=True)
class Backend:
    """A scheme: its protocol in fsspec, the canonical scheme of its URIs, and the package of the backend."""

    protocol: str
    scheme: str
    package: str

    def canonical(self, source: str) -> str:
        """Return a URI with its canonical scheme, without a slash at the end."""
        rest = source.split(":", 1)[1].rstrip("/")
        return f"{self.scheme}:{rest if rest.startswith('//') else '//' + rest}"


BACKENDS: Mapping[str, Backend] = {
    "hdfs": Backend("hdfs", "hdfs", "hdfs-native"),
    "webhdfs": Backend("webhdfs", "webhdfs", "requests"),
    "s3": Backend("s3", "s3", "s3fs"),
    "s3a": Backend("s3", "s3", "s3fs"),
    "s3n": Backend("s3", "s3", "s3fs"),
    "gs": Backend("gs", "gs", "gcsfs"),
    "abfs": Backend("abfss", "abfss", "adlfs"),
    "abfss": Backend("abfss", "abfss", "adlfs"),
    "memory": Backend("memory", "memory", "fsspec"),
}
"""The schemes read through fsspec. `s3a` and `s3n` are Hadoop's names for the same buckets as `s3`."""


_NO_HADOOP = re.compile(r"\blibjvm\b|\blibhdfs\b|HADOOP_HOME|CLASSPATH")
"""Errors of pyarrow, which fsspec uses for HDFS without `hdfs-native`, if there is no Hadoop client."""

_TIMES = (
    "mtime",
    "LastModified",
    "last_modified",
    "updated",
    "modified",
    "modificationTime",
    "modification_time",
    "created",
)


class RemoteFiles:
    """A storage that fsspec reads.

    Args:
        backend: An entry of `BACKENDS`.

    Raises:
        UsageError: fsspec or the backend's package is not installed.
    """

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        try:
            self._fsspec: Any = importlib.import_module("fsspec")
        except ImportError as error:
            raise self._missing("fsspec") from error
        try:
            self._fsspec.get_filesystem_class(backend.protocol)
        except (ImportError, ValueError) as error:  # ValueError: a protocol that only its package registers
            raise self._missing(backend.package) from error

    def _missing(self, package: str) -> UsageError:
        return UsageError(
            f"reading {self._backend.scheme}: needs the package {package}",
            "",
            f"pip install {package.split(maxsplit=1)[0]}",
        )

    def _at(self, path: str) -> tuple[Any, str]:
        """Return fsspec's file system for a URI, and the path in it."""
        rest = path.split(":", 1)[1]
        try:
            filesystem, inner = self._fsspec.core.url_to_fs(f"{self._backend.protocol}:{rest}")
        except Exception as error:
            if _NO_HADOOP.search(str(error)):
                raise self._missing(self._backend.package) from error
            raise LogError(
                "the storage cannot be reached", f"{path}: {error}", "check the address and the credentials"
            ) from error
        return filesystem, inner

    def canonical(self, source: str) -> str:
        """See `Files`."""
        return self._backend.canonical(source)

    def file(self, path: str) -> FileEntry | None:
        """See `Files`."""
        filesystem, inner = self._at(path)
        try:
            details = filesystem.info(inner)
        except FileNotFoundError:
            return None
        except Exception as error:
            raise LogError("cannot stat the log", f"{path}: {error}", "check its permissions") from error
        return _remote_entry(path, details) if details["type"] == "file" else None

    def is_folder(self, path: str) -> bool:
        """See `Files`."""
        filesystem, inner = self._at(path)
        return bool(filesystem.isdir(inner))

    def listings(self, folder: str) -> Iterator[FolderListing]:
        """See `Files`; a single flat listing is the fastest on object stores."""
        filesystem, inner = self._at(folder)
        folders: dict[str, list[FileEntry]] = defaultdict(list)
        try:
            found = filesystem.find(inner, detail=True)
        except Exception as error:
            yield FolderListing(folder, (), str(error))
            return
        for inner_path, details in sorted(found.items()):
            path = folder + inner_path.removeprefix(inner)
            below = path.removeprefix(folder).split("/")[:-1]
            if not any(map(layouts.hidden, below)):
                folders[path.rsplit("/", 1)[0]].append(_remote_entry(path, details))
        for path in sorted(folders):
            yield FolderListing(path, tuple(folders[path]))

    def matches(self, pattern: str) -> list[str]:
        """See `Files`."""
        filesystem, inner = self._at(pattern)
        fixed = re.split(r"[*?[]", pattern, maxsplit=1)[0].rpartition("/")[0]
        _, fixed_inner = self._at(fixed)
        return sorted(fixed + found.removeprefix(fixed_inner) for found in filesystem.glob(inner))

    def open(self, path: str) -> BinaryIO:
        """See `Files`."""
        filesystem, inner = self._at(path)
        try:
            stream: BinaryIO = filesystem.open(inner, "rb")
        except Exception as error:
            raise LogError("the log cannot be opened", f"{path}: {error}", "check its permissions") from error
        else:
            return stream


def _remote_entry(path: str, details: Mapping[str, Any]) -> FileEntry:
    return FileEntry(path, int(details.get("size") or 0), _modified(details))


def _modified(details: Mapping[str, Any]) -> int | None:
    """Return the time of modification in epoch milliseconds; its key depends on the backend."""
    for key in _TIMES:
        value = details.get(key)
        if isinstance(value, datetime):
            return int((value if value.tzinfo else value.replace(tzinfo=timezone.utc)).timestamp() * 1000)
        if isinstance(value, str):
            return read_epoch_ms(value)
        if isinstance(value, (int, float)) and value > 0:
            return int(value if value > 1e11 else value * 1000)  # seconds, or already milliseconds (HDFS)
    return None
