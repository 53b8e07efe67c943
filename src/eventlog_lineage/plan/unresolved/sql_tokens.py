"""Split the SQL text of a view into tokens."""

from __future__ import annotations

import re
from dataclasses import dataclass

from eventlog_lineage.errors import PlanSyntaxError

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<comment>--[^\n]*|/\*.*?\*/)
    |(?P<string>'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*")
    |(?P<number>\d+(?:\.\d*)?(?:[eE][+-]?\d+)?\w{0,2}|\.\d+(?:[eE][+-]?\d+)?\w{0,2})
    |(?P<name>[A-Za-z_]\w*)
    |`(?P<quoted>(?:[^`]|``)+)`
    |(?P<symbol><=>|<>|!=|<=|>=|==|\|\||::|->|=>|[-+*/%=<>().,\[\]&|^~!])
    )""",
    re.DOTALL | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A token of SQL.

    Attributes:
        kind: `word`, `name` (in backquotes), `string`, `number`, `symbol`, or `end`.
        text: Its text, without quotes; words as written.
    """

    kind: str
    text: str

    @property
    def keyword(self) -> str:
        """The upper-case word; empty for other tokens."""
        return self.text.upper() if self.kind == "word" else ""


END = Token("end", "")


class Tokens:
    """Reads tokens from left to right.

    Args:
        text: SQL.

    Raises:
        PlanSyntaxError: The text has a character that no token of a simple query has.
    """

    def __init__(self, text: str) -> None:
        self._tokens = _split(text)
        self._at = 0

    def peek(self, ahead: int = 0) -> Token:
        """Return a token without reading it."""
        at = self._at + ahead
        return self._tokens[at] if at < len(self._tokens) else END

    def next(self) -> Token:
        """Read a token."""
        token = self.peek()
        self._at += 1
        return token

    def accept(self, *words: str) -> bool:
        """Read a sequence of keywords or symbols if it is next."""
        if all((self.peek(n).keyword or self._symbol(n)) == word for n, word in enumerate(words)):
            self._at += len(words)
            return True
        return False

    def expect(self, word: str) -> None:
        """Read a keyword or symbol.

        Raises:
            PlanSyntaxError: Another token is next.
        """
        if not self.accept(word):
            raise unsupported(self.peek().text)

    def _symbol(self, ahead: int) -> str:
        token = self.peek(ahead)
        return token.text if token.kind == "symbol" else ""


def unsupported(text: str) -> PlanSyntaxError:
    """Return the error about SQL that is not a simple query."""
    return PlanSyntaxError("the query of a view is not resolved from its SQL", text, 0, "its readers print its tables")


def _split(text: str) -> list[Token]:
    tokens = []
    at = 0
    end = len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            raise unsupported(text[at : at + 40])
        at = match.end()
        kind = match.lastgroup or ""
        if kind == "quoted":
            tokens.append(Token("name", match[kind].replace("``", "`")))
        elif kind == "string":
            tokens.append(Token("string", match[kind][1:-1]))
        elif kind != "comment":
            tokens.append(Token("word" if kind == "name" else kind, match[kind]))
    return tokens
