"""Read what users write in options, files and calls: times, spans, TOML; times in logs."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta, timezone
from typing import Any

from eventlog_lineage.errors import UsageError

_SPAN = re.compile(r"^(\d{1,6})\s?([mhdw])$")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_DAYS = {"today": 0, "yesterday": 1}
_NANOSECONDS = re.compile(r"(\.\d{6})\d+")


def read_span(text: str, where: str = "") -> timedelta:
    """Return a span: `45m`, `12h`, `30d`, `8w`.

    Args:
        where: The file that has it.

    Raises:
        UsageError: It is none.
    """
    if match := _SPAN.match(text.strip().lower()):
        return timedelta(**{_UNITS[match[2]]: int(match[1])})
    raise UsageError(f"invalid span {text!r}", where, "use 45m, 12h, 30d or 8w")


def read_time(text: str, now: datetime | None = None) -> datetime:
    """Return a time as UTC without a zone.

    Args:
        text: A date, a time in ISO 8601, `24h`, `7d`, `2w` before now, `today`, `yesterday`.
        now: The current time, if it is not the clock's.

    Raises:
        UsageError: It is none of these.
    """
    now = without_zone(now or datetime.now(timezone.utc))
    words = text.strip().lower()
    if words in _DAYS:
        return datetime(now.year, now.month, now.day) - timedelta(days=_DAYS[words])
    if _SPAN.match(words):
        try:
            return now - read_span(words)
        except OverflowError:
            raise _invalid_time(text) from None
    return read_moment(text)


def read_moment(text: str) -> datetime:
    """Return a date or a time in ISO 8601 as UTC without a zone.

    Raises:
        UsageError: It is none.
    """
    try:
        return without_zone(datetime.fromisoformat(_NANOSECONDS.sub(r"\1", text.strip()).replace("Z", "+00:00")))
    except (ValueError, OverflowError):
        raise _invalid_time(text) from None


def read_epoch_ms(text: object) -> int | None:
    """Return a time in ISO 8601 in epoch milliseconds, UTC if it has no zone; None for anything else."""
    if not isinstance(text, str):
        return None
    try:
        return round(read_moment(text).replace(tzinfo=timezone.utc).timestamp() * 1000)
    except UsageError:
        return None


def _invalid_time(text: str) -> UsageError:
    return UsageError(f"invalid time {text!r}", hint="use 2026-11-20, 2026-11-20T04:00 or 7d")


def without_zone(moment: date) -> datetime:
    """Return a time, or the midnight that begins a day, as UTC without a zone; a time without one is UTC."""
    if not isinstance(moment, datetime):
        return datetime(moment.year, moment.month, moment.day)
    return moment.astimezone(timezone.utc).replace(tzinfo=None) if moment.tzinfo else moment


def load_toml(text: str, origin: str) -> dict[str, Any]:
    """Return the content of a TOML file.

    Raises:
        UsageError: The text is not TOML.
    """
    try:
        import tomllib  # type: ignore[import-not-found,unused-ignore] # noqa: PLC0415 - few calls read one
    except ModuleNotFoundError:  # Python 3.10
        import tomli as tomllib  # type: ignore[import-not-found,unused-ignore,no-redef] # noqa: PLC0415
    try:
        return dict(tomllib.loads(text))
    except ValueError as error:
        raise UsageError(f"invalid TOML: {error}", origin, "see https://toml.io for the syntax") from None
