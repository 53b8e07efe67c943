"""`tags [NAME]`: classifications, given and derived along values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.name_types import NAME
from eventlog_lineage.cli.options import time_option
from eventlog_lineage.cli.question import question

if TYPE_CHECKING:
    from datetime import datetime

    from eventlog_lineage.cli.output import Shown
    from eventlog_lineage.store.queries.open_store import OpenStore


@question("tags crm.customers", "tags --tag PII --derived --unmasked", "tags --tag PII --since 7d --fail-on unmasked")
@click.argument("name", type=NAME, required=False)
@click.option("--tag", metavar="TAG", help="Only this tag.")
@click.option("--derived", is_flag=True, help="Only tags that follow from lineage.")
@click.option("--unmasked", is_flag=True, help="Only where a path brings the value without a hash, a mask or a count.")
@time_option("--since", "Only where an unmasked path is complete since then")
@click.option(
    "--fail-on",
    type=click.Choice(["unmasked"]),
    help="End with exit code 1 if the answer has a derived tag that arrives unmasked.",
)
def command(  # noqa: PLR0913, PLR0917 - its options
    store: OpenStore,
    name: str | None,
    tag: str | None,
    derived: bool,
    unmasked: bool,
    since: datetime | None,
    fail_on: str | None,
) -> Shown:
    """List the tags of columns and datasets: declared ones, those of name rules, and those that values bring along.

    NAME is a dataset or dataset.column. Tags are declared with `harvest --declared` or `declare`; columns with names of
    personal data have the tag PII without a declaration.
    """
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.tagged import tags  # noqa: PLC0415

    answer = tags(store, name, tag=tag, derived=derived, unmasked=unmasked, since=since)
    failing = sum(row["origin"] == "derived" and not row["masked"] for row in answer.records()) if fail_on else 0
    if failing:
        columns = "1 column is" if failing == 1 else f"{failing} columns are"
        click.echo(f"--fail-on unmasked: {columns} tagged by derivation and unmasked.", err=True)
    unused = {each for each in ("owner", "via") if not any(row[each] for row in answer.records())}
    return Shown(answer, empty="No tags.", hidden=tuple(sorted(unused)), code=1 if failing else 0)
