"""What Hudi's timeline records about commits."""

from __future__ import annotations

from eventlog_lineage.datasets.commits import Commit
from eventlog_lineage.formats.hudi.facts import hudi_commits


def test_hudis_instants_are_those_that_completed() -> None:
    files = [
        ("20261121120626213_20261121120631000.commit", 1000),
        ("20261121120700000.deltacommit.inflight", 2000),
        ("20261121120800000.deltacommit", 3000),
        ("20261121120900000_20261121121000000.clean", 4000),
    ]
    assert list(hudi_commits(files)) == [Commit("20261121120626213", 1000), Commit("20261121120800000", 3000)]
