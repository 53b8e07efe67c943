"""Read Hudi's instants."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from eventlog_lineage.datasets.commits import Commit
from eventlog_lineage.events.sources.table_folder import TableFolder

_COMMIT = re.compile(r"^(\d+)_(\d+)\.(?:commit|deltacommit|replacecommit)$")
_OLD_COMMIT = re.compile(r"^(\d+)\.(?:commit|deltacommit|replacecommit)$")


def read_commits(table: TableFolder) -> Iterator[Commit] | None:
    """Read a table's instants; None for a folder without a timeline (1.x has it in a subfolder)."""
    entries = table.entries(".hoodie/timeline") or table.entries(".hoodie")
    return hudi_commits((each.name, each.modified_at) for each in entries) if entries else None


def hudi_commits(files: Iterable[tuple[str, int | None]]) -> Iterator[Commit]:
    """Yield Hudi's instants, from the names in its timeline and the times at which the files were written.

    Args:
        files: (name, epoch milliseconds of the last change).
    """
    for name, modified_at in files:
        match = _COMMIT.match(name) or _OLD_COMMIT.match(name)
        if match and modified_at is not None:
            yield Commit(match[1], modified_at)
