"""What Paimon's snapshot files record."""

from __future__ import annotations

from eventlog_lineage.datasets.commits import Commit
from eventlog_lineage.formats.paimon.facts import paimon_commits


def test_paimons_snapshots_have_their_time() -> None:
    files = [("snapshot-10", b'{"id":10,"timeMillis":1000}'), ("LATEST", b"10"), ("snapshot-11", b"")]
    assert list(paimon_commits(files)) == [Commit("10", 1000)]
