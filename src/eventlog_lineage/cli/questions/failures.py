"""`failures`: what failed last, why, and what waits for it."""

from __future__ import annotations

from eventlog_lineage.cli.panel_command import panel_command

command = panel_command("failures", "failures", "failures --format json")
