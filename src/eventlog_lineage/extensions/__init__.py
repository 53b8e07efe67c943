"""Extension points: values and functions that upper packages contribute to lower ones.

Lower packages need properties of operators and table formats: whether a command's plan contains its written rows, which
text names a table's snapshot. They query this package, and import nothing from upper packages. Contributors are found
once per process, as `operators.registry.rules` finds rules.
"""

from __future__ import annotations

from .table_format import (
    Catalogs,
    Command,
    Descriptions,
    FactScanner,
    FormatPass,
    FormatText,
    Metadata,
    Metrics,
    OwnColumns,
    Query,
    Role,
    Rows,
    SaveOptions,
    Storage,
    Streams,
    TableFormat,
    TableResolver,
    Target,
    TextPattern,
    commands,
    commands_of,
    commands_where,
    contributions,
    find_command,
    formats,
    offset_of,
    text_patterns,
)

__all__ = (
    "Catalogs",
    "Command",
    "Descriptions",
    "FactScanner",
    "FormatPass",
    "FormatText",
    "Metadata",
    "Metrics",
    "OwnColumns",
    "Query",
    "Role",
    "Rows",
    "SaveOptions",
    "Storage",
    "Streams",
    "TableFormat",
    "TableResolver",
    "Target",
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
