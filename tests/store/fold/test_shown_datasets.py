"""What statements show of datasets, and in which words: no harvest decides it, whichever traces their lineage."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eventlog_lineage.store.writer import HarvestFacts, open_for_harvest
from support.stores.content import content, rows
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
            literal = draw(st.sampled_from(["", " - 1", " - 2"]))
            column = f"amount_{known.index(statement)}"
            night.statement(
                [(f"{source}!amount", column, "IDENTITY"), (f"{source}!day", "", "FILTER", f"day = {day}{literal}")],
                target=target,
                execution=execution,
                literal=literal,
            )
            night.rows["lineage_edges"][-1]["pattern"] = "day = ?"
            night.show_place(source, source_place)
            night.dataset(target, target_place, file_format)
        if draw(st.booleans()):
            night.place(draw(st.sampled_from(TABLES)), draw(st.sampled_from(PLACES)))
        made.append(night)
    return made


def harvested(made: Sequence[Night]) -> dict[str, list[str]]:
    """The content of a store after some harvests, which trace what the store does not have."""
    store, known = MemoryStore(), dict[str, datetime]()
    for night in made:
        traced = night.traced(known)
        traced.harvest(store)
        known.update((row["lineage_id"], row["traced_at"]) for row in traced.rows["lineages"])
    found = content(store)
    store.close()
    return found


@settings(max_examples=100 if "HYPOTHESIS_SEARCH" in os.environ else 3)
@given(made=nights(), order=st.randoms(use_true_random=False))
def test_nights_in_any_order_show_what_one_harvest_of_all_shows(made: list[Night], order: Random) -> None:
    at_once = harvested([together(*made)])
    shuffled = order.sample(made, len(made))
    assert harvested(shuffled) == at_once
    assert harvested([*made, shuffled[0]]) == at_once, "in order, and one again"


def test_a_view_stays_one_when_a_statement_that_drops_it_shows_no_more_than_its_name(new_store: MemoryStore) -> None:
    view = "spark_catalog.mart.top"
    created, dropped, created_again = (Night(day) for day in range(3))
    for night, command in ((created, "CreateViewCommand"), (dropped, "DropTableCommand"), (created_again, "CTAS")):
        night.app(name="one")
        night.statement(target=view, mode=command, command=command)
    created.rows["shown_datasets"][-1] |= {"kind": "view", "format": ""}
    dropped.rows["shown_datasets"][-1] |= {"kind": "table", "format": ""}
    created_again.rows["shown_datasets"][-1] |= {"kind": "table", "format": "parquet"}
    kinds = []
    for night in (created, dropped, created_again):
        night.harvest(new_store)
        kinds += new_store.rows("SELECT kind FROM datasets")
    assert kinds == [("view",), ("view",), ("table",)]


def dated(day: int) -> Night:
    """A night of a statement with the night's date in its condition, which inserts into two tables."""
    night = Night(day)
    night.app(name="one")
    condition = (f"{TABLES[0]}!day", "", "FILTER")
    night.statement(
        [(f"{TABLES[0]}!amount", "amount", "IDENTITY"), condition], target=TABLES[1], literal=f" = 2026-11-{day}"
    )
    uses, edges = night.rows["lineage_io"], night.rows["lineage_edges"]
    uses.append(uses[-1] | {"dataset": TABLES[2]})
    edges += [edge | {"target_dataset": TABLES[2], "position": edge["position"] + 2} for edge in edges]
    return night


@pytest.mark.parametrize("days", [[11, 12, 13], [13, 11, 12], [12, 13, 11]])
def test_edges_of_statements_that_differ_in_dates_alone_have_the_first_date(
    days: list[int], new_store: MemoryStore
) -> None:
    for day in days:
        dated(day).harvest(new_store)
    assert words(new_store) == WORDS


@pytest.mark.parametrize(("is_reprocessed", "expected"), [(False, 11), (True, 13)])
def test_a_reprocessed_lineage_has_the_words_of_the_logs_that_are_read_whose_secrets_may_be_masked_now(
    is_reprocessed: bool, expected: int, tmp_path: Path
) -> None:
    dated(11).harvest(tmp_path)
    later = dated(13)
    with open_for_harvest(tmp_path) as writer:
        later.write(writer.staging_dir)
        writer.publish(HarvestFacts(later.start, is_reprocessed=is_reprocessed))
    found = rows(tmp_path, "SELECT DISTINCT expression FROM column_lineage WHERE transformation = 'FILTER'")
    assert found == [(f"day = 2026-11-{expected}",)]


def test_both_tables_of_an_insert_keep_their_edges_when_several_nights_are_harvested_at_once(
    new_store: MemoryStore,
) -> None:
    together(*(dated(day) for day in (11, 12, 13))).harvest(new_store)
    assert words(new_store) == WORDS


WORDS = [(table, "FILTER", "day = 2026-11-11") for table in TABLES[1:]]


def words(store: MemoryStore) -> list[tuple[object, ...]]:
    """The conditions of all edges, by target."""
    edges = "SELECT target_dataset, transformation, expression FROM column_lineage"
    return store.rows(f"{edges} WHERE transformation = 'FILTER' ORDER BY 1")
