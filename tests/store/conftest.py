"""Stores of small nights, harvested once for all tests of a process."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from support.harvesting import small_night
from support.stores.memory import MemoryStore


@pytest.fixture
def store(new_store: MemoryStore) -> MemoryStore:
    """A store with an open database, for modules without one of their own."""
    return new_store


@pytest.fixture(scope="session")
def small_stores(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path, int], Path]:
    """Put a store of the first small nights into a folder; it is a store that was moved."""
    made: list[Path] = []

    def put(store: Path, nights: int) -> Path:
        while len(made) < nights:
            newest = tmp_path_factory.mktemp("small") / "store"
            if made:
                copy_store(made[-1], newest)
            small_night(len(made)).harvest(newest)
            made.append(newest)
        return copy_store(made[nights - 1], store)

    return put


def copy_store(source: Path, target: Path) -> Path:
    target.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-a", f"{source}/.", str(target)], check=True)
    return target
