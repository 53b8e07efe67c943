"""Safe output: escape texts for terminals and spreadsheets; replace files at once, make temporary folders."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date, datetime
from pathlib import Path

from eventlog_lineage.errors import FullFolderError

_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Control characters, those that change the direction of text (`U+202E` shows `gnp.exe` as `exe.png`), and those that
show nothing: tags spell text that only a language model reads, and variation selectors store bytes."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""The last ones are full-width forms, which some spreadsheets take for the others."""
_SHORT = {"\t": r"\t", "\n": r"\n", "\r": r"\r"}


def plain(value: object) -> str:
    """Return a value that JSON has no type for as text; times in ISO 8601."""
    return value.isoformat() if isinstance(value, (datetime, date)) else str(value)


def escape_controls(text: str, kept: str = "") -> str:
    r"""Return a text with its control, bidirectional and invisible characters escaped.

    >>> escape_controls("a\x1b[31m\u202eb")
    'a\\u001b[31m\\u202eb'
    """
    return _escaped(text, kept, lambda char: f"\\U{ord(char):08x}")


def escape_json(text: str, kept: str = "") -> str:
    r"""Return a JSON text with the same characters escaped as JSON does, in surrogate pairs; its values stay the same.

    >>> escape_json('"a\U000e0041\u202e"')
    '"a\\udb40\\udc41\\u202e"'
    """
    return _escaped(text, kept, lambda char: json.dumps(char)[1:-1])


def _escaped(text: str, kept: str, beyond: Callable[[str], str]) -> str:
    """Escape the unsafe characters of a text; `beyond` escapes those above U+FFFF."""
    if text.isascii() and text.isprintable():
        return text

    def escaped(match: re.Match[str]) -> str:
        char = match[0]
        if char in kept:
            return char
        return _SHORT.get(char) or (f"\\u{ord(char):04x}" if char <= "\uffff" else beyond(char))

    return _UNSAFE.sub(escaped, text)


def counted(number: int, noun: str) -> str:
    """Return a number of things.

    >>> counted(1, "dataset"), counted(2000, "column")
    ('1 dataset', '2,000 columns')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def spreadsheet_cell(text: str) -> str:
    """Return a text that a spreadsheet shows literally.

    >>> spreadsheet_cell("=1+1")
    "'=1+1"
    """
    escaped = escape_controls(text)
    return f"'{escaped}" if text.startswith(_FORMULA) else escaped


_MARKUP = str.maketrans({char: f"\\{char}" for char in "\\`*[]|~$#"})


def markdown_text(text: str) -> str:
    r"""Return a text that Markdown and its tables show literally: without markup, HTML or links, on one line.

    >>> markdown_text("a|b <img>")
    'a\\|b &lt;img&gt;'
    """
    safe = escape_controls(" ".join(text.split())).replace("&", "&amp;").translate(_MARKUP)
    safe = safe.replace("<", "&lt;").replace(">", "&gt;").replace("@", "&#64;")
    return safe.replace("://", "&#58;//")


def html_text(text: str) -> str:
    """Return a text that HTML shows literally, its control characters escaped."""
    return html.escape(escape_controls(text))


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Provide an empty folder of the system for temporary files until the block ends.

    Raises:
        FullFolderError: No folder can be made.
    """
    try:
        made = tempfile.TemporaryDirectory(prefix="eventlog-lineage-", ignore_cleanup_errors=True)
    except OSError as error:
        raise unusable_folder(error) from error
    with made as folder:
        yield Path(folder)


def unusable_folder(error: OSError) -> FullFolderError:
    """Return the error for a folder for temporary files in which nothing can be made."""
    where = str(Path(error.filename).parent) if error.filename else ""
    advice = "check its mode and the space there, or set TMPDIR to another folder"
    return FullFolderError(f"the temporary folder cannot be used: {error.strerror}", where, advice)


@contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """Yield the path to write to; when the block ends, its content is that of `path`, which else stays as it is.

    A link's target is replaced, with the target's mode. Anything but a regular file (a device, a FIFO, the
    standard output under a name in `/dev`) is written in place, at the end.

    Raises:
        OSError: The file cannot be written.
    """
    if _is_special(path):
        with temporary_folder() as folder:
            written = folder / "output"
            yield written
            descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
            with written.open("rb") as source, os.fdopen(descriptor, "wb") as target:
                shutil.copyfileobj(source, target, 1 << 20)
        return
    resolved = Path(os.path.realpath(path))
    partial = resolved.with_name(f".{resolved.name[:200]}.{os.getpid()}.partial")
    try:
        yield partial
        with suppress(FileNotFoundError):
            partial.chmod(stat.S_IMODE(resolved.stat().st_mode))
        partial.replace(resolved)
    finally:
        with suppress(OSError):
            partial.unlink()


def _is_special(path: Path) -> bool:
    try:
        is_regular = stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False
    folder = os.path.realpath(path.parent)
    return not is_regular or str(path) in ("/dev/stdout", "/dev/stderr") or folder.startswith("/proc/")
