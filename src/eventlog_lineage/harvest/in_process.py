"""Harvest some logs in this process, without Spark and Java.

Each log is read whole, one after the other: for a few logs. `run` distributes the same steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path

from eventlog_lineage.errors import LogError, UsageError
from eventlog_lineage.events.read_options import DEFAULT, ReadOptions
from eventlog_lineage.events.reading import needs_settling, settle_order
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.events.sources.layouts import EventLog
from eventlog_lineage.harvest.extract import SplitPart
from eventlog_lineage.harvest.statement_rows import trace_statements
from eventlog_lineage.harvest.table_metadata import known_tables, logs_to_read_again, metadata_rows
from eventlog_lineage.safe_text import temporary_folder
from eventlog_lineage.store.writer import HarvestFacts, Summary, open_for_harvest

from .checkpoints import Batch, NewStatement
from .extract import extract_split
from .staging import Staging


@dataclass(frozen=True, slots=True)
class InProcessHarvest:
    """What a harvest in this process did.

    Attributes:
        unreadable: (path, reason) of the logs that could not be read at all.
    """

    summary: Summary
    unreadable: tuple[tuple[str, str], ...]


def harvest_in_process(logs: Sequence[EventLog], store: str | Path, read: ReadOptions = DEFAULT) -> InProcessHarvest:
    """Harvest logs into a store; logs that write tables of the others are read twice, as in `run.harvest`.

    Raises:
        StoreError: The store cannot be written.
    """
    result, waiting = _harvest(logs, store, read, is_new=True)
    if waiting:
        again, _ = _harvest(waiting, store, read, is_new=False)
        return replace(result, summary=again.summary)
    return result


@contextmanager
def temporary_store(sources: Sequence[str], read: ReadOptions = DEFAULT) -> Iterator[tuple[Path, InProcessHarvest]]:
    """Harvest logs into a store that is gone afterwards; yield its folder and what was read.

    Raises:
        UsageError: The sources have no log.
        LogError: None of the logs can be read.
    """
    logs = list(find_logs(sources))
    if not logs:
        raise UsageError("no event log found", ", ".join(sources), "check the path")
    with temporary_folder() as folder:
        store = folder / "store"
        result = harvest_in_process(logs, store, read)
        if len(result.unreadable) == len(logs):
            path, reason = result.unreadable[0]
            raise LogError(reason, path)
        yield store, result


def _harvest(
    logs: Sequence[EventLog], store: str | Path, read: ReadOptions, *, is_new: bool
) -> tuple[InProcessHarvest, tuple[EventLog, ...]]:
    started = datetime.now(timezone.utc).replace(tzinfo=None)
    with open_for_harvest(store) as writer:
        before = known_tables(writer)
        known = dict(writer.known_lineages()) if is_new else {}
        staging = Staging(writer.staging_dir)
        stage_logs(staging, logs, known, replace(read, known_tables=before))
        failed = tuple(staging.unreadable)
        facts = HarvestFacts(started, len(logs), len(logs) - len(failed), 0, len(failed), sum(log.size for log in logs))
        summary = writer.publish(facts)
        waiting = logs_to_read_again(writer, before, logs) if is_new and summary.gaps and len(logs) > 1 else ()
    return InProcessHarvest(summary, failed), waiting


def stage_logs(staging: Staging, logs: Sequence[EventLog], known: Mapping[str, int], read: ReadOptions) -> None:
    """Read logs and trace their new statements into a staging folder."""
    settled = [settle_order(log) if needs_settling(log) else log for log in logs]
    whole = [SplitPart(log, number, tuple(range(len(log.parts)))) for number, log in enumerate(settled)]
    new: list[NewStatement] = []
    for record in extract_split(whole, known, read):
        if isinstance(record, Batch):
            staging.add(record.table, record.payload)
        elif isinstance(record, NewStatement):
            new.append(record)
    for batch in trace_statements(new, read):
        staging.add(batch.table, batch.payload)
    if read.table_metadata:
        staging.add_rows(metadata_rows(staging.locations()))
    staging.flush()
