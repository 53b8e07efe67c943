"""Questions about origins and effects: `upstream`, `downstream`, `path`, `cycles`, `why`, `why-late`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import click

from eventlog_lineage.cli.drawing import (
    Trace,
    draw_dot,
    draw_mermaid,
    draw_tree,
    drop_catalog,
    fitted_table,
    plain_table,
)
from eventlog_lineage.cli.output import Shown, as_text, markdown_table
from eventlog_lineage.cli.question import (
    NAME,
    check_span,
    combined,
    question,
    skip_option,
    time_option,
    unmatched_skips,
)
from eventlog_lineage.safe_text import escape_controls, html_text, markdown_text

if TYPE_CHECKING:
    from eventlog_lineage.store.queries.evidence import Evidence
    from eventlog_lineage.store.queries.open_store import Answer, OpenStore


def trace_options(direct_only: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add `--depth`, `--direct-only`, `--at`, `--since`, `--until`, `--skip` and `--detail`."""
    return combined(
        click.option("--depth", type=click.IntRange(min=1), metavar="N", help="Follow at most N hops.  [default: all]"),
        click.option("--direct-only", is_flag=True, help=direct_only),
        time_option("--at", "As the lineage was at that time"),
        time_option("--since", "The lineage of all runs since then, instead of that of each job's last one"),
        time_option("--until", "With --since, the lineage of the runs until then"),
        skip_option("Go through matching datasets without showing them"),
        click.option(
            "--detail",
            type=click.Choice(["auto", "columns", "tables"]),
            default="auto",
            show_default=True,
            help="What mermaid and dot draw; auto leaves out the columns of more than 50 tables.",
        ),
    )


def show_trace(  # noqa: PLR0913 - the options of two commands
    store: OpenStore, name: str, *, up: bool, until: datetime | None, detail: str, plain: bool, **how: Any
) -> Shown:
    """Return a trace as it is shown: a tree on a terminal, a table in a pipe.

    Args:
        plain: It is shown as a table that is not for a terminal, which has fewer columns.
        how: The options of `store.queries.paths.trace`.
    """
    from eventlog_lineage.store.queries.open_store import find_target  # noqa: PLC0415
    from eventlog_lineage.store.queries.paths import ends, labels, shortened, temporary_views, trace  # noqa: PLC0415

    if (how["at"] and how["since"]) or (until and not how["since"]):
        raise click.UsageError("--until takes --since, and neither takes --at")
    check_span(how["since"], until)
    unmatched = unmatched_skips(store, how["skip"])
    how["at"] = until or how["at"]
    found = trace(store, name, up=up, **how)
    answer = shortened(found) if plain else found
    target = find_target(store, name)
    known = {} if plain else labels(store, ends(answer.records()))
    asked = Trace(target.dataset, target.column, up, temporary_views(store), known)
    if target.job:
        drawings = _drawings(store, target.job, answer, asked)
        return Shown(answer, empty=f"{target.job} has no lineage.", writers=drawings, unmatched=unmatched)
    empty = "" if answer.rows else _no_trace(store, name, up=up, **how)
    return Shown(answer, empty=empty, trace=asked, detail=detail, unmatched=unmatched)


def _no_trace(store: OpenStore, name: str, *, up: bool, **how: Any) -> str:
    from eventlog_lineage.store.queries.paths import trace  # noqa: PLC0415 - few traces have no edge

    since, at = how["since"], how["at"]
    when = f" since {since}" if since else ""
    when += f" {'until' if since else 'at'} {at}" if at else ""
    way = "upstream" if up else "downstream"
    if how["skip"] and trace(store, name, up=up, **{**how, "skip": (), "depth": None}).rows:
        return f"All datasets {way} of {name} are skipped{when}."
    return f"No {way} of {name} in the store{when}."


def _drawings(store: OpenStore, job: str, answer: Answer, asked: Trace) -> dict[str, Callable[[], Iterable[str]]]:
    """Return the drawings of a job's lineage: a tree for each dataset that it begins at, one graph of all."""
    from eventlog_lineage.store.queries.paths import trace_names  # noqa: PLC0415 - help needs none of it

    begun = [replace(asked, dataset=dataset, column="") for dataset in trace_names(store, job)]
    rows = list(answer.records())

    def trees() -> Iterator[str]:
        for each in begun:
            yield from draw_tree(rows, each, None)

    return {
        "tree": trees,
        "mermaid": lambda: draw_mermaid(rows, begun[0], "auto"),
        "dot": lambda: draw_dot(rows, begun[0], "auto"),
    }


