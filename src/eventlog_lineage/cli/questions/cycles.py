"""`cycles`: datasets that depend on themselves through others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eventlog_lineage.cli.question import question

if TYPE_CHECKING:
    from eventlog_lineage.cli.output import Shown
    from eventlog_lineage.store.queries.open_store import OpenStore


@question("cycles", "cycles --format json")
def command(store: OpenStore) -> Shown:
    """List circular dependencies: datasets that depend on themselves through others, and the jobs between them.

    Of datasets that depend on one another along several paths, the shortest is shown. A job that reads what it writes
    is left out.
    """
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.paths import cycles  # noqa: PLC0415

    return Shown(cycles(store), empty="No circular dependencies.")
