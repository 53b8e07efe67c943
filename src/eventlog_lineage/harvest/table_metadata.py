"""`--table-metadata`: what the tables themselves say of their snapshots."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator

from eventlog_lineage.datasets.commits import (
    Commit,
    delta_commits,
    hudi_commits,
    iceberg_commits,
    newest_metadata,
    paimon_commits,
)
from eventlog_lineage.errors import LogError
from eventlog_lineage.events.sources.discovery import storage_of
from eventlog_lineage.events.sources.filesystems import FileEntry, Files
from eventlog_lineage.store.schema.rows import Row
from eventlog_lineage.store.schema.tables import TABLE_COMMITS


def commit_rows(locations: Iterable[str]) -> Iterator[Row]:
    """The rows of `table_commits`.

    Args:
        locations: URIs of tables' files; places that are no table's, or cannot be read, give nothing.
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
            )


def read_commits(location: str) -> Iterator[Commit]:
    """A table's snapshots, in whatever format it is.

    Args:
        location: The URI of its files.

    Raises:
        LogError: The storage cannot be read.
    """
    files = storage_of(location)
    root = files.canonical(location).rstrip("/")
    if entries := _listed(files, f"{root}/_delta_log"):
        yield from delta_commits((each.name, _content(files, each)) for each in entries if each.name.endswith(".json"))
    elif entries := _listed(files, f"{root}/.hoodie/timeline") or _listed(files, f"{root}/.hoodie"):
        yield from hudi_commits((each.name, each.modified_at) for each in entries)
    elif entries := _listed(files, f"{root}/snapshot"):
        yield from paimon_commits((each.name, _content(files, each)) for each in entries)
    elif entries := _listed(files, f"{root}/metadata"):
        newest = newest_metadata(each.name for each in entries)
        yield from (
            commit for each in entries if each.name == newest for commit in iceberg_commits(_content(files, each))
        )


def _listed(files: Files, folder: str) -> tuple[FileEntry, ...]:
    """The files of one folder; none where it is not there."""
    if not files.is_folder(folder):
        return ()
    return next((listing.files for listing in files.listings(folder)), ())


def _content(files: Files, entry: FileEntry) -> bytes:
    with files.open(entry.path) as stream:
        content = stream.read()
    return gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content
