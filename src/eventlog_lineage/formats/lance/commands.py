"""Lance's commands in the catalogue."""

from __future__ import annotations

from eventlog_lineage.extensions import Command, commands_of

COMMANDS = (
    Command("AddColumnsBackfill", "update"),
    *commands_of("AddIndex Optimize Vacuum", "maintenance"),
)
