"""Find the event logs in the sources that a user names, and open their parts.

`find_logs` converts sources to `EventLog` values by listing: files with a name that Spark uses for logs are not opened.
`open_part` opens the parts. To support another storage, add an entry to `STORAGES`: a function from a scheme to an
implementation of `Files`. A History Server has no files, but logs.
"""

from __future__ import annotations

import glob
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from typing import TYPE_CHECKING, BinaryIO

from eventlog_lineage.errors import LineageError, LogError, UsageError
from eventlog_lineage.events.compression import Decoding
from eventlog_lineage.events.decoding.line_filter import EVENT_LINE, has_events, head_of
from eventlog_lineage.events.read_options import CpuBudget
from eventlog_lineage.events.sources import layouts
from eventlog_lineage.events.sources.files import BACKENDS, Files, FolderListing, LocalFiles, RemoteFiles
from eventlog_lineage.events.sources.layouts import EventLog, FileEntry, logs_of_folder, single, unreadable
from eventlog_lineage.model import Check
from eventlog_lineage.redaction import without_users

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping

    from eventlog_lineage.events.sources.layouts import LogPart

_SECONDS = 5
_OPENLINEAGE = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"(?:eventTime|eventType)"\s*:')

_OTHER_MAGIC = (
    (b"PK\x03\x04", "a zip archive", "unpack it: the History Server's downloads hold the log inside"),
    (b"\x04\x22\x4d\x18", "an lz4 frame, which Spark does not write", "unpack it with lz4"),
    (b"\xff\x06\x00\x00sNaPpY", "framed snappy, which Spark does not write", "unpack it"),
    (b"BZh", "bzip2, which Spark does not write", "unpack it with bunzip2"),
    (b"\xfd7zXZ", "xz, which Spark does not write", "unpack it with unxz"),
    (b"PAR1", "a Parquet file", "name event logs only"),
)


def is_openlineage(head: bytes) -> bool:
    """Return whether a text begins with an OpenLineage event."""
    return _OPENLINEAGE.match(head) is not None


def begins_like_a_log(stream: BinaryIO) -> bool:
    """Return whether a file's text begins with an event, of Spark or of OpenLineage. One chunk is read.

    Raises:
        LogError: The storage fails, or much is stored before the first text.
    """
    budget = CpuBudget(_SECONDS)
    head = head_of(iter(Decoding(stream, on_read=budget.check)))
    return head.startswith(EVENT_LINE) or has_events(head) or is_openlineage(head)


def reason_not_a_log(head: bytes) -> tuple[str, str]:
    """Return the reason why a text is not an event log, from its first bytes, and a hint."""
    for magic, what, hint in _OTHER_MAGIC:
        if head.startswith(magic):
            return f"not an event log but {what}", hint
    return f"not an event log: it begins with {head[:40]!r}", "an event log begins with " + EVENT_LINE.decode()


STORAGES: Mapping[str, Callable[[str], Files]] = {
    "file": lambda _: LocalFiles(),
    **{scheme: lambda scheme: RemoteFiles(BACKENDS[scheme]) for scheme in BACKENDS},
}
"""Scheme to its storage. A path without a scheme is a `file`."""

_SERVERS = ("http", "https")
_SCHEMES = (*STORAGES, *_SERVERS)


