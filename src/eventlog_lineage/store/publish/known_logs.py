"""Logs as the store knows them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from eventlog_lineage.store.schema.sql_files import sql_text

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True, slots=True)
class KnownLog:
    """A log as the store knows it.

    Attributes:
        size: Bytes of all its files when it was read.
        modified_at: Of its newest file, UTC without a zone.
        state: `complete`, `in_progress`, `truncated`, `compacted` or `unreadable`.
        app_id: The application; empty if it is not known.
        attempt_id: The attempt.
        unreadable: All of it or a part of it could not be read, which may be otherwise now.
    """

    size: int
    modified_at: datetime | None
    state: str
    app_id: str
    attempt_id: str
    unreadable: bool = False


def read_known_logs(connection: duckdb.DuckDBPyConnection, paths: Collection[str]) -> dict[str, KnownLog]:
    """Return the logs of a store among the listed ones, by their paths.

    Args:
        connection: The store's database.
        paths: The paths of the listed logs.
    """
    if not paths:
        return {}
    # No Arrow table: DuckDB 2.0 imports pandas for one, where it is installed, in a fifth of a second.
    rows = connection.execute(sql_text("merge/known_logs"), {"paths": list(paths)}).fetchall()
    return {str(row[0]): KnownLog(*row[1:]) for row in rows}
