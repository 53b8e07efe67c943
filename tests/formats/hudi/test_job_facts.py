"""What the jobs of Hudi's commands say of their commit, in the words of runs of 1.2.0 and 0.14.0."""

from __future__ import annotations

from functools import reduce

import pytest

from eventlog_lineage.events.records import TableCommit
from eventlog_lineage.formats.hudi.facts import commit_of

COMMITTING = "SparkRDDWriteClient:Committing stats: orders"
MARKERS = "FSUtils:Parallel listing paths file:/wh/shop.db/orders/.hoodie/.temp/20261121123218518/a.marker"
WITH_METADATA = (
    "FSUtils:Parallel listing paths file:/my wh/orders/.hoodie/metadata/.hoodie/.temp/20261121151254067/files,file:/x"
)
BEFORE = (
    "FSUtils:Parallel listing paths file:/wh/shop.db/orders/.hoodie/metadata/.hoodie/.temp/00000000000000000/files",
    "SparkRDDMetadataWriteClient:Committing stats: orders_metadata",
    "FSUtils:Parallel listing paths file:/wh/shop.db/orders/.hoodie/.temp/20261121000000000/of-a-failed-writer",
)
OLD = (
    "Committing stats: orders_metadata",
    "Tagging: orders",
    "Committing stats: orders",
    "Parallel listing paths file:/wh/shop.db/orders/.hoodie/.temp/20261122010108370/day=2026-11-03,file:/wh/shop.db/o",
)


@pytest.mark.parametrize(
    ("jobs", "told"),
    [
        ((), None),
        (("merge: all clauses", "HoodieWriteHelper:Tagging: orders"), None),
        ((COMMITTING,), TableCommit("orders")),
        ((COMMITTING, MARKERS), TableCommit("orders", "file:/wh/shop.db/orders", "20261121123218518")),
        ((*BEFORE, COMMITTING, WITH_METADATA), TableCommit("orders", "file:/my wh/orders", "20261121151254067")),
        ((COMMITTING, MARKERS, WITH_METADATA), TableCommit("orders", "file:/wh/shop.db/orders", "20261121123218518")),
        (OLD, TableCommit("orders", "file:/wh/shop.db/orders", "20261122010108370")),
        (OLD[1:], TableCommit("orders", "file:/wh/shop.db/orders", "20261122010108370")),
    ],
    ids=[
        "no jobs",
        "no commit",
        "name only",
        "name, place, instant",
        "the metadata table's",
        "upkeep that follows",
        "0.x, the metadata table made first",
        "0.x",
    ],
)
def test_the_first_commit_of_an_execution_counts(jobs: tuple[str, ...], told: TableCommit | None) -> None:
    assert reduce(commit_of, jobs, None) == told
