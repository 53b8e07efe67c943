"""`history DATASET`: what happened to a dataset, from version to version."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .options import examples, format_option, json_option, store_option

if TYPE_CHECKING:
    from .output import Shown


@click.command(epilog=examples("history sales.daily", "history s3://lake/raw/orders --json"))
@click.argument("dataset")
@format_option()
@json_option
@store_option
def command(dataset: str, form: str, as_json: bool, store_dir: str) -> Shown:
    """Tell DATASET's story: the versions of its schema, and every change of its schema and lineage with the evidence.

    A table that was renamed has the story of its earlier names, too.
    """
    from ..store.reading import open_store  # noqa: PLC0415 - help needs none of it
    from ..store.story import story  # noqa: PLC0415
    from .output import Shown  # noqa: PLC0415

    with open_store(store_dir) as store:
        answer = story(store, dataset)
    hidden = ("app_id", "attempt_id", "execution_id", "confidence")
    return Shown(answer, "json" if as_json else form, empty=f"nothing is known of {dataset} over time", hidden=hidden)
