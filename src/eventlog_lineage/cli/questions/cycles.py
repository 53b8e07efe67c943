"""`cycles`: datasets that feed themselves through others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eventlog_lineage.cli.question import question

if TYPE_CHECKING:
    from eventlog_lineage.cli.output import Shown
    from eventlog_lineage.store.queries.open_store import OpenStore


@question("cycles", "cycles --format json")
def command(store: OpenStore) -> Shown:
    """Show the circles: datasets that are made of themselves through others, and the jobs that close the circle.

    Of datasets that feed one another in several ways, the shortest circle is shown. A job that reads what it writes is
    no circle.
    """
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.paths import cycles  # noqa: PLC0415

    return Shown(cycles(store), empty="No dataset feeds itself through others.")
