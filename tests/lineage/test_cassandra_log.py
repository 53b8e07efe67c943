"""A log of a real Spark over Cassandra (`scripts/connectors/cassandra.py`): its source, its catalog, a direct join."""

from __future__ import annotations

from functools import cache

import pytest

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import TracedStatement, trace_log
from support.connector_logs import LOGS, edges

DEPOT = "cassandra://127.0.0.1:9944/depot"
OUT, PARCELS = "file:///tmp/connector_logs/cassandra-3.5/out", f"{DEPOT}.parcels"
LOOKED_UP = "spark_catalog.default.wanted"
TRUTH: dict[str, tuple[str, set[str]]] = {
    "read": (
        f"{OUT}/read",
        {f"id {PARCELS}.id IDENTITY", f"place {PARCELS}.town TRANSFORMATION", f"* {PARCELS}.weight FILTER"},
    ),
    "pushed": (
        f"{OUT}/pushed",
        {f"id {PARCELS}.id IDENTITY", f"town {PARCELS}.town IDENTITY", f"* {PARCELS}.id FILTER"},
    ),
    "catalog": (
        f"{OUT}/catalog",
        {
            f"town {PARCELS}.town IDENTITY",
            f"total {PARCELS}.weight AGGREGATION",
            f"* {PARCELS}.state FILTER",
            f"* {PARCELS}.town GROUP_BY",
        },
    ),
    "join": (
        f"{OUT}/join",
        {
            f"id {PARCELS}.id IDENTITY",
            f"region {DEPOT}.towns.region IDENTITY",
            f"* {PARCELS}.town JOIN",
            f"* {DEPOT}.towns.town JOIN",
        },
    ),
    "direct join": (
        f"{OUT}/direct_join",
        {
            f"parcel {LOOKED_UP}.parcel IDENTITY",
            f"weight {PARCELS}.weight IDENTITY",
            f"state {PARCELS}.state IDENTITY",
            f"* {PARCELS}.id JOIN",
            f"* {LOOKED_UP}.parcel JOIN",
        },
    ),
    "save": (
        "target:unknown@",
        {f"town {PARCELS}.town IDENTITY", f"total {PARCELS}.weight AGGREGATION", f"* {PARCELS}.town GROUP_BY"},
    ),
    "insert": (
        "target:unknown@",
        {f"town {PARCELS}.town IDENTITY", f"total {PARCELS}.weight IDENTITY", f"* {PARCELS}.id FILTER"},
    ),
    "create": (f"{DEPOT}.heavy", {f"id {PARCELS}.id IDENTITY", f"weight {PARCELS}.weight TRANSFORMATION"}),
}


@cache
def statements() -> dict[str, TracedStatement]:
    (log,) = find_logs([str(LOGS / "cassandra-3.5.zstd")])
    return {each.root.description: each for each in trace_log(read_log(log))}


@pytest.mark.parametrize("name", TRUTH)
def test_a_statement_has_the_lineage_that_its_author_wrote_down(name: str) -> None:
    target, expected = TRUTH[name]
    statement = statements()[name]
    assert statement.lineage.target is not None
    assert statement.lineage.target.name.partition("local-")[0] == target
    assert edges(statement) == expected


def test_the_table_of_a_write_that_its_plan_does_not_print_is_a_gap() -> None:
    gaps = {name: [gap.reason for gap in statements()[name].lineage.gaps] for name in TRUTH}
    assert {name for name, found in gaps.items() if found} == {"save", "insert"}
    assert gaps["save"] == gaps["insert"] == ["unknown_target"]


def test_a_direct_join_has_the_pair_of_its_keys() -> None:
    (join,) = statements()["direct join"].lineage.joins
    assert {join.left_column, join.right_column} == {"parcel", "id"}
