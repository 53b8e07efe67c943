"""A log of a real Spark over MariaDB, Redis, MongoDB, XML, and saves to three systems without a server."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from eventlog_lineage.connectors.connector import SourceRule
from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.records import AssembledLog
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import TracedStatement, source_gaps, trace_log
from support.connector_logs import LOGS, edges

MYSQL, MONGO = "mysql://127.0.0.1:3388/crm", "mongodb://127.0.0.1:27098/depot"
PEOPLE, XML = "spark_catalog.default.people", "file:///tmp/connector_logs/systems-3.5/people.xml"
RULES = (
    SourceRule("sqlserver://db1:1433", "shop", table="dbo.*"),
    SourceRule("mysql://127.0.0.1:3388", "crm", "jdbc"),
)
READS = {
    "mariadb": {
        f"id {MYSQL}.tickets.id IDENTITY",
        f"t {MYSQL}.tickets.title TRANSFORMATION",
        f"* {MYSQL}.tickets.score FILTER",
    },
    "mariadb query": {
        f"name {MYSQL}.agents.name IDENTITY",
        f"top {MYSQL}.tickets.score AGGREGATION",
        f"* {MYSQL}.agents.id JOIN",
        f"* {MYSQL}.tickets.agent_id JOIN",
        f"* {MYSQL}.agents.name GROUP_BY",
    },
    "mongodb": {
        f"id {MONGO}.people.id IDENTITY",
        f"nc {MONGO}.people.name TRANSFORMATION",
        f"nc {MONGO}.people.city TRANSFORMATION",
    },
    "xml": {f"id {XML}.id IDENTITY", f"c {XML}.city TRANSFORMATION"},
}
WRITES = {
    "mariadb save": (f"{MYSQL}.agents", {"id id", "name name"}),
    "redis save": ("redis://127.0.0.1:6388/cities", {"city city"}),
    "mongodb save": ("target:unknown@", {"id id", "label name"}),
    "mongodb save later": ("target:unknown@", {"id id", "place city"}),
    "xml save": ("file:///tmp/connector_logs/systems-3.5/copies.xml", {"id id", "n name"}),
    "snowflake save": ("snowflake:SHOP.S.CITIES", {"id id", "city city"}),
    "mssql save": ("sqlserver://db1:1433/shop.dbo.ids", {"id id"}),
    "kudu save": ("kudu://k1.acme.com:7051/shop.people", {"id id", "name name"}),
}


@cache
def log() -> AssembledLog:
    (found,) = find_logs([str(LOGS / "systems-3.5.zstd")])
    return replace(read_log(found), source_rules=RULES)


@cache
def statements() -> dict[str, TracedStatement]:
    return {each.root.description: each for each in trace_log(log())}


@pytest.mark.parametrize("name", READS)
def test_a_read_has_the_sources_that_its_author_wrote_down(name: str) -> None:
    assert edges(statements()[name]) == READS[name]


@pytest.mark.parametrize("name", WRITES)
def test_a_save_has_its_target_and_columns(name: str) -> None:
    target, columns = WRITES[name]
    lineage = statements()[name].lineage
    assert lineage.target is not None
    assert lineage.target.name.partition("local-")[0] == target
    assert {
        f"{e.target_column} {e.source_column}" for e in lineage.edges if e.target_column and e.source_column
    } == columns
    assert {e.source_dataset for e in lineage.edges if e.source_column} == {PEOPLE}


def test_what_the_plans_do_not_print_is_a_gap() -> None:
    assert [gap.reason for gap in statements()["redis"].lineage.gaps] == ["unknown_source"]
    assert [gap.reason for gap in statements()["mongodb save"].lineage.gaps] == ["unknown_target"]
    assert [gap.detail for gap in source_gaps(log())] == [
        "the log does not print the account (sfURL) of these Snowflake tables: CITIES",
        "the plans do not print the filters that MongoDB applies to these tables: mongodb:depot.people",
    ]


def test_a_target_that_an_option_may_name_is_a_dataset_of_its_own() -> None:
    found = {statements()[name].lineage.target for name in ("mongodb save", "mongodb save later")}
    assert len(found) == 2  # the settings name a collection, and the log does not show that no option does


def test_a_relation_that_nothing_names_is_a_dataset_of_its_own() -> None:
    (dataset,) = {e.source_dataset for e in statements()["redis"].lineage.edges if e.source_dataset}
    assert dataset is not None
    assert dataset.startswith("redis:unknown@local-")
