"""`scripts/attack/damage_store.py`: however a store is damaged, nothing is lost and nothing goes unnoticed."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from support.harvesting import small_night
from support.store_content import content

sys.path.append(str(Path(__file__).resolve().parents[3] / "scripts" / "attack"))
WAYS = importlib.import_module("store_damage").ways()

TRIED = [way for number, way in enumerate(WAYS) if number % 2 == 0 and not way.by_user]
"""Half of them; all of them, and harvests after `restore`, are for the program."""


@pytest.fixture(scope="module")
def program() -> ModuleType:
    return importlib.import_module("damage_store")


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    stores = {number: tmp_path_factory.mktemp("nights") / str(number) for number in (1, 2, 3)}
    for number, store in stores.items():
        for day in range(number):
            small_night(day).harvest(store)
    return stores


@pytest.fixture(scope="module")
def expected(nights: dict[int, Path]) -> dict[int, dict[str, list[str]]]:
    return {number: content(store) for number, store in nights.items()}


def test_there_are_many_ways_and_each_is_another_one() -> None:
    assert len({way.name for way in WAYS}) == len(WAYS) >= 60
    assert len(TRIED) >= 30


@pytest.mark.parametrize("way", TRIED, ids=lambda way: way.name)
def test_a_store_that_is_damaged_loses_nothing(
    program: ModuleType,
    nights: dict[int, Path],
    expected: dict[int, dict[str, list[str]]],
    tmp_path: Path,
    way: Any,
) -> None:
    assert list(program.failures(way, nights[2], expected, tmp_path, go_on=False)) == []
