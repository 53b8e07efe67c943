"""Stores of real logs, made without Spark."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from eventlog_lineage.events.read_options import DEFAULT, ReadOptions
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.harvest.extract import DueLogs
from eventlog_lineage.harvest.run import read_in_process
from eventlog_lineage.harvest.staging import Staging
from eventlog_lineage.harvest.table_metadata import known_tables, metadata_rows
from eventlog_lineage.store.writer import HarvestFacts, Summary, open_for_harvest
from support.stores.memory import MemoryStore

WHEN = datetime(2027, 1, 1)


def harvest_logs(
    store: Path | MemoryStore,
    logs: Iterable[Path],
    when: datetime = WHEN,
    *,
    read: ReadOptions = DEFAULT,
    **options: Any,
) -> Summary:
    """Harvest some logs into a store, as one harvest."""
    if isinstance(store, MemoryStore):
        folder = store.stage()
        known = store.rows("SELECT lineage_id, coalesce(epoch_ms(traced_at), 0) FROM lineages")
        _stage(folder, logs, {str(name): int(start) for name, start in known}, read)
        return store.fold(folder, when, **options)
    with open_for_harvest(store) as writer:
        _stage(
            writer.staging_dir, logs, dict(writer.known_lineages()), replace(read, known_tables=known_tables(writer))
        )
        return writer.publish(HarvestFacts(started_at=when), **options)


def _stage(folder: Path, logs: Iterable[Path], known: dict[str, int], read: ReadOptions) -> None:
    staging = Staging(folder)
    read_in_process(DueLogs(list(find_logs([str(path) for path in logs])), {}, known, read), staging)
    if read.table_metadata:
        staging.add_rows(metadata_rows(staging.locations()))
    staging.flush()
