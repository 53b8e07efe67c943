"""`export hive`: the JSON of Hive's LineageLogger."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from eventlog_lineage.cli.options import examples, store_option
from eventlog_lineage.errors import DOCS

from .shared import out_option, run_options, selected_runs, write_text


@click.command(
    help="Write lineage as Hive's LineageLogger logs it (format 1.0), one JSON object per line.\n\n"
    "A statement has vertices (columns, and tables whose rows are counted), PROJECTION edges from what makes a "
    "column, and PREDICATE edges from what filters, joins, groups or sorts rows.\n\n\b\n"
    f"See {DOCS}/exports.md",
    epilog=examples("export hive --output lineage.ndjson", "export hive --since 24h --predicates hive --pretty"),
)
@run_options
@click.option(
    "--predicates",
    type=click.Choice(["all", "hive"]),
    default="all",
    show_default=True,
    help="Which edges are PREDICATE: filters and joins as in Hive, or grouping and sorting too.",
)
@click.option("--pretty", is_flag=True, help="Indent each object.")
@out_option
@store_option
def command(*, predicates: str, pretty: bool, out: Path | None, store_dir: str, **which: Any) -> None:
    """Export; `which` are the fields of `Selection` by their names."""
    import json  # noqa: PLC0415 - help needs none of it

    from eventlog_lineage.export.hive import hive_lineage  # noqa: PLC0415
    from eventlog_lineage.store.queries.open_store import open_store  # noqa: PLC0415

    indent = 2 if pretty else None
    separators = None if pretty else (",", ":")
    with open_store(store_dir) as store:
        lines = hive_lineage(store, selected_runs(which), predicates)
        texts = (json.dumps(line, ensure_ascii=False, indent=indent, separators=separators) for line in lines)
        write_text(out, (f"{text}\n" for text in texts))
