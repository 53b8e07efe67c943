"""What the descriptions of a connector's jobs say of the table that a statement commits to.

Hudi's commands run their jobs under descriptions of their own (`HoodieSparkEngineContext.setJobStatus`, 0.11+): those
of a commit name the table, and when its markers are deleted their folder, which has the table's place and the instant.
1.x has the module before the words; 0.x has it as the jobs' group.
"""

from __future__ import annotations

import re
from dataclasses import replace

from eventlog_lineage.events.table_commits import TableCommit

_COMMITTING = re.compile(r"^(?:SparkRDDWriteClient:)?Committing stats: (?P<table>\S+)$")
_MARKERS = re.compile(
    r"^(?:FSUtils:)?Parallel listing paths (?P<location>[^\n]+?)/\.hoodie/(?:metadata/\.hoodie/)?"
    r"\.temp/(?P<instant>\d{17}|\d{14})/"
)
_METADATA = "_metadata"
"""How Hudi calls the metadata table of a table, whose making 0.x describes in the same words."""


def commit_of(known: TableCommit | None, description: str) -> TableCommit | None:
    """Takes what one more job of an execution says of its commit.

    The first commit counts: what follows in the same execution is the table's upkeep. Markers that are deleted before
    it are those of an earlier writer that failed, or of the metadata table's making.

    Args:
        known: What the jobs before it said.
        description: The job's.
    """
    match = _COMMITTING.match(description)
    if known is None or (match and known.table == f"{match['table']}{_METADATA}"):
        return TableCommit(match["table"]) if match else None
    if not known.location and (match := _MARKERS.match(description)):
        return replace(known, location=match["location"], instant=match["instant"])
    return known
