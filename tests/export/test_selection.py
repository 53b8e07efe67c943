"""Which runs an export includes: globs of jobs and applications, and applications that an agent reported itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from eventlog_lineage.cli.main import run
from eventlog_lineage.events.decoding.spark_conf import agents_of
from eventlog_lineage.export.runs import Selection, read_runs
from support.stores.exports import RAW
from support.stores.memory import MemoryStore, opened
from support.stores.nights import Night

EDGE = (f"{RAW}!amount", "total", "AGGREGATION")


def night() -> Night:
    """Three applications, of which the agent reports one itself."""
    night = Night()
    for name, agents in (("nightly sales", ""), ("adhoc report", ""), ("nightly stock", "kyuubi, openlineage")):
        app = night.app(f"app-{name}", name, agents=agents)
        night.statement([EDGE], target=f"spark_catalog.{name.replace(' ', '_')}.load", app=app, description="load")
    return night


@pytest.mark.parametrize(
    ("selection", "jobs"),
    [
        (Selection(), {"nightly sales: load", "adhoc report: load", "nightly stock: load"}),
        (Selection(jobs=("nightly*",)), {"nightly sales: load", "nightly stock: load"}),
        (Selection(jobs=("*sales*", "adhoc*")), {"nightly sales: load", "adhoc report: load"}),
        (Selection(excluded_jobs=("adhoc*",)), {"nightly sales: load", "nightly stock: load"}),
        (Selection(applications=("app-adhoc*", "nightly stock")), {"adhoc report: load", "nightly stock: load"}),
        (Selection(without_agent=True), {"nightly sales: load", "adhoc report: load"}),
        (Selection(jobs=("it's*",)), set()),
    ],
)
def test_a_selection_is_of_jobs_and_applications(new_store: MemoryStore, selection: Selection, jobs: set[str]) -> None:
    night().begin(new_store)
    with opened(new_store) as found:
        assert {each.job_name for each in read_runs(found, selection)} == jobs


def test_the_command_leaves_out_what_the_agent_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    night().harvest(tmp_path / "store")
    folder = str(tmp_path / "store")
    assert run(["export", "openlineage", "--store", folder]) == 0
    printed = capsys.readouterr()
    assert "nightly stock" not in printed.out
    assert "left out 1 application that OpenLineage's agent reports itself; --with-agent exports them" in printed.err
    assert run(["export", "openlineage", "--with-agent", "--job", "*stock*", "--store", folder]) == 0
    printed = capsys.readouterr()
    assert "nightly stock" in printed.out
    assert "nightly sales" not in printed.out
    assert printed.err == ""


def test_agents_are_known_by_their_listeners() -> None:
    listener = "io.openlineage.spark.agent.OpenLineageSparkListener"
    kyuubi = "org.apache.kyuubi.plugin.lineage.SparkOperationLineageQueryExecutionListener"
    assert agents_of({"spark.extraListeners": f"com.acme.Audit,{listener}"}) == "openlineage"
    assert agents_of({"spark.extraListeners": listener, "spark.sql.queryExecutionListeners": kyuubi}) == (
        "kyuubi, openlineage"
    )
    assert agents_of({"spark.extraListeners": "com.acme.Audit"}) == ""
