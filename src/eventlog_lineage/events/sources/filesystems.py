"""The interface of storages, and the values that they return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, Protocol

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
