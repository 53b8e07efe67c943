"""A table's folder, with the metadata of its format."""

from __future__ import annotations

import gzip
import zlib
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, Protocol

from eventlog_lineage.errors import LogError

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A file in a listing: path or URI, bytes, epoch milliseconds."""

    path: str
    size: int
    modified_at: int | None

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rsplit("/", 1)[-1]


@dataclass(frozen=True, slots=True)
class FolderListing:
    """The files of one folder, or the reason why it cannot be listed.

    Attributes:
        folder: Its path or URI.
        files: Its files.
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


@dataclass(frozen=True, slots=True)
class TableFolder:
    """A table's folder.

    Attributes:
        files: Its storage.
        path: Its path or URI, without a slash at the end.
    """

    files: Files
    path: str

    def entries(self, folder: str) -> tuple[FileEntry, ...]:
        """Return the files of a folder below the table's; empty if it does not exist.

        Args:
            folder: The path below the table's folder.
        """
        whole = f"{self.path}/{folder}"
        if not self.files.is_folder(whole):
            return ()
        return next((listing.files for listing in self.files.listings(whole)), ())

    def content(self, entry: FileEntry) -> bytes:
        """Return the content of a file, decompressed if it is gzip.

        Raises:
            LogError: It cannot be read, or is larger than 64 MiB.
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
        return content
