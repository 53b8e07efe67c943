"""Traces that go through datasets without showing them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from eventlog_lineage.store.queries.dependants import find_changed, impact
from eventlog_lineage.store.queries.paths import paths, shortened, trace, unmatched
from support.stores.memory import MemoryStore
from support.stores.nights import Night

RAW, STAGED, AGAIN, MART = (f"spark_catalog.{name}.orders" for name in ("raw", "staging", "staging2", "mart"))


@pytest.fixture(scope="module")
def store() -> Iterator[MemoryStore]:
    made = Night()
    made.app()
    made.statement([(f"{RAW}!a", "x", "TRANSFORMATION"), (f"{RAW}!k", "", "FILTER")], target=STAGED)
    made.statement([(f"{STAGED}!x", "y", "IDENTITY")], target=AGAIN, execution=2)
    made.statement([(f"{AGAIN}!y", "z", "AGGREGATION"), (f"{RAW}!b", "w", "IDENTITY")], target=MART, execution=3)
    made.statement([(f"{MART}!z", "q", "IDENTITY")], target="spark_catalog.gold.orders", execution=4)
    found = MemoryStore()
    made.begin(found)
    yield found
    found.close()


def edges(store: MemoryStore, name: str, *skip: str, up: bool) -> list[tuple[Any, ...]]:
    ends = ("source_dataset", "source_column", "target_dataset", "target_column")
    names = ("depth", *ends, "dependency", "transformation")
    return [tuple(row[each] for each in names) for row in trace(store.opened, name, up=up, skip=skip).records()]


def test_an_edge_past_a_skipped_dataset_has_the_strongest_kind_of_both(store: MemoryStore) -> None:
    assert edges(store, "mart.orders.z", "staging*", up=True) == [
        (1, RAW, "a", MART, "z", "DIRECT", "AGGREGATION"),
        (1, RAW, "k", MART, "z", "INDIRECT", "FILTER"),
    ]


def test_downstream_goes_through_as_well_and_counts_hops_that_it_shows(store: MemoryStore) -> None:
    assert edges(store, "raw.orders.a", "staging.orders", "staging2.orders", up=False) == [
        (1, RAW, "a", MART, "z", "DIRECT", "AGGREGATION"),
        (2, MART, "z", "spark_catalog.gold.orders", "q", "DIRECT", "IDENTITY"),
    ]


def test_a_trace_between_datasets_skips_as_well(store: MemoryStore) -> None:
    found = {(row[1], row[3]) for row in edges(store, "mart.orders", "staging*", up=True)}
    assert found == {(RAW, MART)}


def test_the_dataset_that_is_asked_for_is_shown_and_an_end_that_is_skipped_is_not(store: MemoryStore) -> None:
    assert edges(store, "staging.orders.x", "*", up=True) == []
    assert [row[3] for row in edges(store, "staging2.orders.y", "staging*", "gold.*", up=False)] == [MART]


def test_nothing_changes_where_no_pattern_matches(store: MemoryStore) -> None:
    assert edges(store, "mart.orders.z", "temp", "other.*", up=True) == edges(store, "mart.orders.z", up=True)


def test_the_short_form_has_the_same_edges(store: MemoryStore) -> None:
    short = shortened(trace(store.opened, "mart.orders.z", up=True, skip=("staging*",)))
    assert [(row["source"], row["target"]) for row in short.records()] == [
        (f"{RAW}.a", f"{MART}.z"),
        (f"{RAW}.k", f"{MART}.z"),
    ]


def test_a_path_goes_through_skipped_datasets(store: MemoryStore) -> None:
    found, _ = paths(store.opened, "raw.orders.a", "gold.orders.q", 10, ("staging*", "gold.*"))
    ends = [
        (row["step"], row["source_dataset"], row["target_dataset"], row["transformation"]) for row in found.records()
    ]
    assert ends == [(1, RAW, MART, "AGGREGATION"), (2, MART, "spark_catalog.gold.orders", "IDENTITY")]
    assert paths(store.opened, "raw.orders.a", "gold.orders.q", 10)[0].rows[-1][1] == 4


def test_impact_leaves_out_skipped_datasets_and_keeps_what_depends_on_them(store: MemoryStore) -> None:
    found = impact(store.opened, find_changed(store.opened, "raw.orders.a"), ("staging*",))
    assert [(row["dataset"], row["column_name"], row["depth"]) for row in found.records()] == [
        (MART, "z", 1),
        ("spark_catalog.gold.orders", "q", 2),
    ]


def chained(*edges: tuple[str, str, str]) -> MemoryStore:
    """A store in which each edge (source column, transformation, confidence) leads through a view to the next one."""
    made = Night()
    made.app()
    names = [RAW, *(f"v{number}" for number in range(1, len(edges))), MART]
    for number, (column, kind, _) in enumerate(edges):
        target = "" if kind == "FILTER" else f"c{number}"
        made.statement([(f"{names[number]}!{column}", target, kind)], target=names[number + 1], execution=number + 1)
    for row, (_, _, confidence) in zip(made.rows["lineage_edges"], edges, strict=True):
        row["confidence"] = confidence
    for row in made.rows["shown_datasets"]:
        row["kind"] = "temp_view" if row["dataset"].startswith("v") else row["kind"]
    found = MemoryStore()
    made.begin(found)
    return found


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        ([("a", "TRANSFORMATION", "exact"), ("c0", "IDENTITY", "exact")], ("TRANSFORMATION", "a", "exact")),
        ([("a", "IDENTITY", "exact"), ("c0", "AGGREGATION", "exact")], ("AGGREGATION", "c0", "exact")),
        ([("a", "TRANSFORMATION", "inferred"), ("c0", "AGGREGATION", "exact")], ("AGGREGATION", "c0", "inferred")),
        ([("a", "AGGREGATION", "exact"), ("c0", "IDENTITY", "opaque")], ("AGGREGATION", "a", "opaque")),
        ([("a", "IDENTITY", "exact"), ("c0", "FILTER", "inferred")], ("FILTER", "c0", "inferred")),
        ([("a", "FILTER", "exact"), ("c0", "IDENTITY", "exact")], ("FILTER", "a", "exact")),
        (
            [("a", "IDENTITY", "exact"), ("c0", "AGGREGATION", "exact"), ("c1", "TRANSFORMATION", "exact")],
            ("AGGREGATION", "c0", "exact"),
        ),
    ],
)
@pytest.mark.parametrize("up", [True, False])
def test_an_edge_past_views_has_one_steps_kind_and_expression_and_the_last_steps_job(
    edges: list[tuple[str, str, str]], expected: tuple[str, str, str], up: bool
) -> None:
    store = chained(*edges)
    asked = "mart.orders" if edges[-1][1] == "FILTER" else f"mart.orders.c{len(edges) - 1}"
    (edge,) = trace(store.opened, asked if up else "raw.orders.a", up=up, skip=("temp",)).records()
    assert (edge["source_dataset"], edge["target_dataset"]) == (RAW, MART)
    assert edge["job_name"] == "nightly sales: orders InsertInto"
    if asked != "mart.orders" or not up:
        assert (edge["transformation"], edge["expression"], edge["confidence"]) == expected
    store.close()


def test_patterns_that_match_nothing_are_known(store: MemoryStore) -> None:
    assert unmatched(store.opened, ["staging*", "stagin.*", "temp", "RAW.orders", "nothing"]) == ["stagin.*", "nothing"]
