"""`nights`: the statements of each day and how they ended."""

from __future__ import annotations

from eventlog_lineage.cli.panel_command import panel_command

command = panel_command("nights", "nights --limit 7")
