"""`udfs`: user-defined functions, what goes into them and where their results go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eventlog_lineage.cli.question import question

if TYPE_CHECKING:
    from eventlog_lineage.cli.output import Shown
    from eventlog_lineage.store.queries.open_store import OpenStore


@question("udfs", "udfs --format json")
def command(store: OpenStore) -> Shown:
    """List user-defined functions with their inputs, results and jobs.

    Listed are Python UDFs (found by operator) and any function that is not built into Spark: Scala, Java and Hive UDFs,
    TRANSFORM scripts, typed functions.
    """
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.user_functions import user_functions  # noqa: PLC0415

    return Shown(user_functions(store), empty="No user-defined functions in the store.", hidden=("operators",))
