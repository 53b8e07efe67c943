"""A store with an open database: what nights fold into, without published versions.

To write, check and open a version takes longer than to fold a small night. Tests of what is folded need no version;
that published versions have the same rows is tested in tests/store/fold/test_order.py.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa

from eventlog_lineage.declarations import Declarations
from eventlog_lineage.history.job_names import JobNameRule
from eventlog_lineage.store.fold.counts import Counts, count_found
from eventlog_lineage.store.fold.pipeline import fold_tables, merge
from eventlog_lineage.store.fold.steps import NIGHT, RunDays, make_open_tables
from eventlog_lineage.store.fold.stored_names import stored_rule
from eventlog_lineage.store.queries.open_store import OpenStore, open_store
from eventlog_lineage.store.schema.creation import open_empty
from eventlog_lineage.store.schema.database import (
    beside,
    close_database,
    find_relations,
    limit_memory,
    open_attached,
)
from eventlog_lineage.store.schema.internal_tables import RUN_TABLES
from eventlog_lineage.store.schema.relations import column_list, stored_name
from eventlog_lineage.store.writer import HarvestFacts, NextVersion, Summary, _enter, begin_fold

if TYPE_CHECKING:
    from support.stores.nights import Night


@contextmanager
def opened(store: Path | MemoryStore) -> Iterator[OpenStore]:
    """Open a store of either kind for questions."""
    if isinstance(store, MemoryStore):
        yield store.opened
        return
    with open_store(store) as found:
        yield found


_OPEN_TABLES = tuple(f"{NIGHT}.main.open_{table.name}" for table in RUN_TABLES)

_BEGUN: dict[tuple[int, str], tuple[bytes, dict[str, pa.Table]]] = {}
"""A night to the database after it, and its runs."""

_EMPTY: list[bytes] = []
"""The database before its first night."""

_FREE: list[duckdb.DuckDBPyConnection] = []
"""DuckDBs without a database, of stores that were closed: to start and to end one takes 25 ms of CPU time."""

_TUNED = ("threads", "force_compression", "disabled_optimizers")
"""What a fold sets for the whole DuckDB, and not again."""


class MemoryStore:
    """The database of a store, with its runs as tables."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="memory-store-"))
        self._database = self._folder / "lineage.duckdb"
        self._duck = _FREE.pop() if _FREE else duckdb.connect()
        self._connection = self._duck.cursor()
        self._harvests = 0
        if not _EMPTY:
            _EMPTY.append(self._empty())
        limit_memory(self._connection, self._folder)
        self._database.write_bytes(_EMPTY[0])
        open_attached(self._connection, self._database)
        make_open_tables(self._connection)

    def _empty(self) -> bytes:
        """The database without rows, whose views read the tables of open days."""
        with open_empty(self._database, self._folder) as connection:
            make_open_tables(connection)
            for table in RUN_TABLES:
                rows = f"SELECT {column_list(table.column_names)} FROM {NIGHT}.main.open_{table.name}"
                connection.execute(f"CREATE OR REPLACE VIEW {stored_name(table)} AS {rows}")
            connection.execute("CHECKPOINT")
        return self._database.read_bytes()

    def harvest(
        self,
        night: Night,
        *,
        rule: JobNameRule | None = None,
        keep_days: int | None = None,
        declared: Declarations | None = None,
    ) -> Summary:
        """Fold a night."""
        staging = self.stage()
        night.write(staging)
        return self.fold(staging, night.start + timedelta(hours=12), rule, keep_days, declared)

    def begin(self, night: Night) -> None:
        """Fold a first night: equal nights are folded once in a process, and copied from then on."""
        key = night.day, repr(night.rows)
        if key not in _BEGUN:
            self.harvest(night)
            self._connection.execute("CHECKPOINT")
            runs = {table: self._connection.sql(f"FROM {table}").to_arrow_table() for table in _OPEN_TABLES}
            _BEGUN[key] = self._database.read_bytes(), runs
            return
        content, runs = _BEGUN[key]
        close_database(self._connection)
        self._database.write_bytes(content)
        open_attached(self._connection, self._database)
        find_relations(self._connection, f"{NIGHT}.main")
        for table, rows in runs.items():
            self._connection.from_arrow(rows).insert_into(table)
        self._harvests = 1

    def stage(self) -> Path:
        """Make the folder of a hand-over."""
        self._harvests += 1
        staging = self._folder / str(self._harvests)
        staging.mkdir()
        return staging

    def fold(
        self,
        staging: Path,
        started_at: datetime,
        rule: JobNameRule | None = None,
        keep_days: int | None = None,
        declared: Declarations | None = None,
    ) -> Summary:
        """Fold a hand-over as `StoreWriter.publish` does."""
        facts = HarvestFacts(started_at)
        with beside(self._connection) as connection:  # its temporary relations end with it
            previous = self._folder if self._harvests > 1 else None
            known = stored_rule(connection) or JobNameRule()
            version = NextVersion(self._folder, previous, self._database, connection, known, RunDays(), None)
            fold = begin_fold(version, staging, facts.started_at, rule, keep_days, declared)
            changed = merge(fold).changed
            if changed:
                fold_tables(fold)
            return _enter(connection, facts, count_found(fold) if changed else Counts(), changed=changed)

    @property
    def opened(self) -> OpenStore:
        """The store, open for questions."""
        return OpenStore(self._folder, self._folder, self._connection, self._connection)

    def rows(self, query: str, *parameters: object) -> list[tuple[Any, ...]]:
        """The answer to a query."""
        return self._connection.execute(query, parameters).fetchall()

    def close(self) -> None:
        """Free the memory and remove what was staged."""
        close_database(self._connection)
        self._connection.close()
        self._duck.execute(f"DETACH {NIGHT}; " + "; ".join(f"RESET {name}" for name in _TUNED))
        _FREE.append(self._duck)
        shutil.rmtree(self._folder)
