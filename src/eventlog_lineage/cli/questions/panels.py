"""Questions that are panels of the report, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.options import due_option
from eventlog_lineage.cli.output import Shown
from eventlog_lineage.cli.question import question

if TYPE_CHECKING:
    from eventlog_lineage.store.queries.open_store import OpenStore


def panel_command(name: str, *examples: str) -> click.Command:
    """Return the command of a panel.

    Args:
        examples: The words after `eventlog-lineage`.
    """
    from eventlog_lineage.store.panels import find_panel  # noqa: PLC0415 - help of other commands needs none of it

    panel = find_panel(name)

    def command(store: OpenStore) -> Shown:

        return Shown(panel.answer(store), empty=panel.empty, hidden=("system",))

    command.__doc__ = f"{panel.summary}\n\n{panel.note}"
    return question(*examples)(command)


nights_command = panel_command("nights", "nights --limit 7")
failures_command = panel_command("failures", "failures", "failures --format json")
costs_command = panel_command("cost", "costs --limit 20", "costs --sort -bytes_written")
hot_command = panel_command("do_not_break", "hot --limit 10")
personal_data_command = panel_command("personal_data", "personal-data", "personal-data --format csv")
trust_command = panel_command("trust", "trust")


@question("late --limit 20", "late --due sales.daily=26h --due 'gold.*=1d'")
@due_option
def late_command(store: OpenStore, due: tuple[str, ...]) -> Shown:
    """Show the datasets by the time since their last write, in units of the usual interval.

    The usual interval is the median time between two applications that write the dataset; at least three are needed.
    --due, `due` in the configuration, or `due` in a declaration states it instead. The age is that at the last event of
    any harvested log.
    """
    from eventlog_lineage.store.panels import late, read_due  # noqa: PLC0415

    found = late(store, read_due(due))
    return Shown(found, empty="No dataset is written at a regular interval.", hidden=("system",))
