"""A warehouse with OpenLineage's agent on some jobs and this harvest on the rest sees each dataset once.

`logs/agent.zstd` is the event log of a job that ran under the agent, `logs/agent.ndjson` what the agent says of its
datasets (scripts/make_export_logs.py).
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eventlog_lineage.datasets.naming import path_name
from eventlog_lineage.export.runs import Selection
from support.stores.exports import LOGS, Event, events
from support.stores.rows import rows
from support.stores.staged_logs import harvest_logs

Dataset = tuple[str, str]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("agent")
    harvest_logs(path, [LOGS / "agent.zstd"])
    return path


@pytest.fixture(scope="module")
def agents() -> list[Event]:
    lines = (LOGS / "agent.ndjson").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def datasets(found: list[Event]) -> list[Event]:
    """All datasets of events."""
    return [dataset for event in found for side in ("inputs", "outputs") for dataset in event[side]]


def name_of(dataset: Event) -> Dataset:
    """Namespace and name; to read a file's header the agent names the file, which is the folder's."""
    name = dataset["name"]
    return dataset["namespace"], path_name(name).removeprefix("file://") if dataset["namespace"] == "file" else name


def test_the_agents_names_are_those_of_the_store(store: Path, agents: list[Event]) -> None:
    known = set(rows(store, "SELECT namespace, name FROM datasets WHERE kind NOT IN ('view', 'temp_view')"))
    assert known == {name_of(dataset) for dataset in datasets(agents)}
    assert len(known) == 7


def test_the_exports_names_and_symlinks_are_the_agents(store: Path, agents: list[Event]) -> None:
    """A view is read through; an export has its definition too, which the agent leaves out."""
    ours, theirs = ({(*name_of(each), *symlink(each)) for each in datasets(found)} for found in (events(store), agents))
    assert ours - theirs == {("file", "/tmp/export_logs/warehouse/sales.db/rich")}
    assert theirs - ours == set()


def symlink(dataset: Event) -> tuple[str, ...]:
    """The identifiers of a dataset's symlinks."""
    identifiers = dataset.get("facets", {}).get("symlinks", {}).get("identifiers", [])
    return tuple(f"{each['type']} {each['namespace']} {each['name']}" for each in identifiers)


def test_types_are_the_agents(store: Path, agents: list[Event]) -> None:
    ours, theirs = (types(found) for found in (events(store), agents))
    shared = ours.keys() & theirs.keys()
    assert len(shared) >= 15
    differing = {key: (ours[key], theirs[key]) for key in shared if not ours[key] & theirs[key]}
    assert {key: pair for key, pair in differing.items() if pair[0] != {"unknown"}} == {}


def types(found: list[Event]) -> dict[tuple[str, str, str], set[str]]:
    """Each dataset's columns to their types."""
    known: dict[tuple[str, str, str], set[str]] = {}
    for dataset in datasets(found):
        for field in dataset.get("facets", {}).get("schema", {}).get("fields", []):
            known.setdefault((*name_of(dataset), field["name"]), set()).add(field["type"])
    return known


def test_column_lineage_is_the_agents(store: Path, agents: list[Event]) -> None:
    """What makes the values of each output's columns, over all statements that succeeded.

    The agent says COMPLETE of the statement that failed too; it copies `day` and `region` of the table that it writes.
    """
    ours, theirs = (lineage(found) for found in (events(store, Selection(all_runs=True)), agents))
    assert len(theirs) == 19
    daily = ("file", "/tmp/export_logs/warehouse/sales.db/daily")
    assert theirs - ours == {(daily, column, daily, column) for column in ("day", "region")}
    assert {target for target, *_ in ours - theirs} == {("file", "/tmp/export_logs/warehouse/sales.db/rich")}


def lineage(found: list[Event]) -> set[tuple[Dataset, str, Dataset, str]]:
    """Target, its column, source and its column of the DIRECT edges of completed runs."""
    return {
        (name_of(dataset), column, name_of(source), source["field"])
        for event in found
        if event["eventType"] == "COMPLETE"
        for dataset in event["outputs"]
        for column, field in dataset.get("facets", {}).get("columnLineage", {}).get("fields", {}).items()
        for source in field["inputFields"]
        if any(way["type"] == "DIRECT" for way in source.get("transformations", [{"type": "DIRECT"}]))
    }
