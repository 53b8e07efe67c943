"""Find the event logs at the places that a user names, and open their parts.

`find_logs` turns sources into `EventLog` values by listing alone: no file is opened whose name is one that Spark
gives to logs. `open_part` opens what `find_logs` found. Another kind of place joins by an entry in `STORAGES`: a
function from scheme to something that can list and open as `Files` does; a History Server has no files, but logs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, BinaryIO

from eventlog_lineage.errors import LogError, UsageError
from eventlog_lineage.redaction import without_users

from . import file_names, history_server
from .file_type import begins_like_a_log
from .filesystems import FileEntry, Files, FolderListing
from .layouts import logs_of_folder, single, unreadable
from .local_files import LocalFiles
from .remote_files import BACKENDS, RemoteFiles

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Mapping, Sequence

    from .event_log import EventLog, LogPart

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/")
_MAGIC = re.compile(r"[*?[]")

STORAGES: Mapping[str, Callable[[str], Files]] = {
    "file": lambda _: LocalFiles(),
    **{scheme: lambda scheme: RemoteFiles(BACKENDS[scheme]) for scheme in BACKENDS},
}
"""How each scheme is read. A path without a scheme is a `file`."""

_SCHEMES = (*STORAGES, *history_server.SCHEMES)


def find_logs(
    sources: Sequence[str], known: Container[str] = frozenset(), on_empty: Callable[[str], object] = lambda _: None
) -> Iterator[EventLog]:
    """Find the event logs at some places.

    Args:
        sources: Files, rolling logs' folders, folders (searched through), globs, or URIs of `STORAGES`' schemes.
        known: Paths of logs that an earlier harvest read. What a folder holds under a name that Spark would not
            choose is opened once to see whether it is a log; a known one is not opened again.
        on_empty: Called with each source that has no log at all.

    Yields:
        Each log once, whatever number of sources lead to it; in the order of the sources, sorted within each. What
        cannot be listed, or not be looked at, comes as a log without parts that carries the reason.

    Raises:
        UsageError: If a source is not there, its scheme is unknown, or a package is missing that reads it.
    """
    seen: set[str] = set()
    for source in sources:
        found = False
        for log in _readable(source, known):
            found = True
            if log.path not in seen:
                seen.add(log.path)
                yield log
        if not found:
            on_empty(source)


def storage_of(source: str) -> Files:
    """Give the storage that a path or URI lies in.

    Raises:
        UsageError: If the scheme is none of `STORAGES`, or its package is missing.
    """
    matched = _SCHEME.match(source)
    scheme = matched[1].lower() if matched else "file"
    if scheme not in STORAGES:
        raise UsageError(f"logs cannot be read from {scheme}:", source, f"use a path or one of {', '.join(_SCHEMES)}")
    return STORAGES[scheme](scheme)


def open_part(part: LogPart) -> BinaryIO:
    """Open a part for reading its bytes as stored.

    Raises:
        LogError: If it cannot be opened.
    """
    if history_server.is_address(part.path):
        return history_server.open_attempt(part.path)
    return storage_of(part.path).open(part.path)


def _readable(source: str, known: Container[str]) -> Iterator[EventLog]:
    """Yield the logs of one source; a storage that fails is an unreadable log."""
    try:
        yield from _found(source, known)
    except LogError as error:
        yield unreadable(source, str(error))


def _found(source: str, known: Container[str]) -> Iterator[EventLog]:
    if not source:
        raise UsageError("a source is empty", "", "name a log, a folder of logs or a glob")
    if without_users(source) != source:
        hint = "leave it out: credentials come from the environment, a profile or the instance's role"
        raise UsageError("a source holds a password", without_users(source), hint)
    if history_server.is_address(source):
        yield from history_server.logs_of_server(source)
        return
    files = storage_of(source)
    path = files.canonical(source)
    entry = files.file(path)
    if entry is not None:
        yield single(entry)
    elif files.is_folder(path):
        yield from _below(files, path, known)
    elif _MAGIC.search(path):
        yield from _matched(files, path, known)
    else:
        raise UsageError("there is no such log or folder", source, "look at the path")


def _below(files: Files, folder: str, known: Container[str]) -> Iterator[EventLog]:
    for listing in files.listings(folder):
        yield from _of_listing(files, listing, known)


def _of_listing(files: Files, listing: FolderListing, known: Container[str]) -> Iterator[EventLog]:
    if listing.error:
        yield unreadable(listing.folder, f"cannot list the folder: {listing.error}")
    for path, reason in listing.failed:
        if not file_names.never_a_log(path.rpartition("/")[2]):
            yield unreadable(path, f"cannot stat the log: {reason}")
    for log in logs_of_folder(listing.folder, listing.files):
        if log.path in known or len(log.parts) > 1:
            yield log
        else:
            yield from _if_log(files, log)


def _if_log(files: Files, log: EventLog) -> Iterator[EventLog]:
    """Yield what a folder holds if it is a log; a file that cannot be read could be one, and is reported."""
    try:
        if _is_log(files, log):
            yield log
    except (LogError, OSError) as error:
        yield unreadable(log.path, str(error))


def _is_log(files: Files, log: EventLog) -> bool:
    """Return whether a file of a folder is a log: by its name, else by its first bytes.

    Raises:
        LogError: It cannot be opened.
        OSError: It cannot be read.
    """
    part = log.parts[0]
    if (
        file_names.log_like(part.path.rsplit("/", 1)[-1])
        or file_names.rolling_index(part.path.rsplit("/", 1)[-1]) is not None
    ):
        return True
    with files.open(part.path) as stream:
        return begins_like_a_log(stream)


def _matched(files: Files, pattern: str, known: Container[str]) -> Iterator[EventLog]:
    """Give the logs that a glob matches: folders with all below them, files as if found in their folder."""
    paths = [path for path in files.matches(pattern) if not file_names.hidden(path.rpartition("/")[2])]
    if not paths:
        raise UsageError("the glob matches nothing", pattern, "quote it, and look at the path")
    loose: dict[str, list[FileEntry]] = {}
    for path in paths:
        entry = files.file(path)
        folder = path.rpartition("/")[0]
        if entry is None:
            yield from _below(files, path, known)
        elif folder.rpartition("/")[2].startswith(file_names.ROLLING_FOLDER):
            yield from _below(files, folder, known)
        else:
            loose.setdefault(folder, []).append(entry)
    for folder, entries in loose.items():
        yield from _of_listing(files, FolderListing(folder, tuple(entries)), known)
