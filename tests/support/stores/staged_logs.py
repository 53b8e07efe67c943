"""Hand-overs of real logs without Spark: what the job does with a slice, one step after the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from eventlog_lineage.events.read_options import DEFAULT, ReadOptions
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.harvest.extract import Batch, NewStatement, extract_split
from eventlog_lineage.harvest.input_splits import SplitPart
from eventlog_lineage.harvest.plan_texts import unpack_text
from eventlog_lineage.harvest.row_batches import RowBatches
from eventlog_lineage.harvest.rows.lineage_rows import add_lineage
from eventlog_lineage.harvest.run import known_tables
from eventlog_lineage.harvest.staging import Staging
from eventlog_lineage.harvest.table_metadata import metadata_rows
from eventlog_lineage.store.publish.writer import HarvestFacts, Summary, open_for_harvest
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


def _stage(folder: Path, logs: Iterable[Path], known: Mapping[str, int], read: ReadOptions) -> None:
    staging = Staging(folder)
    found = list(find_logs([str(path) for path in logs]))
    shares = [SplitPart(log, number, tuple(range(len(log.parts)))) for number, log in enumerate(found)]
    batches = RowBatches()
    first: dict[str, NewStatement] = {}
    for record in extract_split(shares, known, read):
        if isinstance(record, Batch):
            staging.add(record.table, record.payload)
        elif isinstance(record, NewStatement):
            found_before = first.setdefault(record.statement.lineage_id, record)
            first[record.statement.lineage_id] = min(found_before, record, key=lambda each: each.rank)
    for new in first.values():
        texts = {fingerprint: unpack_text(text) for fingerprint, text in new.texts.items()}
        add_lineage(new.statement, texts, batches, traced_at=new.traced_at)
    for table, payload in batches.rest():
        staging.add(table, payload)
    batches = RowBatches()
    for of, row in metadata_rows(staging.locations()) if read.table_metadata else ():
        batches.add(of, row)
    for table, payload in batches.rest():
        staging.add(table, payload)
    staging.flush()
