"""`trust`: how complete and how certain the lineage is."""

from __future__ import annotations

from eventlog_lineage.cli.panel_command import panel_command

command = panel_command("trust", "trust")
