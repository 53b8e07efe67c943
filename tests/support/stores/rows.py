"""Asking a store in tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import duckdb

from eventlog_lineage.store.queries.open_store import OpenStore, open_store
from support.stores.memory import MemoryStore


@cache
def shared_duckdb() -> duckdb.DuckDBPyConnection:
    """A DuckDB without a database, for all tests of a process: a new one takes 20 ms of CPU time."""
    duck = duckdb.connect()
    duck.execute("SET enable_external_file_cache = false")  # tests damage files
    return duck


@contextmanager
def asked(store: Path | str) -> Iterator[OpenStore]:
    """Open a store."""
    with open_store(store) as opened:
        yield opened


def rows(store: Path | MemoryStore, query: str, *parameters: object) -> list[tuple[Any, ...]]:
    """The answer to a query on the current version."""
    if isinstance(store, MemoryStore):
        return store.rows(query, *parameters)
    with asked(store) as opened:
        return opened.ask(query, parameters).rows
