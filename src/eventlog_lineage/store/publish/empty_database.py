"""The database of a new store, with all tables, views and macros and without rows.

To create these takes as long as folding a small harvest. So a process that makes several stores does it once: the next
ones begin with a copy of the file.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from eventlog_lineage.store.fold.creation import make_tables, make_views
from eventlog_lineage.store.integrity.manifest import LISTED
from eventlog_lineage.store.schema.store_facts import write_fact

from .database import SCHEMA_VERSION, attach_new, close_database, connect_for_writing, open_attached, together

if TYPE_CHECKING:
    import duckdb

_files: dict[str, bytes] = {}
"""Schema version to the content of an empty database."""


def open_empty(
    path: Path, scratch: Path, memory_limit: str, free: duckdb.DuckDBPyConnection | None = None
) -> duckdb.DuckDBPyConnection:
    """Create the database of a new store, and open it as `open_for_writing` does.

    Args:
        path: The database; there is no file.
        scratch: A folder for what does not fit into memory.
        memory_limit: As DuckDB spells it: `2GB`.
        free: A connection without a database, if there is one.
    """
    connection = connect_for_writing(scratch, memory_limit, free)
    try:
        if content := _files.get(SCHEMA_VERSION):
            path.write_bytes(content)
        else:
            attach_new(connection, path)
            with together(connection):
                make_tables(connection)
                make_views(connection)
                write_fact(connection, LISTED, "1")
            connection.execute("CHECKPOINT")
            close_database(connection)
            _files[SCHEMA_VERSION] = path.read_bytes()
        open_attached(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection
