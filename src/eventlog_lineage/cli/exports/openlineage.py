"""`export openlineage`: RunEvents, as lines of JSON or to a consumer's address."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eventlog_lineage.cli.common import counted, warn
from eventlog_lineage.cli.options import examples, store_option
from eventlog_lineage.errors import DOCS

from .shared import out_option, run_options, selected_runs, write_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from eventlog_lineage.export.openlineage.transport import Tally

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
    callback=lambda _, __, values: _pairs(values),
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
def command(*, store_dir: str, out: Path | None, url: str | None, dry_run: bool, with_agent: bool, **how: Any) -> None:
    """Export; `how` are the fields of `EventOptions` and of `Selection` by their names."""
    from eventlog_lineage.export.openlineage.event_names import EventOptions  # noqa: PLC0415
    from eventlog_lineage.export.openlineage.events import run_events  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.export.openlineage.transport import Tally, event_lines  # noqa: PLC0415
    from eventlog_lineage.export.runs import count_with_agent, count_without_time  # noqa: PLC0415
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
        untimed = count_without_time(store)
        reported = 0 if with_agent else count_with_agent(store)
    _warn_of_events(tally, is_sent=bool(url))
    if reported:
        applications = counted(reported, "application")
        warn(f"left out {applications} that OpenLineage's agent reports itself; --with-agent exports them")
    if untimed:
        warn(f"left out {counted(untimed, 'statement')}: no log has the time of their runs")


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
    """Send the events; those that the consumer refuses are counted, and the others are sent.

    Args:
        tally: Counts them; updated.

    Raises:
        DeliveryError: Events were refused, or the consumer cannot be reached.
    """
    from eventlog_lineage.export.openlineage.transport import DeliveryError, consumer_at, is_disabled  # noqa: PLC0415

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


def _pairs(values: tuple[str, ...]) -> dict[str, str]:
    pairs = {}
    for value in values:
        name, equals, namespace = value.partition("=")
        if not equals or not name or not namespace:
            raise click.BadParameter(f"not NAME=NAMESPACE: {value!r}")
        pairs[name] = namespace
    return pairs
