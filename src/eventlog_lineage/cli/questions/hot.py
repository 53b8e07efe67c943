"""`hot`: the columns that most others depend on."""

from __future__ import annotations

from eventlog_lineage.cli.panel_command import panel_command

command = panel_command("do_not_break", "hot --limit 10")
