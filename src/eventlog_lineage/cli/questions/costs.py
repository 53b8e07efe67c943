"""`costs`: what jobs and datasets cost."""

from __future__ import annotations

from eventlog_lineage.cli.panel_command import panel_command

command = panel_command("cost", "costs --limit 20", "costs --sort -bytes_written")
