"""Asking a store in tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from eventlog_lineage.store.queries.open_store import open_store
from support.stores.memory import MemoryStore


def rows(store: Path | MemoryStore, query: str, *parameters: object) -> list[tuple[Any, ...]]:
    """The answer to a query on the current version."""
    if isinstance(store, MemoryStore):
        return store.rows(query, *parameters)
    with open_store(store) as opened:
        return opened.ask(query, parameters).rows
