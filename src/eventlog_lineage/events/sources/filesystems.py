"""What the reading side needs of a storage, and what storages give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A file as a listing shows it: path or URI, bytes, epoch milliseconds."""

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
        failed: (path, reason) of the entries that cannot be looked at, such as files on a disk with errors.
    """

    folder: str
    files: tuple[FileEntry, ...]
    error: str = ""
    failed: tuple[tuple[str, str], ...] = ()


class Files(Protocol):
    """What the reading side needs of a storage. Paths are whole: absolute, with the scheme where there is one."""

    def canonical(self, source: str) -> str:
        """Give the one spelling of a path that names the same file in every harvest."""

    def file(self, path: str) -> FileEntry | None:
        """Give the file at `path`, or None where there is none or a folder."""

    def is_folder(self, path: str) -> bool:
        """Return whether a folder is at `path`."""

    def listings(self, folder: str) -> Iterator[FolderListing]:
        """List a folder and all below it, hidden folders left out, in a stable order."""

    def matches(self, pattern: str) -> list[str]:
        """Give the paths of files and folders that a glob matches, sorted."""

    def open(self, path: str) -> BinaryIO:
        """Open a file for reading from its start."""