@question(
    "upstream sales.daily.total",
    "upstream sales.daily --format mermaid --depth 2",
    "upstream sales.daily.total --at 2026-11-19",
    forms=("tree", "mermaid", "dot"),
    by_form=True,
)
@click.argument("name", type=NAME)
@trace_options("Only sources of values, without filters, joins and the like.")
def upstream_command(store: OpenStore, name: str, **options: Any) -> Shown:
    """Show the columns or datasets that NAME comes from, through all hops.

    NAME is a dataset or dataset.column; the last part of a name is enough if it is unique. `masked` shows whether every
    path from one to the other masks.
    """
    return show_trace(store, name, up=True, **options)


@question(
    "downstream raw.orders.amount",
    "downstream raw.orders --direct-only --format dot",
    forms=("tree", "mermaid", "dot"),
    by_form=True,
)
@click.argument("name", type=NAME)
@trace_options("Only values derived from it, without filters, joins and the like.")
def downstream_command(store: OpenStore, name: str, **options: Any) -> Shown:
    """Show the columns or datasets that NAME flows to, through all hops.

    NAME is a dataset or dataset.column; the last part of a name is enough if it is unique. `masked` shows whether every
    path from one to the other masks.
    Queries that write nothing (dashboards, notebooks, ad-hoc SQL) are listed as consumers, with user and last read.
    """
    return show_trace(store, name, up=False, **options)


@question("path raw.orders.amount sales.daily.total", "path raw.orders exports.daily --limit 3")
@click.argument("start", type=NAME, metavar="A")
@click.argument("end", type=NAME, metavar="B")
@click.option(
    "--limit", type=click.IntRange(1), default=10, show_default=True, metavar="N", help="Show at most N paths."
)
@skip_option("Go through matching datasets without showing them")
def path_command(store: OpenStore, start: str, end: str, limit: int, skip: tuple[str, ...]) -> Shown:
    """Show the paths from A to B, the shortest first: each step with its expression and job.

    A and B are datasets or columns; with a dataset on one side, the paths are those between datasets.
    """
    from eventlog_lineage.store.queries.paths import paths, short_paths  # noqa: PLC0415

    answer, more = paths(store, start, end, limit, skip)
    if more:
        click.echo(f"There are more than {limit} paths; --limit shows more.", err=True)
    empty = f"No path from {start} to {end} in the store."
    return Shown(answer, empty=empty, table=short_paths(answer), unmatched=unmatched_skips(store, skip))


@question("cycles", "cycles --format json")
def cycles_command(store: OpenStore) -> Shown:
    """List circular dependencies: datasets that depend on themselves through others, and the jobs between them.

    Of datasets that depend on one another along several paths, the shortest is shown. A job that reads what it writes
    is left out.
    """
    from eventlog_lineage.store.queries.paths import cycles  # noqa: PLC0415

    return Shown(cycles(store), empty="No circular dependencies.")


_WIDEST = 100
_TABLES = {
    "step": ("text", "job_name", "happened_at", "app_id", "execution_id", "snapshot_id", "log_path", "confidence"),
    "condition": ("text", "job_name", "confidence"),
    "run": ("happened_at", "text", "user_name", "app_name", "app_id", "execution_id", "snapshot_id", "log_path"),
    "version": ("happened_at", "text"),
    "change": ("happened_at", "text", "user_name", "app_name", "job_name", "app_id", "execution_id", "log_path"),
    "gap": ("text", "job_name", "app_id", "execution_id"),
}
"""The columns of each section of a sheet."""

_STYLE = (
    "body{font:14px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;width:100%;font-size:12px}"
    "td,th{border:1px solid #bbb;padding:.25rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}"
    "@media print{body{margin:0;max-width:none}}"
)


def sentence_lines(found: Evidence) -> Iterator[str]:
    """Yield the sentences, then the derivation and the conditions, a line each."""
    from eventlog_lineage.store.queries.evidence import SECTIONS  # noqa: PLC0415 - help needs none of it

    for sentence in found.sentences:
        yield from in_lines(sentence)
    for section in ("step", "condition", "change"):
        rows = [row for row in found.rows if row["section"] == section]
        if rows:
            yield ""
            yield f"{SECTIONS[section]}:"
        texts = (
            f"{as_text(row['happened_at'])}  {row['text']}" if section == "change" else row["text"] for row in rows
        )
        for text in dict.fromkeys(texts):
            yield from in_lines(text, "  ", "    ")


def in_lines(text: str, first: str = "", others: str = "") -> list[str]:
    """Return a text in lines of the terminal's width, a hundred letters at most."""
    width = min(get_terminal_size().columns, _WIDEST) if sys.stdout.isatty() else _WIDEST
    return wrap(escape_controls(text), width, initial_indent=first, subsequent_indent=others, break_on_hyphens=False)


def markdown_sheet(found: Evidence, about: Sequence[str]) -> Iterator[str]:
    """Yield an evidence sheet in Markdown."""
    yield f"# Evidence: {markdown_text(found.target.name)}"
    yield ""
    yield from (f"{markdown_text(sentence)}  " for sentence in found.sentences)
    for title, names, columns in _tables(found):
        yield from ("", f"## {title}", "")
        yield from markdown_table(names, columns)
    yield from ("", "## Source of this sheet", "", *(f"{markdown_text(line)}  " for line in about))


