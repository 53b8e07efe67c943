"""A column is masked where every path that brings its values masks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from support.stores.content import rows
from support.stores.memory import MemoryStore
from support.stores.nights import Night

RAW, HASHED, COPY, MIXED, JOINED = (f"spark_catalog.db.{name}" for name in ("raw", "hashed", "copy", "mixed", "joined"))


def masks(night: Night, *expressions: str) -> None:
    """Mark the edges with these expressions as masking, as the harvest does for `sha2` and `count`."""
    for row in night.rows["lineage_edges"]:
        if row["expression"] in expressions:
            row["masking"] = True


@pytest.fixture(scope="module")
def store() -> Iterator[MemoryStore]:
    """Raw.email is hashed, the hash is copied and joined by; mixed has the hash in one job, the email in another."""
    made = Night()
    made.app()
    made.statement([(f"{RAW}!email", "h", "TRANSFORMATION", "sha2(raw.email, 256)")], target=HASHED, execution=1)
    made.statement([(f"{HASHED}!h", "c", "IDENTITY", "hashed.h")], target=COPY, execution=2)
    made.statement([(f"{COPY}!c", "m", "IDENTITY", "copy.c")], target=MIXED, execution=3)
    made.statement([(f"{RAW}!email", "m", "IDENTITY", "raw.email")], target=MIXED, mode="append", execution=4)
    made.statement([(f"{RAW}!id", "id", "IDENTITY"), (f"{COPY}!c", "", "JOIN")], target=JOINED, execution=5)
    masks(made, "sha2(raw.email, 256)")
    kept = MemoryStore()
    made.harvest(kept)
    yield kept
    kept.close()


def test_a_copy_of_a_hash_is_masked_and_its_own_edge_masks_nothing(store: MemoryStore) -> None:
    found = rows(store, "SELECT target_dataset, target_column, masking, masked FROM downstream('raw.email')")
    assert (HASHED, "h", True, True) in found
    assert (COPY, "c", False, True) in found


def test_one_path_without_a_mask_makes_a_column_unmasked(store: MemoryStore) -> None:
    found = rows(store, "SELECT DISTINCT masked FROM downstream('raw.email') WHERE target_dataset LIKE '%mixed'")
    assert found == [(False,)]
    assert rows(store, f"SELECT masked FROM impact('raw.email') WHERE dataset = '{MIXED}'") == [(False,)]


def test_a_limited_depth_does_not_hide_an_unmasked_path(store: MemoryStore) -> None:
    found = "SELECT masked FROM upstream('mixed.m', max_depth := 3) WHERE source_dataset LIKE '%raw'"
    assert {masked for (masked,) in rows(store, found)} == {False}
    assert rows(store, "SELECT masked FROM upstream('copy.c', max_depth := 1)") == [(False,)]


def test_upstream_says_whether_every_path_from_the_source_masks(store: MemoryStore) -> None:
    found = rows(store, "SELECT source_dataset, source_column, masked FROM upstream('copy.c') ORDER BY depth")
    assert found == [(HASHED, "h", False), (RAW, "email", True)]


def test_an_influence_through_a_hash_only_is_masked(store: MemoryStore) -> None:
    found = rows(store, f"SELECT dependency, masked FROM impact('raw.email') WHERE dataset = '{JOINED}'")
    assert found == [("INDIRECT", True)]
    assert rows(store, f"SELECT masked FROM impact('copy.c') WHERE dataset = '{JOINED}'") == [(False,)]


def test_a_filter_next_to_a_hash_does_not_make_the_hash_readable(new_store: MemoryStore) -> None:
    made = Night()
    made.app()
    edges = [(f"{RAW}!email", "h", "TRANSFORMATION", "md5(raw.email)"), (f"{RAW}!email", "", "FILTER", "isnotnull")]
    made.statement(edges, target=HASHED, execution=1)
    made.statement([(f"{HASHED}!h", "c", "IDENTITY", "hashed.h")], target=COPY, execution=2)
    masks(made, "md5(raw.email)")
    made.harvest(new_store)
    found = rows(new_store, "SELECT dataset, column_name, dependency, masked FROM impact('raw.email')")
    assert set(found) == {
        (HASHED, "h", "DIRECT", True),
        (HASHED, None, "INDIRECT", False),
        (COPY, "c", "DIRECT", True),
    }


def test_a_dataset_has_no_masks(store: MemoryStore) -> None:
    assert {row[0] for row in rows(store, "SELECT masked FROM downstream('db.raw')")} == {None}


MESH = [
    ("a!x", "b!x", "IDENTITY", "m"),
    ("a!x", "b!y", "TRANSFORMATION", "e"),
    ("a!y", "b!y", "AGGREGATION", "m"),
    ("a!y", "b!", "FILTER", "e"),
    ("b!x", "c!x", "IDENTITY", "e"),
    ("b!y", "c!x", "WINDOW", "e"),
    ("b!y", "c!y", "CONDITIONAL", "m"),
    ("b!x", "c!", "JOIN", "m"),
    ("c!x", "d!x", "TRANSFORMATION", "m"),
    ("c!y", "d!x", "IDENTITY", "e"),
    ("d!x", "b!y", "IDENTITY", "e"),
]
"""Edges of four tables in a circle (source, target, kind, expression); those with the expression `m` mask."""


def states(start: str) -> dict[str, set[tuple[bool, bool]]]:
    """Every column that an edge reaches from one, with its paths: whether a step influences, whether a step masks."""
    found, reached = {(start, False, False)}, set()
    for _ in range(4 * len(MESH)):
        for (here, indirect, masked), (source, target, kind, expression) in product(list(found), MESH):
            if source == here or (here.endswith("!") and source.startswith(here)):
                influence = kind not in {"IDENTITY", "TRANSFORMATION", "AGGREGATION"}
                found.add((target, indirect or influence, masked or expression == "m"))
                reached.add(target)
    return {name: {each[1:] for each in found if each[0] == name} for name in reached}


def is_masked(paths: set[tuple[bool, bool]]) -> bool:
    values = {masked for indirect, masked in paths if not indirect}
    return all(values) if values else all(masked for _, masked in paths)


def test_masks_in_a_circle_of_tables_are_those_of_all_its_paths(new_store: MemoryStore) -> None:
    made = Night()
    made.app()
    for number, table in enumerate("bcd", 1):
        edges = [
            (f"c.s.{source}", target[2:], kind, expression)
            for source, target, kind, expression in MESH
            if target.startswith(table)
        ]
        made.statement(edges, target=f"c.s.{table}", execution=number)
    masks(made, "m")
    made.harvest(new_store)
    for start in ("a!x", "a!y", "b!x", "b!y", "c!x", "c!y", "d!x"):
        expected = {
            (target[0], target[2:] or None, is_masked(paths), any(not indirect for indirect, _ in paths))
            for target, paths in states(start).items()
        }
        found = rows(
            new_store,
            "SELECT dataset[5:], column_name, masked, dependency = 'DIRECT' "
            f"FROM impact('s.{start.replace('!', '.')}')",
        )
        assert set(found) == expected, start
