"""Check sources for `doctor`: whether they can be listed, have logs, and can be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timezone

from eventlog_lineage.errors import LineageError
from eventlog_lineage.model import Check

from .discovery import find_logs, open_part
from .event_log import EventLog

_NO_LOGS = (
    "compare it with spark.eventLog.dir (the docs' pages on platforms list where logs are); "
    "spark.eventLog.enabled is false by default"
)
_FUTURE_MS = 60_000


def check_sources(sources: Sequence[str], now_ms: int) -> Iterator[Check]:
    """Yield a line for each source, and one if logs are newer than the clock of this machine.

    Args:
        sources: As `harvest` takes them.
        now_ms: The time, in epoch milliseconds.
    """
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


def _checked(source: str, logs: Sequence[EventLog]) -> Check:
    subject = f"source {source}"
    readable = [log for log in logs if log.parts]
    if not readable:
        if logs and logs[0].problems:
            gap = logs[0].problems[0]
            return Check(subject, "failed", gap.detail, gap.hint)
        return Check(subject, "warning", "no event logs", _NO_LOGS)
    newest = max(readable, key=lambda log: log.modified_at or 0)
    try:
        with open_part(newest.parts[-1]) as part:
            part.read(4)
    except (LineageError, OSError) as error:
        hint = error.hint if isinstance(error, LineageError) else ""
        what = error.what if isinstance(error, LineageError) else str(error)
        return Check(subject, "failed", f"{newest.path}: {what}", hint or "give this user the right to read the logs")
    detail = _described(readable, newest)
    unreadable = len(logs) - len(readable)
    if unreadable:
        first = next(log for log in logs if not log.parts)
        reason = first.problems[0].detail if first.problems else "it has no files"
        return Check(subject, "warning", f"{detail}; {unreadable} unreadable, the first: {first.path}: {reason}",
                     "harvest lists all of them")  # fmt: skip
    return Check(subject, "ok", detail)


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