def html_sheet(found: Evidence, about: Sequence[str]) -> Iterator[str]:
    """Yield an evidence sheet as one HTML page that prints; the arguments are those of `markdown_sheet`."""
    name = html_text(found.target.name)
    yield f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Evidence: {name}</title>'
    yield f"<style>{_STYLE}</style></head><body><h1>Evidence: {name}</h1>"
    yield f"<p>{'<br>'.join(map(html_text, found.sentences))}</p>"
    for title, names, columns in _tables(found):
        yield f"<h2>{title}</h2><table><tr>{''.join(f'<th>{html_text(each)}</th>' for each in names)}</tr>"
        for row in zip(*columns, strict=True):
            yield f"<tr>{''.join(f'<td>{html_text(cell)}</td>' for cell in row)}</tr>"
        yield "</table>"
    yield f"<h2>Source of this sheet</h2><p>{'<br>'.join(map(html_text, about))}</p></body></html>"


def _tables(found: Evidence) -> Iterator[tuple[str, list[str], list[list[str]]]]:
    """Yield title, names and columns of each section with rows; columns without a value are left out."""
    from eventlog_lineage.store.queries.evidence import SECTIONS  # noqa: PLC0415 - help needs none of it

    for section, names in _TABLES.items():
        rows = [row for row in found.rows if row["section"] == section]
        columns = {name: [as_text(row.get(name)) for row in rows] for name in names}
        kept = {name: values for name, values in columns.items() if any(values)}
        if rows:
            yield SECTIONS[section], list(kept), list(kept.values())


@question(
    "why sales.daily_sales.revenue",
    "why sales.daily_sales.revenue --format html -o revenue.html",
    "why sales.daily_sales --at 2026-03-01",
    forms=("html",),
)
@click.argument("name", type=NAME)
@time_option("--at", "As it was at that time")
def why_command(store: OpenStore, name: str, at: datetime | None) -> Shown:
    """Explain what NAME is: sentences, the chain of expressions, conditions on its rows, runs, versions, changes.

    NAME is a column, a dataset or a job. The Markdown and HTML formats are an evidence sheet: every step with its job,
    run, log and snapshot.
    """
    from eventlog_lineage.store.queries.evidence import why  # noqa: PLC0415

    found = why(store, name, at)
    about = _about(store, at)
    return Shown(
        found.answer,
        writers={
            "table": lambda: sentence_lines(found),
            "markdown": lambda: markdown_sheet(found, about),
            "html": lambda: html_sheet(found, about),
        },
    )


def _about(store: OpenStore, at: datetime | None) -> list[str]:
    from eventlog_lineage import __version__  # noqa: PLC0415

    query = "SELECT max(harvest_id), date_trunc('second', max(finished_at)) FROM harvests"
    (number, finished), *_ = store.ask(query).rows
    newest = store.ask("SELECT date_trunc('second', max(started_at)) FROM executions").rows[0][0]
    lines = [
        f"Store {store.store}, version {store.version.name}: harvest {number}, finished {finished} UTC.",
        f"Newest run in the store: {newest} UTC. Read from Spark's event logs by eventlog-lineage {__version__}.",
    ]
    return [*lines, *([f"As of {at} UTC."] if at else [])]


@question("why-late sales.daily_sales", "why-late sales.daily_sales --format json")
@click.argument("name", type=NAME)
def why_late_command(store: OpenStore, name: str) -> Shown:
    """Explain why NAME is late: the first failed or missing run upstream, its error, the last good run, who waits.

    NAME is a dataset, a column or a job. A run is missing if the usual interval (the median) has passed since the
    last one, with a tolerance of 5 %. The present is the last event in the logs.
    """
    from eventlog_lineage.store.queries.dependants import lateness_sentences, why_late  # noqa: PLC0415

    answer = why_late(store, name)
    rows = list(answer.records())

    def lines() -> Iterator[str]:
        for sentence in lateness_sentences(name, rows):
            indent = sentence[: len(sentence) - len(sentence.lstrip())]
            yield from in_lines(sentence.strip(), indent, f"{indent}  ")
        broken = [row for row in rows if row["state"] in {"failed", "missing"} and not row["cause"]]
        if broken:
            yield ""
            yield "Late because of it:"
            names = ("state", "dataset", "job_name", "last_good_run", "due_at", "error")
            columns = [[as_text(row[each]) for row in broken] for each in names]
            if sys.stdout.isatty():
                yield from fitted_table(names, drop_catalog(names, columns), get_terminal_size().columns)
            else:
                yield from plain_table(names, columns)

    return Shown(answer, writers={"table": lines})
