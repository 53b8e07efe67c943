"""What Delta's log records about its commits."""

from __future__ import annotations

from eventlog_lineage.datasets.commits import Commit
from eventlog_lineage.formats.delta.facts import delta_commits


def test_deltas_commits_have_their_time_and_a_streams_batch() -> None:
    files = [
        ("00000000000000000000.json", b'{"commitInfo":{"timestamp":1000,"operation":"CREATE TABLE"}}\n{"metaData":{}}'),
        ("00000000000000000011.json", b'{"commitInfo":{"inCommitTimestamp":2000}}\n{"txn":{"appId":"q","version":7}}'),
        ("00000000000000000012.json", b"{broken"),
        ("00000000000000000010.checkpoint.parquet", b"PAR1"),
    ]  # fmt: skip
    assert list(delta_commits(files)) == [Commit("0", 1000), Commit("11", 2000, query_id="q", batch_id=7)]
