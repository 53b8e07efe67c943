"""Merge rows by key: a known value has precedence over an unknown one, a new one over a stored one."""

from __future__ import annotations

from dataclasses import dataclass

from eventlog_lineage.model import GapReason
from eventlog_lineage.store.schema.ddl import column_list, quoted
from eventlog_lineage.store.schema.declaration import TEXT, Column, Table
from eventlog_lineage.store.schema.tables import APPLICATIONS, EXECUTIONS

from .steps import Fold, python_step

APPLICATION_KEY = ("app_id", "attempt_id")
"""The key of an application attempt."""

EXECUTION_KEY = (*APPLICATION_KEY, "execution_id")
"""The key of an execution."""

_FROM_ALL_PARTS = frozenset({"root_execution_id", "lineage_id", "plan_fingerprint"})
"""Columns of an execution that depend on other executions as well, which a log that lost parts may lack."""

_COMPLETE = "coalesce({row}.complete, false)::INTEGER"
_STATUS = "CASE {row}.status WHEN 'succeeded' THEN 3 WHEN 'failed' THEN 3 WHEN 'running' THEN 2 ELSE 1 END"


@python_step(
    reads="staged_applications staged_gaps dropped_applications",
    makes="merged_applications",
    changes="open_applications",
)
def merge_applications(fold: Fold) -> None:
    """Merge the staged applications into those stored; a complete log has precedence."""
    _Merge(APPLICATIONS, APPLICATION_KEY, _COMPLETE).run(fold)


@python_step(
    reads="staged_executions staged_gaps dropped_applications lineages",
    makes="merged_executions",
    changes="open_executions",
)
def merge_executions(fold: Fold) -> None:
    """Merge a slice of the staged executions into those stored; one that has ended has precedence over a running one.

    The lineage's fingerprint follows the lineage's id, whichever harvest brought that.
    """
    link = f"SELECT m.* REPLACE (l.lineage_fingerprint AS lineage_fingerprint) FROM merged_{EXECUTIONS.name} m"
    link += " LEFT JOIN lineages l ON l.lineage_id = m.lineage_id"
    _Merge(EXECUTIONS, EXECUTION_KEY, _STATUS, link, _FROM_ALL_PARTS).run(fold)


@dataclass(frozen=True, slots=True)
class _Merge:
    """Makes the temporary table `merged_<table>` of the staged rows, and replaces the stored rows of open days by it.

    Most harvests bring rows whose keys are distinct and not stored yet. Then there is nothing to choose, and the long
    statements that choose are left out: to plan them takes longer than to run them. No statement updates many rows:
    DuckDB keeps updates of a table in memory, and does not write them to its temporary folder (1.2 to 2.0).

    Attributes:
        table: The table; `staged_<table>` has the new rows.
        key: The columns that name a row.
        rank: The precedence of a row, as an expression on `{row}`; the greater has precedence, of equals the new row.
        inserted: The query for the rows to insert, if it is not for the merged rows as they are.
        lasting: Columns for which a log that lost parts since the last harvest has no precedence over what is stored.
    """

    table: Table
    key: tuple[str, ...]
    rank: str
    inserted: str = ""
    lasting: frozenset[str] = frozenset()

    def run(self, fold: Fold) -> None:
        connection, name = fold.connection, self.table.name
        connection.execute(f"""
            CREATE OR REPLACE TEMP TABLE merged_{name} AS
            SELECT c.* FROM staged_{name} c ANTI JOIN dropped_applications d USING (app_id, attempt_id)
            WHERE hash(c.app_id, c.attempt_id) % {fold.slices} = {fold.slice}
        """)
        repeated, stored = connection.execute(self._counts()).fetchone() or (0, 0)
        if repeated:
            connection.execute(self._distinct())
        if stored:
            connection.execute(self._with_stored())
        if stored:
            same = " AND ".join(f"open_{name}.{column} = m.{column}" for column in self.key)
            connection.execute(f"DELETE FROM open_{name} USING merged_{name} m WHERE {same}")
        connection.execute(f"INSERT INTO open_{name} BY NAME {self.inserted or f'FROM merged_{name}'}")

    def _counts(self) -> str:
        """Return the query for the number of staged rows with a repeated key and of those with a stored key."""
        name, keys = self.table.name, ", ".join(self.key)
        return f"""
            SELECT (SELECT count(*) FROM merged_{name})
                   - (SELECT count(*) FROM (SELECT DISTINCT {keys} FROM merged_{name})),
                   (SELECT count(*) FROM merged_{name} SEMI JOIN open_{name} USING ({keys}))
        """

    def _distinct(self) -> str:
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
            else f"{_preferred(column, self.rank, column.name in self.lasting)} AS {quoted(column.name)}"
            for column in self.table.columns
        )
        return f"""
            CREATE OR REPLACE TEMP TABLE merged_{name} AS
            WITH stored AS (SELECT c.* FROM open_{name} c SEMI JOIN merged_{name} h USING ({keys})),
            incomplete_logs AS (
                SELECT DISTINCT app_id, attempt_id FROM staged_gaps
                WHERE reason IN ('{GapReason.COMPACTED_LOG}', '{GapReason.MISSING_PARTS}')
            )
            SELECT {chosen}
            FROM merged_{name} h
            LEFT JOIN stored s USING ({keys})
            LEFT JOIN incomplete_logs p ON p.app_id = h.app_id AND p.attempt_id = h.attempt_id
        """


def _preferred(column: Column, rank: str, lasting: bool) -> str:
    new, old = f"h.{quoted(column.name)}", f"s.{quoted(column.name)}"
    known_new, known_old = (f"nullif({new}, '')", f"nullif({old}, '')") if column.type == TEXT else (new, old)
    wins = f"{rank.format(row='h')} >= {rank.format(row='s')}"
    by_new = f"coalesce({known_new}, {known_old}, {new}, {old})"
    by_old = f"coalesce({known_old}, {known_new}, {old}, {new})"
    if lasting:
        wins = f"({wins} AND p.app_id IS NULL)"
    return f"CASE WHEN s.app_id IS NULL OR {wins} THEN {by_new} ELSE {by_old} END"
