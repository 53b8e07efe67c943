"""Compare the tables that two versions of the program make of the same logs, row by row.

    python benchmarks/same_rows.py --before CHECKOUT LOGS... [--store-before DIR] [--by-night] [--ignore TABLE.COLUMN]

Harvests the logs with the checkout that `--before` names and with this one, each in a process of its own, and prints
per table the rows of both, and those that only one has. `--store-before` keeps the first store, so that the next
comparison need not harvest it again. `--by-night` harvests the logs of this version one by one, in the order of
their names, into one store. Columns that only one version has are left out. Exits with 1 where rows differ.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import duckdb

ROOT = Path(__file__).resolve().parent.parent

SKIPPED = frozenset({"harvests"})
"""Tables that tell of the harvest itself: when it ran and what it read."""

OF_THE_HARVEST = frozenset({"harvested_logs.harvest_id"})
"""Columns that number harvests."""

SHOWN = 5
"""Rows of each difference that are printed."""


def harvest(checkout: Path, logs: Sequence[str], store: Path) -> None:
    """Harvest logs with a checkout's program.

    Args:
        checkout: The root of a checkout.
        logs: Sources, as `harvest` takes them.
        store: The store to write.
    """
    environment = os.environ | {"PYTHONPATH": str(checkout / "src")}
    words = [sys.executable, "-m", "eventlog_lineage", "harvest", *logs, "--store", str(store), "--quiet"]
    code = subprocess.run(words, env=environment, check=False).returncode
    if code not in {0, 3}:  # 3: a log that cannot be read, in both versions
        raise SystemExit(f"{checkout}: the harvest ends with {code}")


def columns_of(connection: duckdb.DuckDBPyConnection, catalog: str) -> dict[str, list[str]]:
    """Return the columns of each relation of a store's main schema, by its name."""
    rows = connection.execute(
        "SELECT table_name, list(column_name ORDER BY column_index) FROM duckdb_columns() "
        "WHERE database_name = ? AND schema_name = 'main' AND NOT internal GROUP BY table_name",
        [catalog],
    ).fetchall()
    return {str(name): list(columns) for name, columns in rows}


def public_tables(store: Path) -> list[str]:
    """Return the names of the tables that a store has as Parquet."""
    return sorted(path.name for path in store.iterdir() if path.is_dir() and not path.name.startswith("."))


def compare(before: Path, after: Path, ignored: frozenset[str]) -> int:
    """Print the differences of two stores.

    Args:
        before: The first store.
        after: The second store.
        ignored: `table.column` names that need not be equal.

    Returns:
        The number of rows that only one of the stores has.
    """
    differences = 0
    with duckdb.connect() as connection:
        for name, store in (("before", before), ("after", after)):
            connection.execute(f"ATTACH '{store / 'lineage.duckdb'}' AS {name} (READ_ONLY)")
        known, new = columns_of(connection, "before"), columns_of(connection, "after")
        for table in public_tables(before):
            if table in SKIPPED or table not in known:  # `runs` and `internal` are folders of other files
                continue
            columns = [
                f'"{column}"'
                for column in known[table]
                if column in new.get(table, ()) and f"{table}.{column}" not in ignored
            ]
            listed = ", ".join(columns)
            sides = [f"SELECT {listed} FROM {catalog}.{table}" for catalog in ("before", "after")]
            counts = [connection.execute(f"SELECT count(*) FROM ({side})").fetchone() for side in sides]
            print(f"{table}: {counts[0][0] if counts[0] else 0} and {counts[1][0] if counts[1] else 0} rows")
            for label, one, other in (("only before", *sides), ("only after", *reversed(sides))):
                rows = connection.execute(f"{one} EXCEPT ALL {other}").fetchall()
                differences += len(rows)
                if rows:
                    print(f"  {label}: {len(rows)}")
                for row in sorted(rows, key=repr)[:SHOWN]:
                    print(f"    {row}")
    return differences


def main() -> None:
    """Harvest twice and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", nargs="+")
    parser.add_argument("--before", type=Path, required=True, metavar="CHECKOUT")
    parser.add_argument("--store-before", type=Path, metavar="DIR")
    parser.add_argument("--by-night", action="store_true")
    parser.add_argument("--ignore", action="append", default=[], metavar="TABLE.COLUMN")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        before = arguments.store_before or Path(folder, "before")
        after = Path(folder, "after")
        if not (before / "lineage.duckdb").is_file():
            harvest(arguments.before, arguments.logs, before)
        if arguments.by_night:
            for log in sorted(arguments.logs):
                harvest(ROOT, [log], after)
        else:
            harvest(ROOT, arguments.logs, after)
        differences = compare(before, after, frozenset(arguments.ignore) | OF_THE_HARVEST)
    print(f"{differences} rows differ")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
