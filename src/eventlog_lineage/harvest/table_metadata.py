"""`--table-metadata`: snapshots from the tables' own metadata."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from eventlog_lineage.datasets.commits import Commit
from eventlog_lineage.errors import LogError
from eventlog_lineage.events.sources.discovery import storage_of
from eventlog_lineage.events.sources.table_folder import TableFolder
from eventlog_lineage.extensions import formats
from eventlog_lineage.store.schema.rows import Row
from eventlog_lineage.store.schema.tables import TABLE_COMMITS


def commit_rows(locations: Iterable[str]) -> Iterator[Row]:
    """Yield the rows of `table_commits`.

    Args:
        locations: URIs of tables' files; those that are not a table's, or cannot be read, have no rows.
    """
    for location in sorted(set(locations)):
        try:
            commits = list(read_commits(location))
        except (LogError, OSError):
            continue
        for commit in commits:
            yield TABLE_COMMITS.row(
                location=location,
                snapshot_id=commit.snapshot_id,
                committed_at=commit.committed_at,
                app_id=commit.app_id or None,
                stream_query_id=commit.query_id or None,
                stream_batch_id=commit.batch_id,
                is_commit=commit.is_commit,
                is_current=commit.is_current,
                files=commit.files,
                bytes=commit.size,
            )


def read_commits(location: str) -> Iterator[Commit]:
    """Yield the snapshots of a table of any format.

    Args:
        location: The URI of its files.

    Raises:
        LogError: The storage cannot be read.
    """
    files = storage_of(location)
    table = TableFolder(files, files.canonical(location).rstrip("/"))
    for each in sorted(formats(), key=lambda each: each.is_published_too):
        commits: Iterator[Commit] | None = each.read_commits(table)
        if commits is not None:
            yield from commits
            return
