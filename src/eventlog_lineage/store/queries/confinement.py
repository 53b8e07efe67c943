"""Keeping a user's SQL inside the store: it reads the store's database and Parquet files, and nothing else."""

from __future__ import annotations

import glob
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from eventlog_lineage.errors import UsageError
from eventlog_lineage.store.schema.ddl import text_literal

if TYPE_CHECKING:
    from collections.abc import Iterable

_READING = {"SELECT"}
_HARMLESS = {"CALL", "CREATE", "DELETE", "DROP", "EXPLAIN", "INSERT", "MULTI", "PRAGMA", "SET", "UPDATE"}
"""Statements that read, or change temporary tables and variables only: the database is open read-only.

`MULTI` is a PIVOT (DuckDB 2), `PRAGMA` also an IMPORT DATABASE and a COPY FROM DATABASE, `EXPLAIN ANALYZE` runs its
statement: these may not contain the words below.
"""

_WORD = re.compile(rb"\w+")
_FORBIDDEN = {"attach", "copy", "execute", "export", "import", "install", "load", "prepare"}


def confine(connection: duckdb.DuckDBPyConnection, folders: Iterable[Path]) -> None:
    """Take the rights of a connection to reach files, except those in some folders, and to load extensions.

    It holds for all connections of this process to the same database, and cannot be undone. DuckDB lets COPY write to
    the allowed folders; `refuse_writing` does not.

    Args:
        connection: A connection to a store.
        folders: The folders whose files can still be read.
    """
    if connection.execute("SELECT current_setting('lock_configuration')").fetchone() == (True,):
        return
    found = {form for folder in folders for form in (str(folder), str(folder.absolute()), os.path.realpath(folder))}
    allowed = {f"{form}/" for folder in found for form in (folder, glob.escape(folder))}  # DuckDB compares the pattern
    listed = ", ".join(text_literal(folder) for folder in sorted(allowed))
    with suppress(duckdb.CatalogException):  # a DuckDB without this setting reads no files at all then
        connection.execute(f"SET allowed_directories = [{listed}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def refuse_writing(connection: duckdb.DuckDBPyConnection, query: str) -> None:
    """Refuse statements that write files or reach other databases.

    Args:
        connection: A confined connection: parsing an IMPORT DATABASE reads files in DuckDB 1.2.
        query: SQL.

    Raises:
        UsageError: The query has such a statement, or none at all.
        duckdb.Error: The query cannot be parsed.
    """
    kinds = {statement.type.name for statement in connection.extract_statements(query)}
    if not kinds:
        raise UsageError("the query is empty", hint='write SQL, such as `eventlog-lineage sql "FROM table_lineage"`')
    if kinds <= _READING:
        return
    words = _keywords(query) & _FORBIDDEN
    if words or not kinds <= _READING | _HARMLESS:
        what = ", ".join(sorted(word.upper() for word in words)) or ", ".join(sorted(kinds - _READING - _HARMLESS))
        raise UsageError(
            f"the query cannot run: {what} is not allowed, sql only reads the store",
            hint="to write a file, use --format and redirect the output",
        )


def _keywords(query: str) -> set[str]:
    """Return the keywords of a query in lower case; quoted names and texts are none."""
    content = query.encode()  # tokens are at byte offsets
    tokens = ((at, getattr(kind, "name", "")) for at, kind in duckdb.tokenize(query))
    words = (_WORD.match(content, at) for at, kind in tokens if kind in {"keyword", "identifier"})
    return {word[0].decode().lower() for word in words if word}
