"""Read logs in storages that fsspec supports. It and its backends are imported on first use."""

from __future__ import annotations

import importlib
import re
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, BinaryIO

from eventlog_lineage.errors import LogError, UsageError

from . import layouts
from .table_folder import FileEntry, FolderListing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


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
            return int(datetime.fromisoformat(value.replace("Z", "+00:00")).timestamp() * 1000)
        if isinstance(value, (int, float)) and value > 0:
            return int(value if value > 1e11 else value * 1000)  # seconds, or already milliseconds (HDFS)
    return None
