"""`personal-data`: where personal data arrive unmasked."""

from __future__ import annotations

from eventlog_lineage.cli.panel_command import panel_command

command = panel_command("personal_data", "personal-data", "personal-data --format csv")
