"""Questions whose answer is a list: datasets and their columns, jobs, gaps, the panels, free SQL."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.output import Shown
from eventlog_lineage.cli.question import DATASET, NAME, due_option, question, read_by, time_option
from eventlog_lineage.user_input import read_span

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from eventlog_lineage.store.queries.open_store import OpenStore


@question("ls", "ls 'sales.*'", "ls --never-read", "ls orders --format csv")
@click.argument("pattern", type=DATASET, default="")
@click.option("--never-read", "unread", is_flag=True, help="Only datasets that no statement reads: ends, or orphans.")
@click.option("--never-written", "unwritten", is_flag=True, help="Only datasets that no statement writes: sources.")
@click.option("--temporary", "--temp", is_flag=True, help="Also temporary views.")
def ls_command(store: OpenStore, pattern: str, unread: bool, unwritten: bool, temporary: bool) -> Shown:
    """Show the datasets: what they are, how many columns they have, who wrote and read them last.

    PATTERN is a part of the name, or a pattern with * and ? for the whole name or an ending of it. Temporary views
    belong to one application; they are left out.
    """
    from eventlog_lineage.store.queries.inventory import datasets  # noqa: PLC0415

    empty = f"No dataset of the store matches {pattern}." if pattern else "The store has no datasets yet."
    return Shown(
        datasets(store, pattern, unread=unread, unwritten=unwritten, temporary=temporary),
        empty=empty,
        hidden=("format", "writers", "location"),
    )


@question("find email", "find sha2 --format jsonl")
@click.argument("word")
def find_command(store: OpenStore, word: str) -> Shown:
    """Search names and expressions of datasets, columns and jobs for WORD (case-insensitive).

    An expression is listed with the column that it makes.
    """
    from eventlog_lineage.store.queries.inventory import find  # noqa: PLC0415

    return Shown(find(store, word), empty=f"Nothing in the store has {word} in its name or expression.")


@question("columns sales.daily", "columns s3://lake/raw/orders --format json")
@click.argument("dataset", type=DATASET)
def columns_command(store: OpenStore, dataset: str) -> Shown:
    """Show DATASET's columns: type, sources, the expression that derives them, the jobs, and what files declare.

    Columns that are read but not written by a known statement come last.
    """
    from eventlog_lineage.store.queries.inventory import columns, has_declarations  # noqa: PLC0415

    hidden = () if has_declarations(store) else ("tags", "owner", "description")
    return Shown(columns(store, dataset), hidden=hidden, empty=f"No columns of {dataset} in the store.")


@question("keys", "keys staging.orders", "keys staging.orders.customer_id --format json")
@click.argument("name", type=NAME, required=False)
def keys_command(store: OpenStore, name: str | None) -> Shown:
    """List which columns jobs join with each other: operator, runs, jobs, and when last.

    NAME is a dataset, a column or a job; without it, all pairs are listed, those of most jobs first.
    """
    from eventlog_lineage.store.queries.inventory import keys  # noqa: PLC0415

    return Shown(keys(store, name), empty="No joins.", hidden=("first_seen", "expression"))


@question("erd --format mermaid > model.mmd", "erd staging.orders --format markdown", forms=("mermaid",))
@click.argument("name", type=NAME, required=False)
def erd_command(store: OpenStore, name: str | None) -> Shown:
    """Draw the datasets and the keys by which jobs join them; of NAME (a dataset, a column or a job) or of all.

    The table and mermaid formats are a Mermaid `erDiagram`; Markdown has it in a block; the others list the pairs.
    """
    from eventlog_lineage.store.queries.inventory import entity_lines, keys  # noqa: PLC0415

    found = keys(store, name)
    lines = list(entity_lines(store, found))

    def block() -> Iterator[str]:
        yield from ("```mermaid", *lines, "```")

    return Shown(found, writers={"table": lambda: lines, "mermaid": lambda: lines, "markdown": block})


@question("erasure staging.customers.customer_id", "erasure customers.customer_id --format csv > places.csv")
@click.argument("name", type=NAME)
def erasure_command(store: OpenStore, name: str) -> Shown:
    """List every place to look when a person's data are erased; NAME is the column that identifies the person.

    Of a table and paths with the same ending, NAME means the table.

    Listed are the column, what it is made of, its copies and what is made of it through all hops (masked or not;
    tables, paths outside the catalog, exports), the columns that are joined with one of these, and the keys of other
    datasets whose rows are joined with such rows. What other engines copy is not in Spark's logs.
    """
    from eventlog_lineage.store.queries.inventory import erasure  # noqa: PLC0415

    return Shown(erasure(store, name), hidden=("expression", "location"))


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
def tags_command(  # noqa: PLR0913, PLR0917 - its options
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
    from eventlog_lineage.store.queries.inventory import tag_names, tags  # noqa: PLC0415

    unmatched: dict[str, str] = {}
    if tag and tag.lower() not in map(str.lower, known := tag_names(store)):
        unmatched[f"no column has the tag {tag}"] = f"; tags: {', '.join(known) or 'none'}"
    answer = tags(store, name, tag=tag, derived=derived, unmasked=unmasked, since=since)
    rows = list(answer.records())
    failing = sum(row["origin"] == "derived" and not row["masked"] for row in rows) if fail_on else 0
    if failing:
        columns = "1 column is" if failing == 1 else f"{failing} columns are"
        click.echo(f"--fail-on unmasked: {columns} tagged by derivation and unmasked.", err=True)
    unused = tuple(set(answer.names) - set(answer.without_empty("owner", "via").names))
    return Shown(answer, empty="No tags.", hidden=unused, code=int(bool(failing)), unmatched=unmatched)


@question("unused --for 30d", "unused --since 2026-09-01 --format csv > unused.csv")
@time_option("--since", "Written since then and not read since then")
@click.option(
    "--for",
    "span",
    metavar="SPAN",
    callback=read_by(read_span),
    help="Not read by anybody for that long before the newest run in the store: 12h, 30d, 8w. Abandoned tables count.",
)
def unused_command(store: OpenStore, since: datetime | None, span: timedelta | None) -> Shown:
    """Show datasets and columns that are written and not read.

    With --since: written since then and not read since then. With --for: not read by anybody for that long, however
    long ago they were written; time is counted back from the newest run in the store. Both include columns that are
    read but not used. Reads by other engines and runs without an event log are not known: choose a time that covers
    the least frequent readers.
    """
    from eventlog_lineage.store.queries.inventory import unread, unused  # noqa: PLC0415

    if (since is None) == (span is None):
        raise click.UsageError("Give either --since WHEN or --for SPAN")
    if span is not None:
        return Shown(unread(store, span), empty="No dataset or column that is older than that is unread.")
    assert since is not None
    return Shown(unused(store, since), empty=f"No unused datasets or columns since {since}.")


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
    from eventlog_lineage.store.queries.dependants import runs, writers  # noqa: PLC0415
    from eventlog_lineage.store.queries.inventory import jobs  # noqa: PLC0415

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
    """  # noqa: D301 - click does not wrap a paragraph after it
    return Shown(store.ask_freely(query), empty="No rows.")


