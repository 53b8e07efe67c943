"""A table's folder, with the metadata of its format."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .filesystems import FileEntry, Files

_GZIP = b"\x1f\x8b"


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
        """Return the content of a file, decompressed if it is gzip."""
        with self.files.open(entry.path) as stream:
            content = stream.read()
        return gzip.decompress(content) if content[:2] == _GZIP else content
