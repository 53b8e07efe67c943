"""Extension points: values and functions that upper packages contribute to lower ones.

Lower packages need properties of operators and table formats: whether a command's plan contains its written rows, which
text names a table's snapshot. They query this package, and import nothing from upper packages. Contributors are found
once per process, as `operators.registry.rules` finds rules.
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