def find_logs(
    sources: Sequence[str], known: Container[str] = frozenset(), on_empty: Callable[[str], object] = lambda _: None
) -> Iterator[EventLog]:
    """Find the event logs in some sources.

    Args:
        sources: Files, folders of rolling logs, other folders (searched recursively), globs, or URIs of `STORAGES`'
            schemes.
        known: Paths of logs that an earlier harvest read. A file with a name that Spark does not use is opened to check
            whether it is a log; known files are not opened again.

    Yields:
        Each log once, in the order of the sources, sorted within each. A path that cannot be listed or read is a log
        without parts, with the reason.

    Raises:
        UsageError: A source does not exist, its scheme is unknown, or the package for its scheme is missing.
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
    """Return the storage of a path or URI.

    Raises:
        UsageError: The scheme is not in `STORAGES`, or its package is missing.
    """
    matched = layouts.SCHEME.match(source)
    scheme = matched[1].lower() if matched else "file"
    if scheme not in STORAGES:
        raise UsageError(f"logs cannot be read from {scheme}:", source, f"use a path or one of {', '.join(_SCHEMES)}")
    return STORAGES[scheme](scheme)


def open_part(part: LogPart) -> BinaryIO:
    """Open a part for reading its bytes as stored.

    Raises:
        LogError: It cannot be opened.
    """
    if _is_server(part.path):
        from .history_server import open_attempt  # noqa: PLC0415 - imports an HTTP client, which few logs need

        return open_attempt(part.path)
    return storage_of(part.path).open(part.path)


def _is_server(source: str) -> bool:
    """Return whether a source or a part's path is a History Server's address."""
    return source.lower().startswith(tuple(f"{scheme}://" for scheme in _SERVERS))


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
        raise UsageError("a source contains a password", without_users(source), hint)
    if _is_server(source):
        from .history_server import logs_of_server  # noqa: PLC0415 - as in `open_part`

        yield from logs_of_server(source)
        return
    files = storage_of(source)
    path = files.canonical(source)
    entry = files.file(path)
    if entry is not None:
        yield single(entry)
    elif files.is_folder(path):
        yield from _below(files, path, known)
    elif glob.has_magic(path):
        yield from _matched(files, path, known)
    else:
        raise UsageError("no such log or folder", source, "check the path")


def _below(files: Files, folder: str, known: Container[str]) -> Iterator[EventLog]:
    for listing in files.listings(folder):
        yield from _of_listing(files, listing, known)


def _of_listing(files: Files, listing: FolderListing, known: Container[str]) -> Iterator[EventLog]:
    if listing.error:
        yield unreadable(listing.folder, f"cannot list the folder: {listing.error}")
    for path, reason in listing.failed:
        if not layouts.never_a_log(path.rpartition("/")[2]):
            yield unreadable(path, f"cannot stat the log: {reason}")
    for log in logs_of_folder(listing.folder, listing.files):
        if len(log.parts) > 1 or _has_log_name(log) or log.path in known:
            yield log
        else:
            yield from _if_log(files, log)


def _if_log(files: Files, log: EventLog) -> Iterator[EventLog]:
    """Yield a file of a folder if its first bytes are those of a log; one that cannot be read is reported."""
    try:
        with files.open(log.parts[0].path) as stream:
            is_log = begins_like_a_log(stream)
    except (LogError, OSError) as error:
        yield unreadable(log.path, str(error))
    else:
        if is_log:
            yield log


def _has_log_name(log: EventLog) -> bool:
    """Return whether a file has a name that Spark uses for logs."""
    name = log.parts[0].path.rsplit("/", 1)[-1]
    return layouts.log_like(name) or layouts.rolling_index(name) is not None


def _matched(files: Files, pattern: str, known: Container[str]) -> Iterator[EventLog]:
    """Yield the logs that a glob matches: folders recursively, files as if their folder was listed."""
    paths = [path for path in files.matches(pattern) if not layouts.hidden(path.rpartition("/")[2])]
    if not paths:
        raise UsageError("the glob matches nothing", pattern, "quote it, and check the path")
    loose: dict[str, list[FileEntry]] = {}
    for path in paths:
        entry = files.file(path)
        folder = path.rpartition("/")[0]
        if entry is None:
            yield from _below(files, path, known)
        elif folder.rpartition("/")[2].startswith(layouts.ROLLING_FOLDER):
            yield from _below(files, folder, known)
        else:
            loose.setdefault(folder, []).append(entry)
    for folder, entries in loose.items():
        yield from _of_listing(files, FolderListing(folder, tuple(entries)), known)


_NO_LOGS = (
    "compare it with spark.eventLog.dir (the docs' pages on platforms list where logs are); "
    "spark.eventLog.enabled is false by default"
)
_FUTURE_MS = 60_000


def check_sources(sources: Sequence[str], now_ms: int) -> Iterator[Check]:
    """Yield a line for each source, and one if logs are newer than the clock of this machine."""
    if not sources:
        hint = "name what you harvest: `eventlog-lineage doctor /var/log/spark/apps`"
        yield Check("sources", "warning", "no source given", hint)
    newest = 0
    for source in sources:
        try:
            logs = list(find_logs([source]))
        except LineageError as error:
            yield Check(f"source {source}", "failed", f"{error.what}: {error.where}".rstrip(": "), error.hint)
            continue
        newest = max([newest, *(log.modified_at or 0 for log in logs)])
        yield _checked(source, logs)
    if newest > now_ms + _FUTURE_MS:
        seconds = round((newest - now_ms) / 1000)
        hint = "set the clocks of this machine and of the storage (NTP): later times count as unknown"
        yield Check("clock of the logs", "warning", f"the newest log is {seconds} s later than this machine", hint)


def _of_nothing(subject: str, logs: Sequence[EventLog]) -> Check:
    """Return the check of a source without a log that can be read."""
    for gap in logs[0].problems if logs else ():
        return Check(subject, "failed", gap.detail, gap.hint)
    return Check(subject, "warning", "no event logs", _NO_LOGS)


def _checked(source: str, logs: Sequence[EventLog]) -> Check:
    subject = f"source {source}"
    readable = [log for log in logs if log.parts]
    if not readable:
        return _of_nothing(subject, logs)
    newest = max(readable, key=lambda log: log.modified_at or 0)
    try:
        with open_part(newest.parts[-1]) as part:
            part.read(4)
    except (LineageError, OSError) as error:
        known = error if isinstance(error, LineageError) else LineageError(str(error))
        hint = known.hint or "give this user the right to read the logs"
        return Check(subject, "failed", f"{newest.path}: {known.what}", hint)
    return _without_unreadable(
        Check(subject, "ok", _described(readable, newest)), [log for log in logs if not log.parts]
    )


def _without_unreadable(check: Check, unreadable: Sequence[EventLog]) -> Check:
    """Return a check of a source, as a warning if some of its logs are unreadable."""
    if not unreadable:
        return check
    first = unreadable[0]
    reason = first.problems[0].detail if first.problems else "it has no files"
    detail = f"{check.detail}; {len(unreadable)} unreadable, the first: {first.path}: {reason}"
    return replace(check, status="warning", detail=detail, hint="harvest lists all of them")


def _described(logs: Sequence[EventLog], newest: EventLog) -> str:
    count = "1 log" if len(logs) == 1 else f"{len(logs)} logs"
    size = sum(log.size for log in logs) / 1e6
    running = sum(log.in_progress for log in logs)
    parts = [count, f"{size:.1f} MB"]
    if newest.modified_at is not None:
        seen = datetime.fromtimestamp(newest.modified_at / 1000, timezone.utc)
        parts.append(f"the newest of {seen:%Y-%m-%d %H:%M} UTC")
    if running:
        parts.append(f"{running} still written")
    return ", ".join(parts)
