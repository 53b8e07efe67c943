"""`export FORMAT`: the store in other systems' formats; `eventlog_lineage.export` makes them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from eventlog_lineage.cli.common import WholeSummaries, debug_option, warn
from eventlog_lineage.cli.question import combined, examples, output_option, read_by, store_option
from eventlog_lineage.errors import DOCS, LineageError, os_errors_as
from eventlog_lineage.safe_text import counted, escape_json, replaced
from eventlog_lineage.user_input import read_time

if TYPE_CHECKING:
    from eventlog_lineage.export.openlineage_events import Tally
    from eventlog_lineage.export.runs import Selection
    from eventlog_lineage.store.queries.open_store import OpenStore

out_option = output_option(
    "out",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=lambda _, __, path: None if path is None or str(path) == "-" else path,
    help="Write to FILE instead of standard output; FILE is replaced when everything is written.",
)
"""`--output FILE`, which a command gets as `out`; None for standard output."""


def _globs(name: str, field: str, text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option(name, field, multiple=True, metavar="GLOB", help=f"{text}; repeatable.")


run_options = combined(
    click.option(
        "--since",
        metavar="WHEN",
        callback=read_by(read_time),
        help="Every run that started since then: 2026-11-20, 2026-11-20T04:00, 24h, 7d.",
    ),
    click.option(
        "--all-runs", is_flag=True, help="Every run.  [default: the last succeeded run of each job and target]"
    ),
    _globs("--job", "jobs", "Only jobs whose name matches GLOB, such as 'nightly-*'"),
    _globs("--exclude-job", "excluded_jobs", "No jobs whose name matches GLOB"),
    _globs("--application", "applications", "Only applications whose name or id matches GLOB"),
)
"""`--since`, `--all-runs`, `--job`, `--exclude-job` and `--application`: the fields of a `Selection`."""


def selected_runs(options: dict[str, Any]) -> Selection:
    """Return the selection that the options of `run_options` ask for, which are taken out of them.

    Raises:
        UsageError: `--since` and `--all-runs` are both given.
    """
    from eventlog_lineage.export.runs import Selection  # noqa: PLC0415 - help needs none of it

    if options["since"] is not None and options["all_runs"]:
        raise click.UsageError("--since and --all-runs exclude each other")
    names = [each.name for each in fields(Selection) if each.name in options]
    return Selection(**{name: options.pop(name) for name in names})


def write_text(out: Path | None, texts: Iterable[str]) -> None:
    """Write texts to a file or standard output.

    Raises:
        LineageError: The file cannot be written.
    """
    with os_errors_as(LineageError, "cannot write", out or "standard output"):
        try:
            with _opened(out) as stream:
                stream.writelines(texts)
                stream.flush()
        except BrokenPipeError:  # whoever read has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _opened(out: Path | None) -> Iterator[TextIO]:
    if out is None:
        yield sys.stdout
        return
    with replaced(out) as written, written.open("w", encoding="utf-8", newline="") as stream:
        yield stream


def _tables() -> list[str]:
    from eventlog_lineage.store.schema.tables import PUBLIC_TABLES  # noqa: PLC0415

    return [table.name for table in PUBLIC_TABLES]


@click.command(
    help="Write column lineage as CSV (RFC 4180, UTF-8), with OpenLineage's namespace and name of both ends.\n\n"
    "Cells that a spreadsheet would take for a formula begin with ', and control and invisible characters are escaped: "
    "names and expressions come from logs. --raw writes them as they are.",
    epilog=examples("export csv --current > lineage.csv", "export csv --table schema_changes --output changes.csv"),
)
@click.option(
    "--table",
    default="column_lineage",
    show_default=True,
    type=click.Choice(_tables()),
    metavar="TABLE",
    help="Another table of the store.",
)
@click.option("--current", is_flag=True, help="Only rows that hold today (is_current).")
@click.option("--raw", is_flag=True, help="Write texts as they are; do not open such a file in a spreadsheet.")
@out_option
@store_option
def csv_command(*, table: str, current: bool, raw: bool, out: Path | None, store_dir: str) -> None:
    """Export."""
    from eventlog_lineage.export.dashboards import csv_lines  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.open_store import open_store  # noqa: PLC0415

    with open_store(store_dir) as store:
        write_text(out, csv_lines(store, table, raw=raw, current=current))


@click.command(
    help="Write one DuckDB file with all tables, views and macros of the store.\n\n"
    "The file depends on no other file: copy it anywhere, attach it, query it with DuckDB 1.2 or newer. It is not a "
    "store; harvests cannot continue it.",
    epilog=examples("export duckdb --output lineage-2026-11-20.duckdb"),
)
@output_option(
    "out",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file; it is replaced when everything is written.",
)
@store_option
def duckdb_command(*, out: Path, store_dir: str) -> None:
    """Export."""
    from eventlog_lineage.export.dashboards import write_database  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.store.queries.open_store import open_store  # noqa: PLC0415

    with open_store(store_dir) as store:
        write_database(store, out)


@click.command(
    help="Write a ZIP with a database, datasets, charts and a dashboard of the nine panels.\n\n"
    "`superset import-dashboards -p FILE` imports it, POST /api/v1/assets/import/ updates it.\n\n\b\n"
    f"See {DOCS}/dashboards.md",
    epilog=examples(
        "export superset --output lineage.zip", "export superset --output l.zip --parquet s3://bucket/lineage"
    ),
)
@click.option(
    "--parquet",
    metavar="LOCATION",
    default="",
    help="Read the store's Parquet files below LOCATION, a path or an address such as s3://bucket/lineage, "
    "instead of lineage.duckdb.",
)
@click.option(
    "--database",
    metavar="PATH",
    help="Path of lineage.duckdb as Superset's server sees it.  [default: that of the store]",
)
@output_option(
    "out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The file; it is replaced as a whole."
)
@store_option
def superset_command(*, parquet: str, database: str | None, out: Path, store_dir: str) -> None:
    """Export."""
    from eventlog_lineage.export.dashboards import panel_charts, superset_zip  # noqa: PLC0415
    from eventlog_lineage.store.queries.open_store import open_store  # noqa: PLC0415
    from eventlog_lineage.store.schema.database import DATABASE_NAME  # noqa: PLC0415

    with open_store(store_dir) as store:
        file = Path(database) if database else (store.store / DATABASE_NAME).absolute()
        packed = superset_zip(panel_charts(store, parquet), None if parquet else file)
    with os_errors_as(LineageError, "cannot write", out), replaced(out) as written:
        written.write_bytes(packed)


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
def hive_command(*, predicates: str, pretty: bool, out: Path | None, store_dir: str, **which: Any) -> None:
    """Export; `which` are the fields of `Selection` by their names."""
    from eventlog_lineage.export.runs import hive_lineage  # noqa: PLC0415
    from eventlog_lineage.store.queries.open_store import open_store  # noqa: PLC0415

    indent = 2 if pretty else None
    separators = None if pretty else (",", ":")
    with open_store(store_dir) as store:
        lines = hive_lineage(store, selected_runs(which), predicates)
        texts = (json.dumps(line, ensure_ascii=False, indent=indent, separators=separators) for line in lines)
        write_text(out, (escape_json(f"{text}\n", kept="\n") for text in texts))


_FROM_ENVIRONMENT = "$OPENLINEAGE_URL"


@click.command(
    help="Write OpenLineage RunEvents (spec 2-0-2), one JSON object per line.\n\n"
    "Each statement that writes a dataset gives a START and a COMPLETE or FAIL event; so does each application. "
    "The ids of runs follow from the log: events that are exported again have the same ids.\n\n\b\n"
    f"See {DOCS}/exports.md",
    epilog=examples(
        "export openlineage --output events.ndjson",
        "export openlineage --since 24h --to http://marquez:5000 --namespace nightly",
        "export openlineage --catalog spark_catalog=hive://metastore:9083 --indirect fields --dry-run",
    ),
)
@run_options
@click.option(
    "--namespace",
    envvar="OPENLINEAGE_NAMESPACE",
    default="default",
    show_default=True,
    help="The namespace of jobs; OPENLINEAGE_NAMESPACE sets it too.",
)
@click.option(
    "--catalog",
    "catalogs",
    multiple=True,
    metavar="NAME=NAMESPACE",
    callback=lambda _, __, values: _namespaces(values),
    help="The namespace of a catalog's tables, as hive://host:9083; repeatable.  [default: as the logs show it]",
)
@click.option(
    "--indirect",
    type=click.Choice(["dataset", "fields", "none"]),
    default="dataset",
    show_default=True,
    help="Where filters, joins, grouping and sorting go: once for the dataset, onto every column (large: columns times "
    "columns), or nowhere.",
)
@click.option(
    "--nested",
    type=click.Choice(["dotted", "top"]),
    help="Columns in structs by dotted names, or folded to the top-level column: Marquez drops dotted names without a "
    "word.  [default: top with --to, else dotted]",
)
@click.option(
    "--with-agent",
    is_flag=True,
    help="Include applications whose driver has OpenLineage's agent, which reports them itself.",
)
@click.option("--explicit", is_flag=True, help="Add the experimental lineage facet (1-0-0) to jobs.")
@out_option
@click.option(
    "--to",
    "url",
    metavar="[URL]",
    is_flag=False,
    flag_value=_FROM_ENVIRONMENT,
    help="Send each event to URL, else to OPENLINEAGE_URL; OPENLINEAGE_ENDPOINT and OPENLINEAGE_API_KEY are used.",
)
@click.option("--dry-run", is_flag=True, help="Write and send nothing; print what there is to write.")
@store_option
def openlineage_command(
    *, store_dir: str, out: Path | None, url: str | None, dry_run: bool, with_agent: bool, **how: Any
) -> None:
    """Export; `how` are the fields of `EventOptions` and of `Selection` by their names."""
    from eventlog_lineage.export.event_datasets import EventOptions  # noqa: PLC0415
    from eventlog_lineage.export.openlineage_events import (  # noqa: PLC0415
        Tally,
        event_lines,
        run_events,
    )
    from eventlog_lineage.store.queries.open_store import open_store  # noqa: PLC0415

    if out and url:
        raise click.UsageError("--output and --to exclude each other")
    how["without_agent"] = not with_agent
    how["nested"] = how["nested"] or ("top" if url else "dotted")
    options = EventOptions(selected_runs(how), **how)
    tally = Tally()
    with open_store(store_dir) as store:
        lines = event_lines(run_events(store, options), tally)
        if url:
            _send(url.replace(_FROM_ENVIRONMENT, ""), lines, tally, dry_run=dry_run)
        elif dry_run:
            _count(lines)
            click.echo(f"Would write {_summary(tally)}")
        else:
            write_text(out, (f"{line.decode()}\n" for line in lines))
            if out:
                click.echo(f"Wrote {_summary(tally)} to {out}")
        left_out = _left_out(store, with_agent=with_agent)
    _warn_of_events(tally, is_sent=bool(url))
    for text in left_out:
        warn(f"left out {text}")


def _left_out(store: OpenStore, *, with_agent: bool) -> list[str]:
    """Return what is not exported, a phrase each."""
    from eventlog_lineage.export.runs import count_with_agent, count_without_time  # noqa: PLC0415

    found = []
    if not with_agent and (reported := count_with_agent(store)):
        applications = counted(reported, "application")
        found.append(f"{applications} that OpenLineage's agent reports itself; --with-agent exports them")
    if untimed := count_without_time(store):
        found.append(f"{counted(untimed, 'statement')}: no log has the time of their runs")
    return found


def _warn_of_events(tally: Tally, *, is_sent: bool) -> None:
    """Warn of what consumers reject, or drop without a word; who sends events chose dotted names."""
    if tally.large:
        warn(
            f"{tally.large} of {counted(tally.events, 'event')} over 5 MB, which consumers may refuse; the largest, "
            f"{_size(tally.largest)}, is of job {tally.largest_job!r}; try --indirect dataset"
        )
    if tally.nested and not is_sent:
        warn(
            f"{counted(len(tally.nested), 'nested column')} by dotted names, which Marquez and OpenMetadata drop: "
            "for them, export with --nested top"
        )


def _send(url: str, lines: Iterable[bytes], tally: Tally, *, dry_run: bool) -> None:
    """Send the events; raise `DeliveryError` if the consumer refuses some of them, or cannot be reached."""
    from eventlog_lineage.export.openlineage_events import DeliveryError, consumer_at, is_disabled  # noqa: PLC0415

    consumer = consumer_at(url, os.environ)
    if dry_run or is_disabled(os.environ):
        _count(lines)
        why = "" if dry_run else " (OPENLINEAGE_DISABLED is set)"
        click.echo(f"Would send {_summary(tally)} to {consumer.address}{why}")
        return
    refused, reason = 0, ""
    try:
        for line in lines:
            answer = consumer.send(line)
            refused += bool(answer)
            reason = reason or answer
    except DeliveryError as error:
        sent = counted(tally.events - 1 - refused, "event")
        raise DeliveryError(error.what, error.where, f"sent {sent}; sending them again is safe") from None
    if refused:
        what = f"the consumer refused {refused} of {counted(tally.events, 'event')}, the first with: {reason}"
        raise DeliveryError(what, consumer.address, "sending events again is safe")
    click.echo(f"Sent {_summary(tally)} to {consumer.address}")


def _count(lines: Iterable[bytes]) -> None:
    for _ in lines:
        pass


def _summary(tally: Tally) -> str:
    largest = f", the largest {_size(tally.largest)}" if tally.events else ""
    of = f"{counted(len(tally.runs), 'run')} and {counted(len(tally.jobs), 'job')}"
    return f"{counted(tally.events, 'event')} of {of}, {_size(tally.bytes)}{largest}"


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.1f} kB"


def _namespaces(values: tuple[str, ...]) -> dict[str, str]:
    pairs = {}
    for value in values:
        name, equals, namespace = value.partition("=")
        if not equals or not name or not namespace:
            raise click.BadParameter(f"not NAME=NAMESPACE: {value!r}")
        pairs[name] = namespace
    return pairs


@click.group(
    cls=WholeSummaries,
    commands={
        "csv": csv_command,
        "duckdb": duckdb_command,
        "hive": hive_command,
        "openlineage": openlineage_command,
        "superset": superset_command,
    },
    params=[debug_option()],
    help="Write the store's lineage in another system's format.",
    epilog=examples("export openlineage --output events.ndjson", "export csv > lineage.csv"),
    context_settings={"max_content_width": 100},
    invoke_without_command=True,
    no_args_is_help=False,
)
@click.pass_context
def export_command(context: click.Context) -> None:
    """Show the formats, if none is named."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
