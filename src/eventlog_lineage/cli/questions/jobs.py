"""Questions about jobs and statements: `jobs`, `udfs`, `gaps`, and any SQL."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.options import DATASET
from eventlog_lineage.cli.output import Shown
from eventlog_lineage.cli.question import question

if TYPE_CHECKING:
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
def jobs_command(store: OpenStore, name: str | None, rule_file: Path | None, every: bool, failed: bool) -> Shown:
    """Show the jobs: number and time of runs, targets, and the names they are derived from.

    With the name of a dataset, show the jobs that write it; with that of a job, the job: who, when last, how long it
    takes (median, 95th percentile, and the last runs against the earlier ones), how often it fails, how many rows, how
    much executor time it costs.
    """
    from eventlog_lineage.history.job_names import read_rule  # noqa: PLC0415
    from eventlog_lineage.store.queries.inventory import jobs  # noqa: PLC0415
    from eventlog_lineage.store.queries.lateness import runs, writers  # noqa: PLC0415

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


@question("udfs", "udfs --format json")
def udfs_command(store: OpenStore) -> Shown:
    """List user-defined functions with their inputs, results and jobs.

    Listed are Python UDFs (found by operator) and any function that is not built into Spark: Scala, Java and Hive UDFs,
    TRANSFORM scripts, typed functions.
    """
    from eventlog_lineage.store.queries.inventory import user_functions  # noqa: PLC0415

    return Shown(user_functions(store), empty="No user-defined functions in the store.", hidden=("operators",))


@question("gaps", "gaps --all --format csv > gaps.csv")
@click.option("--all", "every", is_flag=True, help="List each gap with its statement.")
def gaps_command(store: OpenStore, every: bool) -> Shown:
    """Show what could not be resolved, by reason: count, statements, an example, and what to do."""
    from eventlog_lineage.store.queries.inventory import gaps  # noqa: PLC0415

    is_empty = not store.ask("SELECT 1 FROM harvested_logs LIMIT 1").rows
    empty = "The store has no logs yet: `eventlog-lineage harvest` reads them." if is_empty else "No gaps."
    return Shown(gaps(store, every=every), empty=empty)


@question(
    'sql "SELECT * FROM table_lineage WHERE is_current"',
    "sql \"SELECT * FROM impact('raw.orders.amount')\" --format csv",
)
@click.argument("query", callback=lambda _, __, query: sys.stdin.read() if query == "-" else query)
def sql_command(store: OpenStore, query: str) -> Shown:
    """Run a DuckDB SQL query on the store's tables, views and macros; `-` reads it from standard input.

    The store is opened read-only. `SHOW TABLES` lists its tables and views.

    \b
    See https://github.com/eventlog-lineage/eventlog-lineage/blob/main/docs/tables.md
        https://github.com/eventlog-lineage/eventlog-lineage/blob/main/docs/tables.md
    """  # noqa: D301 - click does not wrap a paragraph after it
    return Shown(store.ask_freely(query), empty="No rows.")
