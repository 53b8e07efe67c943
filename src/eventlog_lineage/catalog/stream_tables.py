"""The tables of the session catalog that streaming queries write: progress events name the location only.

`DataStreamWriter.toTable` of a table of files is a `FileStreamSink` at the table's location (3.1 to 4.3), in the
classic API and in Spark Connect, whose server runs the same code. There, the job tag of the operation links the
creation of the table to the batches of the stream (3.5 to 4.3).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from eventlog_lineage.catalog.application_facts import ExecutionSummary
from eventlog_lineage.datasets import naming

from .application_facts import CatalogSettings

_TO_TABLE = frozenset({"toTable", "table"})
"""Call sites of a stream that creates its table first."""
_DATABASE = ".db"
_CREATION = re.compile(r"\s*CREATE\s+(?:EXTERNAL\s+)?TABLE\b.*?\bLOCATION\s+(['\"])(.+?)\1", re.IGNORECASE | re.DOTALL)
_DEFAULT_WAREHOUSE = "spark-warehouse"
"""The folder of `spark.sql.warehouse.dir` unless it is set (`StaticSQLConf.WAREHOUSE_PATH`)."""


def location_in_sql(sql: str) -> str:
    """Return the location of the table that a statement creates; empty for other statements.

    >>> location_in_sql("CREATE TABLE shop.t (id INT) USING parquet LOCATION '/lake/t'")
    '/lake/t'
    """
    match = _CREATION.match(sql) if sql else None
    return match[2] if match else ""


class StreamTables:
    """The tables that streaming queries write, by the paths of their sinks.

    `apply` takes the executions in the order of their ids; `resolve` answers when all are applied.

    Args:
        settings: The settings that the plans are read with. A location without a scheme is a local one only if the
            warehouse is.
        sinks: Run id of a query to the path that it writes.
    """

    def __init__(self, settings: CatalogSettings, sinks: Mapping[str, str]) -> None:
        self._settings = settings
        self._sinks = sinks
        self._is_local = settings.warehouse.startswith("file:") if settings.warehouse else True
        self._changed: dict[str, None] = {}
        self._created: dict[str, None] = {}
        self._located: dict[str, str] = {}
        self._of_operation: dict[str, set[str]] = {}
        self._operations: dict[str, str] = {}
        self._seen: set[str] = set()
        self._waiting: dict[str, None] = {}
        self._started: list[str] = []
        self._following: dict[str, str] = {}

    def apply(self, execution: ExecutionSummary) -> None:
        """Add the tables that an execution creates or changes, and the query that it starts."""
        tables = dict.fromkeys(map(naming.table_name, execution.changed))
        self._changed |= tables
        if execution.location and len(tables) == 1 and (self._is_local or ":/" in execution.location):
            self._located[naming.path_name(execution.location)] = next(iter(tables))
        if execution.call in _TO_TABLE:
            self._created |= tables
            if not execution.stream_run_id:
                self._apply_creation(execution, tables)
        if execution.stream_run_id:
            self._apply_batch(execution)

    def _apply_creation(self, execution: ExecutionSummary, tables: Mapping[str, None]) -> None:
        if execution.operation:
            self._of_operation.setdefault(execution.operation, set()).update(tables)
        if tables:
            if self._started:
                self._follow()
            self._waiting |= tables

    def _apply_batch(self, execution: ExecutionSummary) -> None:
        run_id = execution.stream_run_id
        sink = self._sinks.get(run_id, "")
        tables = self._of_operation.get(execution.operation, ())
        if sink and len(tables) == 1:
            self._operations.setdefault(sink, *tables)
        if run_id not in self._seen:
            self._seen.add(run_id)
            if sink and self._waiting and execution.call in _TO_TABLE:
                self._started.append(sink)

    def _follow(self) -> None:
        """Keep the table of a query that started right after `toTable` created one table (3.1 to 4.3).

        With several tables or several new queries between two creations, nothing shows which belongs to which.
        """
        if len(self._waiting) == len(self._started) == 1:
            self._following[self._started[0]] = next(iter(self._waiting))
        self._waiting, self._started = {}, []

    def resolve(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the tables of the session catalog whose files are at the paths of sinks; empty for other paths.

        A query that follows the creation of a table writes it unless another path is that table's.
        """
        self._follow()
        found = {path: self._located.get(path) or self._table_at(path) for path in paths}
        known = frozenset(found.values())
        started = {path: table for path, table in self._following.items() if table not in known}
        return {path: table or self._operations.get(path) or started.get(path, "") for path, table in found.items()}

    def managed(self, path: str) -> str:
        """Return the table that `toTable` created and whose default location is a path; empty if there is none."""
        location = path.rstrip("/")
        return next((each for each in self._created if self._settings.managed_location(each) == location), "")

    def _table_at(self, path: str) -> str:
        """Return the table whose files are at a path, by the path's folders; empty if the path belongs to no table.

        Args:
            path: As `naming.path_name` returns it.
        """
        for table in self._changed:
            if self._settings.managed_location(table) == path:
                return table
        parent, _, name = path.rpartition("/")
        own = [table for table in self._created if table.rpartition(".")[2].lower() == name.lower()]
        if len(own) == 1:
            return own[0]
        warehouse, _, folder = parent.rpartition("/")
        is_set = bool(self._settings.warehouse) and warehouse == self._settings.warehouse
        is_default = warehouse.rpartition("/")[2] == _DEFAULT_WAREHOUSE
        if (is_set or is_default) and folder.endswith(_DATABASE) and name:
            return f"{naming.SESSION_CATALOG}.{folder.removesuffix(_DATABASE)}.{name}"
        return ""
