"""Shorten an error to one line: its innermost cause."""

from __future__ import annotations

import re

from eventlog_lineage.store.queries.open_store import Answer

_CAUSE = re.compile(r"^Caused by: (.+)$", re.MULTILINE)
_TASK = re.compile(r"^Job aborted due to stage failure: .*?\((?:TID|executor) [^)]*\)[^:]*: ", re.DOTALL)
_CLASS = re.compile(r"^(?:[a-z_][\w$]*\.)+(\w+(?:Error|Exception|Failure)\w*): (?=\S)")
_FRAME = re.compile(r"^\s*(?:at |\.\.\. \d+ more|Driver stacktrace|Traceback \(most recent)|^\s*$")
_LONGEST = 300


def error_line(error: str) -> str:
    """Return the innermost cause of an error without its stack; empty for an empty error.

    `SparkContext` reports a failed job as `Job aborted due to stage failure: … (TID 84) (host executor 1): ` and the
    task's stack, whose last `Caused by:` is the exception that was thrown first (all versions). A Python worker's
    traceback ends in its exception.
    """
    text = error.strip()
    if causes := _CAUSE.findall(text):
        text = causes[-1]
    elif "Traceback (most recent call last):" in text:
        text = _last_of_traceback(text)
    text = _TASK.sub("", text)
    line = next((each.strip() for each in text.splitlines() if not _FRAME.match(each)), "")
    line = _CLASS.sub(r"\1: ", line)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _last_of_traceback(text: str) -> str:
    """Return the exception's line of the last Python traceback: the first line after it that is not indented."""
    after = text.rpartition("Traceback (most recent call last):")[2].splitlines()[1:]
    return next((line for line in after if line and not line[0].isspace()), text)


def with_error_lines(found: Answer, *names: str) -> Answer:
    """Return an answer with the errors in some of its columns shortened."""
    places = [found.names.index(name) for name in names]
    rows = [
        tuple(error_line(str(value)) if at in places and value else value for at, value in enumerate(row))
        for row in found.rows
    ]
    return Answer(found.names, rows, found.types)
