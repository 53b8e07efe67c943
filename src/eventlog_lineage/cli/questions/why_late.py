"""`why-late NAME`: the first failed or missing run upstream."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from eventlog_lineage.cli.name_types import NAME
from eventlog_lineage.cli.question import question

if TYPE_CHECKING:
    from eventlog_lineage.cli.output import Shown
    from eventlog_lineage.store.queries.open_store import OpenStore


@question("why-late sales.daily_sales", "why-late sales.daily_sales --format json")
@click.argument("name", type=NAME)
def command(store: OpenStore, name: str) -> Shown:
    """Explain why NAME is late: the first failed or missing run upstream, its error, the last good run, who waits.

    NAME is a dataset, a column or a job. A run is missing if the usual interval (the median) has passed since the
    last one, with a tolerance of 5 %. The present is the last event in the logs.
    """
    from eventlog_lineage.cli.evidence_sheet import in_lines  # noqa: PLC0415 - help needs none of it
    from eventlog_lineage.cli.output import Shown, as_text  # noqa: PLC0415
    from eventlog_lineage.cli.table import drop_catalog, fitted_table, plain_table  # noqa: PLC0415
    from eventlog_lineage.store.queries.lateness import lateness_sentences, why_late  # noqa: PLC0415

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
