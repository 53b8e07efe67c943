"""Read the snapshots of tables in offsets of streaming sources."""

from __future__ import annotations

import orjson

from eventlog_lineage.extensions import formats


def snapshot_of(offset: str | None) -> str:
    """Return the newest snapshot that a source has read at an offset.

    Args:
        offset: As the progress event prints it.

    Returns:
        The snapshot; empty for other sources and where nothing was read yet.

    >>> snapshot_of('{"snapshot_id":42,"position":0}')
    '42'
    """
    try:
        parsed = orjson.loads(offset) if offset else None
        if isinstance(parsed, str):
            parsed = orjson.loads(parsed)  # a source may log JSON within a string, as Delta's does up to 3.x
    except orjson.JSONDecodeError:
        return ""
    if not isinstance(parsed, dict):
        return ""
    found = (each.offset_version(parsed) for each in formats())
    return next((version for version in found if version is not None), "")
