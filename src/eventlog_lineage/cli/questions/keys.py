"""`keys [NAME]`: the columns that jobs join with each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.name_types import NAME
from eventlog_lineage.cli.question import question

if TYPE_CHECKING:
    from eventlog_lineage.cli.output import Shown
    from eventlog_lineage.store.queries.open_store import OpenStore


@question("keys", "keys staging.orders", "keys staging.orders.customer_id --format json")
@click.argument("name", type=NAME, required=False)
def command(store: OpenStore, name: str | None) -> Shown:
    """List which columns jobs join with each other: operator, runs, jobs, and when last.

    NAME is a dataset, a column or a job; without it, all pairs are listed, those of most jobs first.
    """
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.join_keys import keys  # noqa: PLC0415

    return Shown(keys(store, name), empty="No joins.", hidden=("first_seen", "expression"))
