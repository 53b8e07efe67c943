"""What the statements of a DDL file change: columns and tables that are dropped, renamed or get another type.

Reads Spark SQL's and common other forms of ALTER TABLE, ALTER VIEW and DROP; all other statements change nothing that
others depend on, or nothing that can be known from the text (`CREATE OR REPLACE`). A parser of whole SQL is not needed:
the statements begin with fixed words, and what follows are names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

_TOKEN = re.compile(
    r"""\s+|--[^\n]*|/\*.*?(?:\*/|$)|(?P<quoted>`(?:[^`]|``)*`|"(?:[^"]|"")*"|\[[^\]\n]*\])"""
    r"""|(?P<text>'(?:[^'\\]|\\.|'')*(?:'|$))|(?P<word>[\w$@-]+)|(?P<mark>.)""",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class SchemaStatement:
    """A change of a schema.

    Attributes:
        change: `dropped`, `renamed` or `retyped`.
        name: The dataset, or `dataset.column`.
        kept: For `REPLACE COLUMNS`: the columns that stay, in lower case; all others are dropped.
        line: The line at which its statement begins, from 1.
    """

    change: str
    name: str
    kept: tuple[str, ...] | None = None
    line: int = field(default=0, compare=False)


def read_statements(text: str) -> list[SchemaStatement]:
    """Return the distinct changes of the statements of an SQL text, in order.

    >>> [(each.change, each.name) for each in read_statements("ALTER TABLE db.t DROP COLUMNS (a, `b c`)")]
    [('dropped', 'db.t.a'), ('dropped', 'db.t.b c')]
    """
    prefix, found = "", []
    for line, words in _statements(text):
        reader = _Reader(words)
        if reader.takes("USE"):
            reader.takes("CATALOG") or reader.takes("SCHEMA") or reader.takes("DATABASE") or reader.takes("NAMESPACE")
            prefix = reader.name()
            continue
        found += [replace(each, line=line) for each in _changes(reader, prefix) if each not in found]
    return found


def _statements(text: str) -> Iterator[tuple[int, list[tuple[str, bool]]]]:
    """Yield the line of each statement and its words, and whether each was quoted."""
    words: list[tuple[str, bool]] = []
    line = begun = 1
    at = 0
    for match in _TOKEN.finditer(text):
        if not words:
            line += text.count("\n", at, match.start())
            begun, at = line, match.start()
        if match["mark"] == ";":
            yield begun, words
            words = []
        elif quoted := match["quoted"]:
            words.append((quoted[1:-1].replace(quoted[0] * 2, quoted[0]), True))
        elif word := match["word"] or match["mark"]:
            words.append((word, False))
        elif match["text"]:
            words.append((match["text"], True))
    yield begun, words


class _Reader:
    """Reads the words of a statement from left to right."""

    def __init__(self, words: list[tuple[str, bool]]) -> None:
        self._words = words
        self._at = 0

    def peek(self) -> str:
        """Return the next word in upper case; empty at the end and for quoted names."""
        word, quoted = self._words[self._at] if self._at < len(self._words) else ("", True)
        return "" if quoted else word.upper()

    def at_end(self) -> bool:
        """Return whether no token is left."""
        return self._at >= len(self._words)

    def skip(self) -> None:
        """Leave out a word."""
        self._at += 1

    def takes(self, *keywords: str) -> bool:
        """Take these words if they come next."""
        start = self._at
        for keyword in keywords:
            if self.peek() != keyword:
                self._at = start
                return False
            self._at += 1
        return True

    def name(self) -> str:
        """Take a name of one or several parts."""
        parts = []
        while not self.at_end():
            parts.append(self._words[self._at][0])
            self._at += 1
            if self.peek() != ".":
                break
            self._at += 1
        return ".".join(parts)

    def names(self) -> list[str]:
        """Take names: one, several with commas between them, or a list in parentheses."""
        listed = self.takes("(")
        found = [self.name()]
        while self.peek() == ",":
            start = self._at
            self._at += 1
            if not listed and self.peek() in {"DROP", "ADD", "RENAME", "ALTER", "CHANGE"}:
                self._at = start  # the next action of the same ALTER
                break
            self.takes("IF", "EXISTS")
            found.append(self.name())
        return found


def _changes(reader: _Reader, prefix: str) -> Iterator[SchemaStatement]:
    if reader.takes("DROP"):
        if _takes_object(reader):
            reader.takes("IF", "EXISTS")
            for name in reader.names():
                yield SchemaStatement("dropped", _whole(name, prefix))
    elif reader.takes("ALTER") and _takes_object(reader):
        reader.takes("IF", "EXISTS")
        reader.takes("ONLY")
        dataset = _whole(reader.name(), prefix)
        if reader.takes("PARTITION"):
            return
        while not reader.at_end():
            yield from _action(reader, dataset)
            while not reader.at_end() and reader.peek() != ",":
                reader.skip()
            reader.skip()


def _takes_object(reader: _Reader) -> bool:
    return (
        reader.takes("TABLE")
        or reader.takes("VIEW")
        or reader.takes("MATERIALIZED", "VIEW")
        or reader.takes("EXTERNAL", "TABLE")
    )


def _whole(name: str, prefix: str) -> str:
    """Return a name with the schema of `USE`, if it has none of its own.

    Args:
        prefix: The schema of `USE`.
    """
    return f"{prefix}.{name}" if prefix and "." not in name else name


def _action(reader: _Reader, dataset: str) -> Iterator[SchemaStatement]:
    """Yield one action of an ALTER TABLE."""
    if reader.takes("DROP"):
        if reader.peek() in {"PARTITION", "CONSTRAINT", "PRIMARY", "FEATURE", "INDEX", "TAG"}:
            return
        reader.takes("COLUMNS") or reader.takes("COLUMN")
        reader.takes("IF", "EXISTS")
        yield from (SchemaStatement("dropped", f"{dataset}.{column}") for column in reader.names())
    elif reader.takes("RENAME"):
        if reader.takes("TO"):
            yield SchemaStatement("renamed", dataset)
        elif reader.peek() not in {"PARTITION", "CONSTRAINT", "INDEX"}:
            reader.takes("COLUMN")
            yield SchemaStatement("renamed", f"{dataset}.{reader.name()}")
    elif reader.takes("REPLACE", "COLUMNS") and reader.takes("("):
        yield SchemaStatement("dropped", dataset, tuple(_defined(reader)))
    elif reader.takes("CHANGE") or reader.takes("ALTER"):
        reader.takes("COLUMN")
        column = reader.name()
        yield from _column_change(reader, dataset, column)


def _column_change(reader: _Reader, dataset: str, column: str) -> Iterator[SchemaStatement]:
    """Read `ALTER COLUMN a TYPE t` or `CHANGE COLUMN a b t`."""
    name = f"{dataset}.{column}"
    if reader.takes("TYPE") or reader.takes("SET", "DATA", "TYPE"):
        yield SchemaStatement("retyped", name)
    elif reader.peek() not in {"SET", "DROP", "FIRST", "AFTER", "COMMENT", "ADD", "SYNC"} and not reader.at_end():
        renamed = reader.name()
        yield SchemaStatement("retyped" if renamed.lower() == column.lower() else "renamed", name)


def _defined(reader: _Reader) -> Iterator[str]:
    """Yield the names of the columns that a list defines."""
    depth = 1
    expects = True
    while depth and not reader.at_end():
        if expects:
            yield reader.name().lower()
            expects = False
            continue
        mark = reader.peek()
        depth += {"(": 1, ")": -1}.get(mark, 0)
        expects = mark == "," and depth == 1
        reader.skip()
