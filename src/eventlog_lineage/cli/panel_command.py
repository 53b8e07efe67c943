"""Commands that answer with a panel of the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .question import question

if TYPE_CHECKING:
    from eventlog_lineage.store.queries.open_store import OpenStore

    from .output import Shown


def panel_command(name: str, *examples: str) -> click.Command:
    """Return the command of a panel.

    Args:
        examples: The words after `eventlog-lineage`.
    """
    from eventlog_lineage.store.panels import find_panel  # noqa: PLC0415 - help of other commands needs none of it

    panel = find_panel(name)

    def command(store: OpenStore) -> Shown:
        from .output import Shown  # noqa: PLC0415

        return Shown(panel.answer(store), empty=panel.empty, hidden=("system",))

    command.__doc__ = f"{panel.summary}\n\n{panel.note}"
    return question(*examples)(command)