def panel_command(name: str, *examples: str) -> click.Command:
    """Return the command of a panel."""
    from eventlog_lineage.store.panels import find_panel  # noqa: PLC0415 - help of other commands needs none of it

    panel = find_panel(name)

    def command(store: OpenStore) -> Shown:

        return Shown(panel.answer(store), empty=panel.empty, hidden=("system",))

    command.__doc__ = f"{panel.summary}\n\n{panel.note}"
    return question(*examples)(command)


nights_command = panel_command("nights", "nights --limit 7")
failures_command = panel_command("failures", "failures", "failures --format json")
costs_command = panel_command("cost", "costs --limit 20", "costs --sort -bytes_written")
hot_command = panel_command("do_not_break", "hot --limit 10")
personal_data_command = panel_command("personal_data", "personal-data", "personal-data --format csv")
trust_command = panel_command("trust", "trust")


@question("late --limit 20", "late --due sales.daily=26h --due 'gold.*=1d'")
@due_option
def late_command(store: OpenStore, due: tuple[str, ...]) -> Shown:
    """Show the datasets by the time since their last write, in units of the usual interval.

    The usual interval is the median time between two applications that write the dataset; at least three are needed.
    --due, `due` in the configuration, or `due` in a declaration states it instead. The age is that at the last event of
    any harvested log.
    """
    from eventlog_lineage.store.panels import late, read_due  # noqa: PLC0415

    found = late(store, read_due(due))
    return Shown(found, empty="No dataset is written at a regular interval.", hidden=("system",))
