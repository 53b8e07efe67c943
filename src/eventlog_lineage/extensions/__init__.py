"""Extension points: what the packages above contribute to the ones below, which ask for it by name.

A lower package must know things that belong to an operator or a table format: whether a command holds the plan of what
it writes, which words name a table's snapshot. It asks here, and imports nothing from above. The contributors are found
once per process, as `operators.registry.rules` finds the rules.
"""

from __future__ import annotations

from .command import Command, commands_of
from .find_formats import commands, commands_where, contributions, find_command, formats, text_patterns
from .table_format import FactScanner, FormatPass, SaveOptions, TableFormat, TextPattern, offset_of

__all__ = (
    "Command",
    "FactScanner",
    "FormatPass",
    "SaveOptions",
    "TableFormat",
    "TextPattern",
    "commands",
    "commands_of",
    "commands_where",
    "contributions",
    "find_command",
    "formats",
    "offset_of",
    "text_patterns",
)
