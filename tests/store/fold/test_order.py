"""The order in which nights are harvested does not matter: the runs' times decide."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.stores.content import check_parquet, content
from support.stores.memory import MemoryStore
from support.stores.nights import Night

TABLES = [f"spark_catalog.db.{name}" for name in "abc"]
PLACES = ["file:///wh/one", "file:///wh/two"]

EDGE = st.tuples(
    st.sampled_from([*(f"{name}!x" for name in (*TABLES, *PLACES)), ""]),
    st.sampled_from(["x", "y", ""]),
    st.sampled_from(["IDENTITY", "FILTER"]),
)


@st.composite
def nights(draw: st.DrawFn) -> list[Night]:
    """Two or three nights of a few statements, some with places of tables, literals and failures."""
    made = []
    for day in range(draw(st.integers(2, 3))):
        night = Night(day)
        night.app(name=draw(st.sampled_from(["one 2026-11-20", "two"])))
        for execution in range(draw(st.integers(1, 3))):
            edges = draw(st.lists(EDGE, min_size=1, max_size=3, unique_by=lambda edge: edge[:2]))
            night.statement(
                [(source, column or ("" if source else "x"), kind) for source, column, kind in edges],
                target=draw(st.sampled_from([*TABLES, PLACES[0], None])),
                execution=execution,
                minute=day * 10 + execution,
                literal=draw(st.sampled_from(["", f"-{day}"])),
                status=draw(st.sampled_from(["succeeded", "succeeded", "failed"])),
            )
        for table in draw(st.lists(st.sampled_from(TABLES), max_size=2, unique=True)):
            night.place(table, draw(st.sampled_from(PLACES)))
        made.append(night)
    return made


def harvested(store: Path | MemoryStore, hand_overs: Sequence[Night]) -> dict[str, list[str]]:
    """The content of a store after some harvests."""
    for night in hand_overs:
        night.harvest(store)
    return content(store)


@settings(max_examples=50 if "HYPOTHESIS_SEARCH" in os.environ else 3)
@given(made=nights(), order=st.randoms(use_true_random=False))
def test_nights_in_any_order_and_harvested_again_make_the_same_store(
    tmp_path_factory: pytest.TempPathFactory, made: list[Night], order: Random
) -> None:
    published, store = tmp_path_factory.mktemp("published"), MemoryStore()
    in_order = harvested(published, made)
    check_parquet(published)
    shuffled = order.sample(made, len(made))
    assert harvested(store, shuffled) == in_order
    assert harvested(store, made) == in_order
    store.close()
