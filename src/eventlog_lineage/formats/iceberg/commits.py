"""Read Iceberg's snapshots and schemas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from eventlog_lineage.datasets.commits import Commit, json_object
from eventlog_lineage.events.sources.table_folder import TableFolder
from eventlog_lineage.observed_schemas import TableSchema

from .stored_schemas import iceberg_schemas

_METADATA = re.compile(r"^(?:v?(\d+)(?:-[0-9a-f-]+)?)(?:\.gz)?\.metadata\.json$")


def read_commits(table: TableFolder) -> Iterator[Commit | TableSchema] | None:
    """Read a table's snapshots and schemas from its newest metadata file; None for a folder without `metadata`."""
    entries = table.entries("metadata")
    if not entries:
        return None
    newest = newest_metadata(each.name for each in entries)
    return (commit for each in entries if each.name == newest for commit in iceberg_commits(table.content(each)))


def newest_metadata(names: Iterable[str]) -> str | None:
    """Return the newest of Iceberg's metadata files: `v12.metadata.json`, `00012-<uuid>.metadata.json`."""
    found = [(int(match[1]), name) for name in names if (match := _METADATA.match(name))]
    return max(found)[1] if found else None


def iceberg_commits(content: bytes) -> Iterator[Commit | TableSchema]:
    """Yield the snapshots and schemas in a metadata file; summaries contain the application and a stream's epoch.

    `snapshot-log` lists the current snapshots of the main branch with their times: commits, rollbacks and
    fast-forwards, but no commits to other branches. It is optional; without it, each snapshot is current from its
    commit on.
    """
    metadata = json_object(content)
    log = metadata.get("snapshot-log") or ()
    for snapshot in metadata.get("snapshots") or ():
        summary = snapshot.get("summary") or {}
        epoch = str(summary.get("spark.sql.streaming.epochId", ""))
        yield Commit(
            str(snapshot.get("snapshot-id")),
            int(snapshot.get("timestamp-ms", 0)),
            str(summary.get("spark.app.id", "")),
            str(summary.get("spark.sql.streaming.queryId", "")),
            int(epoch) if epoch.isdigit() else None,
            is_current=not log,
            files=_count(summary.get("total-data-files")),
            size=_count(summary.get("total-files-size")),
        )
    for entry in log:
        yield Commit(str(entry.get("snapshot-id")), int(entry.get("timestamp-ms", 0)), is_commit=False)
    yield from iceberg_schemas(metadata)


def _count(text: object) -> int | None:
    return int(text) if isinstance(text, str) and text.isdigit() else None
