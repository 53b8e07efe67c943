"""`scripts/attack/damage_store.py`: however a store is damaged, nothing is lost and nothing goes unnoticed."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from support.stores.content import content

sys.path.append(str(Path(__file__).resolve().parents[3] / "scripts" / "attack"))
DAMAGE = importlib.import_module("store_damage")


def tried(seed: int) -> list[Any]:
    """Choose a way of each kind, and two of the kinds with many ways; other seeds choose others.

    All ways, and harvests after `restore`, are for the program.
    """
    chosen = Random(seed)
    kinds = ([way for way in kind if not way.by_user] for kind in DAMAGE.kinds())
    return [way for kind in kinds if kind for way in chosen.sample(kind, 1 if len(kind) < 14 else 2)]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Choose by the seed of the random order, which is in what pytest prints."""
    if "way" in metafunc.fixturenames:
        seed = metafunc.config.getoption("randomly_seed", 0)
        metafunc.parametrize("way", tried(seed if isinstance(seed, int) else 0), ids=lambda way: way.name)


@pytest.fixture(scope="module")
def program() -> ModuleType:
    return importlib.import_module("damage_store")


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory, small_stores: Callable[[Path, int], Path]) -> dict[int, Path]:
    return {number: small_stores(tmp_path_factory.mktemp("nights") / str(number), number) for number in (1, 2, 3)}


@pytest.fixture(scope="module")
def expected(nights: dict[int, Path]) -> dict[int, dict[str, list[str]]]:
    return {number: content(store) for number, store in nights.items()}


def test_there_are_many_ways_and_each_is_another_one() -> None:
    assert len({way.name for way in DAMAGE.ways()}) == len(DAMAGE.ways()) >= 60


def test_each_run_tries_every_kind_and_many_runs_try_all_ways() -> None:
    found = [{way.name for way in tried(seed)} for seed in range(300)]
    for kind in DAMAGE.kinds()[:-1]:
        assert all(names & {way.name for way in kind} for names in found)
    assert set().union(*found) == {way.name for way in DAMAGE.ways() if not way.by_user}


def test_a_store_that_is_damaged_loses_nothing(
    program: ModuleType,
    nights: dict[int, Path],
    expected: dict[int, dict[str, list[str]]],
    tmp_path: Path,
    way: Any,
) -> None:
    assert list(program.failures(way, nights[2], expected, tmp_path, go_on=False)) == []


@pytest.mark.slow
def test_a_store_whose_runs_may_not_be_read_is_reported_and_repaired(program: ModuleType) -> None:
    (way,) = (way for way in DAMAGE.ways() if way.name == "take the rights to the runs")
    assert way.by_user, "root may read all files: the program tries it as the user nobody"
    assert list(program.attack((way,))) == []
