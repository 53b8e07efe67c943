"""Tables that plans print as objects, and the jobs that commit to them."""

from __future__ import annotations

import pytest

from eventlog_lineage.catalog.application_facts import CatalogSettings, ExecutionSummary, session_table_at
from eventlog_lineage.catalog.session_catalog import SessionCatalog
from eventlog_lineage.plan.summary.plan_facts import UnqualifiedTable
from eventlog_lineage.plan.summary.plan_summary import PlanSummary

SETTINGS = CatalogSettings(warehouse="file:///data/warehouse")


def execution(command: str, location: str, *objects: str) -> ExecutionSummary:
    facts = tuple(UnqualifiedTable(name) for name in objects)
    return ExecutionSummary(
        execution_id=1, root=1, description="", started_at=1, ended_at=2,
        summary=PlanSummary(fingerprint="x", command=command, facts=facts), commit_location=location,
    )  # fmt: skip


def found(*executions: ExecutionSummary) -> str:
    catalog = SessionCatalog(SETTINGS)
    for each in executions:
        catalog.apply(each)
    return catalog.resolve(UnqualifiedTable("Empty@1"), 1)


@pytest.mark.parametrize(
    ("location", "name"),
    [
        ("file:/data/warehouse/core.db/history", "spark_catalog.core.history"),
        ("file:/data/elsewhere/history", "file:///data/elsewhere/history"),
    ],
)
def test_an_object_is_the_table_that_the_update_of_it_commits_to(location: str, name: str) -> None:
    assert found(execution("UpdateHoodieTableCommand", location, "Empty@1")) == name


def test_two_objects_or_a_query_name_nothing() -> None:
    location = "file:/data/warehouse/core.db/history"
    two = execution("DeleteHoodieTableCommand", location, "Empty@1", "Empty@2")
    query = execution("", location, "Empty@1")
    assert found(two, query, execution("DeleteHoodieTableCommand", "", "Empty@1")) == ""


def test_a_table_of_another_catalog_has_no_default_location() -> None:
    assert session_table_at("file:/lake/core.db/history", SETTINGS.managed_location) == ""
