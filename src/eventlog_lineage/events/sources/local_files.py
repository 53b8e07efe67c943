"""Read logs in local and mounted folders."""

from __future__ import annotations

import glob
import os
import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import unquote

from eventlog_lineage.errors import LogError

from . import file_names
from .filesystems import FileEntry, FolderListing

if TYPE_CHECKING:
    from collections.abc import Iterator


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
        """See `Files`."""
        return sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207 - the pattern is a whole path

    def open(self, path: str) -> BinaryIO:
        """See `Files`."""
        try:
            return Path(path).open("rb", buffering=0)  # decoders read in large pieces themselves
        except OSError as error:
            raise LogError("the log cannot be opened", f"{path}: {error.strerror}", "check its permissions") from error


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
            elif stat.S_ISDIR(status.st_mode) and not file_names.hidden(entry.name):
                folders.append(entry.path)
    return files, folders, failed


def _local_entry(path: str, status: os.stat_result) -> FileEntry:
    return FileEntry(path, status.st_size, status.st_mtime_ns // 1_000_000)
