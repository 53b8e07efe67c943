"""A store in memory for tests of what nights fold into."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.memory_store import MemoryStore


@pytest.fixture
def store() -> Iterator[MemoryStore]:
    made = MemoryStore()
    yield made
    made.close()
