"""Read the table that a statement commits to from the descriptions of Hudi's jobs.

Hudi's commands describe their jobs (`HoodieSparkEngineContext.setJobStatus`, 0.11+): the jobs of a commit name the
table, and jobs that delete its markers name their folder, which contains the table's location and the instant. 1.x
prints the module first; 0.x has it as the jobs' group.
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
"""Suffix of a table's metadata table, whose creation has the same description in 0.x."""


def commit_of(known: TableCommit | None, description: str) -> TableCommit | None:
    """Return the commit of an execution after another job.

    The first commit counts: later ones in the same execution are maintenance. Markers that are deleted before it are
    those of an earlier writer that failed, or of the metadata table's creation.

    Args:
        known: The commit after the previous jobs.
        description: The job's description.
    """
    match = _COMMITTING.match(description)
    if known is None or (match and known.table == f"{match['table']}{_METADATA}"):
        return TableCommit(match["table"]) if match else None
    if not known.location and (match := _MARKERS.match(description)):
        return replace(known, location=match["location"], instant=match["instant"])
    return known
