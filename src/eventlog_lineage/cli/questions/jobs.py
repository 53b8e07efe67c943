"""`jobs [NAME]`: the store's jobs, who writes a dataset and how that went, and a preview of another rule for names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.name_types import DATASET
from eventlog_lineage.cli.question import question

if TYPE_CHECKING:
    from eventlog_lineage.cli.output import Shown
    from eventlog_lineage.store.queries.open_store import OpenStore


@question(
    "jobs --limit 20 --sort -executor_seconds",
    "jobs sales.daily",
    "jobs 'nightly-sales: mart' --runs",
    "jobs --runs --failed",
)
@click.argument("name", type=DATASET, required=False)
@click.option(
    "--rule",
    "rule_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Preview this rule for job names without changing the store: one regular expression per line for what is "
    "removed from names; `@default` includes the built-in rules.",
)
@click.option("--runs", "every", is_flag=True, help="Show each run: status, user, seconds, rows, bytes, error.")
@click.option("--failed", is_flag=True, help="With --runs: failed runs only.")
def command(store: OpenStore, name: str | None, rule_file: Path | None, every: bool, failed: bool) -> Shown:
    """Show the jobs: number and time of runs, targets, and the names they are derived from.

    With the name of a dataset, show the jobs that write it; with that of a job, the job: who, when last, how long it
    takes (median, 95th percentile, and the last runs against the earlier ones), how often it fails, how many rows, how
    much executor time it costs.
    """
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.history.job_names import read_rule  # noqa: PLC0415
    from eventlog_lineage.store.queries.job_runs import runs, writers  # noqa: PLC0415
    from eventlog_lineage.store.queries.lookups import jobs  # noqa: PLC0415

    if name is not None and rule_file is not None:
        raise click.UsageError("--rule previews the names of all jobs: leave out NAME")
    if failed and not every:
        raise click.UsageError("--failed goes with --runs")
    if every:
        hidden = ("reads", "app_name", "sql_text", "stack_trace", "app_id", "attempt_id", "execution_id")
        return Shown(runs(store, name, failed=failed), empty="No runs.", hidden=hidden)
    if name is not None:
        return Shown(writers(store, name), empty=f"No job of the store writes {name}.")
    rule = read_rule(rule_file.read_text(encoding="utf-8")) if rule_file else None
    return Shown(jobs(store, rule), empty="The store has no jobs yet.")
