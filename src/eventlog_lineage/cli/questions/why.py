"""`why NAME`: what a column, a dataset or a job is, in sentences and with the evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.name_types import NAME
from eventlog_lineage.cli.options import time_option
from eventlog_lineage.cli.question import question

if TYPE_CHECKING:
    from datetime import datetime

    from eventlog_lineage.cli.output import Shown
    from eventlog_lineage.store.queries.open_store import OpenStore


@question(
    "why sales.daily_sales.revenue",
    "why sales.daily_sales.revenue --format html -o revenue.html",
    "why sales.daily_sales --at 2026-03-01",
    forms=("html",),
)
@click.argument("name", type=NAME)
@time_option("--at", "As it was at that time")
def command(store: OpenStore, name: str, at: datetime | None) -> Shown:
    """Explain what NAME is: sentences, the chain of expressions, conditions on its rows, runs, versions, changes.

    NAME is a column, a dataset or a job. The Markdown and HTML formats are an evidence sheet: every step with its job,
    run, log and snapshot.
    """
    from eventlog_lineage.cli.evidence_sheet import (  # noqa: PLC0415 - help needs none of it
        html_sheet,
        markdown_sheet,
        sentence_lines,
    )
    from eventlog_lineage.cli.output import Shown  # noqa: PLC0415
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
