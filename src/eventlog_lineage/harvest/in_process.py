"""Harvest some logs in this process, without Spark and Java.

Each log is read whole, one after the other: for a few logs. `job` distributes the same steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from eventlog_lineage.errors import LogError, UsageError
from eventlog_lineage.events.reading import needs_settling, settle_order
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.harvest.extract import DueLogs, extract_split, whole_log
from eventlog_lineage.harvest.options import HarvestOptions
from eventlog_lineage.harvest.run import HarvestResult, Listed, harvest_logs
from eventlog_lineage.harvest.statement_rows import trace_statements
from eventlog_lineage.safe_text import temporary_folder

from .checkpoints import Batch, NewStatement, Progress
from .staging import Staging


@contextmanager
def temporary_store(sources: Sequence[str], options: HarvestOptions) -> Iterator[tuple[Path, HarvestResult]]:
    """Harvest logs into a store that is gone afterwards; yield its folder and what was read.

    Raises:
        UsageError: The sources have no log.
        LogError: None of the logs can be read.
    """
    logs = tuple(find_logs(sources))
    if not logs:
        raise UsageError("no event log found", ", ".join(sources), "check the path")
    with temporary_folder() as folder:
        store = folder / "store"
        result = harvest_logs(lambda _: Listed(len(logs), logs), store, options, read_in_process, lambda *_: None)
        if len(result.unreadable) == len(logs):
            path, reason = result.unreadable[0]
            raise LogError(reason, path)
        yield store, result


def read_in_process(due: DueLogs, staging: Staging, *_: object) -> Progress:
    """Read logs and trace their new statements into a staging folder."""
    settled = [settle_order(log) if needs_settling(log) else log for log in due.logs]
    whole = [whole_log(log, number, due.resume_points.get(log.path)) for number, log in enumerate(settled)]
    new: list[NewStatement] = []
    progress = Progress(0, 0)
    for record in extract_split(whole, due.lineages, due.options):
        if isinstance(record, Batch):
            staging.add(record.table, record.payload)
        elif isinstance(record, NewStatement):
            new.append(record)
        elif isinstance(record, Progress):
            progress = record
    for batch in trace_statements(new, due.options):
        staging.add(batch.table, batch.payload)
    return progress
