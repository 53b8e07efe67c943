"""Read Hudi's instants and schemas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from eventlog_lineage.datasets.commits import Commit
from eventlog_lineage.events.sources.filesystems import FileEntry
from eventlog_lineage.events.sources.table_folder import TableFolder
from eventlog_lineage.observed_schemas import Columns, TableSchema

from .stored_schemas import hudi_schema

_COMMIT = re.compile(r"^(\d+)_(\d+)\.(?:commit|deltacommit|replacecommit)$")
_OLD_COMMIT = re.compile(r"^(\d+)\.(?:commit|deltacommit|replacecommit)$")


def read_commits(table: TableFolder) -> Iterator[Commit | TableSchema] | None:
    """Read a table's instants and schemas; None for a folder without a timeline (1.x has it in a subfolder)."""
    entries = table.entries(".hoodie/timeline") or table.entries(".hoodie")
    return _commits(table, entries) if entries else None


def _commits(table: TableFolder, entries: Iterable[FileEntry]) -> Iterator[Commit | TableSchema]:
    """Yield the instants, and after each that changes the columns the schema that its metadata contains.

    Args:
        table: The table's folder.
        entries: The files of its timeline.
    """
    columns: Columns = ()
    for entry in sorted(entries, key=lambda each: each.name):
        for commit in hudi_commits([(entry.name, entry.modified_at)]):
            yield commit
            schema = hudi_schema(commit.snapshot_id, commit.committed_at, table.content(entry))
            if schema is not None and schema.columns != columns:
                columns = schema.columns
                yield schema


def hudi_commits(files: Iterable[tuple[str, int | None]]) -> Iterator[Commit]:
    """Yield Hudi's instants, from the names in its timeline and the times at which the files were written.

    Args:
        files: (name, epoch milliseconds of the last change).
    """
    for name, modified_at in files:
        match = _COMMIT.match(name) or _OLD_COMMIT.match(name)
        if match and modified_at is not None:
            yield Commit(match[1], modified_at)
