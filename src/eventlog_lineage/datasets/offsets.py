"""Offsets of streaming sources that name a table's snapshot."""

from __future__ import annotations

import orjson

_DELTA_ENDS = frozenset({2**63 - 1, 2**63 - 101})
"""`DeltaSourceOffset.END_INDEX`, and the same counted from where 3.x begins: the whole version was read."""


def snapshot_of(offset: str | None) -> str:
    """The newest snapshot that a source had given when it stood at an offset.

    Args:
        offset: As the progress event prints it. Delta's names the version and the file within it from which to go on,
            a negative index being the version's beginning (`DeltaSourceOffset`); Iceberg's, Paimon's and Hudi's the
            snapshot or commit itself.

    Returns:
        The snapshot; empty for other sources and where nothing was read yet.
    """
    try:
        parsed = orjson.loads(offset) if offset else None
        if isinstance(parsed, str):
            parsed = orjson.loads(parsed)  # Delta up to 3.x logs JSON within a string
    except orjson.JSONDecodeError:
        return ""
    if not isinstance(parsed, dict):
        return ""
    if "reservoirVersion" in parsed:
        return _delta_version(parsed)
    for key in ("snapshot_id", "snapshotId", "offsetCommitTime", "commitTime"):
        if key in parsed:
            return "" if parsed[key] in {None, -1, "000"} else str(parsed[key])
    return ""


def _delta_version(offset: dict[str, object]) -> str:
    version, index = offset.get("reservoirVersion"), offset.get("index")
    if not isinstance(version, int) or not isinstance(index, int):
        return ""
    initial = offset.get("isStartingVersion") or offset.get("isInitialSnapshot")
    newest = version if index >= 0 or index in _DELTA_ENDS or initial else version - 1
    return str(newest) if newest >= 0 else ""
