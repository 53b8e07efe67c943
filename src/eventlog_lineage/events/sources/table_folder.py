"""A table's folder, for the metadata that its format keeps in it."""

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
        files: The storage that it is on.
        path: Its path or URI, without a slash at the end.
    """

    files: Files
    path: str

    def entries(self, folder: str) -> tuple[FileEntry, ...]:
        """Return the files of one folder below the table's; none if there is no such folder.

        Args:
            folder: Its path below the table's folder.
        """
        whole = f"{self.path}/{folder}"
        if not self.files.is_folder(whole):
            return ()
        return next((listing.files for listing in self.files.listings(whole)), ())

    def content(self, entry: FileEntry) -> bytes:
        """Return the content of a file, unpacked if it is compressed by gzip."""
        with self.files.open(entry.path) as stream:
            content = stream.read()
        return gzip.decompress(content) if content[:2] == _GZIP else content
