"""What tables record about their own snapshots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import orjson


@dataclass(frozen=True, slots=True)
class Commit:
    """A snapshot of a table, as its own metadata tells it.

    Attributes:
        snapshot_id: As the format numbers it.
        committed_at: Epoch milliseconds.
        app_id: The Spark application that made it; empty where the format does not say.
        query_id: The streaming query that made it; empty otherwise.
        batch_id: Its micro-batch; None otherwise.
        is_commit: `committed_at` is when the snapshot was made; else it only became current then, by a rollback.
        is_current: It is what the table has from then on; a commit to a branch is not.
        files: The data files of the snapshot; None where the format does not say.
        size: Bytes of all its files; None where the format does not say.
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
    """Return the JSON object in a file of metadata; an empty one for anything else."""
    try:
        parsed = orjson.loads(content) if content.strip() else {}
    except orjson.JSONDecodeError:
        return {}
    return parsed if isinstance(parsed, dict) else {}
