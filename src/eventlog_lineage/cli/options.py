"""Options that several commands share."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any, TypeVar

import click

from .configuration import Session, setting

_Function = TypeVar("_Function", bound=Callable[..., Any])

_DAYS = {"today": 0, "yesterday": 1}
_UNITS = {"h": "hours", "d": "days", "w": "weeks"}
_AGO = re.compile(r"^(\d{1,5})\s?([hdw])$")


def store_option(function: _Function) -> _Function:
    """`--store DIR`, which a command gets as `store_dir`."""
    return setting(
        "--store",
        "store_dir",
        metavar="DIR",
        default="lineage",
        show_default="EVENTLOG_LINEAGE_STORE or ./lineage",
        callback=lambda _, __, store: _local(store),
        help="The store to use.",
    )(function)


def _local(store: str) -> str:
    from eventlog_lineage.store.publish.location import store_folder  # noqa: PLC0415 - help needs none of it

    return str(store_folder(store))


def format_option(*more: str) -> Callable[[_Function], _Function]:
    """`--format`, which a command gets as `form`: table, json, csv and what else it can."""
    form = click.option(
        "--format",
        "form",
        type=click.Choice(["table", "json", "csv", *more]),
        default="table",
        show_default=True,
        help="Output format.",
    )
    raw = click.option(
        "--raw",
        is_flag=True,
        expose_value=False,
        callback=_set_raw,
        help="Write CSV for machines: cells that begin with =, +, - or @ and control characters are not escaped.",
    )
    return lambda function: form(raw(function))


def _set_raw(context: click.Context, _: click.Parameter, value: bool) -> None:
    context.find_root().ensure_object(Session).raw = value


def limit_options(function: _Function) -> _Function:
    """Limits of what is read: `--max-line`, `--max-plan` (MiB), `--max-expansion`, `--max-seconds-per-log`."""
    line = setting(
        "--max-line",
        type=click.IntRange(1),
        default=256,
        show_default=True,
        metavar="MIB",
        help="Longest line to read, in MiB.",
    )
    plan = setting(
        "--max-plan",
        type=click.IntRange(1),
        default=32,
        show_default=True,
        metavar="MIB",
        help="Longest plan text to parse, in MiB.",
    )
    expansion = setting(
        "--max-expansion",
        type=click.IntRange(10),
        default=1000,
        show_default=True,
        metavar="N",
        help="Most bytes of text per stored byte.",
    )
    seconds = setting(
        "--max-seconds-per-log",
        type=click.IntRange(1),
        default=600,
        show_default=True,
        metavar="S",
        help="CPU seconds to spend on reading one log.",
    )
    return line(plan(expansion(seconds(function))))


def json_option(function: _Function) -> _Function:
    """`--json`, short for `--format json`, which a command gets as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Short for --format json.")(function)


def since_option(function: _Function) -> _Function:
    """`--since WHEN`, which a command gets as `since`: UTC without a zone."""
    return click.option(
        "--since",
        required=True,
        metavar="WHEN",
        callback=lambda _, __, text: read_time(text, datetime.now(timezone.utc)),
        help="Start time: 2026-11-20, 2026-11-20T04:00, 24h, 7d, 2w, today or yesterday; UTC without a zone.",
    )(function)


def read_time(text: str, now: datetime) -> datetime:
    """Return a time that a user wrote, as UTC without a zone.

    Args:
        text: A date, a time in ISO 8601, `24h`, `7d`, `2w` before now, `today`, `yesterday`.
        now: The time, with its zone.

    Raises:
        BadParameter: It is none of these.
    """
    now = now.astimezone(timezone.utc).replace(tzinfo=None)
    words = text.strip().lower()
    if words in _DAYS:
        return datetime(now.year, now.month, now.day) - timedelta(days=_DAYS[words])
    if match := _AGO.match(words):
        return now - timedelta(**{_UNITS[match[2]]: int(match[1])})
    try:
        moment = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
    except ValueError:
        raise click.BadParameter(f"invalid time {text!r}: use 2026-11-20, 2026-11-20T04:00 or 7d") from None
    return moment.astimezone(timezone.utc).replace(tzinfo=None) if moment.tzinfo else moment


def examples(*lines: str) -> str:
    """Return the end of a help text: one example per line."""
    return "\b\nExamples:\n" + "\n".join(f"  eventlog-lineage {line}" for line in lines)
