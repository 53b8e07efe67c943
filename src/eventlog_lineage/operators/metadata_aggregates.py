"""The gap of aggregates that a connector answers from its metadata."""

from __future__ import annotations

from functools import cache

from eventlog_lineage.extensions import formats

FROM_METADATA = "a connector answered it from its metadata, and the plan does not name the table"


@cache
def metadata_hint() -> str:
    """Return the hint for resolving the next run completely."""
    settings = sorted((each.metadata_setting for each in formats() if each.metadata_setting), reverse=True)
    return (
        "set spark.sql.ui.explainMode=extended (an UPDATE's result has to be collected as well), so that the next run "
        f"is resolved in full; or turn such answers off: {', '.join(f'{each}=false' for each in settings)}"
    )
