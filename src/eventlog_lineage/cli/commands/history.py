"""`history DATASET`: schema versions and changes of a dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.options import examples, format_option, json_option, store_option

if TYPE_CHECKING:
    from eventlog_lineage.cli.output import Shown


@click.command(epilog=examples("history sales.daily", "history s3://lake/raw/orders --json"))
@click.argument("dataset")
@format_option()
@json_option
@store_option
def command(dataset: str, form: str, as_json: bool, store_dir: str) -> Shown:
    """Show the schema versions of DATASET, and each change of its schema and lineage with the evidence.

    The history of a renamed table includes its earlier names.
    """
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415
    from eventlog_lineage.store.queries.dataset_history import story  # noqa: PLC0415
    from eventlog_lineage.store.queries.open_store import open_store  # noqa: PLC0415 - help needs none of it

    with open_store(store_dir) as store:
        answer = story(store, dataset)
    hidden = ("app_id", "attempt_id", "execution_id", "confidence")
    return Shown(answer, "json" if as_json else form, empty=f"No history of {dataset} in the store.", hidden=hidden)
