"""Read Paimon's snapshots and schemas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from eventlog_lineage.datasets.commits import Commit, json_object
from eventlog_lineage.events.sources.table_folder import TableFolder
from eventlog_lineage.observed_schemas import TableSchema

from .stored_schemas import paimon_schemas

_SNAPSHOT = re.compile(r"^snapshot-(\d+)$")


def read_commits(table: TableFolder) -> Iterator[Commit | TableSchema] | None:
    """Read a table's snapshots and schemas; None for a folder without `snapshot`."""
    entries = table.entries("snapshot")
    if not entries:
        return None
    snapshots = paimon_commits((each.name, table.content(each)) for each in entries)
    return chain(snapshots, paimon_schemas((each.name, table.content(each)) for each in table.entries("schema")))


def paimon_commits(files: Iterable[tuple[str, bytes]]) -> Iterator[Commit]:
    """Yield Paimon's snapshots, from the files of `snapshot`.

    A writer that also compacts creates two snapshots: the second one is the table's state after it.

    Args:
        files: (name, content).
    """
    named = [(int(match[1]), content) for name, content in files if (match := _SNAPSHOT.match(name))]
    snapshots = [(number, json_object(content)) for number, content in sorted(named)]
    for (number, snapshot), (_, following) in zip(snapshots, [*snapshots[1:], (0, {})], strict=True):
        time = snapshot.get("timeMillis")
        user = snapshot.get("commitUser")
        compacted = following.get("commitKind") == "COMPACT" and following.get("commitUser") == user is not None
        if isinstance(time, int) and not compacted:
            yield Commit(str(number), time)
