"""`erd`: the model that joins imply, as a Mermaid diagram."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.name_types import NAME
from eventlog_lineage.cli.question import question

if TYPE_CHECKING:
    from eventlog_lineage.cli.output import Shown
    from eventlog_lineage.store.queries.open_store import OpenStore


@question("erd --format mermaid > model.mmd", "erd staging.orders --format markdown", forms=("mermaid",))
@click.argument("name", type=NAME, required=False)
def command(store: OpenStore, name: str | None) -> Shown:
    """Draw the datasets and the keys by which jobs join them; of NAME (a dataset, a column or a job) or of all.

    The table and mermaid formats are a Mermaid `erDiagram`; Markdown has it in a block; the others list the pairs.
    """
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.join_keys import entity_lines, keys  # noqa: PLC0415

    found = keys(store, name)
    lines = list(entity_lines(store, found))

    def block() -> Iterator[str]:
        yield from ("```mermaid", *lines, "```")

    return Shown(found, writers={"table": lambda: lines, "mermaid": lambda: lines, "markdown": block})
