"""The tables that session catalog commands print without a database, and the databases that a session turns to."""

from __future__ import annotations

import re

SESSION = ("SetCatalogAndNamespace", "SetDatabaseCommand", "\nArguments: `", "Command `")
"""Words of which one stands in each of these texts."""

_COMMAND = re.compile(
    r"\n\(\d+\) (?:Execute )?\w+Command\b[^\n]*\n(?:(?:Input|Output)\b[^\n]*\n)*"
    r"Arguments: `(?P<name>(?:[^`\n]|``)+)`(?:,|\n)"
)
_USE = re.compile(
    r"\n\(\d+\) SetCatalogAndNamespace\nArguments: [\w.$]+@\w+"
    r"(?:, (?P<catalog>[^,\s\[\]]+))?(?:, (?:\w*[\[(])?(?P<space>[^\[\]()\n]+?)[\])]?)?\n"
)
_DATABASE = re.compile(r"\n\(\d+\) SetDatabaseCommand\nArguments: (?P<database>[^\n]+)\n")


def session_marks(text: str) -> list[tuple[str, str, str]]:
    """(role, place, version) as in `SnapshotMark`, with two roles more.

    `typed` is a table's name as the user wrote it, without its database (`CreateTableLikeCommand` in all versions,
    `saveAsTable` in some); `use` the catalog and the database that a session turns to, empty where it stays.

    Args:
        text: Formatted plan text.
    """
    found = [("typed", match["name"].replace("``", "`"), "") for match in _COMMAND.finditer(text)]
    found += [("use", match["catalog"] or "", match["space"] or "") for match in _USE.finditer(text)]
    return found + [("use", "", match["database"]) for match in _DATABASE.finditer(text)]
