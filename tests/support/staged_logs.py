"""Hand-overs of real logs without Spark: what the job does with a slice, one step after the other."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.harvest.extract import Batch, NewStatement, extract_split
from eventlog_lineage.harvest.input_splits import SplitPart
from eventlog_lineage.harvest.plan_texts import unpack_text
from eventlog_lineage.harvest.row_batches import RowBatches
from eventlog_lineage.harvest.rows.lineage_rows import add_lineage
from eventlog_lineage.harvest.staging import Staging
from eventlog_lineage.store.publish.writer import HarvestFacts, Summary, open_for_harvest

WHEN = datetime(2027, 1, 1)


def harvest_logs(store: Path, logs: Iterable[Path], when: datetime = WHEN, **options: Any) -> Summary:
    """Harvest some logs into a store, as one harvest."""
    with open_for_harvest(store) as writer:
        staging = Staging(writer.staging_dir)
        found = list(find_logs([str(path) for path in logs]))
        shares = [SplitPart(log, number, tuple(range(len(log.parts)))) for number, log in enumerate(found)]
        batches = RowBatches()
        for record in extract_split(shares, frozenset(writer.known_lineages())):
            if isinstance(record, Batch):
                staging.add(record.table, record.payload)
            elif isinstance(record, NewStatement):
                texts = {fingerprint: unpack_text(text) for fingerprint, text in record.texts.items()}
                add_lineage(record.statement, texts, batches)
        for table, payload in batches.rest():
            staging.add(table, payload)
        staging.flush()
        return writer.publish(HarvestFacts(started_at=when), **options)
