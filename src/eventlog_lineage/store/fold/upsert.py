"""Merging rows by key: what is new and known wins over what was unknown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from eventlog_lineage.model import GapReason
from eventlog_lineage.store.schema.ddl import column_list, quoted
from eventlog_lineage.store.schema.declaration import TEXT, Column, Table
from eventlog_lineage.store.schema.tables import APPLICATIONS, EXECUTIONS

if TYPE_CHECKING:
    import duckdb

APPLICATION_KEY = ("app_id", "attempt_id")
"""What names an application's run."""

EXECUTION_KEY = (*APPLICATION_KEY, "execution_id")
"""What names a statement."""

_FROM_ALL_PARTS = frozenset({"root_execution_id", "lineage_id", "plan_fingerprint"})
"""What an execution's row owes to other executions, too: they may be gone from a log that lost parts."""

_COMPLETE = "coalesce({row}.complete, false)::INTEGER"
_STATUS = "CASE {row}.status WHEN 'succeeded' THEN 3 WHEN 'failed' THEN 3 WHEN 'running' THEN 2 ELSE 1 END"


def merge_applications(connection: duckdb.DuckDBPyConnection) -> None:
    """Merge the applications handed over into those stored; a log with its end knows better."""
    _Merge(APPLICATIONS, APPLICATION_KEY, _COMPLETE).run(connection)


def merge_executions(connection: duckdb.DuckDBPyConnection) -> None:
    """Merge executions; one that ended knows better than one that runs.

    The lineage's fingerprint follows the lineage's id, whichever harvest brought that.
    """
    link = (
        "UPDATE merged_executions SET lineage_fingerprint = "
        "(SELECT l.lineage_fingerprint FROM lineages l WHERE l.lineage_id = merged_executions.lineage_id)"
    )
    _Merge(EXECUTIONS, EXECUTION_KEY, _STATUS, link, _FROM_ALL_PARTS).run(connection)


@dataclass(frozen=True, slots=True)
class _Merge:
    """Makes the temporary table `merged_<table>` of the rows handed over, and replaces the stored rows by it.

    Most nights bring rows that are there once and that nobody has stored: then there is nothing to choose, and the
    long statements that choose are not even planned, which takes longer than to run them.

    Attributes:
        table: The table; `handed_<table>` has the new rows.
        key: The columns that name a row.
        rank: How much a row knows, as an expression on `{row}`; of two rows the greater wins, of equals the new one.
        then: A statement on `merged_<table>` in between.
        lasting: Columns that a log which lost parts since the last harvest tells worse than what is stored.
    """

    table: Table
    key: tuple[str, ...]
    rank: str
    then: str = ""
    lasting: frozenset[str] = frozenset()

    def run(self, connection: duckdb.DuckDBPyConnection) -> None:
        name = self.table.name
        connection.execute(f"""
            CREATE OR REPLACE TEMP TABLE merged_{name} AS
            SELECT c.* FROM handed_{name} c ANTI JOIN dropped_applications d USING (app_id, attempt_id)
        """)
        again, stored = connection.execute(self._known()).fetchone() or (0, 0)
        if again:
            connection.execute(self._each_once())
        if stored:
            connection.execute(self._with_stored())
        if self.then:
            connection.execute(self.then)
        if stored:
            same = " AND ".join(f"{name}.{column} = m.{column}" for column in self.key)
            connection.execute(f"DELETE FROM {name} USING merged_{name} m WHERE {same}")
        connection.execute(f"INSERT INTO {name} BY NAME SELECT * FROM merged_{name}")

    def _known(self) -> str:
        """Of the rows handed over: how many come again, and how many are stored."""
        name, keys = self.table.name, ", ".join(self.key)
        return f"""
            SELECT (SELECT count(*) FROM merged_{name})
                   - (SELECT count(*) FROM (SELECT DISTINCT {keys} FROM merged_{name})),
                   (SELECT count(*) FROM merged_{name} SEMI JOIN {name} USING ({keys}))
        """

    def _each_once(self) -> str:
        name, every = self.table.name, column_list(self.table.column_names, "c")
        return f"""
            CREATE OR REPLACE TEMP TABLE merged_{name} AS
            SELECT c.* FROM merged_{name} c
            QUALIFY row_number() OVER (
                PARTITION BY {column_list(self.key, "c")} ORDER BY {self.rank.format(row="c")} DESC, {every}
            ) = 1
        """

    def _with_stored(self) -> str:
        name, keys = self.table.name, ", ".join(self.key)
        chosen = ", ".join(
            f"h.{column.name}"
            if column.name in self.key
            else f"{_better(column, self.rank, column.name in self.lasting)} AS {quoted(column.name)}"
            for column in self.table.columns
        )
        return f"""
            CREATE OR REPLACE TEMP TABLE merged_{name} AS
            WITH stored AS (SELECT c.* FROM {name} c SEMI JOIN merged_{name} h USING ({keys})),
            clipped AS (
                SELECT DISTINCT app_id, attempt_id FROM handed_gaps
                WHERE reason IN ('{GapReason.COMPACTED_LOG}', '{GapReason.MISSING_PARTS}')
            )
            SELECT {chosen}
            FROM merged_{name} h
            LEFT JOIN stored s USING ({keys})
            LEFT JOIN clipped p ON p.app_id = h.app_id AND p.attempt_id = h.attempt_id
        """


def _better(column: Column, rank: str, lasting: bool) -> str:
    new, old = f"h.{quoted(column.name)}", f"s.{quoted(column.name)}"
    known_new, known_old = (f"nullif({new}, '')", f"nullif({old}, '')") if column.type == TEXT else (new, old)
    wins = f"{rank.format(row='h')} >= {rank.format(row='s')}"
    by_new = f"coalesce({known_new}, {known_old}, {new}, {old})"
    by_old = f"coalesce({known_old}, {known_new}, {old}, {new})"
    if lasting:
        wins = f"({wins} AND p.app_id IS NULL)"
    return f"CASE WHEN s.app_id IS NULL OR {wins} THEN {by_new} ELSE {by_old} END"
