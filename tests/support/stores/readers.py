"""Readers of a store, as other programs are: through DuckDB, through its Parquet files.

python readers.py STORE ALLOWED    reads until its standard input ends; fails if it cannot, or if it reads
                                          anything but one of the states that the file ALLOWED lists
"""

from __future__ import annotations

import json
import os
import re
import select
import sys
import time
from collections import Counter
from pathlib import Path

import duckdb

from eventlog_lineage.store.schema.tables import PUBLIC_TABLES

State = dict[str, list[str]]
"""Table to number of rows and a checksum of them; of the harvests only what does not tell the time."""

_OF_A_HARVEST = "harvest_id, logs_seen, logs_read, logs_unchanged, logs_failed, bytes_read, executions, edges, gaps"
COLUMNS = {
    table.name: _OF_A_HARVEST if table.name == "harvests" else ", ".join(f'"{column.name}"' for column in table.columns)
    for table in PUBLIC_TABLES
}


IN_ONE_FILE = [table.name for table in PUBLIC_TABLES if not table.per_run]
"""What can be read by its name, and not by its version's, at any moment: docs/store.md."""

MOVED = re.compile("No such file|No files found")


def in_duckdb(database: Path) -> State:
    """What the database has."""
    with duckdb.connect(str(database), read_only=True) as connection:
        return {table: _sum(connection, table, table) for table in COLUMNS}


def in_parquet(folder: Path) -> State:
    """What the Parquet files of a version have."""
    with duckdb.connect() as connection:
        return {table: _sum(connection, table, _files(folder, table)) for table in COLUMNS}


def _files(folder: Path, table: str) -> str:
    return f"read_parquet('{folder}/{table}/**/*.parquet', hive_partitioning = true)"


def _sum(connection: duckdb.DuckDBPyConnection, table: str, source: str) -> list[str]:
    query = f"SELECT count(*), coalesce(sum(hash(t)::HUGEINT), 0) FROM (SELECT {COLUMNS[table]} FROM {source}) t"
    return [str(value) for value in connection.execute(query).fetchone() or ()]


def read_on(store: Path, allowed: list[State]) -> Counter[str]:
    """Reads a store again and again, each time another way, until the standard input ends."""
    done: Counter[str] = Counter()
    while not select.select([sys.stdin], [], [], 0)[0]:
        assert in_duckdb(store / "lineage.duckdb") in allowed, "half a night in DuckDB"
        assert in_parquet(Path(os.path.realpath(store / ".current"))) in allowed, "half a night in Parquet"
        done["whole"] += 1
        time.sleep(0.1)
        with duckdb.connect() as connection:
            for table in IN_ONE_FILE:
                try:
                    found = _sum(connection, table, _files(store, table))
                except duckdb.IOException as error:  # what was listed is of the version before: docs/store.md
                    if not MOVED.search(str(error)):
                        raise
                    done["listed again"] += 1
                    continue
                assert found in [state[table] for state in allowed], f"half a night in {table}"
                done["by name"] += 1
                time.sleep(0.01)  # the harvest wants a processor, too
    return done


if __name__ == "__main__":
    print(json.dumps(read_on(Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text()))))
