"""Errors with a problem, a location and a hint.

Every error of the package derives from `LineageError`. They cross process boundaries
(Spark's Python workers pickle them), so each keeps its constructor's arguments in `args`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

DOCS = "https://github.com/eventlog-lineage/eventlog-lineage/blob/main/docs"
"""Where messages send their readers: an installation has no `docs/`."""


def encodable(text: str) -> str:
    r"""Return a text with escaped bytes if they are not UTF-8, for storing in files and tables.

    Linux file names are bytes; Python decodes the others to lone surrogates (PEP 383).

    Returns:
        The text itself where it is valid Unicode; else with `\xff` for each such byte.

    >>> encodable("logs/local-1\udcff")
    'logs/local-1\\xff'
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape" if _from_bytes(text) else "surrogatepass").decode(
            "utf-8", "backslashreplace"
        )
    return text


def _from_bytes(text: str) -> bool:
    """Return whether every lone surrogate of a text represents a byte, as in file names."""
    return all(not "\ud800" <= char <= "\udfff" or "\udc80" <= char <= "\udcff" for char in text)


class LineageError(Exception):
    """Base of all errors that users see; prints as one line.

    Args:
        what: What went wrong, as a sentence without a full stop.
        where: The file, the line or the offset; empty if unknown.
        hint: What the user can do.
    """

    def __init__(self, what: str, where: str = "", hint: str = "") -> None:
        what, where = encodable(what), encodable(where)
        super().__init__(what, where, hint)
        self.what = what
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        parts = [self.what]
        if self.where:
            parts.append(f" ({self.where})")
        if self.hint:
            parts.append(f"; {self.hint}")
        return "".join(parts)


@contextmanager
def os_errors_as(error: type[LineageError], what: str, where: str | Path = "", hint: str = "") -> Iterator[None]:
    """Raise an error in place of an `OSError` of the block: what failed, and the system's words."""
    try:
        yield
    except OSError as failure:
        raise error(f"{what}: {failure.strerror or failure}", str(where), hint) from None


class UsageError(LineageError):
    """The call is wrong: a name, an option, a source that matches nothing."""


class UnknownNameError(UsageError):
    """A name is unknown in the store."""


class QueryError(UsageError):
    """A user's SQL cannot be run.

    Args:
        what: DuckDB's message.
        excerpt: The line of the query with a caret below the position, as DuckDB prints it; empty if there is none.
    """

    def __init__(
        self, what: str, where: str = "", hint: str = f"{DOCS}/tables.md lists tables and columns", excerpt: str = ""
    ) -> None:
        super().__init__(what, where, hint)
        self.args = (what, where, hint, excerpt)
        self.excerpt = encodable(excerpt)


class LogError(LineageError):
    """An event log cannot be read at all: not a log, an unknown codec, no permission."""


class PlanSyntaxError(LineageError):
    """Plan text in an unknown form.

    Args:
        what: What was expected.
        offset: The position in `text`, in characters.
    """

    def __init__(self, what: str, text: str = "", offset: int = 0, hint: str = "") -> None:
        line = text.count("\n", 0, offset) + 1
        snippet = text[max(0, offset - 20) : offset + 40].replace("\n", "⏎")
        super().__init__(what, f"line {line}, offset {offset}: …{snippet}…" if text else "", hint)
        self.args = (what, text, offset, hint)
        self.text = text
        self.offset = offset


class StoreError(LineageError):
    """The store cannot be opened, is locked by another harvest, or has an unknown version."""


class SparkStartError(LineageError):
    """Spark cannot start: no Java, a Java that is too old, no master."""


class FullFolderError(LineageError):
    """A temporary folder is full."""


class SparkLostError(LineageError):
    """Spark's process ended during a harvest."""
