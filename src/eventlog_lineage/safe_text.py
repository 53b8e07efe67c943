r"""Escape texts of logs for terminals, spreadsheets and documents: nothing in a log is trusted.

Names and expressions come from logs. An escape sequence in one must not reach a terminal, a bidirectional control must
not reorder what a reader sees, and a cell must not become a formula.
"""

from __future__ import annotations

import re

_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]")
"""Control characters and those that change the direction of text or hide: `U+202E` shows `gnp.exe` as `exe.png`."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_SHORT = {"\t": r"\t", "\n": r"\n", "\r": r"\r"}


def escape_controls(text: str, kept: str = "") -> str:
    r"""Return a text with its control, bidirectional and invisible characters escaped.

    Args:
        text: Any text.
        kept: Characters that are not escaped, such as line feeds.

    >>> escape_controls("a\x1b[31m\u202eb")
    'a\\u001b[31m\\u202eb'
    """
    if text.isascii() and text.isprintable():
        return text

    def escaped(match: re.Match[str]) -> str:
        char = match[0]
        return char if char in kept else _SHORT.get(char) or f"\\u{ord(char):04x}"

    return _UNSAFE.sub(escaped, text)


def spreadsheet_cell(text: str) -> str:
    """Return a text that a spreadsheet shows literally.

    >>> spreadsheet_cell("=1+1")
    "'=1+1"
    """
    escaped = escape_controls(text)
    return f"'{escaped}" if text.startswith(_FORMULA) else escaped


_MARKUP = re.compile(r"([\\`*\[\]|~$#])")


def markdown_text(text: str) -> str:
    r"""Return a text that Markdown and its tables show literally: without markup, HTML or links, on one line.

    >>> markdown_text("a|b <img>")
    'a\\|b &lt;img&gt;'
    """
    safe = _MARKUP.sub(r"\\\1", escape_controls(" ".join(text.split())).replace("&", "&amp;"))
    safe = safe.replace("<", "&lt;").replace(">", "&gt;").replace("@", "&#64;")
    return safe.replace("://", "&#58;//")
