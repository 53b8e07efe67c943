"""Snapshots in the metadata of tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import orjson


@dataclass(frozen=True, slots=True)
class Commit:
    """A snapshot of a table, from its metadata.

    Attributes:
        snapshot_id: The format's id or version number.
        committed_at: Epoch milliseconds.
        app_id: The Spark application that created it; empty if the format does not store it.
        query_id: The streaming query that created it; empty otherwise.
        batch_id: Its micro-batch; None otherwise.
        is_commit: Whether the snapshot was created at `committed_at`; otherwise it became current then, by a rollback.
        is_current: Whether it is the table's state from then on; a commit to a branch is not.
        files: The number of data files of the snapshot; None if unknown.
        size: Bytes of all its files; None if unknown.
    """

    snapshot_id: str
    committed_at: int
    app_id: str = ""
    query_id: str = ""
    batch_id: int | None = None
    is_commit: bool = True
    is_current: bool = True
    files: int | None = None
    size: int | None = None


def json_object(content: bytes) -> dict[str, Any]:
    """Return the JSON object in a metadata file; an empty one for other content."""
    try:
        parsed = orjson.loads(content) if content.strip() else {}
    except orjson.JSONDecodeError:
        return {}
    return parsed if isinstance(parsed, dict) else {}


def json_objects(value: object) -> list[dict[str, Any]]:
    """Return the objects in a list of a metadata file; none for another value."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
