"""The tables that session catalog commands print without a database, and the databases that a session turns to."""

from __future__ import annotations

import re
from functools import cache

from eventlog_lineage.extensions import commands_where

_COMMAND = re.compile(
    r"\n\(\d+\) (?:Execute )?\w+Command\b[^\n]*\n(?:(?:Input|Output)\b[^\n]*\n)*"
    r"Arguments: `(?P<name>(?:[^`\n]|``)+)`(?:,|\n)"
)
_ARGUMENTS = ("\nArguments: `", "Command `")
_NAMESPACE = (
    r"\nArguments: [\w.$]+@\w+"
    r"(?:, (?P<catalog>[^,\s\[\]]+))?(?:, (?:\w*[\[(])?(?P<space>[^\[\]()\n]+?)[\])]?)?\n"
)
_DATABASE = r"\nArguments: (?P<database>[^\n]+)\n"


@cache
def session_words() -> tuple[str, ...]:
    """Return words of which one is in each text with such facts."""
    return (*sorted(commands_where("sets_namespace") | commands_where("sets_database")), *_ARGUMENTS)


@cache
def _changing(question: str, arguments: str) -> re.Pattern[str]:
    """Compile what finds the block of a command that changes the session's namespace or database."""
    return re.compile(rf"\n\(\d+\) (?:{'|'.join(sorted(commands_where(question)))}){arguments}")


def session_marks(text: str) -> list[tuple[str, str, str]]:
    """(role, place, version) as in `SnapshotMark`, with two roles more.

    `typed` is a table's name as the user wrote it, without its database (`CreateTableLikeCommand` in all versions,
    `saveAsTable` in some); `use` the catalog and the database that a session turns to, empty where it stays.

    Args:
        text: Formatted plan text.
    """
    found = [("typed", match["name"].replace("``", "`"), "") for match in _COMMAND.finditer(text)]
    found += [
        ("use", match["catalog"] or "", match["space"] or "")
        for match in _changing("sets_namespace", _NAMESPACE).finditer(text)
    ]
    changed = _changing("sets_database", _DATABASE).finditer(text)
    return found + [("use", "", match["database"]) for match in changed]
