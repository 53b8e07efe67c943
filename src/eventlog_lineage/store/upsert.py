"""Merging rows by key: what is new and known wins over what was unknown; pure SQL text."""

from __future__ import annotations

from ..model import GapReason
from .ddl import column_list, quoted
from .declaration import TEXT, Column, Table
from .tables import APPLICATIONS, EXECUTIONS

APPLICATION_KEY = ("app_id", "attempt_id")
"""What names an application's run."""

EXECUTION_KEY = (*APPLICATION_KEY, "execution_id")
"""What names a statement."""

_FROM_ALL_PARTS = frozenset({"root_execution_id", "lineage_id", "plan_fingerprint"})
"""What an execution's row owes to other executions, too: they may be gone from a log that lost parts."""

_COMPLETE = "coalesce({row}.complete, false)::INTEGER"
_STATUS = "CASE {row}.status WHEN 'succeeded' THEN 3 WHEN 'failed' THEN 3 WHEN 'running' THEN 2 ELSE 1 END"


def merge_applications() -> str:
    """SQL that merges the applications handed over into those stored; a log with its end knows better."""
    return _merge(APPLICATIONS, APPLICATION_KEY, _COMPLETE)


def merge_executions() -> str:
    """SQL that merges executions; one that ended knows better than one that runs.

    The lineage's fingerprint follows the lineage's id, whichever harvest brought that.
    """
    link = (
        "UPDATE merged_executions SET lineage_fingerprint = "
        "(SELECT l.lineage_fingerprint FROM lineages l WHERE l.lineage_id = merged_executions.lineage_id)"
    )
    return _merge(EXECUTIONS, EXECUTION_KEY, _STATUS, link, _FROM_ALL_PARTS)


def _merge(
    table: Table, key: tuple[str, ...], rank: str, then: str = "SELECT 1", lasting: frozenset[str] = frozenset()
) -> str:
    """SQL that makes the temporary table `merged_<table>` and replaces the stored rows by it.

    Args:
        table: The table; `handed_<table>` has the new rows.
        key: The columns that name a row.
        rank: How much a row knows, as an expression on `{row}`; of two rows the greater wins, of equals the new one.
        then: A statement on `merged_<table>` in between.
        lasting: Columns that a log which lost parts since the last harvest tells worse than what is stored.
    """
    name, merged = table.name, f"merged_{table.name}"
    chosen = ", ".join(
        f"h.{column.name}"
        if column.name in key
        else f"{_better(column, rank, column.name in lasting)} AS {quoted(column.name)}"
        for column in table.columns
    )
    same = " AND ".join(f"{name}.{column} = m.{column}" for column in key)
    every = column_list(table.column_names, "c")
    return f"""
        CREATE OR REPLACE TEMP TABLE {merged} AS
        WITH handed AS (
            SELECT c.* FROM handed_{name} c
            ANTI JOIN dropped_applications d USING (app_id, attempt_id)
            QUALIFY row_number() OVER (
                PARTITION BY {column_list(key, "c")} ORDER BY {rank.format(row="c")} DESC, {every}
            ) = 1
        ),
        stored AS (SELECT c.* FROM {name} c SEMI JOIN handed h USING ({", ".join(key)})),
        clipped AS (
            SELECT DISTINCT app_id, attempt_id FROM handed_gaps
            WHERE reason IN ('{GapReason.COMPACTED_LOG}', '{GapReason.MISSING_PARTS}')
        )
        SELECT {chosen}
        FROM handed h
        LEFT JOIN stored s USING ({", ".join(key)})
        LEFT JOIN clipped p ON p.app_id = h.app_id AND p.attempt_id = h.attempt_id;
        {then};
        DELETE FROM {name} USING {merged} m WHERE {same};
        INSERT INTO {name} BY NAME SELECT * FROM {merged};
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
