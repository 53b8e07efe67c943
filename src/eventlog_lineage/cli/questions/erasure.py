"""`erasure NAME`: every place that holds a value, or has rows that it finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.name_types import NAME
from eventlog_lineage.cli.question import question

if TYPE_CHECKING:
    from eventlog_lineage.cli.output import Shown
    from eventlog_lineage.store.queries.open_store import OpenStore


@question("erasure staging.customers.customer_id", "erasure customers.customer_id --format csv > places.csv")
@click.argument("name", type=NAME)
def command(store: OpenStore, name: str) -> Shown:
    """List every place to look when a person's data are erased; NAME is the column that identifies the person.

    Of a table and paths with the same ending, NAME means the table.

    Listed are the column, what it is made of, its copies and what is made of it through all hops (masked or not;
    tables, paths outside the catalog, exports), the columns that are joined with one of these, and the keys of other
    datasets whose rows are joined with such rows. What other engines copy is not in Spark's logs.
    """
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.held_values import erasure  # noqa: PLC0415

    return Shown(erasure(store, name), hidden=("expression", "location"))
