"""`jobs`: the store's jobs, and a preview of another rule for their names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.options import examples, format_option, store_option

if TYPE_CHECKING:
    from eventlog_lineage.cli.output import Shown


@click.command(epilog=examples("jobs", "jobs --rule names.txt"))
@click.option(
    "--rule",
    "rule_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Preview this rule for job names without changing the store: one regular expression per line for what is "
    "removed from names; `@default` includes the built-in rules.",
)
@format_option()
@store_option
def command(rule_file: Path | None, form: str, store_dir: str) -> Shown:
    """Show the jobs: number and time of runs, targets, and the names they are derived from."""
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415
    from eventlog_lineage.history.job_names import read_rule  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.lookups import jobs  # noqa: PLC0415
    from eventlog_lineage.store.queries.open_store import open_store  # noqa: PLC0415

    rule = read_rule(rule_file.read_text(encoding="utf-8")) if rule_file else None
    with open_store(store_dir) as store:
        return Shown(jobs(store, rule), form, empty="The store has no jobs yet.")
