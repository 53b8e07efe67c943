"""Tables and columns that have other names today than some of their edges were seen with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from eventlog_lineage.history.lineage_diff import Renames

if TYPE_CHECKING:
    import duckdb

_RENAMED = """
    SELECT changed_at, dataset, change, old_value, new_value, execution_id, app_id, attempt_id
    FROM schema_changes
    WHERE change IN ('table_renamed', 'column_renamed') AND old_value IS NOT NULL
    ORDER BY changed_at, app_id, attempt_id, execution_id, dataset, version
"""


_TOUCHED = """
    SELECT rowid, last_seen, source_dataset, source_column, target_dataset, target_column
    FROM column_lineage
    WHERE is_current AND (list_contains(?, source_dataset) OR list_contains(?, target_dataset))
"""


@dataclass(frozen=True, slots=True)
class Renaming:
    """A table or a column gets another name.

    Attributes:
        at: When.
        dataset: The dataset: of a renamed table the new name.
        old: The old name, of the table or the column.
        new: The new name.
        is_table: It is the table that gets it.
        run: The statement.
    """

    at: datetime
    dataset: str
    old: str
    new: str
    is_table: bool
    run: tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class RenameHistory:
    """All renames that the store knows, in the order of their times."""

    all: tuple[Renaming, ...]

    def between(self, after: datetime, until: datetime, run: tuple[str, str, int]) -> Renames:
        """What got another name after one time, until another one or by a statement that began then."""
        found = [each for each in self.all if after < each.at and (each.at <= until or each.run == run)]
        return _together(found)

    def today(self, dataset: str, column: str | None, seen_at: datetime) -> tuple[str, str | None]:
        """What a column that was seen at a time is called today."""
        for each in self.all:
            if each.at <= seen_at:
                continue
            if each.is_table and each.old == dataset:
                dataset = each.new
            elif not each.is_table and column is not None and each.dataset == dataset:
                column = _renamed(column, each)
        return dataset, column


def read_renames(connection: duckdb.DuckDBPyConnection) -> RenameHistory:
    """Read all renames, and make the temporary table `successors`: renamed tables, when, and their names of today."""
    rows = connection.execute(_RENAMED).fetchall()
    history = RenameHistory(
        tuple(
            Renaming(at, str(dataset), str(old), str(new), change == "table_renamed", (app, attempt, execution))
            for at, dataset, change, old, new, execution, app, attempt in rows
        )
    )
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE successors (dataset VARCHAR, successor VARCHAR, renamed_at TIMESTAMP)"
    )
    for each in history.all:
        if each.is_table:
            successor, _ = history.today(each.new, None, each.at)
            connection.execute("DELETE FROM successors WHERE dataset = ?", [each.old])
            if successor != each.old:
                connection.execute("INSERT INTO successors VALUES (?, ?, ?)", [each.old, successor, each.at])
    return history


def name_edges(connection: duckdb.DuckDBPyConnection, history: RenameHistory) -> None:
    """Make the temporary tables `edge_names` and `column_aliases`.

    `edge_names` has the names of today of current edges that were seen with others; `column_aliases` the names that
    columns had before.
    """
    names = ("source_dataset", "source_column", "target_dataset", "target_column")
    columns = ", ".join(f"{name} VARCHAR" for name in names)
    connection.execute(f"CREATE OR REPLACE TEMP TABLE edge_names (edge BIGINT, {columns})")
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE column_aliases (dataset VARCHAR, alias VARCHAR, column_name VARCHAR)"
    )
    if not history.all:
        return
    touched = sorted({name for each in history.all for name in (each.dataset, each.old if each.is_table else "")})
    rows = connection.execute(_TOUCHED, [touched, touched]).fetchall()
    renamed = []
    for edge, seen_at, source, source_column, target, target_column in rows:
        now = (*_now(history, source, source_column, seen_at), *_now(history, target, target_column, seen_at))
        if now != (source, source_column, target, target_column):
            renamed.append((edge, *now))
    if renamed:
        connection.executemany("INSERT INTO edge_names VALUES (?, ?, ?, ?, ?)", renamed)
    aliases = {_alias(history, each) for each in history.all if not each.is_table}
    if aliases:
        connection.executemany("INSERT INTO column_aliases VALUES (?, ?, ?)", sorted(aliases))


def _now(
    history: RenameHistory, dataset: str | None, column: str | None, seen_at: datetime | None
) -> tuple[str | None, str | None]:
    return (dataset, column) if dataset is None or seen_at is None else history.today(dataset, column, seen_at)


def _alias(history: RenameHistory, each: Renaming) -> tuple[str, str, str]:
    dataset, column = history.today(each.dataset, each.new, each.at)
    return dataset, each.old, column or each.new


def _together(found: Iterable[Renaming]) -> Renames:
    """Several renames in a row as one: old names to the last new ones."""
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


def _renamed(column: str, renaming: Renaming) -> str:
    old = renaming.old.lower()
    if column.lower() == old:
        return renaming.new
    return renaming.new + column[len(old) :] if column.lower().startswith(f"{old}.") else column
