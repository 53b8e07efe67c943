"""What statements show of datasets: the times of their runs decide, whichever harvest traces their lineage."""

from __future__ import annotations

import os
from collections.abc import Sequence
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from support.stores.content import content
from support.stores.memory import MemoryStore
from support.stores.nights import Night, together

TABLES = [f"spark_catalog.db.{name}" for name in "abc"]
PLACES = ["file:///wh/one", "file:///wh/two", "file:///wh/three"]


@st.composite
def nights(draw: st.DrawFn) -> list[Night]:
    """Some nights of statements that show tables at one of several places, in one of two formats; many run again."""
    statements = st.tuples(
        st.sampled_from(TABLES),
        st.sampled_from(TABLES),
        st.sampled_from(PLACES),
        st.sampled_from(["", *PLACES]),
        st.sampled_from(["orc", "parquet"]),
    )
    known = draw(st.lists(statements, min_size=2, max_size=4, unique=True))
    made = []
    for day in range(draw(st.integers(2, 4))):
        night = Night(day)
        night.app(name="one")
        for execution, statement in enumerate(draw(st.lists(st.sampled_from(known), min_size=1, max_size=3)), 1):
            source, target, source_place, target_place, file_format = statement
            column = f"amount_{known.index(statement)}"
            night.statement([(f"{source}!amount", column, "IDENTITY")], target=target, execution=execution)
            night.show_place(source, source_place)
            night.dataset(target, target_place, file_format)
        if draw(st.booleans()):
            night.place(draw(st.sampled_from(TABLES)), draw(st.sampled_from(PLACES)))
        made.append(night)
    return made


def harvested(made: Sequence[Night]) -> dict[str, list[str]]:
    """The content of a store after some harvests, which trace what the store does not have."""
    store, known = MemoryStore(), set[str]()
    for night in made:
        night.without(known).harvest(store)
        known.update(row["lineage_id"] for row in night.rows["lineages"])
    found = content(store)
    store.close()
    return found


@settings(max_examples=100 if "HYPOTHESIS_SEARCH" in os.environ else 5)
@given(made=nights(), order=st.randoms(use_true_random=False))
def test_nights_in_any_order_show_what_one_harvest_of_all_shows(made: list[Night], order: Random) -> None:
    at_once = harvested([together(*made)])
    shuffled = order.sample(made, len(made))
    assert harvested(shuffled) == at_once
    assert harvested([*made, shuffled[0]]) == at_once, "in order, and one again"
