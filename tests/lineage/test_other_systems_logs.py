"""Logs of real Sparks over one other system each (`scripts/connectors/others.py`), and what their statements read.

Kafka, Kudu, MongoDB, Neo4j and files answered; the statements over the systems without a server failed after the log
had their plans.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import pytest

from eventlog_lineage.connectors.connector import SourceRule
from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.records import AssembledLog
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import TracedStatement, source_gaps, trace_log
from support.connector_logs import LOGS, edges

FILES = "spark_catalog.default.people"
SERVERS = {
    "mongodb": "mongodb://127.0.0.1:7959",
    "doris": "doris://127.0.0.1:7957",
    "hbase": "hbase://zk1",
    "kudu": "kudu://127.0.0.1:7951",
    "neo4j": "neo4j://127.0.0.1:7963",
}
MONGO, DORIS, KUDU = f"{SERVERS['mongodb']}/depot", f"{SERVERS['doris']}/shop", f"{SERVERS['kudu']}/shop"
ELASTICSEARCH = "elasticsearch://127.0.0.1:7961"
INDEX, EXCEL = f"{ELASTICSEARCH}/orders", "file:///tmp/connector_logs/excel-3.3"
PERSON = "neo4j://127.0.0.1:7963/Person"
TOPICS = "kafka://unknown"
"""The server of a topic that is read is in no plan."""
SPARKS = {"excel": "3.3"}
"""System to its Spark, unless that is 3.5."""
OUT = "file:///tmp/connector_logs/{system}/out/{name}"

READS: dict[tuple[str, str], set[str]] = {
    ("mongodb", "filter"): {
        f"id {MONGO}.people.id IDENTITY",
        f"nc {MONGO}.people.name TRANSFORMATION",
        f"nc {MONGO}.people.city TRANSFORMATION",
        f"* {MONGO}.people.city FILTER",
    },
    ("mongodb", "two filters"): {
        f"id {MONGO}.people.id IDENTITY",
        f"* {MONGO}.people.city FILTER",
        f"* {MONGO}.people.name FILTER",
    },
    ("mongodb", "count"): {f"* {MONGO}.people.city FILTER"},
    ("mongodb", "join"): {
        f"id {MONGO}.people.id IDENTITY",
        f"name {MONGO}.people.name IDENTITY",
        f"* {MONGO}.people.city FILTER",
        f"* {MONGO}.orders.item FILTER",
        f"* {MONGO}.people.id JOIN",
        f"* {MONGO}.orders.person JOIN",
    },
    ("mongodb", "all"): {f"id {MONGO}.people.id IDENTITY", f"name {MONGO}.people.name IDENTITY"},
    ("elasticsearch", "read"): {
        f"id {INDEX}.id IDENTITY",
        f"c {INDEX}.city TRANSFORMATION",
        f"* {INDEX}.amount FILTER",
    },
    ("excel", "v2 read"): {
        f"id {EXCEL}/excel_v2.xlsx.id IDENTITY",
        f"n {EXCEL}/excel_v2.xlsx.name TRANSFORMATION",
        f"* {EXCEL}/excel_v2.xlsx.city FILTER",
    },
    ("doris", "read"): {f"c {DORIS}.orders.city TRANSFORMATION"},
    ("kafka", "read"): {
        f"k {TOPICS}/orders.key TRANSFORMATION",
        f"v {TOPICS}/orders.value TRANSFORMATION",
        f"* {TOPICS}/orders.partition FILTER",
    },
    ("kafka", "read of two"): {
        f"{column} {TOPICS}/{topic}.{column} IDENTITY" for column in ("value", "topic") for topic in ("orders", "rome")
    },
    ("kafka", "read of a partition"): {f"topic {TOPICS}/orders.topic IDENTITY", f"* {TOPICS}/orders.topic GROUP_BY"},
    ("neo4j", "read"): {
        f"id {PERSON}.id IDENTITY",
        f"n {PERSON}.name TRANSFORMATION",
        f"* {PERSON}.city FILTER",
    },
    ("neo4j", "aggregate"): {
        f"city {PERSON}.city IDENTITY",
        f"most {PERSON}.id AGGREGATION",
        f"* {PERSON}.city GROUP_BY",
    },
    ("neo4j", "query"): {"city neo4j:unknown.city IDENTITY"},
    ("kudu", "read"): {
        f"id {KUDU}.people.id IDENTITY",
        f"n {KUDU}.people.name TRANSFORMATION",
        f"* {KUDU}.people.city FILTER",
    },
}
WRITES: dict[tuple[str, str], tuple[str, set[str]]] = {
    ("doris", "save"): ("target:unknown", {f"id {FILES}.id IDENTITY", f"city {FILES}.city IDENTITY"}),
    ("elasticsearch", "save"): (
        f"{ELASTICSEARCH}/people",
        {f"{name} {FILES}.{name} IDENTITY" for name in ("id", "name", "city")},
    ),
    ("elasticsearch", "copy"): (
        f"{ELASTICSEARCH}/totals",
        {f"city {INDEX}.city IDENTITY", f"* {INDEX}.city GROUP_BY"},
    ),
    ("excel", "save"): (
        f"{EXCEL}/excel.xlsx",
        {f"{name} {FILES}.{name} IDENTITY" for name in ("id", "name", "city")},
    ),
    ("excel", "v2 save"): (
        f"{EXCEL}/excel_v2.xlsx",
        {f"{name} {FILES}.{name} IDENTITY" for name in ("id", "name", "city")},
    ),
    ("eventhubs", "save"): ("", {f"body {FILES}.name IDENTITY"}),
    ("eventhubs", "copy"): ("", {"body eventhubs:unknown.body IDENTITY", "* eventhubs:unknown.partition FILTER"}),
    ("hbase", "save"): ("hbase://zk1/shop:people", {f"id {FILES}.id TRANSFORMATION", f"city {FILES}.city IDENTITY"}),
    ("hbase", "copy"): (
        "hbase://zk1/shop:totals",
        {
            "city hbase://zk1/shop:orders.city IDENTITY",
            "total hbase://zk1/shop:orders.amount AGGREGATION",
            "* hbase://zk1/shop:orders.city GROUP_BY",
        },
    ),
    ("kafka", "save"): (
        "kafka://127.0.0.1:7955/orders",
        {f"key {FILES}.id TRANSFORMATION", f"value {FILES}.name IDENTITY"},
    ),
    ("kafka", "save by row"): ("", {f"value {FILES}.name IDENTITY", f"topic {FILES}.city TRANSFORMATION"}),
    ("kafka", "copy"): (
        "kafka://127.0.0.1:7955/copies",
        {f"key {TOPICS}/orders.key IDENTITY", f"value {TOPICS}/orders.value IDENTITY"},
    ),
    ("kudu", "save"): (f"{KUDU}.people", {f"{name} {FILES}.{name} IDENTITY" for name in ("id", "name", "city")}),
    ("kudu", "copy"): (
        f"{KUDU}.totals",
        {f"city {KUDU}.people.city IDENTITY", f"* {KUDU}.people.id FILTER", f"* {KUDU}.people.city GROUP_BY"},
    ),
    ("neo4j", "save"): ("target:unknown", {f"{name} {FILES}.{name} IDENTITY" for name in ("id", "name", "city")}),
    ("pulsar", "save"): ("pulsar:shop/crm/names", {f"value {FILES}.name IDENTITY"}),
    ("snowflake", "copy"): (
        "snowflake:SHOP.S.COPIES",
        {"CITY snowflake:unknown.CITY IDENTITY", "* snowflake:unknown.ID FILTER"},
    ),
    ("snowflake", "copy of a query"): ("snowflake:SHOP.S.COPIES", {"CITY snowflake:unknown.CITY IDENTITY"}),
}
GAPS = {
    "mongodb": set[str](),
    "doris": {"unprinted_filter"},
    "elasticsearch": set[str](),
    "eventhubs": set[str](),
    "excel": set[str](),
    "hbase": set[str](),
    "kudu": set[str](),
    "neo4j": set[str](),
    "pulsar": {"unknown_source"},
    "snowflake": {"unknown_source"},
}
"""System to the gaps of the application: its server, the filters that it applies."""


def log_name(system: str) -> str:
    return f"{system}-{SPARKS.get(system, '3.5')}"


@cache
def log(system: str) -> AssembledLog:
    (found,) = find_logs([str(LOGS / f"{log_name(system)}.zstd")])
    rules = (SourceRule(SERVERS[system], connector=system),) if system in SERVERS else ()
    return replace(read_log(found), source_rules=rules)


@cache
def statements(system: str) -> dict[str, TracedStatement]:
    return {each.root.description: each for each in trace_log(log(system))}


def named(text: str) -> str:
    """A name without the application and the digest of an unnamed dataset."""
    return re.sub(r"unknown@[\w-]+/[0-9a-f]+", "unknown", text)


@pytest.mark.parametrize(("system", "name"), READS)
def test_a_read_has_the_sources_that_its_author_wrote_down(system: str, name: str) -> None:
    found = statements(system)[f"{system} {name}"]
    assert found.lineage.target is not None
    out = f"{system} {name}".replace(" ", "_")
    assert found.lineage.target.name == OUT.format(system=log_name(system), name=out)
    assert set(map(named, edges(found))) == READS[system, name]


@pytest.mark.parametrize(("system", "name"), WRITES)
def test_a_write_has_its_target_and_its_sources(system: str, name: str) -> None:
    target, expected = WRITES[system, name]
    found = statements(system)[f"{system} {name}"]
    name = named(found.lineage.target.name) if found.lineage.target is not None else ""
    assert (name, set(map(named, edges(found)))) == (target, expected)
    assert target or "unknown_target" in {gap.reason for gap in found.lineage.gaps}


@pytest.mark.parametrize("system", GAPS)
def test_what_no_plan_prints_is_one_gap_of_the_application(system: str) -> None:
    assert {str(gap.reason) for gap in source_gaps(log(system))} == GAPS[system]
    assert len(source_gaps(log(system))) == len(GAPS[system])
