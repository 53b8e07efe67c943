"""`late`: the tables that were not written at their usual interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eventlog_lineage.cli.options import due_option
from eventlog_lineage.cli.question import question

if TYPE_CHECKING:
    from eventlog_lineage.cli.output import Shown
    from eventlog_lineage.store.queries.open_store import OpenStore


@question("late --limit 20", "late --due sales.daily=26h --due 'gold.*=1d'")
@due_option
def command(store: OpenStore, due: tuple[str, ...]) -> Shown:
    """Show the datasets by the time since their last write, in units of the usual interval.

    The usual interval is the median time between two applications that write the dataset; at least three are needed.
    --due, `due` in the configuration, or `due` in a declaration states it instead. The age is that at the last event of
    any harvested log.
    """
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.panels.due import late, read_due  # noqa: PLC0415

    found = late(store, read_due(due))
    return Shown(found, empty="No dataset is written at a regular interval.", hidden=("system",))
