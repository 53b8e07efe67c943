"""What a name of a job stands for: what it writes, in its last run or in all."""

from __future__ import annotations

from eventlog_lineage.store.queries.open_store import written_by
from support.stores.memory import MemoryStore, opened
from support.stores.nights import Night


def test_the_last_run_of_a_job_is_not_one_of_its_parts(new_store: MemoryStore) -> None:
    night = Night()
    night.app()
    night.statement([("db.a!x", "x", "IDENTITY")], target="db.b", description="load", execution=1)
    night.statement((), reads=["db.a"], execution=2, root_execution_id=1)
    new_store.harvest(night)
    with opened(new_store) as store:
        assert written_by(store, "nightly sales: load: b", at_last=True) == ["db.b"]
