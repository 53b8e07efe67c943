"""Read Delta's commits and schemas, and the versions in streaming offsets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from eventlog_lineage.datasets.commits import Commit, json_object
from eventlog_lineage.events.sources.table_folder import TableFolder
from eventlog_lineage.observed_schemas import TableSchema

from .stored_schemas import delta_schema

_COMMIT = re.compile(r"^(\d{20})\.json$")
_ENDS = frozenset({2**63 - 1, 2**63 - 101})
"""`DeltaSourceOffset.END_INDEX`, and its value in 3.x: the complete version was read."""


def read_commits(table: TableFolder) -> Iterator[Commit | TableSchema] | None:
    """Read a table's commits and schemas; None for a folder without a `_delta_log`."""
    entries = table.entries("_delta_log")
    if not entries:
        return None
    return delta_commits((each.name, table.content(each)) for each in entries if each.name.endswith(".json"))


def delta_commits(files: Iterable[tuple[str, bytes]]) -> Iterator[Commit | TableSchema]:
    """Yield Delta's commits, from the files of `_delta_log`: `commitInfo` has the time, `txn` a stream's batch.

    A commit with a `metaData` action is followed by the schema in it.

    Args:
        files: (name, content).
    """
    for name, content in files:
        match = _COMMIT.match(name)
        if match is None:
            continue
        actions = [action for line in content.splitlines() if (action := json_object(line))]
        info: Mapping[str, Any] = next((action["commitInfo"] for action in actions if "commitInfo" in action), {})
        stream: Mapping[str, Any] = next((action["txn"] for action in actions if "txn" in action), {})
        time = info.get("inCommitTimestamp") or info.get("timestamp")
        if isinstance(time, int):
            batch = stream.get("version")
            yield Commit(
                str(int(match[1])),
                time,
                query_id=str(stream.get("appId", "")),
                batch_id=batch if isinstance(batch, int) else None,
            )
            metadata = next((action["metaData"] for action in actions if "metaData" in action), None)
            if isinstance(metadata, dict) and metadata.get("schemaString"):
                yield delta_schema(str(int(match[1])), time, metadata)


def offset_version(offset: Mapping[str, Any]) -> str | None:
    """Return the newest version that a source has read at an offset; None for offsets of other sources.

    An offset has a version and the index of the next file within it; a negative index is the version's beginning
    (`DeltaSourceOffset`).
    """
    if "reservoirVersion" not in offset:
        return None
    version, index = offset["reservoirVersion"], offset.get("index")
    if not isinstance(version, int) or not isinstance(index, int):
        return ""
    initial = offset.get("isStartingVersion") or offset.get("isInitialSnapshot")
    newest = version if index >= 0 or index in _ENDS or initial else version - 1
    return str(newest) if newest >= 0 else ""
