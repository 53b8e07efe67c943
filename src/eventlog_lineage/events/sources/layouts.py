"""Group the files of a folder into event logs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from eventlog_lineage.errors import encodable
from eventlog_lineage.model import Gap, GapReason

from . import file_names
from .event_log import EventLog, Layout, LogPart

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .filesystems import FileEntry

_MISSING_HINT = (
    "look whether spark.history.fs.cleaner or a copy removed them; harvest rolling logs while they are whole"
)
_COMPACTED_HINT = (
    "harvest before the History Server compacts: more often, or with a higher"
    " spark.history.fs.eventLog.rolling.maxFilesToRetain"
)


def single(entry: FileEntry) -> EventLog:
    """Return the log of a single file."""
    app_id, attempt_id = file_names.application_and_attempt(entry.name)
    part = LogPart(entry.path, entry.size, entry.modified_at, 1, entry.name.endswith(file_names.COMPACT))
    in_progress = entry.name.endswith(file_names.IN_PROGRESS)
    return EventLog(encodable(entry.path), Layout.SINGLE, (part,), encodable(app_id), attempt_id, in_progress)


def unreadable(path: str, reason: str) -> EventLog:
    """Return the log of a path that cannot be listed or read: without parts, with the reason.

    Args:
        path: The path.
        reason: Why it is unreadable.
    """
    hint = "check the path and its permissions, then harvest again"
    gap = Gap(GapReason.UNREADABLE_LOG, "", encodable(reason), hint)
    return EventLog(encodable(path), Layout.SINGLE, (), problems=(gap,))


def logs_of_folder(folder: str, files: Sequence[FileEntry]) -> Iterator[EventLog]:
    """Yield the logs in one folder, without its subfolders.

    Args:
        folder: The folder's path, without a slash at its end.
        files: Its files, in any order.

    Yields:
        The rolling or the Databricks log of the folder, then its other files that can be logs: all files except
        checksums, drivers' output and data files.
    """
    name = folder.rsplit("/", 1)[-1]
    if name.startswith(file_names.ROLLING_FOLDER) and any(
        file_names.rolling_index(entry.name) is not None for entry in files
    ):
        yield _rolling(folder, files)
        return
    databricks = [entry for entry in files if file_names.databricks_date(entry.name) is not None]
    if databricks:
        yield _databricks(folder, databricks)
    for entry in sorted(files, key=lambda entry: entry.name):
        if file_names.databricks_date(entry.name) is None and not file_names.never_a_log(entry.name):
            yield single(entry)


def _rolling(folder: str, files: Iterable[FileEntry]) -> EventLog:
    """Return a rolling log (`RollingEventLogFilesFileReader`): numbered parts, and an appstatus that shows its end.

    Without an appstatus (copies to object stores lose empty files), the log's last event decides.

    Args:
        folder: The folder.
        files: Its files.
    """
    parts, status = [], []
    for entry in files:
        index = file_names.rolling_index(entry.name)
        if index is not None:
            parts.append(
                LogPart(entry.path, entry.size, entry.modified_at, index, entry.name.endswith(file_names.COMPACT))
            )
        elif entry.name.startswith("appstatus_"):
            status.append(entry.name)
    kept = _from_last_compact(parts)
    app_id, attempt_id = file_names.application_and_attempt(folder.rsplit("/", 1)[-1])
    in_progress = bool(status) and all(name.endswith(file_names.IN_PROGRESS) for name in status)
    problems = tuple(_rolling_problems(kept))
    ids = encodable(app_id), encodable(attempt_id)
    return EventLog(encodable(folder), Layout.ROLLING, tuple(kept), *ids, in_progress, problems)


def _from_last_compact(parts: Iterable[LogPart]) -> list[LogPart]:
    """Order parts by index, without those that the last compact file replaces.

    `events_5_x.compact` contains the rest of parts 1 to 5, which may still exist next to it.
    """
    ordered = sorted(parts, key=lambda part: (part.index, part.compacted, part.path))
    last = max((index for index, part in enumerate(ordered) if part.compacted), default=0)
    return ordered[last:]


def without_known_parts(log: EventLog, last: int) -> EventLog:
    """Return a log whose first parts were already read; later changes of these parts are ignored.

    Args:
        log: The log as listed.
        last: The index of the last part that was read.
    """
    known = tuple(replace(part, compacted=False) for part in log.parts if part.index <= last)
    rest = log.parts[len(known) :]
    problems = log.problems
    if log.layout is Layout.ROLLING:
        problems = tuple(_missing_parts(rest, last + 1))
    return replace(log, parts=known + rest, problems=problems)


def _rolling_problems(parts: Sequence[LogPart]) -> Iterator[Gap]:
    first = parts[0]
    if first.compacted:
        detail = f"parts 1 to {first.index} were compacted: their finished statements are gone"
        yield Gap(GapReason.COMPACTED_LOG, "", detail, _COMPACTED_HINT)
    yield from _missing_parts(parts, first.index if first.compacted else 1)


def _missing_parts(parts: Sequence[LogPart], expected: int) -> Iterator[Gap]:
    for part in parts:
        if part.index > expected:
            span = f"part {expected} is" if part.index == expected + 1 else f"parts {expected} to {part.index - 1} are"
            yield Gap(GapReason.MISSING_PARTS, "", f"{span} missing", _MISSING_HINT)
        expected = part.index + 1


def _databricks(folder: str, files: Iterable[FileEntry]) -> EventLog:
    """Return a Databricks log: dated parts in the order of their names, then the current one.

    The names do not show whether the cluster has ended: with a current part, the log is in progress until an end is
    read in it. `reading.settle_order` checks the rollover numbers.

    Args:
        folder: The folder.
        files: Its files.
    """
    ordered = sorted(files, key=lambda entry: (file_names.databricks_date(entry.name) or "", entry.name))
    parts = tuple(LogPart(entry.path, entry.size, entry.modified_at, index) for index, entry in enumerate(ordered, 1))
    return EventLog(encodable(folder), Layout.DATABRICKS, parts, in_progress=ordered[-1].name == "eventlog")


def reordered(log: EventLog, parts: Iterable[LogPart]) -> EventLog:
    """Return a log with its parts in another order, numbered from 1.

    Args:
        log: The log.
        parts: Its parts, in the new order.
    """
    return replace(log, parts=tuple(replace(part, index=index) for index, part in enumerate(parts, 1)))
