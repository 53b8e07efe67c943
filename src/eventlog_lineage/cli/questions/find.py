"""`find WORD`: datasets, columns, jobs and expressions with a word in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.question import question

if TYPE_CHECKING:
    from eventlog_lineage.cli.output import Shown
    from eventlog_lineage.store.queries.open_store import OpenStore


@question("find email", "find sha2 --format jsonl")
@click.argument("word")
def command(store: OpenStore, word: str) -> Shown:
    """Search names and expressions of datasets, columns and jobs for WORD (case-insensitive).

    An expression is listed with the column that it makes.
    """
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.find_names import find  # noqa: PLC0415

    return Shown(find(store, word), empty=f"Nothing in the store has {word} in its name or expression.")
