"""Tables and columns that were renamed after some of their edges were seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from eventlog_lineage.history.lineage_diff import Renames
from eventlog_lineage.store.schema.sql_files import sql_text

from .insertion import read_records
from .steps import Fold, python_step

if TYPE_CHECKING:
    import duckdb

_EDGE_NAMES = ("source_dataset", "source_column", "target_dataset", "target_column")


@dataclass(frozen=True, slots=True)
class Rename:
    """The rename of a table or of a column.

    Attributes:
        at: When, UTC.
        dataset: The dataset; of a renamed table the new name.
        old: The old name of the table or the column.
        new: The new name.
        is_table: A table is renamed, not a column.
        run: The statement: application, attempt and execution id.
    """

    at: datetime
    dataset: str
    old: str
    new: str
    is_table: bool
    run: tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class RenameHistory:
    """All renames of a store, in the order of their times."""

    all: tuple[Rename, ...]

    def between(self, after: datetime, until: datetime, run: tuple[str, str, int]) -> Renames:
        """Return the renames between two runs.

        Args:
            after: Start of the earlier run, UTC.
            until: Start of the later run, UTC.
            run: The later run; its own renames count, although they happen after its start.
        """
        return _combined([each for each in self.all if after < each.at and (each.at <= until or each.run == run)])

    def current(self, dataset: str, column: str | None, seen_at: datetime) -> tuple[str, str | None]:
        """Return the current name of a dataset and of a column.

        Args:
            dataset: The dataset as it was seen.
            column: The column as it was seen; None for the dataset alone.
            seen_at: When, UTC.
        """
        for each in self.all:
            if each.at <= seen_at:
                continue
            if each.is_table and each.old == dataset:
                dataset = each.new
            elif not each.is_table and column is not None and each.dataset == dataset:
                column = _renamed(column, each)
        return dataset, column


def read_renames(connection: duckdb.DuckDBPyConnection) -> RenameHistory:
    """Return all renames of the store.

    Args:
        connection: The store's database; read-only is enough.
    """
    records = read_records(connection, sql_text("queries/renames"))
    return RenameHistory(
        tuple(
            Rename(
                at=record["changed_at"],
                dataset=record["dataset"],
                old=record["old_value"],
                new=record["new_value"],
                is_table=record["change"] == "table_renamed",
                run=(record["app_id"], record["attempt_id"], record["execution_id"]),
            )
            for record in records
        )
    )


@python_step(reads="schema_changes", makes="successors")
def find_successors(fold: Fold) -> None:
    """Make the temporary table `successors`: renamed tables, when, and their current names."""
    history = read_renames(fold.connection)
    successors: dict[str, tuple[str, datetime]] = {}
    for rename in history.all:
        if rename.is_table:
            successor, _ = history.current(rename.new, None, rename.at)
            successors.pop(rename.old, None)
            if successor != rename.old:
                successors[rename.old] = (successor, rename.at)
    fold.connection.execute(
        "CREATE OR REPLACE TEMP TABLE successors (dataset VARCHAR, successor VARCHAR, renamed_at TIMESTAMP)"
    )
    rows = [(dataset, *successor) for dataset, successor in successors.items()]
    if rows:
        fold.connection.executemany("INSERT INTO successors VALUES (?, ?, ?)", rows)


@python_step(reads="schema_changes column_lineage", makes="edge_names column_aliases")
def name_current_edges(fold: Fold) -> None:
    """Make the temporary tables `edge_names` and `column_aliases`, see `name_edges`."""
    name_edges(fold.connection, read_renames(fold.connection))


def name_edges(connection: duckdb.DuckDBPyConnection, history: RenameHistory) -> None:
    """Make the temporary tables `edge_names` and `column_aliases`.

    `edge_names` has the current names of current edges that were seen with others; `column_aliases` the names that
    columns had before.

    Args:
        connection: The store's database; read-only is enough.
        history: All renames.
    """
    columns = ", ".join(f"{name} VARCHAR" for name in _EDGE_NAMES)
    connection.execute(f"CREATE OR REPLACE TEMP TABLE edge_names (edge BIGINT, {columns})")
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE column_aliases (dataset VARCHAR, alias VARCHAR, column_name VARCHAR)"
    )
    if not history.all:
        return
    names = [name for rename in history.all for name in (rename.dataset, rename.old if rename.is_table else "")]
    touched = sorted(set(names))
    renamed = [
        (record["edge"], *current)
        for record in read_records(connection, sql_text("queries/edges_of_datasets"), [touched, touched])
        if (current := _current_names(history, record)) != tuple(record[name] for name in _EDGE_NAMES)
    ]
    if renamed:
        connection.executemany("INSERT INTO edge_names VALUES (?, ?, ?, ?, ?)", renamed)
    aliases = {_alias(history, rename) for rename in history.all if not rename.is_table}
    if aliases:
        connection.executemany("INSERT INTO column_aliases VALUES (?, ?, ?)", sorted(aliases))


def _current_names(history: RenameHistory, edge: Mapping[str, Any]) -> tuple[str | None, ...]:
    source = _current(history, edge["source_dataset"], edge["source_column"], edge["last_seen"])
    target = _current(history, edge["target_dataset"], edge["target_column"], edge["last_seen"])
    return (*source, *target)


def _current(
    history: RenameHistory, dataset: str | None, column: str | None, seen_at: datetime | None
) -> tuple[str | None, str | None]:
    return (dataset, column) if dataset is None or seen_at is None else history.current(dataset, column, seen_at)


def _alias(history: RenameHistory, each: Rename) -> tuple[str, str, str]:
    dataset, column = history.current(each.dataset, each.new, each.at)
    return dataset, each.old, column or each.new


def _combined(found: Iterable[Rename]) -> Renames:
    """Combine renames in a row into one: old names to the last new ones."""
    datasets: dict[str, str] = {}
    columns: dict[tuple[str, str], str] = {}
    for each in found:
        if each.is_table:
            datasets = {old: each.new if new == each.old else new for old, new in datasets.items()}
            datasets[each.old] = each.new
            columns = {(each.new if name == each.old else name, old): new for (name, old), new in columns.items()}
            continue
        last = each.old.lower()
        known = [old for (name, old), new in columns.items() if name == each.dataset and new.lower() == last]
        for old in known or [last]:
            columns[each.dataset, old] = each.new
    return Renames(datasets, columns)


def _renamed(column: str, rename: Rename) -> str:
    old = rename.old.lower()
    if column.lower() == old:
        return rename.new
    return rename.new + column[len(old) :] if column.lower().startswith(f"{old}.") else column
